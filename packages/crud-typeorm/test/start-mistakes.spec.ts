/** Services and options that do not go together: what stops the start, what is warned of, and what does neither. No database is there. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CATALOG, CHECK_START, DEFAULT_CONCURRENT, type ResourceDefinition } from '@nestwright/crud/adapter';
import type { CrudOptions } from '@nestwright/crud';
import * as orm from 'typeorm';
import { TypeOrmCrudService } from '../src/index.js';
import { unconnected } from './support/unconnected.js';

@orm.Entity()
@orm.Unique(['name', 'at'])
class Item {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar' }) name!: string;
  @orm.Index() @orm.Column({ type: Date }) at!: Date;
}

@orm.ViewEntity({ expression: 'SELECT 1 AS one' })
class Keyless {
  @orm.ViewColumn() one!: number;
}

class Plain extends TypeOrmCrudService<Item> {}

/** A service that overrides some members. */
const overriding = (name: string, ...members: (keyof Plain | 'doGetMany' | 'getOneOrFail')[]) => {
  class Service extends Plain {}
  for (const member of members) Object.defineProperty(Service.prototype, member, { value: () => undefined });
  return Object.defineProperty(Service, 'name', { value: name });
};
const Built = overriding('Built', 'createBuilder');
const Read = overriding('Read', 'doGetMany');
const Grouped = overriding('Grouped', 'createBuilder', 'aggregateMany');
const One = overriding('One', 'getOneOrFail');

type Options = Partial<Omit<CrudOptions<Item>, 'model'>>;

/** What the start says of a service with options, all of whose routes are made. */
async function mistakesOf(
  Service: typeof Plain,
  given: Options,
  source: object = {},
  entity: orm.EntityTarget<object> = Item,
) {
  const connected = await unconnected({ type: 'postgres', ...source }, Item, Keyless);
  const service = new Service(connected.getRepository(entity) as never);
  const options = { query: {}, routes: {}, params: {}, operators: {}, ...given };
  const routes = new Set(given.query?.aggregate ? ['createOneBase', 'aggregateBase'] : ['createOneBase']);
  return service[CHECK_START]({ model: entity, modelName: 'Item', options, routes } as unknown as ResourceDefinition);
}

const CURSOR =
  'query.cursor is true, but the service overrides createBuilder or doGetMany, whose lists have no cursors';
const EXPORT =
  'query.export is set, but the service overrides createBuilder or doGetMany, whose lists cannot be read part by part';
const GROUPS =
  'query.aggregate is set, but the service overrides createBuilder or doGetMany, which groups would pass by: override aggregateMany, too';
const UNIQUE =
  'routes.createOneBase.onConflict is ["at"], but no unique constraint of Item is over exactly these; there are: id, name + at';
const ZONE =
  'query.aggregate.groupBy names "at", whose values are stored without an offset, in whatever time zone the process has: give the column the type timestamptz';
const MOMENTS: Options = { query: { aggregate: { groupBy: ['name', 'at'], functions: { at: ['max'] } } } };
const groups: Options = { query: { aggregate: { groupBy: ['name'] } } };
const files: Options = { query: { export: { formats: ['csv'], concurrent: 1 } } };
const conflict = (...onConflict: ('id' | 'name' | 'at')[]): Options => ({
  routes: { createOneBase: { onConflict }, createManyBase: { onConflict: ['name'] } },
});

test.each<[Service: typeof Plain, options: Options, ...mistakes: string[]]>([
  [Plain, { query: { cursor: true, cache: 0, ...files.query } }],
  [Read, { query: { cursor: true, ...files.query } }, CURSOR, EXPORT],
  [One, { query: { cursor: true, ...files.query, ...groups.query } }],
  [Plain, groups],
  [Built, groups, GROUPS],
  [Read, groups, GROUPS],
  [Grouped, groups],
  [Plain, { query: { cache: 5 } }, 'query.cache is 5, but the data source has no cache: set its option `cache`'],
  [Plain, conflict('at', 'name')],
  [Plain, conflict('at'), UNIQUE],
  [Plain, conflict('id', 'name'), UNIQUE.replace('"at"', '"id","name"')],
  [Plain, MOMENTS, ZONE],
])('what stops the start of a service of %p with the options %j', async (Service, options, ...mistakes) => {
  expect(await mistakesOf(Service, options)).toEqual(mistakes);
});

test('groups by moments in the time zone of the connection stop the start', async () => {
  const mistake = /^query\.aggregate\.groupBy names "at", whose values are stored in the time zone .*timezone: 'Z'/;
  expect(await mistakesOf(Plain, MOMENTS, { type: 'mysql' })).toEqual([expect.stringMatching(mistake)]);
  expect(await mistakesOf(Plain, MOMENTS, { type: 'mysql', timezone: 'Z' })).toEqual([]);
});

test('exports of an entity without a key stop the start where all share one connection', async () => {
  const sqlite = { type: 'sqljs', database: undefined };
  const mistake =
    'query.export is set, but Keyless has no primary key, without which its records cannot be read part by part on a connection that all share';
  expect(await mistakesOf(Plain, files, sqlite, Keyless)).toEqual([mistake]);
  expect(await mistakesOf(Plain, {}, sqlite, Keyless)).toEqual([]);
  expect(await mistakesOf(Plain, files, {}, Keyless)).toEqual([]);
  expect(await mistakesOf(Plain, files, sqlite, Item)).toEqual([]);
});

afterEach(() => void jest.restoreAllMocks());

test.each<[source: object, concurrent: number | undefined, size: number | undefined]>([
  [{}, undefined, undefined],
  [{ poolSize: 2, extra: { max: 9, connectionLimit: 9 } }, undefined, 2],
  [{ extra: { max: 3, connectionLimit: 9 } }, 3, 3],
  [{ extra: { connectionLimit: 4 } }, 3, undefined],
  [{}, 9, undefined],
  [{}, 10, 10],
  [{ type: 'sqljs', database: undefined, poolSize: 1 }, 5, undefined],
])('exports on %j, %j at a time, are warned of if they may occupy the pool', async (source, concurrent, size) => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const query = { export: { formats: ['csv' as const], ...(concurrent && { concurrent }) } };
  expect(await mistakesOf(Plain, { query }, source)).toEqual([]);
  const warned = `Item: ${concurrent ?? DEFAULT_CONCURRENT} exports may run at a time (query.export.concurrent), and the pool has ${size} connections: all other requests would wait for the readers of exports.`;
  expect(warn.mock.calls).toEqual(size === undefined ? [] : [[warned]]);
});

test('a service without a repository, or of an unknown entity, says what to change', async () => {
  const of = (repository: unknown) => () => new Plain(repository as never)[CATALOG];
  expect(of(undefined)).toThrow(
    'Plain has no repository: hand it to super(), and declare no field repo, which would hide it',
  );
  // Unit tests pass parts of one.
  for (const part of [{}, { manager: {} }, { manager: { connection: {} } }])
    expect(() => new Plain(part as never)).not.toThrow();
  const source = await unconnected({ type: 'postgres' });
  expect(of(source.getRepository(Item))).toThrow(
    'No metadata for "Item" was found. Add it to entities of the data source, or set autoLoadEntities: true for TypeOrmModule.forRoot()',
  );
});
