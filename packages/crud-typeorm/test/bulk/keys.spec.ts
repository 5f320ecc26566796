/** Keys of every kind, spelled in several ways → writes of many records find, tell apart and answer the records that the routes of one record do, on each database. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { Column, Entity, PrimaryColumn, type PrimaryColumnOptions } from 'typeorm';
import { type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

/** A kind of key. */
interface KeyKind {
  readonly title: string;
  readonly column: (kind: DatabaseKind) => PrimaryColumnOptions;
  /** Two keys, each in ways to spell it in a body; the first way stands in paths. */
  readonly keys: readonly [readonly unknown[], readonly unknown[]];
}

const KINDS: readonly KeyKind[] = [
  { title: 'integer', column: () => ({ type: 'int' }), keys: [[7, '7', '007'], [8]] },
  {
    title: 'bigint',
    column: () => ({ type: 'bigint' }),
    keys: [['9007199254740993', '09007199254740993'], [12]],
  },
  {
    title: 'decimal',
    column: () => ({ type: 'decimal', precision: 8, scale: 2 }),
    keys: [['1.5', '1.50', 1.5], ['2']],
  },
  {
    title: 'double',
    column: (kind) => ({ type: kind === 'postgres' ? 'double precision' : 'double' }),
    keys: [['0.1', 0.1, '0.10'], ['-2.5']],
  },
  {
    title: 'uuid',
    column: () => ({ type: 'uuid' }),
    keys: [
      ['a3c5d7e9-1b3d-4f6a-8c9e-aaaaaaaaaaaa', 'A3C5D7E9-1B3D-4F6A-8C9E-AAAAAAAAAAAA'],
      ['6B1F7B1E-0C2A-4A57-9D5E-00000000000A'],
    ],
  },
  { title: 'text', column: () => ({ type: 'varchar', length: 20 }), keys: [['Ab'], ['é']] },
  { title: 'text of a fixed length', column: (kind) => ({ type: kind === 'sqlite' ? 'varchar' : 'char', length: 6 }), keys: [['ab'], ['cd']] }, // prettier-ignore
  { title: 'date', column: () => ({ type: 'date' }), keys: [['2026-01-05'], ['1999-12-31']] },
  {
    title: 'moment',
    column: (kind) => ({ type: kind === 'postgres' ? 'timestamptz' : 'datetime', precision: 3 }),
    keys: [['2026-01-05T00:00:00.123Z', '2026-01-05T01:00:00.123+01:00'], ['2025-01-05T00:00:00.000Z']],
  },
  { title: 'boolean', column: () => ({ type: 'boolean' }), keys: [[true, 'true', 1], [false]] },
  { title: 'enum', column: () => ({ type: 'simple-enum', enum: ['red', 'blue'] }), keys: [['red'], ['blue']] },
  {
    title: 'transformed',
    column: () => ({
      type: 'varchar',
      length: 20,
      transformer: { to: (value: unknown) => `k-${value}`, from: (value: string) => value.slice(2) },
    }),
    keys: [['one'], ['two']],
  },
];

describeDatabases('writes of many records by keys of every kind', (db) => {
  const made = KINDS.map(({ column, title, keys }, index) => {
    @Entity(`bulk_keys_${index}`)
    class Keyed {
      @PrimaryColumn(column(db.kind)) id!: unknown;
      @Column({ type: 'varchar', length: 20, nullable: true }) name!: string | null;
    }
    // Nest knows repositories by the names of their entities.
    Object.defineProperty(Keyed, 'name', { value: `Keyed${index}` });

    return {
      title,
      keys,
      Keyed,
      path: `/k${index}`,
      ...resource(Keyed, `k${index}`, {
        params: { id: { field: 'id', type: 'string', primary: true } },
        routes: {
          updateManyBase: true,
          replaceManyBase: true,
          deleteManyBase: true,
          deleteOneBase: { returnDeleted: true },
        },
      } as never),
    };
  });
  const app = serving(
    db,
    made.map(({ Keyed }) => Keyed),
    made,
  );

  describe.each(made.map((one) => [one.title, one] as const))('%s', (_, { Keyed, keys, path }) => {
    const [first, second] = keys;
    type Method = 'put' | 'patch' | 'delete';
    const send = (method: Method, to: string, body: object) =>
      request(app.url)
        [method](path + to)
        .send(body);
    const rows = async () => (await app.source.getRepository(Keyed).find()).map(({ name }) => name).sort();
    /** Sends one request for each record; their answers. */
    const each = async (method: Method): Promise<object[]> => {
      const answers: object[] = [];
      for (const [index, key] of keys.entries())
        answers.push((await send(method, `/${encodeURIComponent(String(key[0]))}`, { name: 'ab'[index] })).body);

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
          const { message } = body as { message?: unknown };
          expect([spelled, status, message]).toEqual([spelled, 400, ['bulk.1 names the same record as bulk.0']]);
        }
      }
      expect(await rows()).toEqual(['a', 'b']);
    });
  });
});
