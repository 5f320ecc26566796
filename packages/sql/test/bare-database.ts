/** A database as statements need it, over a bare driver: all that an ORM has to tell, and no ORM. */
import { type Connection, type Database, type Dialect } from '@nestwright/sql';
import { NO_LISTENERS, type Result, type Row, SQLITE } from '@nestwright/sql';
import { createRequire } from 'node:module';

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

/**
 * An empty database; `send` runs a statement on it, `sent` has all of them, and `end` closes it.
 *
 * @param returns Whether statements return the rows that they write. Default: they do.
 */
export async function openBareDatabase(returns = true) {
  const sqlite = new (await initSqlJs()).Database();
  sqlite.run('PRAGMA foreign_keys = ON');
  const sent: string[] = [];
  const send = async (sql: string, parameters: readonly unknown[] = []): Promise<Result> => {
    sent.push(sql);
    const statement = sqlite.prepare(sql, parameters);
    const rows: Row[] = [];
    while (statement.step()) rows.push(statement.getAsObject());
    statement.free();
    return { rows, affected: sqlite.getRowsModified(), insertId: undefined };
  };
  return Object.assign(makeDatabase(SQLITE, send), {
    returns: { insert: returns, update: returns },
    send,
    sent,
    end: () => sqlite.close(),
  });
}

const refuse = () => Promise.reject(new Error('Nothing runs'));

export function makeDatabase(dialect: Dialect, run: Connection['run'] = refuse): Database {
  const mark = dialect.name === 'mysql' ? '`' : '"';
  const database: Database = {
    dialect,
    options: { fastPaths: true, statementCache: 100, statementCacheBytes: 2 ** 20 },
    server: { isMariaDb: false, isUtc: true, hasOldSpatialNames: false },
    returns: { insert: true, update: true },
    makesUuids: false,
    isReplicated: false,
    isolation: undefined,
    findTextQuery: undefined,
    listeners: NO_LISTENERS,
    quote: (name) => mark + name.replaceAll(mark, mark + mark) + mark,
    placeholder: () => '?',
    connect: () => makeConnection(database, run),
  };
  return database;
}

const unsupported = (): never => {
  throw new Error('The suite does not need this');
};

const TREES = { reportAfterCommit: unsupported, saveInTree: unsupported };
const UNSUPPORTED = { ...TREES, stream: unsupported, intercept: unsupported, canceller: unsupported };

function makeConnection(database: Database, run: Connection['run']): Connection {
  let depth = 0;
  const leave = async (whole: string, savepoint: string) => {
    depth -= 1;
    await run(depth === 0 ? whole : `${savepoint} SAVEPOINT level${depth}`);
  };
  return {
    database,
    get isInTransaction() {
      return depth > 0;
    },
    open: () => Promise.resolve(),
    run,
    select: async (sql, parameters) => [...(await run(sql, parameters)).rows],
    selectCached: (_sql, _parameters, _cache, work) => work(),
    ...UNSUPPORTED,
    findTextQuery: () => Promise.resolve(undefined),
    begin: async () => {
      await run(depth === 0 ? 'BEGIN' : `SAVEPOINT level${depth}`);
      depth += 1;
    },
    commit: () => leave('COMMIT', 'RELEASE'),
    rollback: () => leave('ROLLBACK', 'ROLLBACK TO'),
    close: () => Promise.resolve(),
    release: () => Promise.resolve(),
  };
}
