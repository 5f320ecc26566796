/** A database and how connections to it are made → an application on it over HTTP, and connections that it does not know. */
import { beforeEach } from '@jest/globals';
import type { CrudOptions } from '@nestwright/crud';
import request from 'supertest';
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { HttpPlatform, TestDatabase } from '../../../../integration/test-support/index.js';
import { connecting } from '../support/connecting.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('items')
class Item {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20, unique: true }) name!: string;
}

export type Call = readonly [method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, body?: object];

export const READS = ['/items', '/items?page=1&limit=2', '/items/1'].map((path): Call => ['get', path]);

export const CHANGES: readonly Call[] = [
  ['patch', '/items/1', { name: 'mine' }],
  ['put', '/items/1', { name: 'mine' }],
  ['delete', '/items/1'],
];

export const INSERTS: readonly Call[] = [
  ['post', '/items', { name: 'new' }],
  ['post', '/items/bulk', { bulk: [{ name: 'n1' }, { name: 'n2' }] }],
];

export const ALL: readonly Call[] = [...READS, ...CHANGES, ...INSERTS];

/** Statements that empty the table, whose keys then begin with 1 again. */
const EMPTY = {
  postgres: ['TRUNCATE TABLE items RESTART IDENTITY'],
  mysql: ['TRUNCATE TABLE items'],
  sqlite: ['DELETE FROM items', "DELETE FROM sqlite_sequence WHERE name = 'items'"],
};

interface FaultyOptions {
  readonly options?: object;
  readonly prepare?: (source: DataSource) => void | Promise<void>;
  readonly query?: CrudOptions['query'];
}

/** Registers an application whose items are 1 to 3 before each test. */
export function faultyApp(
  db: Omit<TestDatabase, 'url'>,
  platform: HttpPlatform,
  { options, prepare, query = {} }: FaultyOptions = {},
) {
  const isShared = db.kind === 'sqlite';
  // On SQLite the application's own.
  let outside = isShared ? (undefined as unknown as DataSource) : connecting(db, [Item]);
  const served = serving(db, [Item], [looseResource(Item, 'items', { validation: false, query })], {
    platform,
    nest: { logger: false },
    source: { synchronize: isShared, ...options },
    fill: async (source) => {
      if (isShared) outside = source;
      await prepare?.(source);
    },
  });
  beforeEach(async () => {
    for (const statement of EMPTY[db.kind]) await outside.query(statement);
    await outside.getRepository(Item).insert([1, 2, 3].map((id) => ({ name: `i${id}` })));
  });
  return Object.assign(served, {
    /** What a response tells: its body whole, and whether the client is told to come again. */
    call: async ([method, path, sent]: Call) => {
      const { status, body, headers } = await request(served.url)[method](path).send(sent);
      return { status, body: body as unknown, retryAfter: headers['retry-after'] };
    },
    /** Holds what a transaction of another has locked, for as long as the work lasts. */
    whileLocked: async (sql: string, work: () => Promise<unknown>) => {
      const other = outside.createQueryRunner();
      await other.startTransaction();
      try {
        await other.query(sql);
        await work();
      } finally {
        await other.query('UNLOCK TABLES').catch(() => undefined);
        await other.rollbackTransaction().catch(() => undefined);
        await other.release();
      }
    },
  });
}
