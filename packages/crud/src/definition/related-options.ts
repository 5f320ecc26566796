import type { RelatedOptions, RelationScope } from './auth-options.js';
import { isPlainObject } from './plain-objects.js';
import { oncePerObject } from '../get-or-insert.js';

/** An entry of `@CrudAuth.relations`: a condition alone is its `filter`. */
export function relatedOptions(entry: RelationScope | RelatedOptions): RelatedOptions {
  return typeof entry === 'object' ? entry : { filter: entry };
}

/** How deep a user is known whose every property is one of its kind: loops along properties end. */
const DEPTH = 5;

/**
 * The names of what a `persist` sets: it is called with a user that has every property. None if it is asynchronous or
 * throws.
 */
export const persistedNames = oncePerObject((persist: (user: unknown) => unknown): readonly string[] => {
  try {
    const values: unknown = persist(anyValue(DEPTH));
    if (values instanceof Promise) values.catch(() => undefined);

    return isPlainObject(values) ? Object.keys(values) : [];
  } catch {
    return [];
  }
});

/** Every property of it is one like it, and so is the result of calling it. */
function anyValue(depth: number): unknown {
  if (depth === 0) return undefined;

  return new Proxy(() => undefined, {
    get: (_, property) => (typeof property === 'symbol' ? undefined : anyValue(depth - 1)),
    apply: () => anyValue(depth - 1),
  });
}
