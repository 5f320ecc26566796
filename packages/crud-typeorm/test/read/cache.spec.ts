/** Cached reads over real HTTP, with TypeORM's store in the database and its store in Redis: what is fresh, who shares it, and what happens when the store fails. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  type INestApplication,
  Logger,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, getRepositoryToken, TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import { Crud, CrudAuth } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import request from 'supertest';
import { Column, DataSource, type DataSourceOptions, Entity, PrimaryColumn, type Repository } from 'typeorm';
import { describeDatabases, listen, type TestDatabase } from '../../../../integration/test-support/index.js';

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

const LONG = 600_000;
const SHORT = 100;

@Crud({ model: { type: Note }, query: { cache: LONG, alwaysPaginate: true } })
@Controller('notes')
class NotesController {
  constructor(readonly service: TypeOrmCrudService<Note>) {}
}

@Crud({ model: { type: Note }, query: { cache: LONG } })
@CrudAuth({ property: 'user', filter: (user: { id: number }) => ({ owner: user.id }) })
@UseGuards(UserGuard)
@Controller('mine')
class MyNotesController {
  constructor(readonly service: TypeOrmCrudService<Note>) {}
}

@Crud({ model: { type: Note }, query: { cache: SHORT } })
@Controller('brief')
class BriefController {
  constructor(readonly service: TypeOrmCrudService<Note>) {}
}

/** A server of its own on a free port, which may be stopped. */
class PrivateRedis {
  private process?: ChildProcess;

  private constructor(readonly port: number) {}

  static async start(): Promise<PrivateRedis> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as { port: number };
    probe.close();
    await once(probe, 'close');
    const redis = new PrivateRedis(port);
    redis.process = spawn(
      'redis-server',
      ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
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

async function start(db: TestDatabase, cache: CacheSetting, connection: object = db.connection, extra: object = {}) {
  const provide = (type: typeof TypeOrmCrudService) => ({
    provide: type,
    useFactory: (notes: Repository<Note>) => new type(notes),
    inject: [getRepositoryToken(Note)],
  });
  const module = await Test.createTestingModule({
    imports: [
      TypeOrmModule.forRoot({
        ...connection,
        entities: [Note],
        synchronize: true,
        cache,
        extra: { max: 4, connectionLimit: 4, ...extra },
      } as TypeOrmModuleOptions),
      TypeOrmModule.forFeature([Note]),
    ],
    controllers: [NotesController, MyNotesController, BriefController],
    providers: [provide(TypeOrmCrudService)],
  }).compile();
  return listen(module, 'express');
}

function suite(
  db: TestDatabase,
  cacheOf: () => CacheSetting,
  clearStore: (source: DataSource) => Promise<unknown>,
  breakStore: (source: DataSource) => Promise<unknown>,
): void {
  let app: INestApplication;
  let url: string;
  let source: DataSource;

  const get = async (path: string, user = 1) =>
    (await request(url).get(path).set('x-user', `${user}`).expect(200)).body;
  /** Behind the library's back, so that an answer tells whether it was stored. */
  const rename = (text: string) => source.createQueryBuilder().update(Note).set({ text }).execute();
  const texts = (records: readonly Note[]) => records.map(({ text }) => text);

  beforeAll(async () => {
    ({ app, url } = await start(db, cacheOf()));
    source = app.get<DataSource>(getDataSourceToken());
  });
  beforeEach(async () => {
    await source.getRepository(Note).clear();
    await clearStore(source);
    await source.getRepository(Note).insert([
      { id: 1, owner: 1, text: 'a' },
      { id: 2, owner: 2, text: 'b' },
      { id: 3, owner: 1, text: 'c' },
    ]);
  });
  // A store that has failed cannot be closed either.
  afterAll(() => app.close().catch(() => undefined));

  test('lists, totals and records are kept; cache=0 passes over what is kept and replaces it', async () => {
    const list = await get('/notes?limit=2');
    const one = await get('/notes/1');
    await source.getRepository(Note).insert({ id: 4, owner: 1, text: 'd' });
    await rename('new');

    expect(await get('/notes?limit=2')).toEqual(list);
    expect(await get('/notes/1')).toEqual(one);
    expect(await get('/notes?limit=2&cache=0')).toMatchObject({ total: 4, data: [{ text: 'new' }, { text: 'new' }] });
    expect(await get('/notes/1?cache=0')).toMatchObject({ text: 'new' });
    await rename('newer');

    expect(await get('/notes?limit=2')).toMatchObject({ total: 4, data: [{ text: 'new' }, { text: 'new' }] });
    expect(await get('/notes/1')).toMatchObject({ text: 'new' });
  });

  test('what differs in a value alone is kept apart', async () => {
    expect(await get('/notes?filter=text||eq||a')).toMatchObject({ total: 1, data: [{ id: 1 }] });
    expect(await get('/notes?filter=text||eq||b')).toMatchObject({ total: 1, data: [{ id: 2 }] });
    expect(await get('/notes?limit=1&page=1')).toMatchObject({ data: [{ id: 1 }] });
    expect(await get('/notes?limit=1&page=2')).toMatchObject({ data: [{ id: 2 }] });
  });

  test('two users never share an answer, of lists and of records', async () => {
    expect(texts(await get('/mine', 1))).toEqual(['a', 'c']);
    expect(texts(await get('/mine', 2))).toEqual(['b']);
    expect(await get('/mine/1', 1)).toMatchObject({ text: 'a' });
    await request(url).get('/mine/1').set('x-user', '2').expect(404);
    await rename('new');

    // Each has an answer of its own in the store.
    expect(texts(await get('/mine', 1))).toEqual(['a', 'c']);
    expect(texts(await get('/mine', 2))).toEqual(['b']);
    expect(await get('/mine/1', 1)).toMatchObject({ text: 'a' });
    await request(url).get('/mine/1').set('x-user', '2').expect(404);
    expect(texts(await get('/mine?cache=0', 2))).toEqual(['new']);
    expect(texts(await get('/mine', 1))).toEqual(['a', 'c']);
  });

  test('writes neither read, fill nor clear the store', async () => {
    await get('/notes/1');
    const patched = await request(url).patch('/notes/1').send({ text: 'patched' }).expect(200);
    expect(patched.body).toMatchObject({ text: 'patched' });
    expect(await get('/notes/1')).toMatchObject({ text: 'a' });

    await request(url).post('/notes').send({ id: 9, owner: 1, text: 'made' }).expect(201);
    await rename('new');
    expect(await get('/notes/9')).toMatchObject({ text: 'new' });
    await request(url).put('/notes/1').send({ owner: 1, text: 'put' }).expect(200);
    await request(url).delete('/notes/2').expect(200);
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
    const lists = await Promise.all(
      Array.from({ length: 24 }, (_, index) => get(`/notes?filter=id||ne||${index + 10}`)),
    );
    expect(lists.map(({ total }) => total)).toEqual(Array.from({ length: 24 }, () => 3));
  });

  // Last: it breaks the store.
  test('a store that fails is passed over, and said once', async () => {
    await get('/notes');
    await breakStore(source);
    const warned: string[] = [];
    Logger.overrideLogger({ warn: (text: string) => warned.push(text), log: () => {}, error: () => {} });

    try {
      await rename('new');
      expect(await get('/notes')).toMatchObject({
        total: 3,
        data: [{ text: 'new' }, { text: 'new' }, { text: 'new' }],
      });
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
      () => ({
        type: 'ioredis',
        options: {
          host: '127.0.0.1',
          port: redis.port,
          maxRetriesPerRequest: 0,
          retryStrategy: (times: number) => (times > 3 ? null : 20),
        },
      }),
      (source) => source.queryResultCache!.clear(),
      () => redis.stop(),
    );
    afterAll(() => redis.stop());
  });

  describeDatabases(
    'shared by data sources of two databases',
    (one) => {
      describeDatabases(
        'of the same kind',
        (two) => {
          test('keeps their answers apart', async () => {
            const options = { ...redisOptions(process.env['REDIS_URL']!), keyPrefix: randomBytes(6).toString('hex') };
            const apps = await Promise.all([one, two].map((db) => start(db, { type: 'ioredis', options })));
            for (const [index, { app }] of apps.entries()) {
              await app
                .get<DataSource>(getDataSourceToken())
                .getRepository(Note)
                .insert({ id: 1, owner: 1, text: `of ${index}` });
            }
            for (const [index, { url }] of apps.entries()) {
              expect((await request(url).get('/notes')).body).toMatchObject({
                total: 1,
                data: [{ text: `of ${index}` }],
              });
            }
            await Promise.all(apps.map(({ app }) => app.close()));
          });
        },
        ['postgres'],
      );
    },
    ['postgres'],
  );
});

/** A value for a key of Redis that no other run has. */
const ownPrefix = () => ({
  type: 'ioredis' as const,
  options: { ...redisOptions(process.env['REDIS_URL']!), keyPrefix: randomBytes(6).toString('hex') },
});

(hasRedis ? describe : describe.skip)('two tenants on one Redis', () => {
  /** Starts an application for each tenant, gives each a note of its own, and compares what they answer, twice. */
  async function keepApart(starts: readonly (() => ReturnType<typeof start>)[]): Promise<void> {
    const apps = await Promise.all(starts.map((make) => make()));

    try {
      for (const [index, { app }] of apps.entries()) {
        await app
          .get<DataSource>(getDataSourceToken())
          .getRepository(Note)
          .insert({ id: 1, owner: 1, text: `of ${index}` });
      }
      for (const round of ['fills the store', 'reads from it']) {
        for (const [index, { url }] of apps.entries()) {
          expect({ round, body: (await request(url).get('/notes/1')).body }).toMatchObject({
            round,
            body: { text: `of ${index}` },
          });
        }
      }
    } finally {
      await Promise.all(apps.map(({ app }) => app.close()));
    }
  }

  describeDatabases(
    'told apart by the connection',
    (db) => {
      test('keep their answers apart where only extra.options name the schema', async () => {
        const cache = ownPrefix();
        const admin = await new DataSource({ ...db.connection } as DataSourceOptions).initialize();
        await admin.query('CREATE SCHEMA tenant_a');
        await admin.query('CREATE SCHEMA tenant_b');
        await admin.destroy();

        await keepApart(
          ['tenant_a', 'tenant_b'].map(
            (schema) => () => start(db, cache, db.connection, { options: `-c search_path=${schema}` }),
          ),
        );
      });
    },
    ['postgres'],
  );

  describeDatabases(
    'in memory',
    (db) => {
      test('keep their answers apart although all options are the same', async () => {
        const cache = ownPrefix();
        await keepApart([() => start(db, cache), () => start(db, cache)]);
      });
    },
    ['sqlite'],
  );
});

describeDatabases('a runner of the application', (db) => {
  test('neither reads what is stored nor stores what only its transaction sees', async () => {
    const { app, url } = await start(db, true);
    const source = app.get<DataSource>(getDataSourceToken());
    await source.getRepository(Note).insert({ id: 1, owner: 1, text: 'stored' });
    await request(url).get('/notes/1').expect(200);
    const asked = (id: string) => ({
      parsed: { search: { id }, fields: [], join: [], sort: [] } as never,
      options: { query: { cache: LONG }, routes: {}, params: {} },
    });

    await source
      .transaction(async (manager) => {
        const service = new TypeOrmCrudService(manager.getRepository(Note));
        await manager.update(Note, { id: 1 }, { text: 'changed' });
        expect(await service.getOne(asked('1'))).toMatchObject({ text: 'changed' });
        throw new Error('rolled back');
      })
      .catch((error: Error) => expect(error.message).toBe('rolled back'));
    expect(await new TypeOrmCrudService(source.getRepository(Note)).getOne(asked('1'))).toMatchObject({
      text: 'stored',
    });
    await app.close();
  });
});

function redisOptions(url: string) {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) || 6379 };
}
