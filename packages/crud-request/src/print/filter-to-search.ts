import { findOperator } from '../operators.js';
import type { QueryFilter, SCondition } from '../types/conditions.js';

/**
 * The search condition of a filter; of none, the condition that always holds.
 *
 * @example
 * convertFilterToSearch({ field: 'name', operator: 'isnull' }); // { name: { isnull: true } }
 */
export function convertFilterToSearch(filter: QueryFilter | undefined): SCondition {
  if (!filter) {
    return {};
  }
  const none = findOperator(filter.operator)?.operator.arity === 'none';

  return { [filter.field]: { [filter.operator]: none ? true : filter.value } };
}
