/** What path and `persist` put into a body: the same whether a body was validated before it is stored or comes from a handler of the application. */
import { expect, test } from '@jest/globals';
import type { BadRequestException } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsEmpty, IsOptional, IsString, ValidateNested } from 'class-validator';
import { applyScope, bodyScope, type BodyScopeSource } from '../../src/plan/body-scope.js';
import { nestedScope, readPersistedKey } from '../../src/plan/nested-scope.js';
import { planWrite } from '../../src/plan/write.js';
import { BodyReader } from '../../src/validation/body-reader.js';
import { rulesOf } from '../core/rules-of.js';
import { catalog, column, relation } from './catalogs.js';

type Body = Record<string, unknown>;

const primary = { primary: true };
const [id, name] = [column('id', 'integer', primary), column('name', 'text')];
const company = catalog('Company', [id, column('region', 'text', primary), name]);
const team = catalog('Team', [id, name]);
const companyKey = [
  { column: column('companyId', 'integer', { nullable: true }), references: company.primary[0]! },
  { column: column('companyRegion', 'text', { nullable: true }), references: company.primary[1]! },
];

const teamKey = [{ column: column('teamId', 'integer', { nullable: true }), references: team.primary[0]! }];
const keys = [...companyKey, ...teamKey].map((reference) => reference.column);
const users = catalog(
  'User',
  [id, name, column('address.street', 'text'), ...keys],
  [
    relation('company', 'many-to-one', () => company, { references: () => companyKey }),
    relation('team', 'many-to-one', () => team, { references: () => teamKey, cascadeUpdate: true }),
  ],
);

class User {}

const reader = new BodyReader(rulesOf(User, { isModel: true, mode: 'update', validation: false }));
const messageOf = (error: BadRequestException) => Object(error.getResponse())['message'] as string[];

/** The columns that are stored. */
function stored(body: Body, source: BodyScopeSource): Body {
  const [scope, copy] = [bodyScope(source, users), structuredClone(body)];
  applyScope(copy, scope);
  const { values, cascades } = planWrite(users, copy, 'update', { scope });
  expect(cascades).toEqual([]);
  return Object.fromEntries(values.map(({ column, value }) => [column.path, value]));
}

const validated = (body: Body, source: BodyScopeSource) => reader.read(body, bodyScope(source, users));

const THEIRS = { id: 9, name: 'theirs' };
const WHOLE = { path: Object.entries({ 'company.id': 1, 'company.region': 'EU' }) };
const [EACH, KEYS] = [{ team: 9, companyId: 9 }, new Set(['companyId'])];
const LENIENT = { path: Object.entries({ teamId: 1, companyId: 3 }), allowParamsOverride: true, keys: KEYS };

test.each<[string, Body, BodyScopeSource, unknown]>([
  ['a path value wins', { name: 'x', teamId: 9 }, { path: [['teamId', 1]] }, { name: 'x', teamId: 1 }],
  ['`persist` wins over a path value', {}, { path: [['teamId', 1]], persist: { teamId: 2 } }, { teamId: 2 }],
  ['a column wins over its relation', { team: THEIRS }, { path: [['teamId', 1]] }, { teamId: 1 }],
  ['a relation wins over its column', { teamId: 9 }, { path: [], persist: { team: { id: 1 } } }, { teamId: 1 }],
  ['a key replaces what is said of it', { team: THEIRS, teamId: 9 }, { path: [['team.id', 1]] }, { teamId: 1 }],
  ['both parts of a key are taken', { company: { id: 9, region: 'US' } }, WHOLE, { companyId: 1, companyRegion: 'EU' }],
  ['an embedded value', { address: { street: 'x' } }, { path: [['address.street', 'y']] }, { 'address.street': 'y' }],
  ['a body may override path values where it is let, but no key', EACH, LENIENT, { teamId: 9, companyId: 3 }],
  ['or name its column', { teamId: 9 }, { path: [['teamId', 1]], allowParamsOverride: true }, { teamId: 9 }],
])('%s', async (_, body, source, values) => {
  expect(stored(body, source)).toEqual(values);
  expect(stored(await validated(body, source), source)).toEqual(values);
});

test('the body never overrides the key, whatever `allowParamsOverride` says', async () => {
  const source = { path: [['id', 1]], persist: { id: 2 }, allowParamsOverride: true } as const;
  const body = await validated({ id: 9 }, source);
  expect(body).toEqual({ id: 1 });
  applyScope(body, bodyScope(source, users));
  expect(body).toEqual({ id: 1 });
});

test.each([
  ['a-1', 'A-1', 'a-1'],
  ['1', 1, '1'],
  ['a-1', 'b-1', ['id must be empty']],
  ['true', true, ['id must be empty']],
])('where a rule forbids the key, %j in the path allows %j in a body: %j', async (value, id, expected) => {
  class Keyless {
    @IsEmpty() id?: unknown;
  }

  const reading = new BodyReader(rulesOf(Keyless)).read({ id }, bodyScope({ path: [['id', value]] }, undefined));
  expect(await reading.catch(messageOf)).toEqual(Array.isArray(expected) ? expected : { id: expected });
});

test('a relation without a key gets no foreign key of its own', async () => {
  for (const body of [{ team: null }, { team: null, teamId: null }, { team: { name: 'x' } }, { company: 5 }])
    expect(await validated(body, { path: [] })).toStrictEqual(body);
});

test('a nested record is validated, though the path has its key', async () => {
  class Team {
    @IsOptional() @IsString() name?: string;
  }

  class Member {
    @IsOptional() @ValidateNested() @Type(() => Team) team?: Team;
  }

  const scope = bodyScope({ path: [['team.id', 1]] }, users);
  const reading = new BodyReader(rulesOf(Member)).read({ team: { name: 5 } }, scope);
  expect(await reading.catch(messageOf)).toEqual(['team.name must be a string']);
});

test('a relation is set in the body although its class has accessors for it', () => {
  class Lazy {
    set team(_: unknown) {
      throw new Error('not to be called');
    }
  }

  const body = new Lazy() as unknown as Body;
  const added = applyScope(body, bodyScope({ path: [], persist: { team: { id: 1 } } }, users));
  expect([{ ...body }, ...added]).toEqual([{ team: { id: 1 }, teamId: 1 }, 'team']);
});

test('every nested record takes `persist`, a new one also path values, and none takes a key', () => {
  const path = Object.entries({ teamId: 1, id: 5 });
  const scope = bodyScope({ path, persist: { name: 'x', id: 5 } }, users);
  const friend = relation('friend', 'many-to-one', () => users);
  const fields = (isNew: boolean) =>
    nestedScope(scope, { owner: users, relation: friend }, isNew).values.map(({ field }) => field);
  expect([fields(true), fields(false)]).toEqual([['teamId', 'name'], ['name']]);
  const other = nestedScope(scope, { owner: users, relation: users.relations.get('team')! }, true);
  expect(other.values).toEqual([]);
});

test.each([
  [7, ['id', 'name'], 7],
  ['x', ['name'], undefined],
])('`persist` sets the key %j in new related records only, if the column can store it', (id, ofNew, key) => {
  const scope = bodyScope({ path: [], related: { team: { id, name: 'x' } } }, users);
  const ofTeam = { owner: users, relation: users.relations.get('team')! };
  const [made, kept] = [true, false].map((isNew) => nestedScope(scope, ofTeam, isNew));
  expect([made, kept].map((scope) => scope!.values.map(({ field }) => field))).toEqual([ofNew, ['name']]);
  expect([...kept!.persistedKey.values()]).toStrictEqual([key]);
});

test.each([
  ['teamId', { team: '5' }],
  ['team.id', { team: { id: '5' } }],
  ['team', { 'team.id': '5' }],
])('the key column %s is read from `persist` by its relation: %j', (path, persist) => {
  const [no, key] = [column('no', 'integer', { primary: true }), column(path, 'integer', { primary: true })];
  const references = () => [companyKey[1]!, { column: key, references: team.primary[0]! }];
  const held = relation('team', 'many-to-one', () => team, { references });
  const seats = { ...catalog('Seat', [no], [held]), primary: [no, key] };
  expect(readPersistedKey(persist, seats)).toEqual(new Map([[key, 5]]));
});

test('`persist` sets no key in an embedded object that it does not give', () => {
  const key = column('at.no', 'integer', { primary: true });
  const shelves = catalog('Shelf', [key]);
  for (const at of [null, 'x']) expect(readPersistedKey({ at }, shelves)).toEqual(new Map([[key, undefined]]));
  expect(readPersistedKey({ at: {} }, shelves)).toEqual(new Map());
});

test.each([
  [{ team: 1 }, { team: { team: 1 } }],
  [{ team: { team: 1 } }, { team: { team: 1 } }],
  [{ team: null }, { team: null }],
])('`persist` %j sets a relation whose column has no property of its own', (persist, body) => {
  const teams = catalog('Team', [column('team', 'integer', { primary: true })]);
  const references = () => [{ column: column('team', 'integer'), references: teams.primary[0]! }];
  const tasks = catalog('Task', [], [relation('team', 'many-to-one', () => teams, { references })]);
  const sent: Body = { team: { team: 2 } };
  applyScope(sent, bodyScope({ path: [], persist }, tasks));
  expect(sent).toEqual(body);
});
