/** Values of `filter` and `or` are texts; compared with a key of a JSON column, those that look like numbers and booleans become such. */
import { type ConditionNode, findOperator, OPERATOR_MEANINGS, type QueryFilter } from '@nestwright/crud-request';
import type { Permissions } from './permissions.js';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Gives the values that are compared with JSON keys the types that JSON has; texts stay what `s` alone can force (`{"settings.zip": "01234"}`). */
export function typeJsonKeys(node: ConditionNode, permissions: Pick<Permissions, 'isJsonKey'>): ConditionNode {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, items: node.items.map((item) => typeJsonKeys(item, permissions)) };
    case 'not':
      return { kind: 'not', item: typeJsonKeys(node.item, permissions) };
    case 'comparison':
      if (OPERATOR_MEANINGS[node.operator.name].kind !== 'comparison' || !permissions.isJsonKey(node.field))
        return node;
      return { ...node, value: typeTexts(node.value) };
    default:
      return node;
  }
}

/** {@link typeJsonKeys} for one filter, such as the condition of a join. */
export function typeJsonFilter(filter: QueryFilter, permissions: Pick<Permissions, 'isJsonKey'>): QueryFilter {
  const found = findOperator(filter.operator);
  const isCompared = found && OPERATOR_MEANINGS[found.operator.name].kind === 'comparison';

  return isCompared && permissions.isJsonKey(filter.field) ? { ...filter, value: typeTexts(filter.value) } : filter;
}

function typeTexts(value: unknown): unknown {
  return Array.isArray(value) ? value.map(typeText) : typeText(value);
}

function typeText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value === 'true' || value === 'false') return value === 'true';

  return NUMBER.test(value) && Number.isFinite(Number(value)) ? Number(value) : value;
}
