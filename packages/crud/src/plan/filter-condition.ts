import { findOperator, type QueryFilter, type SCondition } from '@nestwright/crud-request';

/**
 * The condition of one filter. An undefined value stays undefined, so that it matches nothing; operators without a value get one that they ignore.
 *
 * @example
 * filterCondition({ field: 'age', operator: '$gte', value: 18 }); // { age: { $gte: 18 } }
 */
export function filterCondition({ field, operator, value }: QueryFilter): SCondition {
  const held: unknown = findOperator(operator)?.operator.arity === 'none' ? true : value;

  // A computed key is an own property whatever its name, `__proto__` included.
  return { [field]: { [operator]: held } } as SCondition;
}
