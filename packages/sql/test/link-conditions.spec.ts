/** Which foreign keys of a request are under a condition, and which of them its answers do not show. */
import { describe, expect, test } from '@jest/globals';
import type { CrudRequest } from '@nestwright/crud';
import { SQLITE } from '@nestwright/sql';
import { Exclude } from 'class-transformer';
import { makeLinkConditions } from '../src/scope/link-conditions.js';
import { makeDatabase } from './bare-database.js';
import { describeTable } from './bare-tables.js';

class Person {}

class Note {}

class Letter {
  @Exclude() ownerId!: number;
}

class Board {}

const database = makeDatabase(SQLITE, () => Promise.reject(new Error('Nothing runs')));
const integer = { kind: 'integer', type: 'integer' } as const;
const id = { ...integer, key: true };
const people = describeTable(database, Person, 'people', { id });
const ownerId = { ...integer, refers: { path: 'owner', to: people } };
const notes = describeTable(database, Note, 'notes', { id, ownerId });
const letters = describeTable(database, Letter, 'letters', { id, ownerId });
const boards = describeTable(database, Board, 'boards', {
  id,
  ownerId,
  noteId: { ...integer, refers: { path: 'note', to: notes } },
  letterId: { ...integer, refers: { path: 'letter', to: letters } },
});

const conditions = (persist: object, more: object = {}, join: object = {}) => {
  const authRelations = { owner: { id: 1 }, 'note.owner': { id: 1 }, 'letter.owner': { id: 1 } };
  const options = { query: { join }, routes: {}, params: {} };
  const request = { parsed: { authRelations, authPersist: persist }, options, ...more } as unknown as CrudRequest;
  return makeLinkConditions({ request, catalog: boards.catalog });
};

describe('keys under a condition', () => {
  test.each<[persist: object, owned: string[]]>([
    [{}, ['owner']],
    [{ ownerId: 1 }, []],
    [{ owner: { id: 1 } }, []],
    [{ letterId: 1 }, ['owner']],
  ])('are those of the resource that persist does not set, and all of other entities: %j', (persist, owned) => {
    const [own, nested] = [boards, notes].map((table) => conditions(persist).listOwnedRelations(table));
    expect(own!.map(({ propertyPath }) => propertyPath)).toEqual(owned);
    expect(nested).toEqual(notes.relations);
  });
});

describe('keys that answers do not show', () => {
  const exclude = ['ownerId'];

  test.each([
    ['none', boards, {}, {}, false],
    ['one that the options of the resource exclude', boards, { hiddenKeys: exclude }, {}, true],
    ['none of a related record', notes, { hiddenKeys: exclude }, { note: {} }, false],
    ['one that the options of a join exclude', notes, {}, { note: { exclude } }, true],
    ['one that a class excludes', letters, {}, { letter: {} }, true],
  ])('%s', (_, table, more, join, hides) => {
    expect(conditions({}, more, join).hidesKey(table.relations[0]!)).toBe(hides);
  });
});
