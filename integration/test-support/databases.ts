/** Runs a suite once per database, each time with an empty database of its own that is dropped afterwards. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { isLeftOut, within } from './extent.js';

/** `mysql` stands for MySQL and MariaDB alike: whichever `MYSQL_URL` names. */
export type DatabaseKind = 'sqlite' | 'postgres' | 'mysql';

/** An empty database, there from the first `beforeAll` of the suite's body to its last `afterAll`. */
export interface TestDatabase {
  readonly kind: DatabaseKind;
  /** What `DATABASE_URL` would be: `sqljs:` (in memory, one per connection), `postgres://…/<random>`, `mysql://…/<random>`. */
  readonly url: string;
  /** How TypeORM connects to it: options to add `entities` and what else the suite needs to. Another connection to `sqlite` sees another database. */
  readonly connection: DataSourceOptions;
}

interface Server {
  readonly url: () => string | undefined;
  readonly connection: (url: string) => DataSourceOptions;
  readonly create: (server: string, name: string) => Promise<void>;
  readonly drop: (server: string, name: string) => Promise<void>;
}

const nothing = async () => {};

/** The databases that a suite runs on, a row each; a database that has no URL in this run is skipped and reported. */
const SERVERS = {
  sqlite: { url: () => 'sqljs:', connection: () => ({ type: 'sqljs' }), create: nothing, drop: nothing },
  postgres: {
    url: () => process.env['POSTGRES_URL'] || undefined,
    connection: (url) => ({ type: 'postgres', url }),
    create: (server, name) => onPostgres(server, `CREATE DATABASE ${name}`),
    drop: (server, name) => onPostgres(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  },
  mysql: {
    url: () => process.env['MYSQL_URL'] || undefined,
    connection: (url) => {
      const type = url.startsWith('mariadb:') ? 'mariadb' : 'mysql';
      return { type, url, timezone: 'Z', charset: 'utf8mb4', supportBigNumbers: true };
    },
    create: (server, name) => onMysql(server, `CREATE DATABASE ${name} CHARACTER SET utf8mb4`),
    drop: (server, name) => onMysql(server, `DROP DATABASE IF EXISTS ${name}`),
  },
} satisfies Record<DatabaseKind, Server>;

export const DATABASES = Object.keys(SERVERS) as DatabaseKind[];

/** Narrows a run by hand or in the test matrix: `TEST_DATABASES=sqlite,postgres`. Unset, all of them. */
const CHOSEN = (process.env['TEST_DATABASES'] || DATABASES.join()).split(',');

/**
 * Runs a suite on every database of this run. The suite's title is `<name> · <kind>`; where the server is missing the suite is
 * skipped, which the end of the run reports, and fails under `REQUIRE_ALL=1`.
 *
 * @param only the databases that the suite is about; all by default
 */
export function describeDatabases(
  name: string,
  body: (db: TestDatabase) => void,
  only: readonly DatabaseKind[] = DATABASES,
): void {
  for (const kind of only) {
    if (only.length > 1 && isLeftOut({ database: kind })) continue;
    const server: Server = SERVERS[kind];
    const serverUrl = CHOSEN.includes(kind) ? server.url() : undefined;
    const database = `nestwright_${randomBytes(8).toString('hex')}`;
    const url = serverUrl === undefined || kind === 'sqlite' ? 'sqljs:' : withDatabase(serverUrl, database);
    const suite = serverUrl === undefined ? describe.skip : describe;
    suite(`${name} · ${kind}`, () => {
      if (serverUrl !== undefined) beforeAll(() => server.create(serverUrl, database));
      within(only.length > 1 ? { database: kind } : {}, () => body({ kind, url, connection: server.connection(url) }));
      // Last, since Jest runs these in order of registration and the body closes its connections in its own.
      if (serverUrl !== undefined) afterAll(() => server.drop(serverUrl, database));
    });
  }
}

const withDatabase = (server: string, name: string): string => Object.assign(new URL(server), { pathname: name }).href;

async function onPostgres(server: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

async function onMysql(server: string, sql: string): Promise<void> {
  // Old drivers take no URL without a path.
  const url = new URL(server.replace(/^mariadb:/, 'mysql:'));
  url.pathname ||= '/';
  const connection = await createConnection(url.href);
  await connection.query(sql).finally(() => connection.end());
}
