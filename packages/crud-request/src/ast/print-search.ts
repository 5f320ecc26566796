/** Search conditions of trees and of filters: the inverse of `parseSearch`. */
import { findOperator, spellOperator } from '../operators.js';
import type { QueryFilter, SCondition } from '../types/conditions.js';
import type { ConditionNode } from './nodes.js';

/**
 * The search condition of a tree. Reading it again as trusted gives the same tree; a client's tree also gives it again
 * as a client's.
 *
 * @example
 * printSearch({ kind: 'always' }); // {}
 */
export function printSearch(node: ConditionNode): SCondition {
  switch (node.kind) {
    case 'and':
      return { $and: node.items.map(printSearch) };
    case 'or':
      return { $or: node.items.map(printSearch) };
    case 'not':
      return { $not: printSearch(node.item) };
    case 'always':
      return {};
    case 'unknown':
      return { [node.field]: undefined };
    case 'comparison': {
      const value = node.operator.arity === 'none' ? true : node.value;
      return { [node.field]: { [spellOperator(node.operator, node.fold)]: value } } as SCondition;
    }
    case 'custom':
      return { [node.field]: { [node.operator]: node.value } } as SCondition;
  }
}

/**
 * The search condition of a filter; of none, the condition that always holds.
 *
 * @example
 * convertFilterToSearch({ field: 'name', operator: 'isnull' }); // { name: { isnull: true } }
 */
export function convertFilterToSearch(filter: QueryFilter | undefined): SCondition {
  if (!filter) return {};

  const none = findOperator(filter.operator)?.operator.arity === 'none';

  return { [filter.field]: { [filter.operator]: none ? true : filter.value } };
}
