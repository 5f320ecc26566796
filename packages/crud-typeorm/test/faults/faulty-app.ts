/** A database and how connections to it are made → an application on it over HTTP, and another connection that stands in its way. */
import { beforeEach, expect } from '@jest/globals';
import type { CrudOptions } from '@nestwright/crud';
import request from 'supertest';
import { AbstractLogger, Column, type DataSource, Entity } from 'typeorm';
import { type LogLevel, type LogMessage, PrimaryGeneratedColumn } from 'typeorm';
import type { HttpPlatform, TestDatabase } from '../../../../integration/test-support/index.js';
import { connecting } from '../support/connecting.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('items')
export class Item {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20, unique: true }) name!: string;
}

/** Counts the statements that the database refuses. */
export class Refusals extends AbstractLogger {
  readonly codes: unknown[] = [];
  override logQueryError(error: string | Error): void {
    const { code, errno } = error as { code?: unknown; errno?: unknown };
    this.codes.push(errno ?? code);
  }
  protected override writeLog(_: LogLevel, __: LogMessage | LogMessage[]): void {}
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

export const WRITES: readonly Call[] = [...CHANGES, ...INSERTS];
export const ALL: readonly Call[] = [...READS, ...WRITES];

const TEXTS = {
  CRUD_UNAVAILABLE: [503, 'The database is not available', 'Service Unavailable'],
  CRUD_TIMEOUT: [503, 'The database did not answer in time', 'Service Unavailable'],
  CRUD_CONFLICT: [409, 'Another request was writing the same records: send this one again', 'Conflict'],
} as const;

/** What a response tells of a fault: its body whole, and whether the client is told to come again. */
interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: string | undefined;
}

export function refused(code: keyof typeof TEXTS, retryAfter?: string): Answered {
  const [statusCode, message, error] = TEXTS[code];
  return { status: statusCode, body: { statusCode, message, error, code }, retryAfter };
}

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
  /** Whether failed statements are counted, which turns some of the fast paths off. */
  readonly logged?: boolean;
}

/** Registers an application whose items are 1 to 3 before each test. */
export function faultyApp(
  db: Omit<TestDatabase, 'url'>,
  platform: HttpPlatform,
  { options = {}, prepare, logged = false, query = {} }: FaultyOptions = {},
) {
  const refusals = new Refusals(['error']);
  const routes = { createManyBase: { maxBulk: false } } as const;
  const isShared = db.kind === 'sqlite';
  // Connections that the application does not know; on SQLite the application's own.
  let outside = isShared ? (undefined as unknown as DataSource) : connecting(db, [Item]);
  const served = serving(db, [Item], [looseResource(Item, 'items', { validation: false, query, routes })], {
    platform,
    nest: { logger: false },
    source: { synchronize: isShared, ...(logged && { logging: ['error'], logger: refusals }), ...options },
    fill: async (source) => {
      if (isShared) outside = source;
      await prepare?.(source);
    },
  });
  beforeEach(async () => {
    refusals.codes.length = 0;
    for (const statement of EMPTY[db.kind]) await outside.query(statement);
    await outside.getRepository(Item).insert([1, 2, 3].map((id) => ({ name: `i${id}` })));
  });
  return Object.assign(served, {
    /** Statements that failed, where the application listens; the fast paths leave the logger out. */
    refusals,
    call: async ([method, path, sent]: Call): Promise<Answered> => {
      const { status, body, headers } = await request(served.url)[method](path).send(sent);
      return { status, body, retryAfter: headers['retry-after'] };
    },
    rows: () => outside.getRepository(Item).find({ order: { id: 'ASC' } }),
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

type FaultyApp = ReturnType<typeof faultyApp>;

/** Expects each call to be answered alike, at the same time or one after the other. */
export async function expectAll(app: FaultyApp, calls: readonly Call[], answer: Answered, together = true) {
  const answers: Answered[] = [];
  if (together) answers.push(...(await Promise.all(calls.map((call) => app.call(call)))));
  else for (const call of calls) answers.push(await app.call(call));
  const told = calls.map(([method, path], index) => [method, path, answers[index]]);
  expect(told).toEqual(calls.map(([method, path]) => [method, path, answer]));
}
