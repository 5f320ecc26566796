import { LruCache } from '../lru-cache.js';
import { compileRead, type CompiledRead } from './compile.js';
import type { Draft } from './compile-record.js';
import { shapeOf } from './shape.js';

const reads = new LruCache<CompiledRead>();

/** The compiled read of a plan: kept, or made now. */
export function compiledRead(draft: Draft): CompiledRead {
  return reads.get(draft.dataSource, shapeOf(draft), (weigh) => compileRead({ ...draft, weigh }));
}
