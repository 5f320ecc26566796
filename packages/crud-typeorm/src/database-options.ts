/** A data source and what the application wants of its statements in, the settings that hold for it out; refuses names and values that mean nothing. */
import type { DataSource } from 'typeorm';

/** How nestwright talks to one data source. */
export interface CrudDatabaseOptions {
  /** Whether shorter ways than TypeORM's own are taken where they give the same answer. `false` is for finding out whether one is to blame. Default: `true`. */
  readonly fastPaths?: boolean;
}

type Settings = Required<CrudDatabaseOptions>;

const DEFAULTS: Settings = Object.freeze({ fastPaths: true });

const settings = new WeakMap<DataSource, Settings>();

/**
 * Sets how nestwright talks to a data source; what is not named keeps its default. To be called before the first request.
 *
 * @throws Error for a name that is no option, or a value of another type.
 * @example
 * configureCrudDatabase(dataSource, { fastPaths: false });
 */
export function configureCrudDatabase(dataSource: DataSource, options: CrudDatabaseOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      throw new Error(`configureCrudDatabase: ${name} is no option; known are ${Object.keys(DEFAULTS).join(', ')}`);
    }

    if (typeof value !== 'boolean') {
      throw new Error(`configureCrudDatabase: ${name} must be true or false`);
    }
  }

  settings.set(dataSource, Object.freeze({ ...DEFAULTS, ...options }));
}

/** What holds for a data source. */
export function databaseOptionsOf(dataSource: DataSource): Settings {
  return settings.get(dataSource) ?? DEFAULTS;
}
