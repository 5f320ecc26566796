/** Keys of a search condition that are no fields. */
import type { SConditionKey } from '../types/conditions.js';

/** Whether a name is one of `$and`, `$or`, `$not`; fields may not be called so. */
export function isGroupKey(name: string): name is SConditionKey {
  return /^\$(and|or|not)$/.test(name);
}
