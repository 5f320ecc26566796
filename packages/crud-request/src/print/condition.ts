/** A filter comes in, its text goes out, which `parseCondition` reads as that filter; a field, operator or value that it could not read so is refused. */
import { refuse } from '../errors.js';
import { findOperator } from '../operators.js';
import type { CustomOperatorTable } from '../syntax/custom-operators.js';
import { isGroupKey } from '../syntax/group-keys.js';
import type { QueryLanguage } from '../syntax/language.js';
import { escapeItem } from '../syntax/escape.js';
import type { QueryFilter, QueryFilterArr } from '../types.js';
import { printName, printScalar } from './text.js';

/** Prints one condition. */
export function printCondition(
  filter: QueryFilter | QueryFilterArr,
  parameter: 'filter' | 'or' | 'search',
  { delim, delimStr }: QueryLanguage,
  custom: CustomOperatorTable,
): string {
  const [field, operator, value] = Array.isArray(filter)
    ? filter
    : [filter?.field, filter?.operator, filter?.value as unknown];
  const invalidField = `Invalid field type in ${parameter} condition. String expected`;
  const name = printName(field, invalidField, delim);
  if (isGroupKey(name)) {
    refuse(invalidField);
  }
  const known = findOperator(operator);
  const arity = known ? known.operator.arity : custom.get(operator);
  if (!arity) {
    refuse(`Unknown operator ${operator}`, 'CRUD_UNKNOWN_OPERATOR', { field: name });
  }
  const head = name + delim + (known ? operator : printName(operator, 'Invalid operator', delim));
  if (arity === 'none') {
    return head;
  }
  const invalidValue = `Invalid ${parameter} value`;
  if (arity === 'one') {
    return head + delim + printScalar(value, invalidValue, name);
  }
  // A text is a list already.
  const items: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(delimStr) : [value];
  if (!items.length || (arity === 'two' && items.length !== 2)) {
    refuse(invalidValue, 'CRUD_INVALID_VALUE', { field: name });
  }

  return head + delim + items.map((item) => escapeItem(printScalar(item, invalidValue, name), delimStr)).join(delimStr);
}
