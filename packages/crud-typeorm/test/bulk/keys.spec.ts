/** Writes of many records by keys of every kind, spelled in several ways, and of as many as `maxBulk` allows by default → they find, tell apart and answer the records that the routes of one record do, on each database. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Column, DeleteDateColumn, Entity, PrimaryColumn, type PrimaryColumnOptions, Unique } from 'typeorm';
import { type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, type ResourceOptions } from '../support/resources.js';
import { serving } from '../support/serving.js';

/** A kind of key. */
interface KeyKind {
  readonly title: string;
  /** Its options, with its type where a database has another. */
  readonly column: PrimaryColumnOptions & { readonly [Kind in DatabaseKind]?: PrimaryColumnOptions['type'] };
  /** Two keys, each in ways to spell it in a body; the first way stands in paths. */
  readonly keys: readonly [readonly unknown[], readonly unknown[]];
}

const UUID = 'a3c5d7e9-1b3d-4f6a-8c9e-aaaaaaaaaaaa';
const MOMENT = ['2026-01-05T00:00:00.123Z', '2026-01-05T01:00:00.123+01:00'];
const EARLIER = '2025-01-05T00:00:00.000Z';
const PREFIXED = { to: (value: unknown) => `k-${value}`, from: (value: string) => value.slice(2) };

const KINDS: readonly KeyKind[] = [
  { title: 'integer', column: { type: 'int' }, keys: [[7, '7', '007'], [8]] },
  { title: 'bigint', column: { type: 'bigint' }, keys: [['9007199254740993', '09007199254740993'], [12]] },
  { title: 'decimal', column: { type: 'decimal', precision: 8, scale: 2 }, keys: [['1.5', '1.50', 1.5], ['2']] },
  { title: 'double', column: { type: 'double', postgres: 'double precision' }, keys: [['0.1', 0.1, '0.10'], ['-2.5']] },
  {
    title: 'uuid',
    column: { type: 'uuid' },
    keys: [[UUID, UUID.toUpperCase()], ['6B1F7B1E-0C2A-4A57-9D5E-00000000000A']],
  },
  { title: 'text', column: { type: 'varchar', length: 20 }, keys: [['Ab'], ['é']] },
  { title: 'text of a fixed length', column: { type: 'char', sqlite: 'varchar', length: 6 }, keys: [['ab'], ['cd']] },
  { title: 'date', column: { type: 'date' }, keys: [['2026-01-05'], ['1999-12-31']] },
  { title: 'moment', column: { type: 'datetime', postgres: 'timestamptz', precision: 3 }, keys: [MOMENT, [EARLIER]] },
  { title: 'boolean', column: { type: 'boolean' }, keys: [[true, 'true', 1], [false]] },
  { title: 'enum', column: { type: 'simple-enum', enum: ['red', 'blue'] }, keys: [['red'], ['blue']] },
  { title: 'transformed', column: { type: 'varchar', length: 20, transformer: PREFIXED }, keys: [['one'], ['two']] },
];

describeDatabases('writes of many records by keys of every kind', (db) => {
  const made = KINDS.map(({ column, title, keys }, index) => {
    @Entity(`bulk_keys_${index}`)
    class Keyed {
      @PrimaryColumn({ ...column, type: column[db.kind] ?? column.type }) id!: unknown;
      @Column({ type: 'varchar', length: 20, nullable: true }) name!: string | null;
    }
    // Nest knows repositories by the names of their entities.
    Object.defineProperty(Keyed, 'name', { value: `Keyed${index}` });
    const params = { id: { field: 'id', type: 'string', primary: true } } as never;
    const many = { updateManyBase: true, replaceManyBase: true, deleteManyBase: true } as const;
    const routes = { ...many, deleteOneBase: { returnDeleted: true } };
    return { title, keys, Keyed, path: `/k${index}`, ...resource(Keyed, `k${index}`, { params, routes }) };
  });
  const keyed = made.map(({ Keyed }) => Keyed);
  const app = serving(db, keyed, made);

  describe.each(made.map((one) => [one.title, one] as const))('%s', (_, { Keyed, keys, path }) => {
    const [first, second] = keys;
    type Method = 'put' | 'patch' | 'delete';
    const send = (method: Method, to: string, body: object) => app.send(method, path + to, body);
    const rows = async () => (await app.source.getRepository(Keyed).find()).map(({ name }) => name).sort();
    /** Sends one request for each record; their answers. */
    const each = async (method: Method): Promise<object[]> => {
      const answers: object[] = [];
      for (const [index, [key]] of keys.entries())
        answers.push((await send(method, `/${encodeURIComponent(String(key))}`, { name: 'ab'[index] })).body);
      return answers;
    };
    /** Sends a bulk of both records, the first in one spelling. */
    const both = async (method: Method, spelled: unknown, name = 'a') => {
      const other = { id: second.at(-1), name: 'b' };
      const { status, body } = await send(method, '/bulk', { bulk: [{ id: spelled, name }, other] });
      return [spelled, status, body as unknown];
    };

    beforeEach(() => app.source.getRepository(Keyed).clear());

    test('PUT creates and replaces, PATCH changes, DELETE removes', async () => {
      const [one, other] = await each('put');
      await app.source.getRepository(Keyed).clear();
      expect(await both('put', first[0])).toEqual([first[0], 201, [one, other]]);
      for (const spelled of first) {
        const name = `by ${spelled}`.slice(0, 20);
        expect(await both('put', spelled)).toEqual([spelled, 200, [one, other]]);
        expect(await both('patch', spelled, name)).toEqual([spelled, 200, [{ ...one, name }, other]]);
        expect(await rows()).toEqual(['b', name]);
      }
      const deleted = await each('delete');
      await both('put', first[0], `by ${first.at(-1)}`.slice(0, 20));
      expect((await both('delete', first.at(-1))).slice(1)).toEqual([200, deleted]);
      expect(await rows()).toEqual([]);
    });

    test('a record that two items name is refused, however they spell its key', async () => {
      await each('put');
      for (const method of ['patch', 'put', 'delete'] as const) {
        for (const spelled of first) {
          const { status, body } = await send(method, '/bulk', { bulk: [first[0], spelled].map((id) => ({ id })) });
          expect([spelled, status, body.message]).toEqual([spelled, 400, ['bulk.1 names the same record as bulk.0']]);
        }
      }
      expect(await rows()).toEqual(['a', 'b']);
    });
  });
});

const COUNT = 1000;

@Entity('bulk_cells')
@Unique(['sheet', 'address'])
class Cell {
  @PrimaryColumn({ type: 'int' }) row!: number;
  @PrimaryColumn({ type: 'int' }) place!: number;
  @Column({ type: 'int' }) sheet!: number;
  @Column({ type: 'int' }) address!: number;
  @Column({ type: 'int', nullable: true }) value!: number | null;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
}

const options: ResourceOptions<Cell> = {
  params: {
    row: { field: 'row', type: 'number', primary: true },
    place: { field: 'place', type: 'number', primary: true },
  },
  query: { softDelete: true },
  routes: {
    createManyBase: { onConflict: ['sheet', 'address'] },
    updateManyBase: true,
    replaceManyBase: true,
    deleteManyBase: true,
    recoverManyBase: true,
  },
};

const cells = resource(Cell, 'cells', options);
const plain = resource(Cell, 'plain', { ...options, routes: {} });

describeDatabases('the most records of one request', (db) => {
  const app = serving(db, [Cell], [cells, plain], { platform: 'fastify' });

  const bulkOf = (values: (index: number) => object) => ({
    bulk: Array.from({ length: COUNT }, (_, index) => ({ row: index % 2, place: index, ...values(index) })),
  });
  const whole = (value: number) => (index: number) => ({ sheet: index % 3, address: index, value });
  const stored = async () => [
    await app.source.getRepository(Cell).countBy({}),
    (await app.source.getRepository(Cell).findOneBy({ row: 1, place: COUNT - 1 }))?.value,
  ];
  const sevenths = (index: number) => ({ value: index % 7 });
  const keys = bulkOf(() => ({}));

  // Each continues with the records that the one before it left.
  test.each<[string, number, () => Promise<{ status: number; body: unknown }>, (number | undefined)[]]>([
    ['POST', 201, () => app.api.post('/plain/bulk', bulkOf(whole(1))), [COUNT, 1]],
    ['POST with onConflict', 200, () => app.api.post('/cells/bulk', bulkOf(whole(2))), [COUNT, 2]],
    ['PATCH', 200, () => app.api.patch('/cells/bulk', bulkOf(sevenths)), [COUNT, (COUNT - 1) % 7]],
    ['PUT', 200, () => app.api.put('/cells/bulk', bulkOf(whole(4))), [COUNT, 4]],
    ['DELETE', 200, () => app.api.delete('/cells/bulk').send(keys), [0, undefined]],
    ['recover', 200, () => app.api.patch('/cells/bulk/recover', keys), [COUNT, 4]],
  ])(
    '%s',
    async (_, status, send, left) => {
      const answer = await send();
      expect([answer.status, JSON.stringify(answer.body).slice(0, 300)]).toEqual([status, expect.any(String)]);
      expect(await stored()).toEqual(left);
    },
    120_000,
  );

  test('POST takes no more, unless its options say otherwise', async () => {
    const { bulk } = bulkOf(whole(1));
    const { body } = await app.api.post('/plain/bulk', { bulk: [...bulk, bulk[0]] }).expect(400);
    expect(body).toMatchObject({ code: 'CRUD_LIMIT_EXCEEDED' });
  });
});
