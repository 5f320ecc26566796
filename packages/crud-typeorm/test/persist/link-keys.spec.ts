/** Links under a condition by keys of every kind: what is legal without the condition and in reach is legal with it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, Inject, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type AuthOptions, Crud, CrudAuth } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import request from 'supertest';
import {
  type ColumnOptions,
  type ColumnType,
  DataSource,
  EntitySchema,
  type ObjectLiteral,
  type ValueTransformer,
} from 'typeorm';
import { type DatabaseKind, describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { connect } from '../support/resources.js';

const [OWN, OTHER, AWAY, MISSING] = ['ab', 'ad', 'ae', 'af'].map(
  (end) => `018f0000-0000-7000-8000-0000000000${end}`,
) as [string, string, string, string];

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const uuidOf = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const UUID_AS_BYTES: ValueTransformer = {
  to: (value: unknown) => (typeof value === 'string' ? bytesOf(value) : value),
  from: (value: unknown) => (value instanceof Uint8Array ? uuidOf(value) : value),
};
const json = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

const BYTES: Record<DatabaseKind, ColumnOptions> = {
  sqlite: { type: 'blob' as ColumnType },
  postgres: { type: 'bytea' as ColumnType },
  mysql: { type: 'binary', length: 16 },
};

interface Kind {
  readonly title: string;
  readonly column: (kind: DatabaseKind) => ColumnOptions;
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
  const owner = new EntitySchema<ObjectLiteral>({
    name: 'Owner',
    columns: { id: { ...column(kind), primary: true } as never, tenant: { type: 'varchar', length: 20 } },
  });
  const paper = new EntitySchema<ObjectLiteral>({
    name: 'Paper',
    columns: {
      id: { type: 'int', primary: true, generated: 'increment' },
      tenant: { type: 'varchar', length: 20, default: 'acme' },
      ownerId: { ...column(kind), nullable: true } as never,
    },
    relations: {
      owner: { type: 'many-to-one', target: 'Owner', joinColumn: { name: 'ownerId' } },
      reader: { type: 'many-to-one', target: 'Owner', nullable: true, joinColumn: { name: 'reader_id' } },
      readers: { type: 'many-to-many', target: 'Owner', joinTable: { name: 'paper_readers' } },
    },
  });

  return { owner, paper };
}

const CONDITIONS: readonly (readonly [path: string, auth: AuthOptions])[] = [
  ['open', {}],
  [
    'scoped',
    {
      relations: {
        owner: () => ({ tenant: 'acme' }),
        reader: () => ({ tenant: 'acme' }),
        readers: () => ({ tenant: 'acme' }),
      },
    },
  ],
];

/** Ways to link a key. */
const BODIES: readonly (readonly [title: string, (key: unknown) => object])[] = [
  ['column', (ownerId) => ({ ownerId })],
  ['nested record', (id) => ({ owner: { id } })],
  ['relation without a column', (id) => ({ reader: { id } })],
  ['list', (id) => ({ readers: [{ id }] })],
];

describeDatabases('keys of links under a condition', (db) => {
  describe.each(KINDS.map((kind) => [kind.title, kind] as const))('%s', (_, kind) => {
    let source: DataSource;
    let close: () => Promise<void>;
    let send: (method: 'post' | 'patch', path: string, body: object) => Promise<request.Response>;
    const { owner, paper } = entitiesOf(kind, db.kind);

    beforeAll(async () => {
      source = await connect(db, [owner, paper], { dropSchema: true });

      const resources = CONDITIONS.map(([path, auth]) => {
        @Injectable()
        class Service extends TypeOrmCrudService<ObjectLiteral> {
          constructor() {
            super(source.getRepository(paper));
          }
        }

        @Crud({ model: { type: class Paper {} }, query: { join: { readers: {} } } })
        @CrudAuth(auth)
        @Controller(path)
        class Papers {
          constructor(@Inject(Service) readonly service: Service) {}
        }

        return { Papers, Service };
      });
      const module = await Test.createTestingModule({
        controllers: resources.map(({ Papers }) => Papers),
        providers: resources.map(({ Service }) => Service),
      }).compile();
      const { app, url } = await listen(module, 'express');

      close = () => app.close();
      send = (method, path, body) => request(url)[method](path).send(body);
    });

    afterAll(async () => {
      await close?.();
      await source?.destroy();
    });

    beforeEach(async () => {
      await source.query('DELETE FROM paper_readers');
      await source.query('DELETE FROM paper');
      await source.query('DELETE FROM owner');
      await source.getRepository(owner).insert([
        { id: kind.stored(OWN), tenant: 'acme' },
        { id: kind.stored(OTHER), tenant: 'acme' },
        { id: kind.stored(AWAY), tenant: 'beta' },
      ]);
    });

    const rows = async () => {
      const papers = (await source.query('SELECT * FROM paper')) as ObjectLiteral[];
      const readers = (await source.query('SELECT * FROM paper_readers')) as ObjectLiteral[];

      return {
        papers: papers.map(({ id: _id, ...row }) => JSON.stringify(row)).sort(),
        readers: readers.map(({ paperId: _id, ...row }) => JSON.stringify(row)).sort(),
      };
    };
    const clear = async () => {
      await source.query('DELETE FROM paper_readers');
      await source.query('DELETE FROM paper');
    };

    // TypeORM gives the columns that it makes itself no transformer.
    const isTransformed = kind.column(db.kind).transformer !== undefined;
    const bodies = BODIES.slice(0, isTransformed ? 2 : BODIES.length);

    test.each(bodies)('a %s in reach is linked as without a condition', async (_title, bodyOf) => {
      for (const key of kind.said(OWN, db.kind)) {
        const stored: object[] = [];

        for (const path of ['/open', '/scoped']) {
          await clear();
          const first = await send('post', path, bodyOf(key));
          const second = await send('post', path, { tenant: 'acme' });
          const changed = await send('patch', `${path}/${String((second.body as { id: number }).id)}`, bodyOf(key));

          stored.push({
            first: [first.status, (first.body as { message?: unknown }).message],
            changed: [changed.status, (changed.body as { message?: unknown }).message],
            ...(await rows()),
          });
        }

        expect(stored[1]).toEqual(stored[0]);
        expect(stored[0]).toMatchObject({ first: [201, undefined], changed: [200, undefined] });
      }
    });

    test.each(bodies)('a %s out of reach is refused as one that is not there', async (_title, bodyOf) => {
      for (const uuid of [AWAY, MISSING]) {
        for (const key of kind.said(uuid, db.kind))
          expect((await send('post', '/scoped', bodyOf(key))).body).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
      }
      expect(await rows()).toEqual({ papers: [], readers: [] });
    });

    (isTransformed ? [] : ['a list']).forEach((list) =>
      test(`${list} replaces the links in reach alone`, async () => {
        const key = (uuid: string) => kind.said(uuid, db.kind).at(-1);
        const { body } = await send('post', '/open', { readers: [{ id: key(OWN) }, { id: key(AWAY) }] });
        const changed = await send('patch', `/scoped/${String((body as { id: number }).id)}`, {
          readers: [{ id: key(OTHER) }],
        });
        const { readers } = await rows();

        expect(changed.status).toBe(200);
        await send('post', '/open', { readers: [{ id: key(OTHER) }, { id: key(AWAY) }] });
        await source.query(
          'DELETE FROM paper_readers WHERE ' +
            source.driver.escape('paperId') +
            ' = ' +
            String((body as { id: number }).id),
        );
        expect(readers).toEqual((await rows()).readers);
      }),
    );
  });
});
