import type { DatabaseOptions } from './database.js';

/** How statements are cached and sent unless the application says otherwise. */
export const DEFAULT_OPTIONS: DatabaseOptions = Object.freeze({
  fastPaths: process.env['NESTWRIGHT_FAST_PATHS'] !== 'off',
  statementCache: 1000,
  statementCacheBytes: 32 * 2 ** 20,
});
