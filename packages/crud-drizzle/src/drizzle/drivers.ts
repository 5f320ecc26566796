/** What sends statements over the drivers that Drizzle knows, a row each. */
import type { Readable } from 'node:stream';
import {
  cancelRequest,
  type Dialect,
  MYSQL,
  POSTGRES,
  type PgClient,
  type PgQuery,
  type PgTypes,
  type Result,
  type Row,
  SQLITE,
  type TextSource,
} from '@nestwright/sql';

/** One connection of a driver. */
export interface Client {
  /** The driver's own. */
  readonly native: unknown;
  /** Sends a statement. */
  send(sql: string, parameters: readonly unknown[]): Promise<Result>;
  /** The rows of a statement while they come. Default: the driver has none. */
  stream?(sql: string, parameters: readonly unknown[]): Readable;
  /** How statements are sent on it for the database's own texts. Default: they are not. */
  readonly texts?: Omit<TextSource, 'database' | 'take'>;
  /** Returns it to its pool; with an error, it is closed. */
  release(error?: Error): void | Promise<void>;
  /** What cancels the statement that runs on it. */
  canceller(): () => Promise<void>;
}

/** A driver. */
export interface Driver {
  readonly dialect: Dialect;
  /** Whether all work shares one connection. */
  readonly isShared: boolean;
  /** Whether the server is MariaDB, once a connection was opened. Default: it is not. */
  isMariaDb?: boolean;
  /** A connection of its own, or the shared one. */
  connect(): Promise<Client>;
  /** The connection of a transaction that the application has begun by Drizzle. */
  wrap(native: unknown): Client;
  /** How statements are sent for the database's own texts, if they can be. Default: they cannot. */
  readonly texts?: Omit<TextSource, 'database'> | undefined;
}

/** What Drizzle has as `$client`. */
// Drivers have nothing in common.
type Native = any;

/** A row of the table of drivers. */
interface DriverRow {
  readonly name: string;
  readonly fits: (client: Native, dialect: Dialect['name']) => boolean;
  readonly open: (client: Native) => Driver;
}

const ignore = (): void => undefined;

const noCancel = () => () => Promise.resolve();

/** Days and times as the server's texts: parsed to dates, they would be local ones. */
const TEXT_TYPES: ReadonlySet<number> = new Set([1082, 1083, 1114, 1186, 1266]);

const nodePostgres = (pool: Native): Driver => {
  const wrap = (native: Native): Client => ({
    native,
    async send(text, values) {
      const types = {
        getTypeParser: (type: number, format?: string): unknown =>
          TEXT_TYPES.has(type) ? (value: string) => value : nativeTypes(native).getTypeParser(type, format),
      };
      const { rows, rowCount } = (await native.query({ text, values: [...values], types })) as {
        rows: Row[];
        rowCount: number | null;
      };

      return { rows, affected: rowCount ?? 0, insertId: undefined };
    },
    release: (error) => native.release?.(error),
    canceller: () => cancelRequest(native),
  });

  const isPool = typeof pool.totalCount === 'number';
  const Query = pool.Client?.Query as PgQuery | undefined;
  let types: PgTypes | undefined;
  const connect = async (): Promise<Client> => {
    const native = await pool.connect();
    // Without a listener, a connection that is lost between two statements ends the process; the next one tells.
    native.on('error', ignore);
    types ??= sharedTypes(native);
    const client = wrap(native);

    return {
      ...client,
      ...(Query && types && { texts: { Query, types, kept: TEXT_TYPES } }),
      release: (error) => {
        native.removeListener('error', ignore);
        native.release(error);
      },
    };
  };

  return {
    dialect: POSTGRES,
    isShared: !isPool,
    connect: isPool ? connect : () => Promise.resolve(wrap(withoutRelease(pool))),
    wrap: (native) => wrap(withoutRelease(native as Native)),
    get texts() {
      return isPool && Query && types ? { Query, types, kept: TEXT_TYPES, take: () => takeFrom(pool) } : undefined;
    },
  };
};

async function takeFrom(pool: Native): Promise<[PgClient, (error?: Error) => void]> {
  const client = await pool.connect();

  return [client, (error) => client.release(error)];
}

/** The parsers of the process; undefined if the client has others. */
function sharedTypes({ _types: own }: Native): PgTypes | undefined {
  const hasOwn = [own?.text, own?.binary].some((parsers) => parsers && Object.keys(parsers as object).length > 0);

  return hasOwn ? undefined : own?._types;
}

/** The parsers of the process, or of the client, if it has its own. */
function nativeTypes(client: Native): { getTypeParser(type: number, format?: string): unknown } {
  return client._types ?? client.connectionParameters?.types;
}

/** A connection that is not ours to return. */
function withoutRelease(native: Native): Native {
  return new Proxy(native as object, {
    get: (target, name) => {
      if (name === 'release') return undefined;
      const value: unknown = Reflect.get(target, name);

      return typeof value === 'function' ? (value as () => void).bind(target) : value;
    },
  });
}

const postgresJs = (sql: Native): Driver => {
  const wrap = (native: Native): Client => ({
    native,
    async send(text, values) {
      try {
        const rows = (await native.unsafe(text, [...values])) as Row[] & { count?: number };

        return { rows: [...rows], affected: rows.count ?? rows.length, insertId: undefined };
      } catch (error) {
        // Errors are told by the names that pg has for their parts.
        const {
          column_name: column,
          constraint_name: constraint,
          table_name: table,
        } = error as Record<string, unknown>;
        throw Object.assign(error as object, { column, constraint, table });
      }
    },
    release: () => native.release?.(),
    canceller: noCancel,
  });

  return { dialect: POSTGRES, isShared: false, connect: async () => wrap(await sql.reserve()), wrap };
};

const pglite = (database: Native): Driver => {
  const parsers = Object.fromEntries([...TEXT_TYPES].map((type) => [type, (value: string) => value]));
  const wrap = (native: Native): Client => ({
    native,
    async send(text, values) {
      const { rows, affectedRows } = (await native.query(text, [...values], { parsers })) as {
        rows: Row[];
        affectedRows?: number;
      };

      return { rows, affected: affectedRows ?? rows.length, insertId: undefined };
    },
    release: () => undefined,
    canceller: noCancel,
  });

  return { dialect: POSTGRES, isShared: true, connect: () => Promise.resolve(wrap(database)), wrap };
};

const mysql2 = (given: Native): Driver => {
  const pool = typeof given.promise === 'function' ? given.promise() : given;
  // Moments as texts, which Drizzle reads, and 64 bits, which a number may not hold.
  const typeCast = (field: { type: string; string(): string | null }, next: () => unknown) =>
    /^(?:TIMESTAMP|DATETIME|DATE|LONGLONG)$/.test(field.type) ? field.string() : next();
  const wrap = (native: Native): Client => ({
    native,
    async send(sql, values) {
      const [answer] = (await native.query({ sql, values: [...values], typeCast })) as [Native];
      if (Array.isArray(answer)) return { rows: answer as Row[], affected: answer.length, insertId: undefined };

      return { rows: [], affected: answer.affectedRows as number, insertId: answer.insertId as number };
    },
    stream: (sql, values) => native.connection.query({ sql, values: [...values], typeCast }).stream() as Readable,
    release: (error) => (error ? native.destroy() : native.release?.()),
    canceller: () => {
      const { threadId } = native as { threadId?: unknown };

      return async () => {
        if (Number.isInteger(threadId)) await pool.query(`KILL QUERY ${String(threadId)}`);
      };
    },
  });

  const driver: Driver = {
    dialect: MYSQL,
    isShared: false,
    async connect() {
      const native = await pool.getConnection();
      driver.isMariaDb ??= /mariadb/i.test(String(native.connection?._handshakePacket?.serverVersion));

      return wrap(native);
    },
    wrap: (native) => wrap(withoutRelease(native as Native)),
  };

  return driver;
};

/** Drizzle stores moments as numbers, of milliseconds or, without a precision, of seconds. */
const SQLITE_NUMBERS: Dialect = {
  ...SQLITE,
  now: (column) => {
    if (column.catalogColumn.kind !== 'datetime' || column.type !== 'integer') return SQLITE.now(column);

    return column.precision
      ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
      : "CAST(strftime('%s', 'now') AS INTEGER)";
  },
  aggregates: {
    ...SQLITE.aggregates,
    period: (moment, unit, column, stored) => {
      const seconds = stored.precision ? `${moment} / 1000.0` : moment;
      const text = stored.type === 'integer' ? `strftime('%Y-%m-%d %H:%M:%f', ${seconds}, 'unixepoch')` : moment;

      return SQLITE.aggregates.period(text, unit, column, stored);
    },
  },
};

/** SQLite's drivers run a statement at once; what differs is how they are asked. */
const sqlite = (run: (sql: string, values: unknown[]) => Omit<Result, 'insertId'>): Driver => {
  const client: Client = {
    native: undefined,
    send: async (sql, values) => ({ ...run(sql, values.map(plain)), insertId: undefined }),
    release: () => undefined,
    canceller: noCancel,
  };

  return { dialect: SQLITE_NUMBERS, isShared: true, connect: () => Promise.resolve(client), wrap: () => client };
};

/** SQLite has no booleans, and its drivers no dates. */
function plain(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);

  return value instanceof Date ? value.toISOString() : value;
}

const betterSqlite3 = (database: Native): Driver =>
  sqlite((sql, values) => {
    const statement = database.prepare(sql);
    if (statement.reader) {
      const rows = statement.all(...values) as Row[];

      return { rows, affected: rows.length };
    }

    return { rows: [], affected: statement.run(...values).changes as number };
  });

const sqlJs = (database: Native): Driver =>
  sqlite((sql, values) => {
    const statement = database.prepare(sql, values);
    const rows: Row[] = [];
    while (statement.step()) rows.push(statement.getAsObject() as Row);
    statement.free();

    return { rows, affected: database.getRowsModified() as number };
  });

const DRIVERS: readonly DriverRow[] = [
  { name: 'postgres.js', fits: (client) => typeof client === 'function' && 'unsafe' in client, open: postgresJs },
  { name: 'PGlite', fits: (client) => typeof client.execProtocol === 'function', open: pglite },
  { name: 'node-postgres', fits: (client, dialect) => dialect === 'postgres' && 'query' in client, open: nodePostgres },
  { name: 'mysql2', fits: (client, dialect) => dialect === 'mysql' && 'query' in client, open: mysql2 },
  { name: 'sql.js', fits: (client) => typeof client.getRowsModified === 'function', open: sqlJs },
  {
    name: 'better-sqlite3',
    fits: (client) => typeof client.prepare === 'function' && typeof client.pragma === 'function',
    open: betterSqlite3,
  },
];

/**
 * The driver of a client.
 *
 * @throws Error for drivers that are not known
 */
export function openDriver(client: unknown, dialect: Dialect['name']): Driver {
  const row = DRIVERS.find(({ fits }) => fits(client, dialect));
  if (!row) {
    throw new Error(
      `The driver of the database is none of ${DRIVERS.map(({ name }) => name).join(', ')}, which are known`,
    );
  }

  return row.open(client);
}
