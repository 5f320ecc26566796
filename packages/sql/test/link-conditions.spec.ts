/** Which foreign keys of a request are under a condition, and which of them its answers do not show. */
import { expect, test } from '@jest/globals';
import type { CrudRequest } from '@nestwright/crud';
import { DEFAULT_VALUE, emptyPlan } from '@nestwright/crud/adapter';
import { SQLITE } from '@nestwright/sql';
import { Exclude } from 'class-transformer';
import { makeLinkConditions } from '../src/scope/link-conditions.js';
import { namedKeys } from '../src/scope/link-keys.js';
import { makeDatabase } from './bare-database.js';
import { describeTable, INTEGER, KEY } from './bare-tables.js';

class Letter {
  @Exclude() ownerId!: number;
}

const database = makeDatabase(SQLITE);
const people = describeTable(database, 'Person', 'people', { id: KEY });
const owned = { id: KEY, ownerId: { ...INTEGER, refers: { path: 'owner', to: people } } };
const notes = describeTable(database, 'Note', 'notes', owned);
const letters = describeTable(database, Letter, 'letters', owned);
const boards = describeTable(database, 'Board', 'boards', {
  ...owned,
  noteId: { ...INTEGER, refers: { path: 'note', to: notes } },
  letterId: { ...INTEGER, refers: { path: 'letter', to: letters } },
});

const conditions = (persist: object, more: object = {}, join: object = {}) => {
  const authRelations = { owner: { id: 1 }, 'note.owner': { id: 1 }, 'letter.owner': { id: 1 } };
  const options = { query: { join }, routes: {}, params: {} };
  const request = { parsed: { authRelations, authPersist: persist }, options, ...more } as unknown as CrudRequest;
  return makeLinkConditions({ request, catalog: boards.catalog });
};

test.each<[persist: object, owned: string[]]>([
  [{}, ['owner']],
  [{ ownerId: 1 }, []],
  [{ owner: { id: 1 } }, []],
  [{ letterId: 1 }, ['owner']],
])('keys under a condition are those that nothing else sets, and all of other entities: %j', (persist, owned) => {
  const [own, nested] = [boards, notes].map((table) => conditions(persist).listOwnedRelations(table));
  expect(own!.map(({ propertyPath }) => propertyPath)).toEqual(owned);
  expect(nested).toEqual(notes.relations);
  const values = [{ column: boards.catalog.columns.get('ownerId')!, value: DEFAULT_VALUE }];
  expect(namedKeys({ ...emptyPlan(boards.catalog), values }, 'insert', conditions(persist))).toEqual([]);
});

const exclude = ['ownerId'];

test.each([
  ['none', boards, {}, {}, false],
  ['one that the options of the resource exclude', boards, { hiddenKeys: exclude }, {}, true],
  ['one under a scope of the resource', boards, { hiddenKeys: exclude, parsed: {}, linkScope: {} }, {}, true],
  ['none of a related record', notes, { hiddenKeys: exclude }, { note: {} }, false],
  ['one that the options of a join exclude', notes, {}, { note: { exclude } }, true],
  ['one that a class excludes', letters, {}, { letter: {} }, true],
])('keys that answers do not show: %s', (_, table, more, join, hides) => {
  expect(conditions({}, more, join).hidesKey(table.relations[0]!)).toBe(hides);
});

test.each(Object.entries({ owner: true, note: false }))('links by %s concern a condition: %s', (path, concerned) => {
  const relation = boards.catalog.relations.get(path)!;
  const through = { relation, keys: [], columns: [], items: [{ plan: emptyPlan(relation.target) }] };
  const parts = [{ links: [through] }, { unlinks: [through] }, { cascades: [through] }];
  for (const part of parts) expect(conditions({}).concern({ ...emptyPlan(boards.catalog), ...part })).toBe(concerned);
});
