/** Random bodies for an entity with every type of column → the same records, answers and refusals whether a write's one statement answers or the plain way is taken, on each database. */
import { expect, test } from '@jest/globals';
import type { CrudRequestOptions } from '@nestwright/crud';
import { type CrudResult, JsonText, NeedsRecords, RESULT } from '@nestwright/crud/adapter';
import { instanceToPlain } from 'class-transformer';
import fc from 'fast-check';
import type { EntitySubscriberInterface, ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { Pair, PostgresThing, RightHalf, Shelf, Spot, Started, Thing, Token } from './entities.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { everyType } from '../read/every-type.js';
import { requestOf as requestBy } from '../support/requests.js';
import { connecting } from '../support/connecting.js';
import { bodies, fastAndPlain, type Way, WAYS } from './fast-and-plain.js';

type Body = Record<string, unknown>;
const requestOf = (path: Body, options: CrudRequestOptions = {}, auth: Body = {}) => requestBy({ path, options, auth });

describeDatabases('writes that answer in their own statement', (db) => {
  const Stored = (db.kind === 'postgres' ? PostgresThing : Thing) as new () => ObjectLiteral;
  const { sources, statements, serviceOf } = fastAndPlain(db, {
    entities: [Stored, Shelf, Token, Spot, Pair, RightHalf, Started],
    tables: ['things', 'tokens', 'spots', 'pairs', 'started'],
    fill: (source) => source.query('INSERT INTO shelves (id) VALUES (1), (2)'),
  });
  const returns = (statement: 'insert' | 'update') => toDatabase(sources.fast).returns[statement];

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
          const service = serviceOf(way, Stored);
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
        const fast = await serviceOf('fast', Stored).createMany(requestOf({}), { bulk });
        const plain = await serviceOf('plain', Stored).createMany(requestOf({}), { bulk });
        expect(fast.map(alike)).toStrictEqual(plain.map(alike));
      }),
      { numRuns: 15 },
    );
  });

  test('is one statement, or two where nothing changes, and needs no transaction where nothing is left to check', async () => {
    const service = serviceOf('fast', Stored);
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
    const service = serviceOf(way, Stored);
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

  test.each(WAYS)('refusals say what is refused, the %s way', async (way) => {
    const service = serviceOf(way, Stored);
    const { id } = (await service.createOne(requestOf({}), { label: 'taken' })) as Body;
    const { id: other } = (await service.createOne(requestOf({}), { label: 'free' })) as Body;
    const bulk = [{ label: 'x' }, { label: 'taken' }];
    const refusals: [work: () => Promise<unknown>, code: string, field?: string][] = [
      [() => service.createOne(requestOf({}), { label: 'taken' }), 'CRUD_UNIQUE_VIOLATION', 'label'],
      [() => service.createMany(requestOf({}), { bulk }), 'CRUD_UNIQUE_VIOLATION', 'bulk.1.label'],
      [() => service.updateOne(requestOf({ id: other }), { label: 'taken' }), 'CRUD_UNIQUE_VIOLATION', 'label'],
      [() => service.updateOne(requestOf({ id }), { version: 7, whole: 1 }), 'CRUD_STALE_VERSION'],
      [() => service.updateOne(requestOf({ id: 0 }), { whole: 1 }), 'CRUD_NOT_FOUND'],
    ];
    for (const [work, code, field] of refusals)
      await expect(work()).rejects.toMatchObject({ response: { code, ...(field && { field }) } });
    const message = [`version is not the stored one: the ${Stored.name} was changed in the meantime`];
    await expect(service.updateOne(requestOf({ id }), { version: 7 })).rejects.toMatchObject({ response: { message } });
    const changed = { version: 2, whole: 1 };
    expect(await service.updateOne(requestOf({ id }), { ...changed, version: 1 })).toMatchObject(changed);
  });

  test.each(WAYS)('keys of all kinds come back, also where they are hidden, the %s way', async (way) => {
    const tokens = serviceOf(way, Token);
    const spots = serviceOf(way, Spot);
    const id = 'aaaaaaaa-0000-4000-8000-000000000001';
    const hidden = requestOf({}, { query: { exclude: ['id'] } });
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const token = (values: Body) => Object.assign(new Token(), values);
    expect(await tokens.createOne(requestOf({}), { note: 'n' })).toEqual(token({ id: uuid, note: 'n' }));
    expect(await tokens.createOne(hidden, { id })).toEqual(token({ note: null }));
    expect(await tokens.updateOne(requestOf({ id }), { note: 'changed' })).toMatchObject({ id, note: 'changed' });
    const key = { row: 4, seat: 'b' };
    await spots.createOne(requestOf({}), key);
    const changed = Object.assign(new Spot(), { ...key, guest: 'Ann' });
    expect(await spots.updateOne(requestOf(key), { guest: 'Ann' })).toEqual(changed);
  });

  test('two classes of one table do not share texts', async () => {
    await serviceOf('fast', Pair).createOne(requestOf({}), { id: 1, left: 'l' });
    await serviceOf('fast', RightHalf).createOne(requestOf({}), { id: 2, right: 'r' });
    expect(await sources.fast.query('SELECT * FROM pairs ORDER BY id')).toMatchObject([
      { id: 1, left: 'l', right: null },
      { id: 2, left: null, right: 'r' },
    ]);
  });

  test('a class that fills in values has its say', async () => {
    const started = serviceOf('fast', Started);
    await started.createOne(requestOf({}), { id: 1 });
    Started.note = 'by the class';
    try {
      await started.createMany(requestOf({}), { bulk: [{ id: 2 }, { id: 3, note: 'own' }] });
    } finally {
      Started.note = undefined;
    }
    const rows = await sources.fast.query<Started[]>('SELECT note FROM started ORDER BY id');
    expect(rows.map(({ note }) => note)).toEqual([null, 'by the class', 'own']);
  });

  async function whileHeardBy(subscriber: EntitySubscriberInterface, work: () => Promise<unknown>) {
    sources.fast.subscribers.push(subscriber);
    try {
      await work();
    } finally {
      sources.fast.subscribers.pop();
    }
  }

  test('no fast path is taken while there is a subscriber, also one of a transaction', async () => {
    const service = serviceOf('fast', Stored);
    const heard: string[] = [];
    const hear = (event: string) => () => void heard.push(event);
    const ofThings = { beforeInsert: hear('insert'), beforeUpdate: hear('update'), afterLoad: hear('load') };
    for (const listenTo of [undefined, () => Object, () => Stored, () => Thing]) {
      heard.length = 0;
      await whileHeardBy({ ...(listenTo && { listenTo }), ...ofThings }, async () => {
        const { id } = (await service.createOne(requestOf({}), { label: 'a' })) as Body;
        await service.updateOne(requestOf({ id }), { label: 'b' });
        await service.deleteOne(requestOf({ id }));
      });
      expect(heard.filter((event) => event !== 'load')).toEqual(['insert', 'update']);
      expect(heard).toContain('load');
    }

    heard.length = 0;
    await service.createOne(requestOf({}), { label: 'c' });
    expect(heard).toEqual([]);
    await whileHeardBy({ beforeTransactionCommit: hear('commit') }, () =>
      service.createOne(requestOf({}), { label: 'd' }),
    );
    expect(heard).toEqual(['commit']);
  });
});

describeDatabases('answers to writes as text', (db) => {
  const { target: Every, values, inner } = everyType(db.kind);
  // No logger looks on, which would have TypeORM read the rows.
  const source = connecting(db, [Every]);
  const service = new TypeOrmCrudService<ObjectLiteral>(source.getRepository(Every));

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
    class Own extends TypeOrmCrudService<ObjectLiteral> {
      override createMany = () => Promise.resolve([]);
    }

    const own = new Own(source.getRepository(Every));
    expect(own[RESULT]('createMany', requestOf({}), {})).toEqual(new NeedsRecords("the service's own createMany"));
    const result = (await own[RESULT]('createOne', requestOf({}), { id: 10_000 })) as CrudResult;
    expect(await result.text!(Object)).toEqual(new NeedsRecords('a response class that is not the entity'));
    expect(await result.records()).toMatchObject({ id: 10_000 });
  });
});
