import { FAST_PATHS, type FastPaths } from '@nestwright/crud/adapter';
import type { Database } from './database.js';

/** Whether statements on a database may take a fast path. */
export function takesFastPath({ options }: Database, path: keyof FastPaths): boolean {
  return FAST_PATHS[path] && options.fastPaths;
}
