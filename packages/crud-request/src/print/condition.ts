import { refuse } from '../errors.js';
import { findOperator } from '../operators.js';
import type { CustomOperatorTable } from '../syntax/custom-operators.js';
import { isGroupKey } from '../syntax/group-keys.js';
import type { Spelling } from '../syntax/usual.js';
import type { QueryFilter, QueryFilterArr } from '../types/conditions.js';
import { printName, printValue } from './text.js';

export function printCondition(
  filter: QueryFilter | QueryFilterArr,
  parameter: 'filter' | 'or' | 'search',
  language: Spelling,
  custom: CustomOperatorTable,
): string {
  const { delim, delimStr } = language;
  const [field, operator, value] = Array.isArray(filter)
    ? filter
    : [filter?.field, filter?.operator, filter?.value as unknown];
  const name = printName(isGroupKey(field) ? '' : field, parameter, delim);
  const known = findOperator(operator);
  const arity = known ? known.operator.arity : custom.get(operator);
  if (!arity) refuse(`Unknown operator ${operator}`, 'CRUD_UNKNOWN_OPERATOR', { field });

  let text = name + delim + (known ? operator : printName(operator, parameter, delim));
  if (arity === 'none') return text;

  // A text is a list already.
  const given: unknown = arity !== 'one' && typeof value === 'string' ? value.split(delimStr) : value;
  const items: unknown[] = arity !== 'one' && Array.isArray(given) ? given : [given];
  const isPrinted = items.every((item, index) => {
    const one = printValue(item, arity === 'one' ? '' : delimStr);
    text += (index ? delimStr : delim) + one;

    return one;
  });
  if (!isPrinted || (arity === 'two' ? items.length !== 2 : !items.length))
    refuse(`Invalid ${parameter} value`, 'CRUD_INVALID_VALUE', { field });

  return text;
}
