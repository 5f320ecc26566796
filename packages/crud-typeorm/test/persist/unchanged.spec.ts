/** PATCHes that send what is stored, in one spelling or another, and others that differ by little → rows, versions and dates that move with a change alone, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource, type EntitySubscriberInterface } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Statements } from '../support/statements.js';
import {
  Label,
  Listener,
  Maker,
  Manual,
  Part,
  Product,
  requestAt,
  typed,
  UNCHANGED_ENTITIES,
} from './unchanged.entities.js';
import { connect } from '../support/resources.js';

const STORED = {
  name: 'Ada',
  notes: 'one\ntwo',
  count: 5,
  big: '9007199254740993',
  price: '1.50',
  weight: 0.1,
  sold: true,
  day: '2026-01-02',
  time: '10:00:00',
  seen: new Date('2026-01-02T03:04:05.000Z'),
  settings: { a: 1, b: [1, 2] },
  tags: ['a', 'b'],
  code: 'abc',
  secret: 's',
  size: { width: 3, height: null },
  makerId: 1,
  seller: { id: 2 },
};

/** What means the same as what is stored, and what does not. */
const SAME: readonly object[] = [
  {},
  { nothing: 1 },
  { version: 1 },
  { createdAt: new Date(0), updatedAt: new Date(0) },
  ...Object.entries(STORED).map(([name, value]) => ({ [name]: value })),
  STORED,
  { price: 1.5 },
  { price: '1.5' },
  { seen: new Date('2026-01-02T04:04:05.000+01:00') },
  { size: { width: 3 } },
  { size: {} },
  { maker: { id: 1 } },
  { maker: 1 },
  { seller: 2 },
];
const OTHER: readonly object[] = [
  { name: 'ada' },
  { name: 'Ada ' },
  { name: 'Adä' },
  { name: null },
  { name: '' },
  { notes: 'One\ntwo' },
  { count: 6 },
  { count: 0 },
  { big: '9007199254740992' },
  { price: '1.51' },
  { weight: 0.2 },
  { sold: false },
  { sold: null },
  { day: '2026-01-03' },
  { time: '10:00:01' },
  { seen: new Date('2026-01-02T03:04:06.000Z') },
  { settings: { b: [1, 2], a: 1 } },
  { settings: null },
  { tags: ['b', 'a'] },
  { code: 'cba' },
  { secret: 'S' },
  { size: { height: 1 } },
  { size: { width: null } },
  { makerId: 2 },
  { maker: null },
  { seller: { id: 1 } },
  { ...STORED, count: 6 },
];

/** Types that one database alone has: what is stored, what means the same, what does not. */
interface Kind {
  readonly type: string;
  readonly options?: object;
  readonly stored: unknown;
  readonly same?: readonly unknown[];
  readonly other: readonly unknown[];
}

const KINDS: Readonly<Record<'sqlite' | 'postgres' | 'mysql', readonly Kind[]>> = {
  sqlite: [
    { type: 'varchar', options: { collation: 'NOCASE' }, stored: 'a', other: ['A', 'b'] },
    { type: 'real', stored: 1 / 3, other: [0.5] },
    { type: 'decimal', options: { precision: 10, scale: 2 }, stored: 1.5, same: ['1.50'], other: [1.25] },
    { type: 'datetime', stored: new Date(1234), other: [new Date(1235)] },
  ],
  postgres: [
    { type: 'json', stored: { a: 1, b: 2 }, other: [{ b: 2, a: 1 }, {}, [], 'text', null] },
    { type: 'jsonb', stored: { a: 1, b: 2 }, same: [{ b: 2, a: 1 }], other: [{ a: 1 }, null] },
    { type: 'numeric', stored: '1.5', other: ['1.50', '1.6'] },
    { type: 'numeric', options: { precision: 6, scale: 3 }, stored: '1.5', same: [1.5, '1.5004'], other: ['1.501'] },
    { type: 'real', stored: 1 / 3, same: [0.33333334], other: [0.3333] },
    { type: 'double precision', stored: 1 / 3, other: [0.3333] },
    { type: 'char', options: { length: 5 }, stored: 'ab', same: ['ab '], other: ['aB'] },
    { type: 'timestamptz', stored: '2026-01-01T00:00:00.123Z', other: ['2026-01-01T00:00:00.124Z'] },
    {
      type: 'timestamp',
      options: { precision: 3 },
      stored: new Date('2026-01-01T00:00:00.123Z'),
      other: [new Date('2026-01-01T00:00:00.124Z')],
    },
    { type: 'timetz', stored: '12:00:00+00', other: ['13:00:00+01'] },
    { type: 'interval', stored: '1 day', other: ['24:00:00'] },
    { type: 'point', stored: '(1,2)', same: ['(1, 2)'], other: ['(2,1)'] },
    { type: 'box', stored: '(1,1),(0,0)', other: ['(2,1),(1,0)'] },
    { type: 'circle', stored: '<(0,0),1>', other: ['<(1,0),1>'] },
    { type: 'text', options: { array: true }, stored: ['a', 'b'], other: [['b', 'a'], ['A', 'b'], []] },
    { type: 'int', options: { array: true }, stored: [1, 2], other: [[2, 1]] },
    { type: 'enum', options: { enum: ['a', 'b'] }, stored: 'a', other: ['b', null] },
    { type: 'uuid', stored: '3f8b2a51-6f4d-4c5e-9d55-0c6f0a4f5a11', other: ['3f8b2a51-6f4d-4c5e-9d55-0c6f0a4f5a12'] },
    { type: 'xml', stored: '<a>1</a>', other: ['<a>2</a>'] },
    { type: 'inet', stored: '10.0.0.1', other: ['10.0.0.2'] },
    { type: 'money', stored: '$1.50', other: ['$1.51'] },
    { type: 'int4range', stored: '[1,3)', other: ['[1,4)'] },
    { type: 'tsvector', stored: "'a' 'b'", other: ["'a'"] },
    { type: 'jsonpath', stored: '$."a"', other: ['$."b"'] },
    { type: 'bytea', stored: Buffer.from('ab'), other: [Buffer.from('aB')] },
  ],
  mysql: [
    { type: 'json', stored: { a: 1, b: [1, 2] }, other: [{ a: 1 }, {}, [], null] },
    { type: 'char', options: { length: 5 }, stored: 'ab', same: ['ab '], other: ['aB', 'abc'] },
    { type: 'varchar', options: { length: 20, collation: 'utf8mb4_general_ci' }, stored: 'Ä', other: ['A', 'ä', 'Ä '] },
    {
      type: 'varchar',
      options: { length: 20, charset: 'latin1', collation: 'latin1_swedish_ci' },
      stored: 'é',
      other: ['e', 'É'],
    },
    { type: 'float', stored: 1 / 3, other: [0.3332] },
    { type: 'double', stored: 1 / 3, other: [0.3333] },
    {
      type: 'decimal',
      options: { precision: 30, scale: 2 },
      stored: '1234567890123456789012345.10',
      same: ['1234567890123456789012345.1'],
      other: ['1234567890123456789012345.11'],
    },
    { type: 'bigint', options: { unsigned: true }, stored: '18446744073709551615', other: ['18446744073709551614'] },
    { type: 'tinyint', stored: 1, other: [2] },
    {
      type: 'datetime',
      options: { precision: 6 },
      stored: new Date('2026-01-01T00:00:00.123Z'),
      other: [new Date('2026-01-01T00:00:00.124Z')],
    },
    {
      type: 'timestamp',
      options: { precision: 3 },
      stored: new Date('2026-01-01T00:00:00.123Z'),
      other: [new Date('2026-01-01T00:00:00.124Z')],
    },
    { type: 'enum', options: { enum: ['a', 'b'] }, stored: 'a', other: ['b', null] },
    { type: 'year', stored: 2026, other: [2027] },
    { type: 'varbinary', options: { length: 10 }, stored: Buffer.from('ab'), other: [Buffer.from('aB')] },
    { type: 'text', stored: 'a', other: ['A', 'a '] },
  ],
};

describeDatabases('changes that change nothing', (db) => {
  const statements = new Statements();
  const kinds = KINDS[db.kind].map((kind, index) => ({
    ...kind,
    entity: typed(`kinds_${index}`, kind.type as 'json', kind.options),
  }));
  const heard: string[] = [];
  const subscriber: EntitySubscriberInterface = {
    beforeUpdate: ({ metadata }) => void heard.push(metadata.name),
    afterUpdate: ({ metadata }) => void heard.push(metadata.name),
  };
  let source: DataSource;
  let products: TypeOrmCrudService<Product>;

  beforeAll(async () => {
    source = await connect(db, [...UNCHANGED_ENTITIES, ...kinds.map(({ entity }) => entity)], {
      logger: statements,
      logging: true,
    });
    products = new TypeOrmCrudService(source.getRepository(Product));
    await source.getRepository(Maker).insert([
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ]);
    await source.getRepository(Label).insert([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  afterAll(() => source.destroy());

  beforeEach(async () => {
    heard.length = 0;
    for (const table of ['product_labels', 'parts', 'products', 'manuals', 'listeners'])
      await source.query(`DELETE FROM ${table}`);
    await source.getRepository(Product).insert({ id: 1, ...STORED } as never);
    await source.query(`UPDATE products SET ${source.driver.escape('updatedAt')} = '2020-01-01 00:00:00'`);
  });

  const rows = async () => ({
    products: await source.query('SELECT * FROM products ORDER BY id'),
    manuals: await source.query('SELECT * FROM manuals ORDER BY id'),
    parts: await source.query('SELECT * FROM parts ORDER BY id'),
    links: await source.query('SELECT * FROM product_labels ORDER BY 1, 2'),
  });
  const patch = (sent: object) => products.updateOne(requestAt(1), sent as Product);

  describe.each([
    ['nobody looks on', false],
    ['a subscriber looks on', true],
  ])('while %s', (_, observed) => {
    beforeAll(() => {
      if (observed) source.subscribers.push(subscriber);
    });
    afterAll(() => {
      source.subscribers.splice(0);
    });

    test.each(SAME.map((sent) => [JSON.stringify(sent), sent] as const))('%s writes nothing', async (_text, sent) => {
      const before = await rows();
      const answer = await patch(sent);

      expect(answer).toEqual(await products.getOne(requestAt(1)));
      expect(await rows()).toEqual(before);
      expect(heard).toEqual([]);
    });

    test.each(OTHER.map((sent) => [JSON.stringify(sent), sent] as const))('%s is a change', async (_text, sent) => {
      const answer = await patch(sent);
      const stored = await source.getRepository(Product).findOneByOrFail({ id: 1 });

      expect(answer).toEqual(await products.getOne(requestAt(1)));
      expect(stored.version).toBe(2);
      expect(stored.updatedAt.getFullYear()).toBeGreaterThan(2025);
      expect(heard).toEqual(observed ? ['Product', 'Product'] : []);

      await patch(sent);

      expect(await source.getRepository(Product).findOneByOrFail({ id: 1 })).toEqual(stored);
    });

    test('a stale version is judged first', async () => {
      await patch({ count: 6 });

      for (const sent of [{}, { count: 6 }, { labels: [] }]) {
        await expect(patch({ ...sent, version: 1 })).rejects.toMatchObject({
          response: { statusCode: 409, code: 'CRUD_STALE_VERSION' },
        });
        expect(await patch({ ...sent, version: 2 })).toMatchObject({ count: 6, version: 2 });
      }
    });

    test('a record that is not there is a 404, whatever is sent', async () => {
      for (const sent of [{}, { count: 5 }, { count: 6 }, { labels: [] }]) {
        await expect(products.updateOne(requestAt(2), sent as unknown as Product)).rejects.toMatchObject({
          status: 404,
        });
      }
    });

    test('a list of the links that there are writes nothing', async () => {
      await patch({ labels: [1, 2] });
      const before = await rows();

      expect(before.links).toHaveLength(2);
      for (const labels of [
        [1, 2],
        [2, 1],
        [{ id: 1 }, { id: 2 }],
        [1, 2, 1],
      ]) {
        const sql = await statements.of(() => patch({ labels }));

        expect(sql.filter((text) => /^(?:INSERT|DELETE)/.test(text))).toEqual([]);
        expect(await rows()).toEqual(before);
      }
    });

    test('nested records that are as they were write nothing, and leave the record around them alone', async () => {
      await patch({ manual: { title: 'm' }, parts: [{ what: 'a' }, { what: 'b' }] });
      heard.length = 0;
      const before = await rows();
      const { id } = await source.getRepository(Manual).findOneByOrFail({});
      const parts = await source.getRepository(Part).find({ order: { id: 'ASC' } });
      const same = parts.map((part) => ({ id: part.id, what: part.what }));

      for (const sent of [
        { manual: { title: 'm' } },
        { manual: { id, title: 'm' } },
        { parts: same },
        { count: 5, manual: { id, title: 'm' }, parts: same },
      ]) {
        await patch(sent);
        expect(await rows()).toEqual(before);
        expect(heard).toEqual([]);
      }

      await patch({ parts: [same[0], { ...same[1], what: 'c' }] });
      expect(await source.getRepository(Part).find({ order: { id: 'ASC' } })).toMatchObject([
        { what: 'a', version: 1 },
        { what: 'c', version: 2 },
      ]);
      await patch({ manual: { title: 'M' } });
      expect(await source.getRepository(Manual).find()).toMatchObject([{ title: 'M', version: 2 }]);
      expect((await rows()).products).toEqual(before.products);
      expect(heard).toEqual(observed ? ['Part', 'Part', 'Manual', 'Manual'] : []);
    });

    test('a PUT of what is stored writes all the same', async () => {
      await products.replaceOne(requestAt(1), { id: 1, ...STORED, seller: 2 } as never);

      expect(await source.getRepository(Product).findOneByOrFail({ id: 1 })).toMatchObject({ count: 5, version: 2 });
    });

    test.each(kinds.map((kind) => [`${kind.type} ${JSON.stringify(kind.options ?? {})}`, kind] as const))(
      'a column of type %s changes with its stored form',
      async (_text, { entity, stored, same = [], other }) => {
        const repository = source.getRepository(entity);
        const service = new TypeOrmCrudService(repository);
        const send = (value: unknown) => service.updateOne(requestAt(1), { value });
        const version = async () => (await repository.findOneByOrFail({ id: 1 })).version;

        await repository.clear();
        await repository.insert({ id: 1 });
        await send(null);
        expect(await version()).toBe(1);
        await send(stored);
        expect(await version()).toBe(2);

        for (const value of [stored, ...same]) {
          await send(value);
          expect([value, await version()]).toEqual([value, 2]);
        }

        for (const [index, value] of other.entries()) {
          await send(value);
          expect([value, await version()]).toEqual([value, 3 + 2 * index]);
          await send(stored);
          expect([value, await version()]).toEqual([value, 4 + 2 * index]);
        }
      },
    );
  });

  if (db.kind === 'postgres') {
    test('a moment that loses its microseconds is a change', async () => {
      const { entity } = kinds.find(({ type }) => type === 'timestamptz')!;
      const repository = source.getRepository(entity);

      await repository.clear();
      await repository.insert({ id: 1 });
      await source.query(`UPDATE ${repository.metadata.tableName} SET value = '2026-01-01T00:00:00.123456Z'`);
      await new TypeOrmCrudService(repository).updateOne(requestAt(1), { value: new Date('2026-01-01T00:00:00.123Z') });

      expect(await repository.findOneByOrFail({ id: 1 })).toMatchObject({ version: 2 });
    });
  }

  test('listeners of the entity hear of a change alone', async () => {
    const listeners = new TypeOrmCrudService(source.getRepository(Listener));
    await source.getRepository(Listener).insert({ id: 1, name: 'A', slug: 'stale' });
    Listener.heard = [];

    await listeners.updateOne(requestAt(1), { name: 'A' });
    expect(Listener.heard).toEqual([]);
    expect(await source.getRepository(Listener).findOneByOrFail({ id: 1 })).toMatchObject({
      slug: 'stale',
      version: 1,
    });

    await listeners.updateOne(requestAt(1), { name: 'B' });
    expect(Listener.heard).toEqual(['before', 'after']);
    expect(await source.getRepository(Listener).findOneByOrFail({ id: 1 })).toMatchObject({ slug: 'b', version: 2 });
  });
});
