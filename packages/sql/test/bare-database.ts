/** A database as statements need it, over a bare driver: all that an ORM has to tell, and no ORM. */
import {
  type Connection,
  type Database,
  NO_LISTENERS,
  MYSQL,
  POSTGRES,
  type Result,
  type Row,
  SQLITE,
} from '@nestwright/sql';
import { createRequire } from 'node:module';
import { createPool } from 'mysql2/promise';
import pg from 'pg';

import type { TestDatabase } from '../../../integration/test-support/index.js';

/** What is used of sql.js, which has no types. */
interface SqlJs {
  readonly Database: new () => {
    run(sql: string): void;
    prepare(sql: string, parameters: readonly unknown[]): { step(): boolean; getAsObject(): Row; free(): void };
    getRowsModified(): number;
    close(): void;
  };
}

const initSqlJs = createRequire(import.meta.url)('sql.js') as () => Promise<SqlJs>;

/** A connection of a driver. */
interface Client {
  send(sql: string, parameters: readonly unknown[]): Promise<Result>;
  release(): void;
}

/** The connections of a driver. */
interface Driver {
  connect(): Promise<Client>;
  end(): Promise<void>;
}

const DRIVERS = {
  postgres: (url: string): Driver => {
    const pool = new pg.Pool({ connectionString: url });

    return {
      connect: async () => {
        const client = await pool.connect();

        return {
          send: async (sql, parameters) => {
            const { rows, rowCount } = await client.query<Row>(sql, [...parameters]);

            return { rows, affected: rowCount ?? 0, insertId: undefined };
          },
          release: () => client.release(),
        };
      },
      end: () => pool.end(),
    };
  },
  mysql: (url: string): Driver => {
    const pool = createPool({ uri: url.replace('mariadb:', 'mysql:'), timezone: 'Z' });

    return {
      connect: async () => {
        const client = await pool.getConnection();

        return {
          send: async (sql, parameters) => {
            const [answer] = await client.query(sql, [...parameters]);
            if (Array.isArray(answer)) return { rows: answer as Row[], affected: answer.length, insertId: undefined };

            return { rows: [], affected: answer.affectedRows, insertId: answer.insertId };
          },
          release: () => client.release(),
        };
      },
      end: () => pool.end(),
    };
  },
  sqlite: (): Driver => {
    const opened = initSqlJs().then((sqlite) => new sqlite.Database());

    return {
      connect: async () => {
        const database = await opened;
        database.run('PRAGMA foreign_keys = ON');

        return {
          send: (sql, parameters) => {
            const statement = database.prepare(sql, parameters);
            const rows: Row[] = [];
            while (statement.step()) rows.push(statement.getAsObject());
            statement.free();

            return Promise.resolve({ rows, affected: database.getRowsModified(), insertId: undefined });
          },
          release: () => undefined,
        };
      },
      end: async () => (await opened).close(),
    };
  },
};

const DIALECTS = { postgres: POSTGRES, mysql: MYSQL, sqlite: SQLITE };

/** The database of a suite; `end` closes its connections. */
export function openBareDatabase({ kind, url }: TestDatabase): Database & { end(): Promise<void> } {
  const driver = DRIVERS[kind](url);
  const mark = kind === 'mysql' ? '`' : '"';
  const shared = kind === 'sqlite' ? driver.connect() : undefined;
  const database: Database & { end(): Promise<void> } = {
    dialect: DIALECTS[kind],
    options: { fastPaths: true, statementCache: 100, statementCacheBytes: 2 ** 20 },
    // As MySQL, which MariaDB understands, too.
    server: { isMariaDb: false, isUtc: true, hasOldSpatialNames: false },
    returns: { insert: kind !== 'mysql', update: kind !== 'mysql' },
    makesUuids: kind === 'postgres',
    isReplicated: false,
    isolation: undefined,
    listeners: NO_LISTENERS,
    findTextQuery: undefined,
    quote: (name) => mark + name.replaceAll(mark, mark + mark) + mark,
    placeholder: (position) => (kind === 'postgres' ? `$${position + 1}` : '?'),
    connect: () => makeConnection(database, () => shared ?? driver.connect()),
    end: () => driver.end(),
  };

  return database;
}

function makeConnection(database: Database, connect: () => Promise<Client>): Connection {
  let client: Promise<Client> | undefined;
  let depth = 0;
  const open = () => (client ??= connect());
  const run = async (sql: string, parameters: readonly unknown[] = []) => (await open()).send(sql, parameters);
  const release = async () => void (client && (await client).release());
  const leave = async (whole: string, savepoint: string) => {
    depth -= 1;
    await run(depth === 0 ? whole : `${savepoint} SAVEPOINT level${depth}`);
  };

  return {
    database,
    get isInTransaction() {
      return depth > 0;
    },
    open,
    run,
    select: async (sql, parameters) => [...(await run(sql, parameters)).rows],
    selectCached: (_sql, _parameters, _cache, work) => work(),
    stream: unsupported,
    findTextQuery: () => Promise.resolve(undefined),
    begin: async () => {
      await run(depth === 0 ? 'BEGIN' : `SAVEPOINT level${depth}`);
      depth += 1;
    },
    commit: () => leave('COMMIT', 'RELEASE'),
    rollback: () => leave('ROLLBACK', 'ROLLBACK TO'),
    reportAfterCommit: unsupported,
    saveInTree: unsupported,
    intercept: unsupported,
    canceller: unsupported,
    close: release,
    release,
  };
}

function unsupported(): never {
  throw new Error('The suite does not need this');
}
