/** Random bodies for an entity of which a write tells more, or less, than what is sent, and for one with every type of column → the same records, answers and refusals whether a write's one statement answers or the plain way is taken, on each database. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CrudRequestOptions } from '@nestwright/crud';
import { type CrudResult, JsonText, NeedsRecords, RESULT } from '@nestwright/crud/adapter';
import { instanceToPlain } from 'class-transformer';
import fc from 'fast-check';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { everyType } from '../read/every-type.js';
import { requestOf as requestBy } from '../support/requests.js';
import { connecting } from '../support/connecting.js';
import { Statements } from '../support/statements.js';

const cents = {
  to: (value: number | null | undefined) => (typeof value === 'number' ? Math.round(value * 100) : value),
  from: (value: number | null) => (value === null ? null : Number(value) / 100),
};

class Place {
  @orm.Column({ type: 'varchar', length: 40, nullable: true, name: 'place_town' }) town!: string | null;
  @orm.Column({ type: 'int', default: 7 }) floor!: number;
}

/** Makes something of nothing, and nothing of something. */
const moody = {
  to: (value: string | null | undefined) => (value === undefined ? 'unsaid' : value === 'unsay' ? undefined : value),
  from: (value: string | null) => value,
};

@orm.Entity('things')
class Thing {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 60, unique: true, nullable: true }) label!: string | null;
  @orm.Column({ type: 'int', default: 3 }) whole!: number;
  @orm.Column({ type: 'boolean', default: true, name: 'is_on' }) on!: boolean;
  @orm.Column({ type: 'varchar', length: 20, default: 'what? $1', transformer: moody }) said!: string;
  @orm.Column({ type: 'simple-json', nullable: true, name: 'some_json' }) json!: unknown;
  @orm.Column({ type: 'int', nullable: true, transformer: cents }) price!: number | null;
  @orm.Column(() => Place) place!: Place;
  @orm.Column({ type: 'varchar', length: 20, select: false, nullable: true }) secret!: string | null;
  @orm.Column({ type: 'varchar', length: 20, default: 'what? $1', update: false }) fixed!: string;
  @orm.VersionColumn() version!: number;
  @orm.CreateDateColumn() createdAt!: Date;
  @orm.UpdateDateColumn() updatedAt!: Date;
  @orm.DeleteDateColumn() deletedAt!: Date | null;
  started = 'by the class';
}

/** With a column that the database computes. */
@orm.Entity('things')
class PostgresThing extends Thing {
  @orm.Column({ type: 'int', generatedType: 'STORED', asExpression: '"whole" * 2', nullable: true }) twice!:
    number | null;
}

type Body = Record<string, unknown>;
const requestOf = (path: Body, options: CrudRequestOptions = {}, auth: Body = {}) => requestBy({ path, options, auth });

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replaceAll('\0', '').normalize('NFC'));
const nullable = (values: fc.Arbitrary<unknown>) => fc.option(values, { nil: null, freq: 4 });
const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 4 });
const json = nullable(fc.oneof(fc.dictionary(name, fc.integer()), fc.array(fc.boolean()), fc.integer()));

const PROPERTIES = {
  // Half of what fits: a generated column doubles it.
  whole: fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 }),
  on: fc.boolean(),
  said: fc.constantFrom('something', 'unsay', ''),
  json,
  price: nullable(fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100)),
  place: fc.record({ town: nullable(text), floor: fc.integer({ min: -9, max: 9 }) }, { requiredKeys: [] }),
  secret: nullable(text),
  fixed: text,
};

const bodies = fc.record(PROPERTIES, { requiredKeys: ['on'] }) as fc.Arbitrary<Body>;

const WAYS = ['fast', 'plain'] as const;
type Way = (typeof WAYS)[number];

describeDatabases('writes that answer in their own statement', (db) => {
  const Stored = (db.kind === 'postgres' ? PostgresThing : Thing) as new () => orm.ObjectLiteral;
  const statements = { fast: new Statements(), plain: new Statements() };
  const zone = db.kind === 'mysql' && { timezone: 'Z', dateStrings: ['DATE'] };
  const connectingBy = (way: Way) => {
    // SQLite's databases live in memory, one for each connection.
    const isNew = way === 'fast' || db.kind === 'sqlite';
    const logged = { logging: true, logger: statements[way] };
    const source = connecting(db, [Stored], { ...zone, ...logged, synchronize: isNew });
    configureCrudDatabase(source, { fastPaths: way === 'fast' });
    beforeEach(() => source.query('DELETE FROM things'));
    return source;
  };
  const sources = { fast: connectingBy('fast'), plain: connectingBy('plain') };
  const serviceOf = (way: Way) => new TypeOrmCrudService(sources[way].getRepository(Stored));
  const returns = (statement: 'insert' | 'update') => toDatabase(sources.fast).returns[statement];
  afterEach(() => void sources.fast.subscribers.splice(0));

  /** What differs between two records by its nature. */
  const alike = (record: unknown) => {
    const { id: _, createdAt, updatedAt, ...rest } = record as Body;
    expect([createdAt, updatedAt].every((value) => value instanceof Date)).toBe(true);
    return Object.assign(Object.create(Object.getPrototypeOf(record) as object) as Body, rest);
  };

  /** A row as TypeORM alone reads it, with what is hidden from answers. */
  const stored = (way: Way, id: unknown) =>
    sources[way]
      .getRepository(Stored)
      .createQueryBuilder('thing')
      .addSelect('thing.secret')
      .where('thing.id = :id', { id })
      .getOneOrFail();

  test('POST and PATCH store and answer as the plain way does', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, bodies, async (created, changed) => {
        const seen: unknown[][] = [];
        for (const way of WAYS) {
          const service = serviceOf(way);
          const made = (await service.createOne(requestOf({}), created)) as Body;
          const { id } = made;
          const first = await stored(way, id);
          const change = () => service.updateOne(requestOf({ id }), { ...changed, fixed: undefined, said: undefined });
          const updated = (await change()) as Body;
          expect(updated['id']).toBe(id);
          // The second time there is nothing to change: version and date stay.
          expect(await change()).toStrictEqual(updated);
          seen.push([made, first, updated, await stored(way, id)].map(alike));
        }
        expect(seen[0]).toStrictEqual(seen[1]);
      }),
      { numRuns: 40 },
    );
  });
  // Runs of equal sets of columns, as bulks have them.
  const lists = fc
    .array(fc.tuple(bodies, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 6 })
    .map((runs) => runs.flatMap(([body, times]) => Array<Body>(times).fill(body)));

  test('bulk keeps the order, whatever each record carries', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (bulk) => {
        const fast = await serviceOf('fast').createMany(requestOf({}), { bulk });
        const plain = await serviceOf('plain').createMany(requestOf({}), { bulk });
        expect(fast.map(alike)).toStrictEqual(plain.map(alike));
      }),
      { numRuns: 15 },
    );
  });

  test('is one statement, or two where nothing changes, and needs no transaction where nothing is left to check', async () => {
    const service = serviceOf('fast');
    const sent = async (work: () => Promise<unknown>) => {
      const start = statements.fast.all.length;
      await work();
      return statements.fast.all.slice(start).map(({ sql }) => sql.split(' ')[0]);
    };
    let id: unknown;
    const createOne = async () => ({ id } = (await service.createOne(requestOf({}), { label: 'a' })) as Body);
    const updateOne = () => service.updateOne(requestOf({ id }), { whole: 5 });
    const bulk = Array.from({ length: 30 }, (_, index) => ({ label: `b${index}` }));
    const ofBulk = await sent(() => service.createMany(requestOf({}), { bulk }));
    expect(await sent(createOne)).toEqual(returns('insert') ? ['INSERT'] : ['START', 'INSERT', 'SELECT', 'COMMIT']);
    expect(ofBulk.filter((word) => word === 'INSERT')).toEqual(['INSERT']);
    expect(await sent(updateOne)).toEqual(returns('update') ? ['UPDATE'] : ['START', 'UPDATE', 'SELECT', 'COMMIT']);
    const unchanged = ['START', 'UPDATE', 'SELECT', 'UPDATE', 'SELECT', 'COMMIT'];
    expect(await sent(updateOne)).toEqual(returns('update') ? ['UPDATE', 'SELECT'] : unchanged);
    const begun = db.kind === 'sqlite' ? 'BEGIN' : 'START';
    expect(await sent(() => service.deleteOne(requestOf({ id })))).toEqual([begun, 'DELETE', 'COMMIT']);
  });

  test.each(WAYS)('a record that leaves its scope is refused and not kept, the %s way', async (way) => {
    const service = serviceOf(way);
    const scoped = (path: Body) => requestOf(path, {}, { whole: { $lt: 10 } });
    const { id } = (await service.createOne(scoped({}), { whole: 9, label: 'in' })) as Body;
    for (const work of [
      () => service.createOne(scoped({}), { whole: 10 }),
      () => service.createMany(scoped({}), { bulk: [{ whole: 1 }, { whole: 11 }] }),
      () => service.updateOne(scoped({ id }), { whole: 12 }),
    ])
      await expect(work()).rejects.toMatchObject({ response: { statusCode: 400, code: 'CRUD_OUT_OF_SCOPE' } });
    expect(await sources[way].getRepository(Stored).find()).toMatchObject([{ id, whole: 9, label: 'in' }]);
    const elsewhere = service.updateOne(requestOf({ id }, {}, { whole: 8 }), { label: 'x' });
    await expect(elsewhere).rejects.toMatchObject({ status: 404 });
  });

  test('no fast path is taken while there is a subscriber, also one of a transaction', async () => {
    const service = serviceOf('fast');
    const heard: string[] = [];
    const hear = (event: string) => () => void heard.push(event);
    const ofThings = { beforeInsert: hear('insert'), beforeUpdate: hear('update'), afterLoad: hear('load') };
    for (const listenTo of [undefined, () => Object, () => Stored, () => Thing]) {
      heard.length = 0;
      sources.fast.subscribers.push({ ...(listenTo && { listenTo }), ...ofThings });
      const { id } = (await service.createOne(requestOf({}), { label: 'a' })) as Body;
      await service.updateOne(requestOf({ id }), { label: 'b' });
      await service.deleteOne(requestOf({ id }));
      expect(heard.filter((event) => event !== 'load')).toEqual(['insert', 'update']);
      expect(heard).toContain('load');
      sources.fast.subscribers.pop();
    }
    await service.createOne(requestOf({}), { label: 'c' });
    sources.fast.subscribers.push({ beforeTransactionCommit: hear('commit') });
    await service.createOne(requestOf({}), { label: 'd' });
    expect(heard.filter((event) => event !== 'load')).toEqual(['insert', 'update', 'commit']);
  });
});

describeDatabases('answers to writes as text', (db) => {
  const { target: Every, values, inner } = everyType(db.kind);
  // No logger looks on, which would have TypeORM read the rows.
  const source = connecting(db, [Every]);
  const service = new TypeOrmCrudService<orm.ObjectLiteral>(source.getRepository(Every));

  test('are what is stored, byte for byte, and that is what the plain way stores', async () => {
    const bodies = fc.tuple(values, inner).map(([own, embedded]): Body => {
      const list: unknown = own['aTextList'];
      // Bodies hold no lists with null items.
      return { ...own, inner: embedded, ...(Array.isArray(list) && { aTextList: list.filter((one) => one !== null) }) };
    });
    let id = 0;
    const stored = async (of: number) => ({ ...(await service.getOne(requestOf({ id: of }))), id: 0 });
    await fc.assert(
      fc.asyncProperty(bodies, bodies, async (created, changed) => {
        const [fast, plain] = [(id += 2), id + 1];
        for (const verb of ['createOne', 'updateOne'] as const) {
          const isNew = verb === 'createOne';
          const write = (id: number) => {
            const request = requestOf(isNew ? {} : { id });
            return service[RESULT](verb, request, isNew ? { ...created, id } : changed) as Promise<CrudResult>;
          };
          const text = await (await write(fast)).text!(Every as never);
          if (text instanceof JsonText)
            expect(text.text).toBe(JSON.stringify(instanceToPlain(await service.getOne(requestOf({ id: fast })))));
          else expect([db.kind, text]).toEqual(['mysql', expect.any(NeedsRecords)]);
          configureCrudDatabase(source, { fastPaths: false });
          await (await write(plain)).records();
          expect(await stored(fast)).toEqual(await stored(plain));
          configureCrudDatabase(source, { fastPaths: true });
        }
      }),
      // Shrinking would take minutes on a database.
      { numRuns: 15, endOnFailure: true },
    );
  });

  test('are left to the service where it has its own, and to the class where it is another', async () => {
    class Own extends TypeOrmCrudService<orm.ObjectLiteral> {
      override createMany = () => Promise.resolve([]);
    }

    const own = new Own(source.getRepository(Every));
    expect(own[RESULT]('createMany', requestOf({}), {})).toEqual(new NeedsRecords("the service's own createMany"));
    const result = (await own[RESULT]('createOne', requestOf({}), { id: 10_000 })) as CrudResult;
    expect(await result.text!(Object)).toEqual(new NeedsRecords('a response class that is not the entity'));
    expect(await result.records()).toMatchObject({ id: 10_000 });
  });
});
