/** Keys of every kind, spelled in several ways: writes of many records find, tell apart and answer the records that the routes of one record do, and links lead as far as their condition says. On each database. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import * as orm from 'typeorm';
import { type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { empty } from '../support/connecting.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

/** A kind of key: the options of its column, with those that a database has instead, and two keys, each in ways to spell it in a body; the first way stands in paths. */
type KeyKind = readonly [
  title: string,
  column: orm.PrimaryColumnOptions & { readonly [Kind in DatabaseKind]?: orm.PrimaryColumnOptions },
  keys: readonly [readonly unknown[], readonly unknown[]],
];

const UUID = 'a3c5d7e9-1b3d-4f6a-8c9e-aaaaaaaaaaaa';
const OTHER_UUID = '6B1F7B1E-0C2A-4A57-9D5E-00000000000A';
const UUIDS = [[UUID, UUID.toUpperCase()], [OTHER_UUID]] as const;
const MOMENTS = [['2026-01-05T00:00:00.123Z', '2026-01-05T01:00:00.123+01:00'], ['2025-01-05T00:00:00.000Z']] as const;
const PREFIXED = { to: (value: unknown) => `k-${value}`, from: (value: string) => value.slice(2) };
const uuidOf = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const AS_BYTES = {
  to: (value: unknown) => (typeof value === 'string' ? Buffer.from(value.replaceAll('-', ''), 'hex') : value),
  from: (value: unknown) => (value instanceof Uint8Array ? uuidOf(value) : value),
};
const BYTES = { transformer: AS_BYTES, postgres: { type: 'bytea' }, mysql: { type: 'binary', length: 16 } } as const;

const KINDS: readonly KeyKind[] = [
  ['integer', { type: 'int' }, [[7, '7', '007'], [8]]],
  ['bigint', { type: 'bigint' }, [['9007199254740993', '09007199254740993'], [12]]],
  ['decimal', { type: 'decimal', precision: 8, scale: 2 }, [['12.5', '12.50', 12.5], ['-12.5']]],
  ['double', { type: 'double', postgres: { type: 'double precision' } }, [['0.1', 0.1, '0.10'], ['-2.5']]],
  ['uuid', { type: 'uuid' }, UUIDS],
  ['uuid kept as bytes', { type: 'blob', ...BYTES }, UUIDS],
  ['text', { type: 'varchar', length: 20 }, [['Ab'], ['é']]],
  ['text of a fixed length', { type: 'char', length: 6, sqlite: { type: 'varchar' } }, [['ab'], ['cd']]],
  ['date', { type: 'date' }, [['2026-01-05'], ['1999-12-31']]],
  ['moment', { type: 'datetime', precision: 3, postgres: { type: 'timestamptz' } }, MOMENTS],
  ['boolean', { type: 'boolean' }, [[true, 'true', 1], [false]]],
  ['enum', { type: 'simple-enum', enum: ['red', 'blue'] }, [['red'], ['blue']]],
  ['transformed', { type: 'varchar', length: 20, transformer: PREFIXED }, [['one'], ['two']]],
];

/** Ways to link a key. TypeORM gives the columns that it makes itself, those of the last two, no transformer. */
const LINKS: readonly ((key: unknown) => object)[] = [
  (ownerId) => ({ ownerId }),
  (id) => ({ owner: { id } }),
  (id) => ({ reader: { id } }),
  (id) => ({ readers: [{ id }] }),
];

describeDatabases('writes by keys of every kind', (db) => {
  const made = KINDS.map(([title, column, keys], index) => {
    const own = { ...column, ...column[db.kind] };

    @orm.Entity(`bulk_keys_${index}`)
    class Keyed {
      @orm.PrimaryColumn(own) id!: unknown;
      @orm.Column({ type: 'varchar', length: 20, nullable: true }) name!: string | null;
    }

    @orm.Entity(`bulk_links_${index}`)
    class Linked {
      @orm.PrimaryGeneratedColumn() id!: number;
      @orm.Column({ ...own, nullable: true } as orm.ColumnOptions) ownerId!: unknown;
      @orm.ManyToOne(() => Keyed) @orm.JoinColumn({ name: 'ownerId' }) owner!: Keyed;
      @orm.ManyToOne(() => Keyed) reader!: Keyed;
      @orm.ManyToMany(() => Keyed) @orm.JoinTable({ name: `bulk_readers_${index}` }) readers!: Keyed[];
    }
    // Nest knows repositories by the names of their entities.
    Object.defineProperty(Keyed, 'name', { value: `Keyed${index}` });
    Object.defineProperty(Linked, 'name', { value: `Linked${index}` });
    const params = { id: { field: 'id', type: 'string', primary: true } } as never;
    const many = { updateManyBase: true, replaceManyBase: true, deleteManyBase: true } as const;
    const routes = { ...many, deleteOneBase: { returnDeleted: true } };
    const named = () => ({ name: 'a' });
    const relations = { owner: named, reader: named, readers: named };
    const resources = [
      resource(Keyed, `k${index}`, { params, routes }),
      resource(Linked, `l${index}`, { query: { join: { readers: {} } }, auth: { relations } }),
    ];
    // Nothing refers to an enum of another table.
    const isLinked = /^(uuid.*|decimal)$/.test(title);
    const count = isLinked ? 2 : 1;
    const kept = { entities: [Keyed, Linked].slice(0, count), resources: resources.slice(0, count) };
    return { title, keys, own, index, isLinked, Keyed, ...kept };
  });
  const entities = made.flatMap((one) => [...one.entities]);
  const resources = made.flatMap((one) => one.resources);
  const app = serving(db, entities, resources);

  beforeEach(() => empty(app.source));

  const linked = made.filter(({ isLinked }) => isLinked);
  test.each(linked)('links by $title', async ({ title, Keyed, keys, own, index }) => {
    const [first, second] = keys;
    await app.source.getRepository(Keyed).insert(keys.map(([id], at) => ({ id, name: 'ab'[at] })) as never);
    const send = (method: 'post' | 'patch', path: string, body: object) => app.send(method, `/l${index}${path}`, body);
    const { body } = await send('post', '', { ownerId: null });
    for (const bodyOf of LINKS.slice(0, own.transformer ? 2 : 4)) {
      for (const spelled of db.kind === 'sqlite' && title === 'uuid' ? [UUID] : first) {
        const patched = await send('patch', `/${body.id}`, bodyOf(spelled));
        const posted = await send('post', '', bodyOf(spelled));
        expect([spelled, patched.status, posted.body.message]).toEqual([spelled, 200, undefined]);
      }
      const refused = await send('post', '', bodyOf(second[0]));
      expect(refused.body).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
    }
    const links = await app.source.query<object[]>(`SELECT * FROM bulk_readers_${index}`);
    expect(links).toHaveLength(own.transformer ? 0 : 1 + (db.kind === 'sqlite' && title === 'uuid' ? 1 : first.length));
  });

  const ofBulks = made.filter(({ own }) => own.transformer !== AS_BYTES);
  describe.each(ofBulks)('$title', ({ Keyed, keys, index }) => {
    const [first, second] = keys;
    type Method = 'put' | 'patch' | 'delete';
    const send = (method: Method, to: string, body: object) => app.send(method, `/k${index}${to}`, body);
    const rows = async () => (await app.source.getRepository(Keyed).find()).map(({ name }) => name).sort();
    const each = async (method: Method): Promise<object[]> => {
      const answers: object[] = [];
      for (const [at, [key]] of keys.entries())
        answers.push((await send(method, `/${encodeURIComponent(String(key))}`, { name: 'ab'[at] })).body);
      return answers;
    };
    const both = async (method: Method, spelled: unknown, name = 'a') => {
      const other = { id: second.at(-1), name: 'b' };
      const { status, body } = await send(method, '/bulk', { bulk: [{ id: spelled, name }, other] });
      return [spelled, status, body as unknown];
    };

    test('PUT creates and replaces, PATCH changes, DELETE removes', async () => {
      const [one, other] = await each('put');
      await empty(app.source);
      expect(await both('put', first[0])).toEqual([first[0], 201, [one, other]]);
      for (const spelled of first) {
        const name = `by ${spelled}`.slice(0, 20);
        expect(await both('put', spelled)).toEqual([spelled, 200, [one, other]]);
        expect(await both('patch', spelled, name)).toEqual([spelled, 200, [{ ...one, name }, other]]);
        expect(await rows()).toEqual(['b', name]);
        expect((await send('put', `/${encodeURIComponent(String(spelled))}`, { name })).body).toEqual({ ...one, name });
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
