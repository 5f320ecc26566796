/** Links under a condition by keys of every kind: what is legal without the condition and in reach is legal with it. And links to other columns. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import * as orm from 'typeorm';
import { type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { empty } from '../support/connecting.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const [OWN, OTHER, AWAY, MISSING] = ['ab', 'ad', 'ae', 'af'].map(
  (end) => `018f0000-0000-7000-8000-0000000000${end}`,
) as [string, string, string, string];

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const uuidOf = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const UUID_AS_BYTES: orm.ValueTransformer = {
  to: (value: unknown) => (typeof value === 'string' ? bytesOf(value) : value),
  from: (value: unknown) => (value instanceof Uint8Array ? uuidOf(value) : value),
};

const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

const BYTES: Record<DatabaseKind, orm.ColumnOptions> = {
  sqlite: { type: 'blob' as orm.ColumnType },
  postgres: { type: 'bytea' as orm.ColumnType },
  mysql: { type: 'binary', length: 16 },
};

interface Kind {
  readonly title: string;
  readonly column: (kind: DatabaseKind) => orm.ColumnOptions;
  /** What the application stores for an uuid, and the ways in which a client says it. */
  readonly stored: (uuid: string) => unknown;
  readonly said: (uuid: string, kind: DatabaseKind) => readonly unknown[];
}

const KINDS: readonly Kind[] = [
  {
    title: 'uuid',
    column: () => ({ type: 'uuid' }),
    stored: (uuid) => uuid,
    // PostgreSQL and MariaDB compare them as values.
    said: (uuid, kind) => (kind === 'sqlite' ? [uuid] : [uuid, uuid.toUpperCase()]),
  },
  {
    title: 'uuid kept as bytes',
    column: (kind) => ({ ...BYTES[kind], transformer: UUID_AS_BYTES }),
    stored: (uuid) => uuid,
    said: (uuid) => [uuid, uuid.toUpperCase()],
  },
  { title: 'bytes', column: (kind) => BYTES[kind], stored: bytesOf, said: (uuid) => [json(bytesOf(uuid))] },
  {
    title: 'decimal',
    column: () => ({ type: 'decimal', precision: 8, scale: 2 }),
    stored: (uuid) => `${parseInt(uuid.slice(-2), 16)}.50`,
    said: (uuid) => [`${parseInt(uuid.slice(-2), 16)}.5`, parseInt(uuid.slice(-2), 16) + 0.5],
  },
];

function entitiesOf({ column }: Kind, kind: DatabaseKind) {
  @orm.Entity('owner')
  class Owner {
    @orm.PrimaryColumn(column(kind) as never) id!: unknown;
    @orm.Column({ type: 'varchar', length: 20 }) tenant!: string;
  }

  @orm.Entity('paper')
  class Paper {
    @orm.PrimaryGeneratedColumn() id!: number;
    @orm.Column({ type: 'varchar', length: 20, default: 'acme' }) tenant!: string;
    @orm.Column({ ...column(kind), nullable: true } as never) ownerId!: unknown;
    @orm.ManyToOne(() => Owner) @orm.JoinColumn({ name: 'ownerId' }) owner!: Owner;
    @orm.ManyToOne(() => Owner) @orm.JoinColumn({ name: 'reader_id' }) reader!: Owner;
    @orm.ManyToMany(() => Owner) @orm.JoinTable({ name: 'paper_readers' }) readers!: Owner[];
  }
  return { Owner, Paper };
}

@orm.Entity('coded')
class Coded {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20, unique: true }) code!: string;
  @orm.ManyToMany(() => Coded)
  @orm.JoinTable({ name: 'coded_links', inverseJoinColumn: { name: 'linked', referencedColumnName: 'code' } })
  links!: orm.Relation<Coded>[];
}

const ofTenant = () => ({ tenant: 'acme' });
const relations = { owner: ofTenant, reader: ofTenant, readers: ofTenant };

/** Ways to link a key. */
const BODIES: readonly (readonly [title: string, (key: unknown) => object])[] = [
  ['column', (ownerId) => ({ ownerId })],
  ['nested record', (id) => ({ owner: { id } })],
  ['relation without a column', (id) => ({ reader: { id } })],
  ['list', (id) => ({ readers: [{ id }] })],
];

describeDatabases('keys of links under a condition', (db) => {
  describe.each(KINDS.map((kind) => [kind.title, kind] as const))('%s', (_, kind) => {
    const { Owner, Paper } = entitiesOf(kind, db.kind);
    const query = { join: { readers: {} } };
    const resources = [resource(Paper, 'open', { query }), resource(Paper, 'scoped', { query, auth: { relations } })];
    const served = serving(db, [Owner, Paper], resources, { source: { dropSchema: true } });

    const clear = () => empty(served.source, 'owner');
    beforeEach(async () => {
      await empty(served.source);
      for (const uuid of [OWN, OTHER, AWAY]) {
        const owner = { id: kind.stored(uuid), tenant: uuid === AWAY ? 'beta' : 'acme' };
        await served.source.getRepository(Owner).insert(owner as never);
      }
    });

    const rows = () =>
      Promise.all(
        ['paper', 'paper_readers'].map(async (table) => {
          const all = (await served.source.query(`SELECT * FROM ${table}`)) as Record<string, unknown>[];
          return all.map(({ id: _id, paperId: _paperId, ...row }) => JSON.stringify(row)).sort();
        }),
      );

    // TypeORM gives the columns that it makes itself no transformer.
    const isTransformed = kind.column(db.kind).transformer !== undefined;
    const bodies = BODIES.slice(0, isTransformed ? 2 : BODIES.length);

    test.each(bodies)('a %s in reach is linked as without a condition', async (_title, bodyOf) => {
      for (const key of kind.said(OWN, db.kind)) {
        const stored: unknown[] = [];
        for (const path of ['/open', '/scoped']) {
          await clear();
          const { status, body } = await served.send('post', path, bodyOf(key));
          const { id } = (await served.send('post', path, { tenant: 'acme' })).body as { id: number };
          const changed = await served.send('patch', `${path}/${id}`, bodyOf(key));
          expect([status, body.message]).toEqual([201, undefined]);
          expect([changed.status, changed.body.message]).toEqual([200, undefined]);
          stored.push(await rows());
        }
        expect(stored[1]).toEqual(stored[0]);
      }
    });

    test.each(bodies)('a %s out of reach is refused as one that is not there', async (_title, bodyOf) => {
      for (const key of [AWAY, MISSING].flatMap((uuid) => kind.said(uuid, db.kind)))
        expect((await served.send('post', '/scoped', bodyOf(key))).body).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
      expect(await rows()).toEqual([[], []]);
    });

    test('a list replaces the links in reach alone', async () => {
      if (isTransformed) return;
      const reader = (uuid: string) => ({ id: kind.said(uuid, db.kind).at(-1) });
      const readers = (...uuids: string[]) => ({ readers: uuids.map(reader) });
      const { id } = (await served.send('post', '/open', readers(OWN, AWAY))).body as { id: number };
      expect((await served.send('patch', `/scoped/${id}`, readers(OTHER))).status).toBe(200);
      const [, replaced] = await rows();
      await clear();
      await served.send('post', '/open', readers(OTHER, AWAY));
      expect((await rows())[1]).toEqual(replaced);
    });
  });
});

describeDatabases('links to another column than the key', (db) => {
  const served = serving(db, [Coded], [resource(Coded, 'coded', { query: { join: { links: {} } } })]);

  test('hold what the record of a key has in it', async () => {
    const post = (code: string, links: unknown[] = []) => served.send('post', '/coded?join=links', { code, links });
    const [, second] = [await post('first'), await post('second')];
    const { id } = second.body as Coded;
    expect(await post('third', [id])).toMatchObject({ status: 201, body: { links: [{ id, code: 'second' }] } });
    expect(await served.source.query('SELECT linked FROM coded_links')).toEqual([{ linked: 'second' }]);
  });
});
