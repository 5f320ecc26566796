/** What catalogs and tables say of TypeORM's metadata: of each type of column on each database, of keys and constraints, of classes. No database is there. */
import { expect, test } from '@jest/globals';
import type { CatalogColumn } from '@nestwright/crud/adapter';
import * as orm from 'typeorm';
import { configureCrudDatabase } from '../src/index.js';
import { getDialect } from '../src/typeorm/dialect-of.js';
import { toDatabase } from '../src/typeorm/database.js';
import { toCatalog, toTable } from '../src/typeorm/entity-tables.js';
import { withPlainRelations } from '../src/typeorm/lazy-relations.js';
import type { Table } from '@nestwright/sql';
import { Shop, Ware } from './kinds/entities.js';
import { unconnected } from './support/unconnected.js';

type Type = orm.DataSourceOptions['type'];
const signed = (bits: bigint) => ({ range: [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] });
const integer = (bits: bigint) => ({ kind: 'integer', ...signed(bits) });
/** A number that the database makes. */
const numbered = (more: object = {}) => {
  const made = { hasDefault: true, generated: true, ...more };
  return { ...integer(32n), ...made, declared: { kind: 'integer', ...made } };
};
const LIST = { kind: 'array' };
const ASSUMED = { elementKind: 'decimal', assumed: true };
const enumerated = { enum: ['a', 'b'] };
const members = ['a', 'b'];
const TRANSFORMER = { to: String, from: String };
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Columns of types, and what the catalog has of each beside what any has. */
const COLUMNS: Partial<Record<Type, [types: unknown, options: object, expected: object][]>> = {
  mysql: [
    ['tinyint', {}, integer(8n)],
    ['tinyint', { unsigned: true }, { kind: 'integer', range: [0n, 255n] }],
    ['smallint', {}, integer(16n)],
    ['mediumint', {}, integer(24n)],
    ['bigint', { unsigned: true }, { kind: 'bigint', range: [0n, 2n ** 64n - 1n] }],
    ['year', {}, { kind: 'integer', range: [1901n, 2155n] }],
    ['decimal|dec|fixed', { precision: 10, scale: 2 }, { kind: 'decimal', precision: 10, scale: 2 }],
    ['double', { precision: 10, scale: 2 }, { kind: 'float' }],
    ['varchar', {}, { kind: 'text', length: 255, declared: { kind: 'text' } }],
    [String, {}, { kind: 'text', length: 255, declared: { kind: 'text' } }],
    ['varchar', { length: 3 }, { kind: 'text', length: 3 }],
    ['text|tinytext|mediumtext|longtext|char|nchar|national char|national varchar', {}, { kind: 'text' }],
    ['varchar', { generated: 'uuid' }, { kind: 'uuid', hasDefault: true, generated: true }],
    ['date', {}, { kind: 'date' }],
    ['datetime|timestamp', {}, { kind: 'datetime' }],
    ['json', {}, { kind: 'json', depth: 100 }],
    ['set', enumerated, { kind: 'array', elementKind: 'enum', members }],
    ['simple-array', {}, { kind: 'array', elementKind: 'text', separator: ',' }],
    ['blob', {}, { kind: 'binary', form: 'bytes' }],
    ['point', {}, { kind: 'binary', form: 'wkt' }],
  ],
  postgres: [
    ['int2', {}, integer(16n)],
    ['int4', {}, integer(32n)],
    ['integer', {}, integer(32n)],
    ['int8', {}, { kind: 'bigint', ...signed(64n) }],
    [Number, {}, { ...integer(32n), declared: { kind: 'decimal', assumed: true } }],
    [Number, { array: true }, { ...LIST, elementKind: 'integer', declared: { ...LIST, ...ASSUMED } }],
    [Number, { generated: 'increment' }, numbered({ autoIncrement: true })],
    [Number, { generated: 'identity' }, numbered()],
    ['int', { generated: 'rowid' }, { ...integer(32n), hasDefault: true, autoIncrement: true, generated: true }],
    ['varchar|char|character|character varying|citext', {}, { kind: 'text' }],
    ['float|float4|float8|real|double precision', {}, { kind: 'float' }],
    [Boolean, {}, { kind: 'boolean' }],
    [Date, {}, { kind: 'datetime' }],
    ['timestamp without time zone|timestamptz|timestamp with time zone', {}, { kind: 'datetime' }],
    ['time|time without time zone', {}, { kind: 'time' }],
    ['timetz|time with time zone', {}, { kind: 'time', zoned: true }],
    ['simple-enum', enumerated, { kind: 'enum', members }],
    ['varchar', { array: true, length: 9 }, { kind: 'array', elementKind: 'text' }],
    ['numeric', { array: true, precision: 9, scale: 2 }, { kind: 'array', elementKind: 'decimal' }],
    ['bytea', { array: true }, { kind: 'array', elementKind: 'binary', form: 'bytes' }],
    ['bytea', { default: 'x' }, { kind: 'binary', form: 'bytes', hasDefault: true }],
    ['inet', { default: null, nullable: true }, { kind: 'binary', form: 'plain', nullable: true }],
    ['hstore', { array: true }, { kind: 'array', elementKind: 'binary', form: 'plain' }],
    ['bool', { select: false, insert: false }, { kind: 'boolean', selectable: false, insertable: false }],
    ['text', { transformer: TRANSFORMER }, { kind: 'text', transformed: true, toStored: expect.any(Function) }],
    ['bool', { update: false }, { kind: 'boolean', updatable: false }],
    [Date, { createDate: true }, { kind: 'datetime', source: 'createDate', hasDefault: true, updatable: true }],
    [Date, { deleteDate: true, nullable: true }, { kind: 'datetime', source: 'deleteDate', nullable: true }],
    ['int', { asExpression: '1', generatedType: 'STORED' }, { ...integer(32n), source: 'generated', hasDefault: true }],
  ],
  sqljs: [
    ['integer', {}, { kind: 'integer', range: [-SAFE, SAFE] }],
    ['int', {}, integer(32n)],
    [String, {}, { kind: 'text' }],
    ['nvarchar|varying character|native character|clob', {}, { kind: 'text' }],
    ['unsigned big int', {}, { kind: 'bigint' }],
    ['simple-json', {}, { kind: 'json', depth: 1000 }],
  ],
};

/** What a column of no peculiarity has. */
const USUAL: Partial<CatalogColumn> = {
  ...{ source: 'client', nullable: false, hasDefault: false, primary: false, autoIncrement: false, generated: false },
  ...{ selectable: true, insertable: true, updatable: true, transformed: false },
};

test.each(Object.keys(COLUMNS) as Type[])('each type of column of %s', async (type) => {
  const cases = COLUMNS[type]!.flatMap(([types, ...rest]) =>
    (typeof types === 'string' ? types.split('|') : [types]).map((of) => [of, ...rest] as const),
  );
  const columns = Object.fromEntries(cases.map(([of, options], at) => [`c${at}`, { type: of, ...options }]));
  const key = { type: 'int', primary: true } as const;
  const schema = new orm.EntitySchema<object>({ name: 'every', columns: { ...columns, key } as never });
  const { columns: found } = toCatalog((await unconnected({ type }, schema)).getMetadata(schema));
  for (const [index, [column, options, expected]] of cases.entries()) {
    const path = `c${index}`;
    const { declared, ...more } = expected as { declared?: object };
    const whole = { ...USUAL, ...more, path, ...(declared && { declared: { ...USUAL, ...declared, path } }) };
    expect([column, options, found.get(path)]).toStrictEqual([column, options, whole]);
  }
});

@orm.Entity()
class Site {
  @orm.PrimaryColumn({ type: 'int', primaryKeyConstraintName: 'pk_site' }) id!: number;
}

class Size {
  @orm.Column({ type: 'int', default: 1 }) width!: number;
}

@orm.Entity()
@orm.TableInheritance({ column: { type: 'varchar', name: 'kind' } })
@orm.Unique('u_code', ['code', 'site'])
@orm.Index('i_any', ['code'])
@orm.Index('i_unique', ['code'], { unique: true })
@orm.Index('i_partial', ['code'], { unique: true, where: "code <> ''" })
@orm.Check('c_code', "code <> 'x'")
class Part {
  @orm.PrimaryGeneratedColumn('identity', { generatedIdentity: 'ALWAYS' }) id!: number;
  @orm.Column({ type: 'varchar', length: 9, default: 'a' }) code!: string;
  @orm.Column(() => Size) size!: Size;
  @orm.ManyToOne(() => Site, { onDelete: 'CASCADE' })
  @orm.JoinColumn({ foreignKeyConstraintName: 'fk_site' })
  site!: Site;
  @orm.ManyToOne(() => Part, { lazy: true }) whole!: Promise<Part>;
}

@orm.ChildEntity('screw')
class Screw extends Part {
  @orm.Column({ type: 'int', nullable: true }) turns!: number | null;
}

test('tables have the names of their keys and constraints, and their neighbours', async () => {
  const source = await unconnected({ type: 'postgres' }, Site, Part, Screw);
  const [site, part, screw] = [Site, Part, Screw].map((entity) => toTable(source.getMetadata(entity)));
  const named = (all: readonly { name: string; columns: readonly { propertyPath: string }[]; isUnique?: boolean }[]) =>
    all.map((one) => `${one.name}: ${one.columns.map(({ propertyPath }) => propertyPath).join()} ${one.isUnique}`);
  const indices = ['i_partial: code false', 'i_unique: code true', 'i_any: code false'];
  expect(named(part!.constraints)).toEqual(['u_code: code,site.id true', ...indices]);
  expect(part!.checks).toEqual([{ name: 'c_code', expression: "code <> 'x'" }]);
  const key: unknown = expect.stringMatching(/^PK_/);
  expect([site!.primaryKeyNames, part!.primaryKeyNames]).toEqual([[key, 'pk_site'], [key]]);
  expect(named(site!.referringKeys)).toEqual(['fk_site: site.id undefined']);
  const { onDelete, table, referencedTable, referencedColumns } = part!.foreignKeys[0]!;
  expect([onDelete, table, referencedTable, referencedColumns]).toEqual(['CASCADE', part, site, site!.columns]);
  const { children, parent } = part!;
  expect([children, parent, screw!.parent, screw!.discriminatorValue]).toEqual([[screw], undefined, part, 'screw']);
  const columns = part!.columns.map((one) => [one.propertyPath, one.generation, one.defaultSql, one.fullType].join());
  expect(columns).toEqual([
    ...['id,other,,integer', "code,,'a',character varying(9)", 'turns,,,integer', 'kind,,,character varying'],
    ...['site.id,,,integer', 'whole.id,,,integer', "size.width,,'1',integer"],
  ]);
  const { columns: described, relations, recordClasses } = toCatalog(source.getMetadata(Part));
  expect(described.get('id')).toMatchObject({ autoIncrement: true, hasDefault: true });
  const references = relations.get('site')!.references.map((one) => [one.column.path, one.references.path]);
  expect(references).toEqual([['site.id', 'id']]);
  const own = ['id', 'code', 'size.width', 'site', 'whole'];
  const [embedded, assigned] = [new Map([['size', Size]]), new Set(['whole'])];
  expect(recordClasses!.map((one) => ({ ...one, paths: [...one.paths].sort() }))).toEqual([
    { target: Part, paths: [...own].sort(), assigned, embedded },
    { target: Screw, paths: [...own, 'turns'].sort(), assigned, embedded },
  ]);
});

test('lazy relations of bodies are plain ones, in all records that they hold', async () => {
  const source = await unconnected({ type: 'postgres' }, Shop, Ware);
  const ware = { __shop__: { id: 2 }, __has_shop__: true, label: 'a' };
  const bare = Object.assign(Object.create(null) as object, ware);
  const wares = [Object.assign(new Ware(), ware), { ...ware }, bare, [1], null, 7];
  const body = Object.assign(new Shop(), { shopName: 's', __wares__: wares, __has_wares__: true });
  const plain = withPlainRelations(body, toCatalog(source.getMetadata(Shop)));
  const [first, ...others] = (plain as unknown as { wares: [Ware, ...unknown[]] }).wares;
  // TypeORM has put accessors on the classes.
  expect([first.constructor, { ...first }]).toEqual([Ware, { label: 'a', shop: { id: 2 } }]);
  expect(others).toEqual([ware, ware, [1], null, 7]);
  expect([plain instanceof Shop, Object.keys(plain)]).toEqual([true, ['shopName', 'wares']]);
  expect(Object.keys(body)).toEqual(['shopName', '__wares__', '__has_wares__']);
  const one = Object.assign(new Ware(), { shop: Object.assign(new Shop(), { __wares__: [] }) });
  expect({ ...withPlainRelations(one, toCatalog(source.getMetadata(Ware))).shop }).toEqual({ wares: [] });
  expect(withPlainRelations({ wares: [1] }, toCatalog(source.getMetadata(Shop)))).toEqual({ wares: [1] });
});

/** What TypeORM notes when it connects. */
const RETURNING = { version: '10.5.0', _isReturningSqlSupported: { insert: true, delete: true, update: false } };

test.each<[options: object, connected: object, returns: boolean[], server: boolean[]]>([
  [{ type: 'postgres' }, {}, [true, true], [false, false, false]],
  [{ type: 'sqljs' }, {}, [true, true], [false, false, false]],
  [{ type: 'mysql', timezone: 'Z' }, { version: '8.4.0' }, [false, false], [false, true, false]],
  [{ type: 'mysql', timezone: '+00:00' }, { version: '5.5.5-10.2-MariaDB' }, [false, false], [true, true, false]],
  [{ type: 'mysql', legacySpatialSupport: false }, { version: '11.4' }, [false, false], [true, false, false]],
  [{ type: 'mysql', legacySpatialSupport: true }, { version: '10' }, [false, false], [true, false, true]],
  [{ type: 'mariadb' }, RETURNING, [true, false], [true, false, false]],
])('what is known of the database of %j, connected: %j', (options, connected, returns, server) => {
  const source = new orm.DataSource(options as never);
  Object.assign(source.driver, connected);
  const { returns: made, server: known } = toDatabase(source);
  expect([made.insert, made.update]).toEqual(returns);
  expect([known.isMariaDb, known.isUtc, known.hasOldSpatialNames]).toEqual(server);
});

test.each<[isUsable: boolean, ...options: object[]]>([
  [true, {}, { logging: false, logger: 'file' }, { logging: [] }, { extra: { max: 1 } }],
  [false, { logging: true }, { logging: ['error'] }, { logging: 'all' }, { logger: new orm.AdvancedConsoleLogger() }],
  [false, { maxQueryExecutionTime: 1 }, { extra: { types: {} } }, { extra: { binary: true } }],
  [false, { replication: { master: {}, slaves: [] } }, { type: 'mysql' }, { type: 'sqljs' }],
])('whether rows come as texts is %s with the options %j', (isUsable, ...all) => {
  for (const options of all) {
    const source = new orm.DataSource({ type: 'postgres', ...options } as never);
    const { findTextQuery } = toDatabase(source);
    const isFound = () => findTextQuery?.() !== undefined;
    expect([options, isFound()]).toEqual([options, isUsable]);
    for (const subscriber of [{ beforeQuery: () => undefined }, { afterQuery: () => undefined }]) {
      source.subscribers.splice(0, 1, subscriber);
      expect(isFound()).toBe(false);
    }
    source.subscribers.splice(0, 1, { afterInsert: () => undefined });
    expect(isFound()).toBe(isUsable);
  }
});

test('a database of another type is refused', () =>
  expect(() => getDialect({ options: { type: 'oracle' } } as orm.DataSource)).toThrow(
    'The database type oracle is not supported; known are sqljs, sqlite, better-sqlite3, postgres, mysql, mariadb',
  ));

test.each([
  [{ fastPath: true }, 'fastPath is no option; known are fastPaths, statementCache, statementCacheBytes'],
  [{ toString: true }, 'toString is no option; known are fastPaths, statementCache, statementCacheBytes'],
  [{ fastPaths: 1 }, 'fastPaths must be true or false'],
  [{ statementCache: 0 }, 'statementCache must be a whole number, 1 or more'],
  [{ statementCacheBytes: 1.5 }, 'statementCacheBytes must be a whole number, 1 or more'],
  [{ statementCacheBytes: '1' }, 'statementCacheBytes must be a whole number, 1 or more'],
])('how a database is talked to: %j is refused', (options, message) => {
  const source = new orm.DataSource({ type: 'postgres' });
  expect(() => configureCrudDatabase(source, options as never)).toThrow(`configureCrudDatabase: ${message}`);
  expect(toDatabase(source).options).toEqual({ fastPaths: true, statementCache: 1000, statementCacheBytes: 2 ** 25 });
  configureCrudDatabase(source, { statementCache: 1 });
  expect(toDatabase(source).options).toEqual({ fastPaths: true, statementCache: 1, statementCacheBytes: 2 ** 25 });
});

test('columns of a view have the kinds of their properties', async () => {
  @orm.ViewEntity({ expression: 'SELECT 1' })
  class Seen {
    @orm.ViewColumn() text!: string;
    @orm.ViewColumn() number!: number;
    @orm.ViewColumn() flag!: boolean;
    @orm.ViewColumn() at!: Date;
    @orm.ViewColumn() other!: unknown;
  }
  const { columns } = toCatalog((await unconnected({ type: 'postgres' }, Seen)).getMetadata(Seen));
  expect([...columns.values()].map(({ kind }) => kind)).toEqual(['text', 'float', 'boolean', 'datetime', 'binary']);
});

test('what becomes of records left out of a list is what the relation says, and not what TypeORM assumes', async () => {
  const ACTIONS = ['assumed', 'nullify', 'delete', 'soft-delete', 'disable'] as const;
  class Owner {}
  abstract class Base {}
  class Owned extends Base {}
  for (const type of [Owner, Base]) orm.PrimaryColumn({ type: 'int' })(type.prototype, 'id');
  for (const action of ACTIONS) {
    const options = action === 'assumed' ? {} : { orphanedRowAction: action };
    orm.OneToMany(() => Owned, action)(Owner.prototype, action);
    orm.ManyToOne(() => Owner, action, options)((action === 'nullify' ? Base : Owned).prototype, action);
  }
  for (const type of [Owner, Owned]) orm.Entity()(type);
  const { relations } = toTable((await unconnected({ type: 'postgres' }, Owner, Owned)).getMetadata(Owner));
  const found = new Map(relations.map(({ propertyName, orphans, isToMany }) => [propertyName, isToMany && orphans]));
  expect(ACTIONS.map((name) => found.get(name))).toEqual([undefined, 'nullify', 'delete', 'soft-delete', undefined]);
});

test('records are observed by listeners of their class and by subscribers to it, its base or all', async () => {
  class Base {
    @orm.PrimaryColumn({ type: 'int' }) id!: number;
  }
  @orm.Entity()
  class Quiet extends Base {}
  @orm.Entity()
  class Loud extends Base {
    @orm.AfterUpdate() updated() {}
    @orm.AfterLoad() loaded() {}
  }
  const source = await unconnected({ type: 'postgres' }, Quiet, Loud);
  const [quiet, loud] = [Quiet, Loud].map((entity) => toTable(source.getMetadata(entity))) as [Table, Table];
  const { listeners } = toDatabase(source);
  const events = ['Insert', 'Update', 'Remove', 'SoftRemove', 'Recover'] as const;
  const observed = (table = quiet) => events.filter((event) => listeners.observe(table, event));
  expect([observed(), observed(loud)]).toEqual([[], ['Update']]);
  expect([listeners.observeLoadsOf(quiet), listeners.observeLoadsOf(loud)]).toEqual([false, true]);
  const work = () => undefined;
  const subscribe = (subscriber: object) => void source.subscribers.splice(0, 1, subscriber);
  for (const event of events) {
    for (const when of ['before', 'after']) {
      subscribe({ [when + event]: work });
      expect([observed(), listeners.observeLoads, listeners.observeTransactions]).toEqual([[event], false, false]);
    }
  }
  for (const target of [undefined, Object, Base, Quiet, Loud, 'Quiet']) {
    subscribe({ listenTo: () => target, afterRemove: work });
    expect([target, observed()]).toEqual([target, target === Loud || target === 'Quiet' ? [] : ['Remove']]);
  }
  const moments = ['Start', 'Commit', 'Rollback'].flatMap((of) => [`beforeTransaction${of}`, `afterTransaction${of}`]);
  for (const name of ['afterLoad', ...moments]) {
    subscribe({ [name]: work });
    const isLoad = name === 'afterLoad';
    expect([listeners.observeLoads, listeners.observeTransactions, observed()]).toEqual([isLoad, true, []]);
  }
});
