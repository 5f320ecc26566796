/** Shapes in, compiled reads out; the least recently used of a data source give way when there are too many. */
import type { DataSource } from 'typeorm';
import { compileRead, type CompiledRead } from './compile.js';
import type { Draft } from './compile-record.js';
import { shapeOf } from './shape.js';

/** Most shapes that a data source keeps. */
const CAPACITY = 1000;

const caches = new WeakMap<DataSource, Map<string, CompiledRead>>();

/** The compiled read of a plan: kept, or made now. */
export function compiledRead(draft: Draft): CompiledRead {
  let cache = caches.get(draft.dataSource);

  if (!cache) {
    cache = new Map();
    caches.set(draft.dataSource, cache);
  }

  const shape = shapeOf(draft);
  const known = cache.get(shape);

  if (known) {
    // A Map keeps the order of insertion: the first entry is the one that was not used for longest.
    cache.delete(shape);
    cache.set(shape, known);

    return known;
  }

  const compiled = compileRead(draft);

  cache.set(shape, compiled);

  if (cache.size > CAPACITY) {
    cache.delete(cache.keys().next().value!);
  }

  return compiled;
}
