import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { getOrInsert } from '@nestwright/crud/adapter';
import type { DataSource } from 'typeorm';

/** Options that do not affect what a connection sees. All others count, even unknown ones. */
const IRRELEVANT: ReadonlySet<string> = new Set(
  [
    'name entities subscribers migrations migrationsRun migrationsTableName migrationsTransactionMode',
    'metadataTableName synchronize dropSchema namingStrategy entityPrefix entitySkipConstructor',
    'invalidWhereValuesBehavior isolateWhereStatements relationLoadStrategy logger logging',
    'logNotifications maxQueryExecutionTime cache poolSize poolErrorHandler applicationName',
    'installExtensions extensions uuidExtension connectTimeout connectTimeoutMS acquireTimeout ssl',
    // Secrets are never part of a key, not even hashed; the user is.
    'password',
  ].flatMap((names) => names.split(' ')),
);

/** Environment variables that `pg` reads. */
const POSTGRES_ENVIRONMENT = ['PGHOST', 'PGPORT', 'PGDATABASE', 'PGUSER', 'PGOPTIONS', 'PGREPLICATION'];

type Options = Readonly<Record<string, unknown>>;

// By driver, since `setOptions` gives a data source a new one.
const identities = new WeakMap<object, string>();

/**
 * The identity of a data source, equal (also across processes) only if connections see the same records: its options,
 * and what drivers read from the machine. A function or class instance in an option only equals itself, so that its
 * results are not shared between processes.
 */
export function connectionIdentity(dataSource: DataSource): string {
  const options = dataSource.options as unknown as Options;

  return getOrInsert(identities, dataSource.driver, () =>
    JSON.stringify(comparable([options, describeEnvironment(options) ?? randomUUID()], true)),
  );
}

/** Machine-dependent parts of the identity; undefined if the database is private to the data source. */
function describeEnvironment(options: Options): unknown {
  const { type, database } = options;

  switch (type) {
    case 'postgres':
      return [...describeMachine(options), POSTGRES_ENVIRONMENT.map((name) => process.env[name]), userName()];
    case 'sqlite':
    case 'better-sqlite3':
      return isFile(database) ? [hostname(), resolve(database)] : undefined;
    // Its database is in memory.
    case 'sqljs':
      return undefined;
    default:
      return describeMachine(options);
  }
}

function isFile(database: unknown): database is string {
  return typeof database === 'string' && database !== '' && !/:memory:|mode=memory/.test(database);
}

/** The machine's name, for hosts that mean another server on each machine: `localhost`, a socket, or none. */
function describeMachine({ url, host, socketPath, replication, extra }: Options): unknown[] {
  const hosts = JSON.stringify([url, host, replication, (extra as Options | undefined)?.['host']]);
  const isRemote = (url ?? host ?? replication) !== undefined && !socketPath && !LOCAL.test(hosts);

  return isRemote ? [] : [hostname()];
}

/** A loopback address, or the folder of a socket. */
const LOCAL = /localhost|127\.\d|::1|0\.0\.0\.0|"\/|%2f/i;

/** The default user, which is also the default database name. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** Entries by sorted keys, without irrelevant options; values that cannot be compared become unique marks. */
function comparable(value: unknown, isTop = false): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return uniqueMark(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return withoutPassword(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => comparable(item, isTop));

  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return uniqueMark(value);

  const entries = Object.entries(value).filter(
    ([name, item]) => item !== undefined && !(isTop ? IRRELEVANT.has(name) : name === 'password'),
  );
  entries.sort(([a], [b]) => (a < b ? -1 : 1));

  return entries.map(([name, item]) => [name, comparable(item)]);
}

/** A URL of a database without its password. */
function withoutPassword(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/]*):[^/]*@/i, '$1@');
}

const marks = new WeakMap<object, string>();

/** A mark that no other object has, in this process or another. */
function uniqueMark(value: object | symbol): string {
  return typeof value === 'symbol' ? randomUUID() : getOrInsert(marks, value, () => randomUUID());
}
