/** Random bodies for an entity with every type of column → the same records, answers and refusals whether a write's one statement answers or the plain way is taken, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CrudRequestOptions } from '@nestwright/crud';
import fc from 'fast-check';
import { DataSource, type DataSourceOptions, type EntitySubscriberInterface, type ObjectLiteral } from 'typeorm';
import { type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { Statements } from '../support/statements.js';
import { Heard, Mood, MysqlThing, PostgresThing, Spot, SqliteThing, Token } from './entities.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { requestOf as requestBy } from '../support/requests.js';

type Body = Record<string, unknown>;

const THINGS = { sqlite: SqliteThing, postgres: PostgresThing, mysql: MysqlThing } as const satisfies Record<
  DatabaseKind,
  new () => ObjectLiteral
>;

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replaceAll('\0', '').normalize('NFC'));
const moment = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2037-01-01'), noInvalidDate: true })
  .map((value) => value.toISOString());
const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });
const nullable = (values: fc.Arbitrary<unknown>) => fc.option(values, { nil: null, freq: 4 });
const json = nullable(
  fc.oneof(
    fc.dictionary(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 4 }), fc.integer()),
    fc.array(fc.boolean()),
    fc.integer(),
  ),
);
const bytes = nullable(fc.uint8Array({ maxLength: 8 }).map((value) => Buffer.from(value)));

/** An item of a simple array, whose stored text divides items by commas. */
const withoutCommas = fc
  .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 4 })
  .map((text) => text.replaceAll(',', ';'));

const COMMON = {
  long: nullable(text),
  place: fc.record({ town: nullable(text), floor: fc.integer({ min: -9, max: 9 }) }, { requiredKeys: [] }),
  small: nullable(fc.integer({ min: -32_768, max: 32_767 })),
  // Half of what fits: a generated column doubles it.
  whole: fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 }),
  big: nullable(fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n }).map(String)),
  amount: nullable(fc.integer({ min: -1e9, max: 1e9 }).map((value) => String(value / 100))),
  double: nullable(finite),
  on: fc.boolean(),
  mood: fc.constantFrom(...Object.values(Mood)),
  tags: nullable(fc.array(withoutCommas, { minLength: 1 })),
  json,
  day: nullable(moment.map((value) => value.slice(0, 10))),
  moment: nullable(moment.map((value) => `${value.slice(0, 19)}Z`)),
  time: nullable(moment.map((value) => value.slice(11, 19))),
  price: nullable(fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100)),
  secret: nullable(text),
  fixed: text,
} satisfies Record<string, fc.Arbitrary<unknown>>;

const OWN: Record<DatabaseKind, Record<string, fc.Arbitrary<unknown>>> = {
  sqlite: { bytes },
  mysql: { bytes, document: json, precise: nullable(moment), float: nullable(fc.integer({ min: -999, max: 999 })) },
  postgres: {
    bytes,
    document: json,
    precise: nullable(moment),
    float: nullable(fc.float({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 })),
    native: nullable(fc.constantFrom(...Object.values(Mood))),
    list: nullable(fc.array(text)),
    uuid: nullable(fc.uuid()),
    span: nullable(fc.constantFrom('1 day', '02:00:00')),
  },
};

const requestOf = (path: Body, options: CrudRequestOptions = {}, auth: Body = {}) => requestBy({ path, options, auth });

describeDatabases('writes that answer in their own statement', (db) => {
  const Thing = THINGS[db.kind] as new () => ObjectLiteral;
  const bodies = fc.record({ ...COMMON, ...OWN[db.kind] }, { requiredKeys: ['on'] as never }) as fc.Arbitrary<Body>;
  const statements = { fast: new Statements(), plain: new Statements() };
  const sources = {} as { fast: DataSource; plain: DataSource };
  const serviceOf = <T extends ObjectLiteral>(kind: 'fast' | 'plain', entity: new () => T) =>
    new TypeOrmCrudService<T>(sources[kind].getRepository(entity));

  beforeAll(async () => {
    for (const kind of ['fast', 'plain'] as const) {
      const source = new DataSource({
        ...db.connection,
        ...(db.kind === 'mysql' && { timezone: 'Z', dateStrings: ['DATE'] }),
        entities: [Thing, Token, Spot, Heard],
        // SQLite's databases live in memory, one for each connection.
        synchronize: kind === 'fast' || db.kind === 'sqlite',
        logging: true,
        logger: statements[kind],
      } as DataSourceOptions);

      configureCrudDatabase(source, { fastPaths: kind === 'fast' });
      sources[kind] = await source.initialize();
    }
  });

  afterAll(async () => {
    await (sources.fast as DataSource | undefined)?.destroy();
    await (sources.plain as DataSource | undefined)?.destroy();
  });

  beforeEach(async () => {
    for (const source of Object.values(sources))
      for (const table of ['things', 'tokens', 'spots', 'heard']) await source.query(`DELETE FROM ${table}`);
  });

  const returns = (statement: 'insert' | 'update') => toDatabase(sources.fast).returns[statement];

  /** What differs between two records by its nature. */
  const alike = (record: unknown) => {
    const { id: _, createdAt, updatedAt, ...rest } = record as Body;

    expect([createdAt, updatedAt].every((value) => value instanceof Date)).toBe(true);

    return Object.assign(Object.create(Object.getPrototypeOf(record) as object) as Body, rest);
  };

  async function outcome<T>(work: Promise<T>): Promise<unknown> {
    return work.catch((error: { getResponse?: () => unknown }) => {
      if (!error.getResponse) throw error;

      return { refused: error.getResponse() };
    });
  }

  /** A row as TypeORM alone reads it, with what is hidden from answers. */
  const stored = (kind: 'fast' | 'plain', id: unknown) =>
    sources[kind]
      .getRepository(Thing)
      .createQueryBuilder('thing')
      .addSelect('thing.secret')
      .where('thing.id = :id', { id })
      .getOneOrFail();

  test('POST and PATCH store and answer as the plain way does', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, bodies, async (created, changed) => {
        const made = { fast: {} as Body, plain: {} as Body };

        for (const kind of ['fast', 'plain'] as const)
          made[kind] = (await serviceOf(kind, Thing).createOne(requestOf({}), created)) as Body;

        expect(alike(made.fast)).toStrictEqual(alike(made.plain));
        expect(alike(await stored('fast', made.fast['id']))).toStrictEqual(
          alike(await stored('plain', made.plain['id'])),
        );

        const updated = { fast: {} as Body, plain: {} as Body };

        for (const kind of ['fast', 'plain'] as const) {
          const request = requestOf({ id: made[kind]['id'] });

          const send = () => serviceOf(kind, Thing).updateOne(request, { ...changed, fixed: undefined });

          updated[kind] = (await send()) as Body;
          // The second time there is nothing to change: version and date stay.
          expect(await send()).toStrictEqual(updated[kind]);
        }

        expect(alike(updated.fast)).toStrictEqual(alike(updated.plain));
        expect(updated.fast['id']).toBe(made.fast['id']);
        expect(alike(await stored('fast', made.fast['id']))).toStrictEqual(
          alike(await stored('plain', made.plain['id'])),
        );
      }),
      { numRuns: 40 },
    );
  });

  test('bulk keeps the order, whatever each record carries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bodies, { minLength: 1, maxLength: 6 }), async (bulk) => {
        const fast = await serviceOf('fast', Thing).createMany(requestOf({}), { bulk });
        const plain = await serviceOf('plain', Thing).createMany(requestOf({}), { bulk });

        expect(fast.map(alike)).toStrictEqual(plain.map(alike));
      }),
      { numRuns: 15 },
    );
  });

  test('is one statement, two where there is nothing to change, in no transaction where nothing is left to be checked', async () => {
    const service = serviceOf('fast', Thing);
    const sent = async (work: () => Promise<unknown>) => {
      const start = statements.fast.all.length;

      await work();

      return statements.fast.all.slice(start).map(({ sql }) => sql.split(' ')[0]);
    };
    let made: Body = {};
    const plainInsert = ['START', 'INSERT', 'SELECT', 'COMMIT'];
    const bulk = Array.from({ length: 30 }, (_, index) => ({ label: `b${index}` }));

    expect(await sent(async () => (made = (await service.createOne(requestOf({}), { label: 'a' })) as Body))).toEqual(
      returns('insert') ? ['INSERT'] : plainInsert,
    );
    expect((await sent(() => service.createMany(requestOf({}), { bulk }))).filter((word) => word === 'INSERT')).toEqual(
      ['INSERT'],
    );
    expect(await sent(() => service.updateOne(requestOf({ id: made['id'] }), { whole: 5 }))).toEqual(
      returns('update') ? ['UPDATE'] : ['START', 'UPDATE', 'SELECT', 'COMMIT'],
    );
    expect(await sent(() => service.updateOne(requestOf({ id: made['id'] }), { whole: 5 }))).toEqual(
      returns('update') ? ['UPDATE', 'SELECT'] : ['START', 'UPDATE', 'SELECT', 'UPDATE', 'SELECT', 'COMMIT'],
    );
    expect(await sent(() => service.deleteOne(requestOf({ id: made['id'] })))).toEqual(
      db.kind === 'sqlite' ? ['BEGIN', 'DELETE', 'COMMIT'] : ['START', 'DELETE', 'COMMIT'],
    );
  });

  test('a record that leaves its scope is refused and not kept', async () => {
    for (const kind of ['fast', 'plain'] as const) {
      const service = serviceOf(kind, Thing);
      const scoped = (path: Body) => requestOf(path, {}, { whole: { $lt: 10 } });
      const { id } = (await service.createOne(scoped({}), { whole: 9, label: 'in' })) as Body;
      const refused = { refused: { statusCode: 400, code: 'CRUD_OUT_OF_SCOPE' } };

      expect(await outcome(service.createOne(scoped({}), { whole: 10 }))).toMatchObject(refused);
      expect(await outcome(service.createMany(scoped({}), { bulk: [{ whole: 1 }, { whole: 11 }] }))).toMatchObject(
        refused,
      );
      expect(await outcome(service.updateOne(scoped({ id }), { whole: 12 }))).toMatchObject(refused);
      expect(await sources[kind].getRepository(Thing).find()).toMatchObject([{ id, whole: 9, label: 'in' }]);
      expect(await outcome(service.updateOne(requestOf({ id }, {}, { whole: 8 }), { long: 'x' }))).toMatchObject({
        refused: { statusCode: 404 },
      });
      await sources[kind].query('DELETE FROM things');
    }
  });

  test('refusals are the same', async () => {
    const refusals = { fast: [] as unknown[], plain: [] as unknown[] };

    for (const kind of ['fast', 'plain'] as const) {
      const service = serviceOf(kind, Thing);
      const { id } = (await service.createOne(requestOf({}), { label: 'taken' })) as Body;
      const other = (await service.createOne(requestOf({}), { label: 'free' })) as Body;

      refusals[kind] = [
        await outcome(service.createOne(requestOf({}), { label: 'taken' })),
        await outcome(service.createMany(requestOf({}), { bulk: [{ label: 'x' }, { label: 'taken' }] })),
        await outcome(service.createMany(requestOf({}), { bulk: [{ label: 'y' }, { label: 'y' }] })),
        await outcome(service.updateOne(requestOf({ id: other['id'] }), { label: 'taken' })),
        await outcome(service.updateOne(requestOf({ id }), { version: 7, whole: 1 })),
        await outcome(service.updateOne(requestOf({ id: 0 }), { whole: 1 })),
      ];
      expect(await outcome(service.updateOne(requestOf({ id }), { version: 1, whole: 1 }))).toMatchObject({
        version: 2,
        whole: 1,
      });
      await sources[kind].query('DELETE FROM things');
    }

    expect(refusals.fast).toEqual(refusals.plain);
    expect(refusals.fast).toMatchObject([
      { refused: { code: 'CRUD_UNIQUE_VIOLATION', field: 'label' } },
      { refused: { code: 'CRUD_UNIQUE_VIOLATION', field: 'bulk.1.label' } },
      { refused: { code: 'CRUD_UNIQUE_VIOLATION', field: 'bulk.1.label' } },
      { refused: { code: 'CRUD_UNIQUE_VIOLATION', field: 'label' } },
      { refused: { code: 'CRUD_STALE_VERSION' } },
      { refused: { code: 'CRUD_NOT_FOUND' } },
    ]);
  });

  test('keys of all kinds come back, also where they are hidden', async () => {
    for (const kind of ['fast', 'plain'] as const) {
      const token = await serviceOf(kind, Token).createOne(requestOf({}), { note: 'n' });
      const own = 'aaaaaaaa-0000-4000-8000-000000000001';

      expect(token).toEqual(Object.assign(new Token(), { id: expect.stringMatching(/^[0-9a-f-]{36}$/), note: 'n' }));
      expect(
        await serviceOf(kind, Token).createOne(requestOf({}, { query: { exclude: ['id'] } }), { id: own }),
      ).toEqual(Object.assign(new Token(), { note: null }));
      expect(
        await outcome(serviceOf(kind, Token).updateOne(requestOf({ id: own }), { note: 'changed' })),
      ).toMatchObject({ id: own, note: 'changed' });
      await sources[kind].query('DELETE FROM tokens');
      await serviceOf(kind, Spot).createOne(requestOf({}), { row: 4, seat: 'b' });
      expect(await serviceOf(kind, Spot).updateOne(requestOf({ row: 4, seat: 'b' }), { guest: 'Ann' })).toEqual(
        Object.assign(new Spot(), { row: 4, seat: 'b', guest: 'Ann' }),
      );
      await sources[kind].query('DELETE FROM spots');
    }
  });

  describe('the plain way is taken', () => {
    test('for listeners', async () => {
      Heard.ids.length = 0;
      const { id } = await serviceOf('fast', Heard).createOne(requestOf({}), { note: 'a' });

      expect(Heard.ids).toEqual([id]);
    });

    test('for subscribers, from the moment they come until they go', async () => {
      const heard: string[] = [];
      const subscriber: EntitySubscriberInterface<ObjectLiteral> = {
        listenTo: () => Thing,
        beforeInsert: () => void heard.push('insert'),
        beforeUpdate: () => void heard.push('update'),
        afterLoad: () => void heard.push('load'),
      };
      const service = serviceOf('fast', Thing);

      sources.fast.subscribers.push(subscriber);

      try {
        const { id } = (await service.createOne(requestOf({}), { label: 'a' })) as Body;

        await service.updateOne(requestOf({ id }), { label: 'b' });
      } finally {
        sources.fast.subscribers.pop();
      }

      expect(heard.filter((event) => event !== 'load')).toEqual(['insert', 'update']);
      expect(heard).toContain('load');

      const count = heard.length;

      await service.createOne(requestOf({}), { label: 'c' });
      expect(heard).toHaveLength(count);
    });

    test('for a subscriber that wants to hear of transactions', async () => {
      const heard: string[] = [];

      sources.fast.subscribers.push({
        beforeTransactionCommit: () => void heard.push('commit'),
      });

      try {
        await serviceOf('fast', Thing).createOne(requestOf({}), { label: 'a' });
      } finally {
        sources.fast.subscribers.pop();
      }

      expect(heard).toEqual(['commit']);
    });

    test('inside a transaction of the application, which decides about the record', async () => {
      await sources.fast
        .transaction(async (manager) => {
          await new TypeOrmCrudService(manager.getRepository(Token)).createOne(requestOf({}), { note: 'gone' });
          throw new Error('undone');
        })
        .catch(() => undefined);

      expect(await sources.fast.getRepository(Token).count()).toBe(0);
    });
  });

  test('options that mean nothing are refused', () => {
    expect(() => configureCrudDatabase(sources.plain, { fastPath: false } as never)).toThrow(/fastPath is no option/);
    expect(() => configureCrudDatabase(sources.plain, { fastPaths: 'no' } as never)).toThrow(/must be true or false/);
    for (const statementCache of [0, -1, 1.5, '9', true]) {
      expect(() => configureCrudDatabase(sources.plain, { statementCache } as never)).toThrow(
        'configureCrudDatabase: statementCache must be a whole number, 1 or more',
      );
      expect(() => configureCrudDatabase(sources.plain, { statementCacheBytes: statementCache } as never)).toThrow(
        'configureCrudDatabase: statementCacheBytes must be a whole number, 1 or more',
      );
    }
  });
});
