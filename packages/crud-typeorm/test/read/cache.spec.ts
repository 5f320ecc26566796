/** Cached reads over real HTTP, with TypeORM's store in the database and its store in Redis: what is fresh, who shares it, and what happens when the store fails. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CanActivate, type ExecutionContext, Logger, UseGuards } from '@nestjs/common';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import request from 'supertest';
import { Column, DataSource, type DataSourceOptions, Entity, PrimaryColumn } from 'typeorm';
import { freePort } from '../../../../integration/test-support/free-port.js';
import { describeDatabases, type TestDatabase } from '../../../../integration/test-support/index.js';
import { cachedRows } from '../../src/typeorm/result-cache.js';
import { connectionIdentity } from '../../src/typeorm/connection-identity.js';
import { type Application, resource, serve } from '../support/resources.js';

@Entity()
class Note {
  @PrimaryColumn() id!: number;
  @Column() owner!: number;
  @Column() text!: string;
}

/** Takes the user's number from a header. */
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: { id: number } }>();
    http.user = { id: Number(http.headers['x-user'] ?? 0) };
    return true;
  }
}

const ofOwner = ({ id }: { id: number }) => ({ owner: id });
const LONG = 600_000;
const SHORT = 100;
const RESOURCES = [
  resource(Note, 'notes', { query: { cache: LONG, alwaysPaginate: true } }),
  resource(Note, 'mine', { auth: { property: 'user', filter: ofOwner }, query: { cache: LONG } }),
  resource(Note, 'brief', { query: { cache: SHORT } }),
];
UseGuards(UserGuard)(RESOURCES[1]!.controller);

/** A server of its own on a free port, which may be stopped. */
class PrivateRedis {
  private process?: ChildProcess;
  private constructor(readonly port: number) {}
  static async start(): Promise<PrivateRedis> {
    const redis = new PrivateRedis(await freePort());
    const options = ['--port', `${redis.port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    redis.process = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const line of redis.process.stdout!) if (String(line).includes('Ready to accept connections')) break;
    return redis;
  }
  async stop(): Promise<void> {
    const ended = this.process?.exitCode === null && this.process.signalCode === null && once(this.process, 'exit');
    this.process?.kill('SIGKILL');
    await ended;
  }
}

type CacheSetting = NonNullable<DataSourceOptions['cache']>;
const start = (db: Pick<TestDatabase, 'connection'>, cache: CacheSetting, extra: object = {}) =>
  serve(db, [Note], RESOURCES, { source: { cache, extra: { max: 4, connectionLimit: 4, ...extra } } });

function suite(
  db: TestDatabase,
  cacheOf: () => CacheSetting,
  clearStore: (source: DataSource) => Promise<unknown>,
  breakStore: (source: DataSource) => Promise<unknown>,
): void {
  let app: Application;
  const get = async (path: string, user = 1) =>
    (await request(app.url).get(path).set('x-user', `${user}`).expect(200)).body;
  /** Behind the library's back, so that an answer tells whether it was stored. */
  const rename = (text: string) => app.source.createQueryBuilder().update(Note).set({ text }).execute();
  const texts = (records: readonly Note[]) => records.map(({ text }) => text);
  beforeAll(async () => void (app = await start(db, cacheOf())));
  beforeEach(async () => {
    await app.source.getRepository(Note).clear();
    await clearStore(app.source);
    const notes = ['1a', '2b', '1c'].map(([owner, text = ''], index) => ({
      id: index + 1,
      owner: Number(owner),
      text,
    }));
    await app.source.getRepository(Note).insert(notes);
  });
  // A store that has failed cannot be closed either.
  afterAll(() => app.app.close().catch(() => undefined));

  test('lists, totals and records are kept; cache=0 passes over what is kept and replaces it', async () => {
    const both = async (more = '') => [await get(`/notes?limit=2${more && `&${more}`}`), await get(`/notes/1?${more}`)];
    const kept = await both();
    await app.source.getRepository(Note).insert({ id: 4, owner: 1, text: 'd' });
    await rename('new');
    expect(await both()).toEqual(kept);
    const changed = [{ total: 4, data: [{ text: 'new' }, { text: 'new' }] }, { text: 'new' }];
    expect(await both('cache=0')).toMatchObject(changed);
    await rename('newer');
    expect(await both()).toMatchObject(changed);
  });

  test('what differs in a value alone is kept apart', async () => {
    expect(await get('/notes?filter=text||eq||a')).toMatchObject({ total: 1, data: [{ id: 1 }] });
    expect(await get('/notes?filter=text||eq||b')).toMatchObject({ total: 1, data: [{ id: 2 }] });
    expect(await get('/notes?limit=1&page=1')).toMatchObject({ data: [{ id: 1 }] });
    expect(await get('/notes?limit=1&page=2')).toMatchObject({ data: [{ id: 2 }] });
  });

  test('two users never share an answer, of lists and of records', async () => {
    const expectOwn = async () => {
      expect([texts(await get('/mine', 1)), texts(await get('/mine', 2))]).toEqual([['a', 'c'], ['b']]);
      expect(await get('/mine/1', 1)).toMatchObject({ text: 'a' });
      await request(app.url).get('/mine/1').set('x-user', '2').expect(404);
    };
    await expectOwn();
    await rename('new');
    // Each has an answer of its own in the store.
    await expectOwn();
    expect(texts(await get('/mine?cache=0', 2))).toEqual(['new']);
    expect(texts(await get('/mine', 1))).toEqual(['a', 'c']);
  });

  test('writes neither read, fill nor clear the store', async () => {
    await get('/notes/1');
    expect(await app.send('patch', '/notes/1', { text: 'patched' })).toMatchObject({ body: { text: 'patched' } });
    expect(await get('/notes/1')).toMatchObject({ text: 'a' });
    await app.send('post', '/notes', { id: 9, owner: 1, text: 'made' });
    await rename('new');
    expect(await get('/notes/9')).toMatchObject({ text: 'new' });
    await app.send('put', '/notes/1', { owner: 1, text: 'put' });
    await app.send('delete', '/notes/2');
    expect(await get('/notes/1')).toMatchObject({ text: 'a' });
    expect(await get('/notes/1?cache=0')).toMatchObject({ text: 'put' });
  });

  test('an answer is kept no longer than its time', async () => {
    expect(texts(await get('/brief'))).toEqual(['a', 'b', 'c']);
    await rename('new');
    await sleep(2 * SHORT);
    expect(texts(await get('/brief'))).toEqual(['new', 'new', 'new']);
  });

  test('more cached lists at once than there are connections are all answered', async () => {
    const numbers = Array.from({ length: 24 }, (_, index) => index + 10);
    const lists = await Promise.all(numbers.map((number) => get(`/notes?filter=id||ne||${number}`)));
    expect(lists.map(({ total }) => total)).toEqual(numbers.map(() => 3));
  });

  // Last: it breaks the store.
  test('a store that fails is passed over, and said once', async () => {
    await get('/notes');
    await breakStore(app.source);
    const warned: string[] = [];
    Logger.overrideLogger({ warn: (text: string) => warned.push(text), log: () => {}, error: () => {} });
    try {
      await rename('new');
      expect(texts((await get('/notes')).data)).toEqual(['new', 'new', 'new']);
      expect(texts(await get('/mine', 2))).toEqual(['new']);
      expect(warned).toEqual([expect.stringMatching(/^TypeORM's cache fails, reads go to the database: /)]);
    } finally {
      Logger.overrideLogger(['error', 'fatal']);
    }
  });
}

describeDatabases('the cache in the database', (db) => {
  suite(
    db,
    () => true,
    // Not by the store's own method, which on TypeORM 0.3 keeps a connection for good.
    (source) => source.query(`DELETE FROM ${source.driver.escape('query-result-cache')}`),
    (source) => source.query(`DROP TABLE ${source.driver.escape('query-result-cache')}`),
  );
});

const hasRedis = !!process.env['REDIS_URL'] && !spawnSync('redis-server', ['--version']).error;
(hasRedis ? describe : describe.skip)('the cache in Redis · redis', () => {
  describeDatabases('with a server that is stopped', (db) => {
    let redis: PrivateRedis;
    beforeAll(async () => (redis = await PrivateRedis.start()));
    suite(
      db,
      () => {
        const retryStrategy = (times: number) => (times > 3 ? null : 20);
        return { type: 'ioredis', options: { port: redis.port, maxRetriesPerRequest: 0, retryStrategy } };
      },
      (source) => source.queryResultCache!.clear(),
      () => redis.stop(),
    );
    afterAll(() => redis.stop());
  });
});

(hasRedis ? describe : describe.skip)('two tenants on one Redis', () => {
  describeDatabases(
    'told apart by the connection',
    (db) => {
      test('keep their answers apart where only extra.options name the schema', async () => {
        const { hostname, port } = new URL(process.env['REDIS_URL']!);
        const keyPrefix = randomBytes(6).toString('hex');
        const cache = { type: 'ioredis', options: { host: hostname, port: Number(port) || 6379, keyPrefix } } as const;
        const admin = await new DataSource({ ...db.connection } as DataSourceOptions).initialize();
        const apps: Application[] = [];
        for (const schema of ['tenant_a', 'tenant_b']) {
          await admin.query(`CREATE SCHEMA ${schema}`);
          const app = await start(db, cache, { options: `-c search_path=${schema}` });
          await app.source.getRepository(Note).insert({ id: 1, owner: 1, text: schema });
          apps.push(app);
        }
        for (const round of ['fills the store', 'reads from it']) {
          const texts: unknown[] = [];
          for (const { send } of apps) texts.push((await send('get', '/notes/1')).body.text);
          expect([round, texts]).toEqual([round, ['tenant_a', 'tenant_b']]);
        }
        await Promise.all([admin.destroy(), ...apps.map(({ app }) => app.close())]);
      });
    },
    ['postgres'],
  );
});

describeDatabases('a runner of the application', (db) => {
  test('neither reads what is stored nor stores what only its transaction sees', async () => {
    const { app, source, send } = await start(db, true);
    await source.getRepository(Note).insert({ id: 1, owner: 1, text: 'stored' });
    await send('get', '/notes/1');
    const options = { query: { cache: LONG }, routes: {}, params: {} };
    const asked = { parsed: { search: { id: '1' }, fields: [], join: [], sort: [] } as never, options };
    const work = source.transaction(async (manager) => {
      await manager.update(Note, { id: 1 }, { text: 'changed' });
      const service = new TypeOrmCrudService(manager.getRepository(Note));
      expect(await service.getOne(asked)).toMatchObject({ text: 'changed' });
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    const service = new TypeOrmCrudService(source.getRepository(Note));
    expect(await service.getOne(asked)).toMatchObject({ text: 'stored' });
    await app.close();
  });
});

const identityOf = (options: object) => connectionIdentity({ options, driver: {} } as unknown as DataSource);
const POSTGRES = { type: 'postgres', host: 'db.example.com', username: 'app', password: 'a', database: 'shop' };
const MARIADB = { ...POSTGRES, type: 'mariadb' };
const PARSE = (text: string) => text;
const withUrl = (password: string) => ({ type: 'postgres', url: `postgres://app:${password}@db.example.com/shop` });
const slaves = (host: string) => [{ ...POSTGRES, host }];
const withSlave = (host: string) => ({ type: 'postgres', replication: { master: POSTGRES, slaves: slaves(host) } });
const IN_MEMORY = { type: 'better-sqlite3', database: ':memory:' };
const withExtra = (extra: object) => ({ ...POSTGRES, extra });
const INSTANCE = new Map();

test.each<[string, object, object]>([
  ['with options in another order', POSTGRES, Object.fromEntries(Object.entries(POSTGRES).reverse())],
  ['after the password has changed', POSTGRES, { ...POSTGRES, password: 'b' }],
  ['after the password in the URL has changed', withUrl('a'), withUrl('b')],
  ['with other entities, loggers and pools', POSTGRES, { ...POSTGRES, entities: [PARSE], logging: true, poolSize: 4 }],
  ['but for an option that is not set', POSTGRES, { ...POSTGRES, schema: undefined }],
  ['after a password within an option has changed', withExtra({ password: 'a' }), withExtra({ password: 'b' })],
  [
    'with options without a class',
    withExtra({ a: 1 }),
    withExtra(Object.assign(Object.create(null) as object, { a: 1 })),
  ],
  ['with one and the same object', withExtra({ own: INSTANCE }), withExtra({ own: INSTANCE })],
  ['with one and the same function', withExtra({ verify: PARSE }), withExtra({ verify: PARSE })],
  ['of one file', { type: 'better-sqlite3', database: 'shop.db' }, { type: 'better-sqlite3', database: 'shop.db' }],
])('data sources share stored results %s', (_, one, two) => expect(identityOf(one)).toBe(identityOf(two)));

describe('data sources share nothing', () => {
  test.each<[string, object, object]>([
    ['of two hosts', POSTGRES, { ...POSTGRES, host: 'other.example.com' }],
    ['of two users', POSTGRES, { ...POSTGRES, username: 'tenant' }],
    ['of two databases', MARIADB, { ...MARIADB, database: 'tenant' }],
    ['of two schemas', POSTGRES, { ...POSTGRES, schema: 'tenant' }],
    ['of two search paths', withExtra({ options: '-c search_path=a' }), withExtra({ options: '-c search_path=b' })],
    ['of two sockets', { ...MARIADB, socketPath: '/run/a.sock' }, { ...MARIADB, socketPath: '/run/b.sock' }],
    ['of two replicas', withSlave('a'), withSlave('b')],
    ['that read dates differently', MARIADB, { ...MARIADB, dateStrings: true }],
    ['that differ in an option unknown here', POSTGRES, { ...POSTGRES, tenant: 'a' }],
    ['with two functions', withExtra({ onConnect: () => 'a' }), withExtra({ onConnect: () => 'a' })],
    ['with two objects of a class', withExtra({ own: new Map() }), withExtra({ own: new Map() })],
    ['that differ in a long number', { ...POSTGRES, tenant: 1n }, { ...POSTGRES, tenant: 2n }],
    [
      'with a symbol, which may mean anything',
      withExtra({ own: Symbol.iterator }),
      withExtra({ own: Symbol.iterator }),
    ],
    ['that differ in a cache within an option', withExtra({ cache: true }), withExtra({ cache: false })],
    ['of two lists', { ...POSTGRES, tenants: ['a'] }, { ...POSTGRES, tenants: ['b'] }],
    ['in memory', { type: 'sqljs' }, { type: 'sqljs' }],
    ['in memory, without a name', { type: 'sqlite', database: '' }, { type: 'sqlite', database: '' }],
    [
      'in memory, by a URI',
      { type: 'sqlite', database: 'file:a?mode=memory' },
      { type: 'sqlite', database: 'file:a?mode=memory' },
    ],
    ['in memory, by name', IN_MEMORY, IN_MEMORY],
    ['of two files', { type: 'sqlite', database: 'a.db' }, { type: 'sqlite', database: 'b.db' }],
  ])('%s', (_, one, two) => expect(identityOf(one)).not.toBe(identityOf(two)));

  test.each(['HOST', 'PORT', 'DATABASE', 'USER', 'OPTIONS', 'REPLICATION'])(
    'where PG%s of the environment names something else',
    (name) => {
      const unnamed = { type: 'postgres', host: 'db.example.com' };
      const kept = process.env[`PG${name}`];
      const before = identityOf(unnamed);
      process.env[`PG${name}`] = 'tenant_b';
      try {
        expect(identityOf(unnamed)).not.toBe(before);
      } finally {
        if (kept === undefined) delete process.env[`PG${name}`];
        else process.env[`PG${name}`] = kept;
      }
    },
  );

  test('after a data source was given other options', () => {
    const source = { options: POSTGRES, driver: {} };
    const before = connectionIdentity(source as unknown as DataSource);
    Object.assign(source, { options: { ...POSTGRES, database: 'tenant_b' }, driver: {} });
    expect(connectionIdentity(source as unknown as DataSource)).not.toBe(before);
  });
});

const URL_OF = 'postgres://app:secret@db.example.com/shop';

test.each<[options: object, isOfMachine: boolean]>([
  [POSTGRES, false],
  [MARIADB, false],
  [{ type: 'postgres', url: URL_OF }, false],
  [{ type: 'mysql', replication: { master: POSTGRES, slaves: [] } }, false],
  [withExtra({ host: 'db.example.com' }), false],
  [{ type: 'postgres' }, true],
  [{ ...MARIADB, socketPath: '/run/a.sock' }, true],
  ...['LOCALHOST', '127.0.0.1', '127.8.8.8', '::1', '0.0.0.0', '/run'].map((host): [object, boolean] => [
    { ...POSTGRES, host },
    true,
  ]),
  [{ type: 'postgres', url: 'postgres://%2Frun/shop' }, true],
  [withExtra({ host: '/run' }), true],
  [{ type: 'mysql', replication: { master: { ...POSTGRES, host: 'localhost' }, slaves: [] } }, true],
  [{ type: 'better-sqlite3', database: 'shop.db' }, true],
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
