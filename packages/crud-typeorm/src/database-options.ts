import { FAST_PATHS, type FastPaths } from '@nestwright/crud/adapter';
import type { DataSource } from 'typeorm';
import { dialectOf } from './dialect/dialect-of.js';

/** How nestwright talks to one data source. */
export interface CrudDatabaseOptions {
  /** Whether shorter ways than TypeORM's own are taken where they give the same answer. `false` is for finding out whether one is to blame. Default: `true`. */
  readonly fastPaths?: boolean;
  /**
   * Whether PostgreSQL keeps the plans of statements that come again and again, under names (`PREPARE`). It saves parsing and planning, and costs memory in each of the database's
   * processes. Default: `false`.
   */
  readonly preparedStatements?: boolean;
  /**
   * How many statements of each kind (reads, inserts, updates) are kept compiled; the one that was not used for longest gives way. A request whose statement is not there pays
   * less than a millisecond. Default: `1000`.
   */
  readonly statementCache?: number;
  /**
   * How many bytes all kept statements together may take, with what makes records and JSON of their rows: what was not used for longest gives way, and a statement that would take
   * more than a sixteenth of them is not kept. Default: `33554432` (32 MiB).
   */
  readonly statementCacheBytes?: number;
}

type Settings = Required<CrudDatabaseOptions>;

const DEFAULTS: Settings = Object.freeze({
  fastPaths: process.env['NESTWRIGHT_FAST_PATHS'] !== 'off',
  preparedStatements: false,
  statementCache: 1000,
  statementCacheBytes: 32 * 2 ** 20,
});

/** What values of an option may be, by the type of its default. */
const WANTED = {
  boolean: { text: 'true or false', holds: (value: unknown) => typeof value === 'boolean' },
  number: {
    text: 'a whole number, 1 or more',
    holds: (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0,
  },
};

const settings = new WeakMap<DataSource, Settings>();

/**
 * Sets how nestwright talks to a data source; what is not named keeps its default. To be called before the first request.
 *
 * @throws Error for a name that is no option, a value of another type, or an option that the database has nothing for.
 * @example
 * configureCrudDatabase(dataSource, { fastPaths: false });
 */
export function configureCrudDatabase(dataSource: DataSource, options: CrudDatabaseOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      throw new Error(`configureCrudDatabase: ${name} is no option; known are ${Object.keys(DEFAULTS).join(', ')}`);
    }

    const wanted = WANTED[typeof DEFAULTS[name as keyof Settings] as keyof typeof WANTED];

    if (!wanted.holds(value)) {
      throw new Error(`configureCrudDatabase: ${name} must be ${wanted.text}`);
    }
  }

  if (options.preparedStatements && !dialectOf(dataSource).namedStatements) {
    throw new Error(`configureCrudDatabase: preparedStatements is for PostgreSQL, not for ${dataSource.options.type}`);
  }

  settings.set(dataSource, Object.freeze({ ...DEFAULTS, ...options }));
}

/** What holds for a data source. */
export function databaseOptionsOf(dataSource: DataSource): Settings {
  return settings.get(dataSource) ?? DEFAULTS;
}

/** Whether statements on a data source may take a fast path. */
export function takesFastPath(dataSource: DataSource, path: keyof FastPaths): boolean {
  return FAST_PATHS[path] && databaseOptionsOf(dataSource).fastPaths;
}
