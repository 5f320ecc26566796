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

  describe.each(made.map((one) => [one.title, one] as const))('%s', (_, { Keyed, keys: [first, second], path }) => {
    const api = () => request(app.url);
    const at = (key: readonly unknown[]) => `${path}/${encodeURIComponent(String(key[0]))}`;
    const rows = async () => (await app.source.getRepository(Keyed).find()).map(({ name }) => name).sort();
    /** The answers of two requests, as one of many is. */
    const each = async (
      send: (key: readonly unknown[], name: string) => PromiseLike<{ status: number; body: unknown }>,
    ) => {
      const one = await send(first, 'a');
      const other = await send(second, 'b');

      return { status: Math.max(one.status, other.status), body: [one.body, other.body] };
    };

    beforeEach(() => app.source.getRepository(Keyed).clear());

    /** Sends a bulk of both records, the first in one spelling. */
    const sendBoth = async (method: 'put' | 'patch' | 'delete', spelled: unknown, names: [string, string]) => {
      const bulk = [
        { id: spelled, name: names[0] },
        { id: second.at(-1), name: names[1] },
      ];
      const { status, body } = await api()[method](`${path}/bulk`).send({ bulk });

      return [spelled, status, body as unknown];
    };

    test('PUT creates and replaces', async () => {
      const single = await each((key, name) => api().put(at(key)).send({ name }));
      await app.source.getRepository(Keyed).clear();

      for (const [turn, status] of [201, 200].entries()) {
        for (const spelled of turn === 0 ? [first[0]] : first)
          expect(await sendBoth('put', spelled, ['a', 'b'])).toEqual([spelled, status, single.body]);
      }
      expect(single.status).toBe(201);
      expect(await rows()).toEqual(['a', 'b']);
    });

    test('PATCH changes', async () => {
      await each((key, name) => api().put(at(key)).send({ name }));
      const single = await each((key, name) => api().patch(at(key)).send({ name: name.toUpperCase() }));

      for (const spelled of first)
        expect(await sendBoth('patch', spelled, ['A', 'B'])).toEqual([spelled, 200, single.body]);
      expect(await rows()).toEqual(['A', 'B']);
    });

    test('a record that two items name is refused, however they spell its key', async () => {
      await each((key, name) => api().put(at(key)).send({ name }));

      for (const method of ['patch', 'put', 'delete'] as const) {
        for (const spelled of first) {
          const answer = await api()
            [method](`${path}/bulk`)
            .send({ bulk: [first[0], spelled].map((id) => ({ id })) });
          const { message } = answer.body as { message?: unknown };
          expect([spelled, answer.status, message]).toEqual([spelled, 400, ['bulk.1 names the same record as bulk.0']]);
        }
      }
      expect(await rows()).toEqual(['a', 'b']);
    });

    test('DELETE removes', async () => {
      await each((key, name) => api().put(at(key)).send({ name }));
      const single = await each((key) => api().delete(at(key)));
      await each((key, name) => api().put(at(key)).send({ name }));

      expect((await sendBoth('delete', first.at(-1), ['', ''])).slice(1)).toEqual([200, single.body]);
      expect(await rows()).toEqual([]);
    });
  });
});
