/** Cached reads, with TypeORM's store in the database and in Redis: what is fresh, who shares it, and what happens when the store fails. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ParsedRequestParams, SCondition } from '@nestwright/crud-request';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { cachedRows } from '../../src/typeorm/result-cache.js';
import { connectionIdentity } from '../../src/typeorm/connection-identity.js';
import { connect } from '../support/resources.js';
import { requestOf } from './library.js';

@Entity()
class Note {
  @PrimaryColumn() id!: number;
  @Column() owner!: number;
  @Column() text!: string;
}

const LONG = 600_000;
const SHORT = 100;
const asked = (search: SCondition, parsed: Partial<ParsedRequestParams> = {}, cache = LONG) =>
  requestOf({ search, ...parsed }, { query: { cache } });
const serviceOf = ({ manager }: Pick<DataSource, 'manager'>) =>
  new TypeOrmCrudService<Note>(manager.getRepository(Note));

describeDatabases('the cache', (db) => {
  let source: DataSource;
  beforeAll(async () => {
    source = await connect(db, [Note], { cache: true, extra: { max: 4, connectionLimit: 4 } });
  });
  beforeEach(async () => {
    await source.manager.clear(Note);
    // Not by the store's own method, which on TypeORM 0.3 keeps a connection for good.
    await source.query(`DELETE FROM ${source.driver.escape('query-result-cache')}`);
    const notes = [...'abc'].map((text, at) => ({ id: at + 1, owner: 1 + (at % 2), text }));
    await source.manager.insert(Note, notes);
  });
  // A store that has failed cannot be closed either.
  afterAll(() => source.destroy().catch(() => undefined));

  const one = async (search: SCondition, ...more: [object?, number?]) =>
    (await serviceOf(source).getOne(asked(search, ...more))).text;
  const list = async (search: SCondition = {}, ...more: [object?, number?]) =>
    ((await serviceOf(source).getMany(asked(search, ...more))) as Note[]).map(({ text }) => text).join('');
  /** Behind the library's back, so that an answer tells whether it was stored. */
  const rename = (text: string) => source.createQueryBuilder().update(Note).set({ text }).execute();

  test('lists, totals and records are kept; cache=0 passes over what is kept and replaces it', async () => {
    const both = async (more = {}) => [
      await serviceOf(source).getMany(asked({}, { limit: 2, page: 1, ...more })),
      await one({ id: 1 }, more),
    ];
    const kept = await both();
    await source.manager.insert(Note, { id: 4, owner: 1, text: 'd' });
    await rename('new');
    expect(await both()).toEqual(kept);
    const changed = [{ total: 4, data: [{ text: 'new' }, { text: 'new' }] }, 'new'];
    expect(await both({ cache: 0 })).toMatchObject(changed);
    await rename('newer');
    expect(await both()).toMatchObject(changed);
  });

  test('two users never share an answer, of lists and of records', async () => {
    const expectOwn = async () => {
      expect([await list({ owner: 1 }), await list({ owner: 2 })]).toEqual(['ac', 'b']);
      expect(await one({ id: 1, owner: 1 })).toBe('a');
      await expect(one({ id: 1, owner: 2 })).rejects.toMatchObject({ status: 404 });
    };
    await expectOwn();
    await rename('new');
    // Each has an answer of its own in the store.
    await expectOwn();
    expect([await list({ owner: 2 }, { cache: 0 }), await list({ owner: 1 })]).toEqual(['new', 'ac']);
  });

  test('writes neither read, fill nor clear the store', async () => {
    await one({ id: 1 });
    const notes = serviceOf(source);
    expect(await notes.updateOne(asked({ id: 1 }), { text: 'patched' })).toMatchObject({ text: 'patched' });
    expect(await one({ id: 1 })).toBe('a');
    await notes.createOne(asked({}), { id: 9, owner: 1, text: 'made' });
    await rename('new');
    expect(await one({ id: 9 })).toBe('new');
  });

  test('an answer is kept no longer than its time', async () => {
    expect(await list({}, {}, SHORT)).toBe('abc');
    await rename('new');
    await sleep(2 * SHORT);
    expect(await list({}, {}, SHORT)).toBe('newnewnew');
  });

  test('more cached lists at once than there are connections are all answered', async () => {
    const lists = await Promise.all(Array.from({ length: 24 }, (_, index) => list({ id: { $ne: index + 10 } })));
    expect(lists).toEqual(Array(24).fill('abc'));
  });

  test('transactions of the application neither read nor fill the store', async () => {
    await one({ id: 1 });
    const work = source.transaction(async (manager) => {
      await manager.update(Note, { id: 1 }, { text: 'changed' });
      expect(await serviceOf({ manager }).getOne(asked({ id: 1 }))).toMatchObject({ text: 'changed' });
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await one({ id: 1 })).toBe('a');
  });

  // SQLite's databases are each connection's own.
  if (db.kind !== 'sqlite') {
    test('data sources with other options share nothing, though their store is one', async () => {
      await one({ id: 1 });
      await rename('new');
      const other = await connect(db, [Note], { cache: true, tenant: 'b' });
      const { text } = await serviceOf(other).getOne(asked({ id: 1 }));
      expect([await one({ id: 1 }), text]).toEqual(['a', 'new']);
      await other.destroy();
    });
  }

  // Last: it breaks the store.
  test('a store that fails is passed over, and said once', async () => {
    await list();
    await source.query(`DROP TABLE ${source.driver.escape('query-result-cache')}`);
    const warned: string[] = [];
    Logger.overrideLogger({ warn: (text: string) => warned.push(text), log: () => {}, error: () => {} });
    try {
      await rename('new');
      expect([await list(), await list({ owner: 2 })]).toEqual(['newnewnew', 'new']);
      expect(warned).toEqual([expect.stringMatching(/^TypeORM's cache fails, reads go to the database: /)]);
    } finally {
      Logger.overrideLogger(['error', 'fatal']);
    }
  });
});

const REDIS = process.env['REDIS_URL'];

(REDIS ? describe : describe.skip)('the cache in Redis · redis', () => {
  test('is read, filled and passed over as the one in the database, and shared by no other data source', async () => {
    const { hostname: host, port } = new URL(REDIS!);
    const options = { host, port: Number(port) || 6379, keyPrefix: randomBytes(6).toString('hex') };
    const open = async (text: string) => {
      const source = await connect({ connection: { type: 'sqljs' } }, [Note], { cache: { type: 'ioredis', options } });
      await source.manager.insert(Note, { id: 1, owner: 1, text });
      return source;
    };
    const sources = [await open('one'), await open('two')];
    const read = (parsed = {}) =>
      Promise.all(sources.map(async (one) => (await serviceOf(one).getOne(asked({ id: 1 }, parsed))).text));
    expect(await read()).toEqual(['one', 'two']);
    for (const { manager } of sources) await manager.update(Note, 1, { text: 'new' });
    expect(await read()).toEqual(['one', 'two']);
    for (const parsed of [{ cache: 0 }, {}]) expect(await read(parsed)).toEqual(['new', 'new']);
    for (const source of sources) await source.destroy();
  });
});

const sourceWith = (options: object) => ({ options, driver: {} }) as unknown as DataSource;
const identityOf = (options: object) => connectionIdentity(sourceWith(options));
const POSTGRES = { type: 'postgres', host: 'db.example.com', username: 'app', password: 'a', database: 'shop' };
const MARIADB = { ...POSTGRES, type: 'mariadb' };
const withUrl = (password: string) => ({ type: 'postgres', url: `postgres://app:${password}@db.example.com/shop` });
const slaves = (host: string) => [{ ...POSTGRES, host }];
const withSlave = (host: string) => ({ type: 'postgres', replication: { master: POSTGRES, slaves: slaves(host) } });
const withExtra = (extra: object) => ({ ...POSTGRES, extra });
const FILE = { type: 'better-sqlite3', database: 'shop.db' };
/** Options that change nothing of what a connection sees. */
const OTHERS = { entities: [], logging: true, poolSize: 5, connectTimeout: 1, password: 'b' };

test.each<[string, object, object]>([
  ['with options in another order', POSTGRES, Object.fromEntries(Object.entries(POSTGRES).reverse())],
  ['after the password in the URL has changed', withUrl('a'), withUrl('b')],
  ['with other entities, loggers, pools and passwords', POSTGRES, { ...POSTGRES, ...OTHERS }],
  ['after a password within an option has changed', withExtra({ password: 'a' }), withExtra({ password: 'b' })],
])('data sources share stored results %s', (_, one, two) => expect(identityOf(one)).toBe(identityOf(two)));

test.each<[string, object, object]>([
  ['of two users', POSTGRES, { ...POSTGRES, username: 'tenant' }],
  ['of two databases', MARIADB, { ...MARIADB, database: 'tenant' }],
  ['of two search paths', withExtra({ options: '-c search_path=a' }), withExtra({ options: '-c search_path=b' })],
  ['of two replicas', withSlave('a'), withSlave('b')],
  ['that differ in an option unknown here', POSTGRES, { ...POSTGRES, tenant: 'a' }],
  ['with two functions', withExtra({ onConnect: () => 'a' }), withExtra({ onConnect: () => 'a' })],
  ['with two objects of a class', withExtra({ own: new Map() }), withExtra({ own: new Map() })],
  ['that differ in a cache within an option', withExtra({ cache: true }), withExtra({ cache: false })],
  ...[
    { type: 'sqljs' },
    ...['', ':memory:', 'file:a?mode=memory'].map((database) => ({ type: 'sqlite', database })),
  ].map((inMemory): [string, object, object] => [`in memory: ${JSON.stringify(inMemory)}`, inMemory, inMemory]),
  ['of two files', { type: 'sqlite', database: 'a.db' }, { type: 'sqlite', database: 'b.db' }],
])('data sources share nothing %s', (_, one, two) => expect(identityOf(one)).not.toBe(identityOf(two)));

test.each(['HOST', 'PORT', 'DATABASE', 'USER', 'OPTIONS', 'REPLICATION'])(
  'data sources share nothing where PG%s of the environment names something else',
  (name) => {
    const unnamed = { type: 'postgres', host: 'db.example.com' };
    const before = identityOf(unnamed);
    const replaced = jest.replaceProperty(process, 'env', { ...process.env, [`PG${name}`]: 'tenant_b' });
    const after = identityOf(unnamed);
    replaced.restore();
    expect(after).not.toBe(before);
  },
);

test('a data source shares nothing with itself after it was given other options', () => {
  const source = sourceWith(POSTGRES);
  const before = connectionIdentity(source);
  Object.assign(source, sourceWith({ ...POSTGRES, database: 'tenant_b' }));
  expect(connectionIdentity(source)).not.toBe(before);
});

const URL_OF = 'postgres://app:secret@db.example.com/shop';

test.each<[options: object, isOfMachine: boolean]>([
  [POSTGRES, false],
  [{ type: 'mysql', replication: { master: POSTGRES, slaves: [] } }, false],
  [{ type: 'postgres' }, true],
  [{ ...MARIADB, socketPath: '/run/a.sock' }, true],
  ...['LOCALHOST', '127.8.8.8', '::1', '0.0.0.0', '/run'].map((host): [object, true] => [{ ...POSTGRES, host }, true]),
  [FILE, true],
])('stored results of %j are those of this machine alone: %s', (options, isOfMachine) => {
  const [, environment] = JSON.parse(identityOf(options)) as [unknown, unknown[]];
  expect(environment.includes(hostname())).toBe(isOfMachine);
  expect(identityOf({ ...options, url: URL_OF })).not.toContain('secret');
});

test('values of every kind are stored as they are, and kept apart', async () => {
  const source = await new DataSource({ type: 'sqljs', cache: true, synchronize: true }).initialize();
  const runner = source.createQueryRunner();
  const read = (parameters: unknown[], rows: Record<string, unknown>[], replace = false) =>
    cachedRows(runner, 'SELECT 1', parameters, { duration: LONG, replace }, () => Promise.resolve(rows));
  const values = [new Date(0), Buffer.from('a'), Buffer.from('b'), 1n, 2n, [new Date(0), [1n]], '1', 1, null, true];
  for (const [index, value] of values.entries()) await read([value], [{ index, value }]);
  for (const [index, value] of values.entries()) expect(await read([value], [])).toEqual([{ index, value }]);
  expect([await read([1n], [{}], true), await read([1n], [])]).toEqual([[{}], [{}]]);
  await source.destroy();
});
