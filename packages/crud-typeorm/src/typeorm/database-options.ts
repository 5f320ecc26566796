import { type DatabaseOptions, DEFAULT_OPTIONS } from '@nestwright/sql';
import type { DataSource } from 'typeorm';
import { toDatabase } from './database.js';

/** How nestwright talks to one data source. */
export interface CrudDatabaseOptions {
  /**
   * Whether fast paths are taken that give the same answer as TypeORM. Set `false` to find out whether one causes a
   * problem. Default: `true`.
   */
  readonly fastPaths?: boolean;
  /**
   * How many compiled statements of each kind (reads, inserts, updates) are cached (LRU). A cache miss costs less than
   * a millisecond. Default: `1000`.
   */
  readonly statementCache?: number;
  /**
   * Memory limit in bytes of all cached statements and their compiled row readers (LRU); a statement that needs more
   * than a sixteenth of it is not cached. Default: `33554432` (32 MiB).
   */
  readonly statementCacheBytes?: number;
}

/** Allowed values of an option, by the type of its default. */
const WANTED = {
  boolean: { text: 'true or false', holds: (value: unknown) => typeof value === 'boolean' },
  number: {
    text: 'a whole number, 1 or more',
    holds: (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0,
  },
};

/**
 * Sets how nestwright talks to a data source; what is not named keeps its default. To be called before the first
 * request.
 *
 * @throws Error for a name that is no option, or a value of another type.
 * @example
 * configureCrudDatabase(dataSource, { fastPaths: false });
 */
export function configureCrudDatabase(dataSource: DataSource, options: CrudDatabaseOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEFAULT_OPTIONS, name)) {
      throw new Error(
        `configureCrudDatabase: ${name} is no option; known are ${Object.keys(DEFAULT_OPTIONS).join(', ')}`,
      );
    }

    const wanted = WANTED[typeof DEFAULT_OPTIONS[name as keyof DatabaseOptions] as keyof typeof WANTED];
    if (!wanted.holds(value)) throw new Error(`configureCrudDatabase: ${name} must be ${wanted.text}`);
  }

  toDatabase(dataSource).options = Object.freeze({ ...DEFAULT_OPTIONS, ...options });
}
