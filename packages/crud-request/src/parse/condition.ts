/**
 * The text of one condition comes in, the filter and its node go out; bad syntax, an unknown operator, a missing or overlong value are refused.
 *
 * @grammar
 * condition = field delim operator [ delim value ] ;
 * field     = name ;
 * operator  = [ "$" ] known [ "L" ] | custom ;     (* "L" folds case, for operators of kind comparison and text *)
 * value     = text                                 (* operators of one value: all that follows, as it stands; not empty *)
 *           | items                                (* operators of a list *)
 *           | item delimStr item                   (* operators of two values *)
 *           | [ text ] ;                           (* operators of none: passed over *)
 * items     = item { delimStr item } ;
 * item      = symbol { symbol } ;                  (* not empty *)
 * symbol    = character | escape ;                 (* a character that starts no delimStr *)
 * escape    = "\\" | "\" first ;                   (* first: the first character of delimStr, usually "," *)
 */
import type { ConditionNode } from '../ast/nodes.js';
import { findOperator } from '../operators.js';
import { isGroupKey } from '../syntax/group-keys.js';
import { splitList } from '../syntax/list.js';
import type { QueryFilter } from '../types.js';
import { cut } from '../syntax/cut.js';
import { parseName } from './names.js';
import { bound, type QueryReading, refuseAt } from './reading.js';

/** A condition in both shapes. */
export interface ParsedCondition {
  readonly filter: QueryFilter;
  readonly node: ConditionNode;
}

/** Reads one condition. */
export function parseCondition(text: string, reading: QueryReading): ParsedCondition {
  const { delim } = reading.language;
  bound(reading, 0, (reading.conditions += 1), 'conditions');
  const [field, start] = cut(text, delim);
  parseName(isGroupKey(field) ? '' : field, 0, reading);
  const [operator, next] = start ? cut(text, delim, start) : ['', 0];
  const found = findOperator(operator);
  const arity = found ? found.operator.arity : reading.custom.get(operator);
  if (!arity) {
    refuseAt(
      reading,
      start || text.length,
      'Unknown operator',
      operator ? 'CRUD_UNKNOWN_OPERATOR' : 'CRUD_INVALID_QUERY',
      field,
    );
  }
  const filter: QueryFilter = { field, operator };
  let value: string | string[] | undefined;
  if (arity !== 'none') {
    filter.value = value = parseValue(text, next || text.length, arity, field, reading);
  }

  return {
    filter,
    node: found
      ? { kind: 'comparison', field, operator: found.operator, fold: found.fold, value }
      : { kind: 'custom', field, operator, value },
  };
}

function parseValue(
  text: string,
  at: number,
  arity: 'one' | 'two' | 'list',
  field: string,
  reading: QueryReading,
): string | string[] {
  const value = text.slice(at);
  const items = arity === 'one' ? [value] : splitList(value, reading.language.delimStr, reading.limits.listValues);
  bound(reading, at, items ? 0 : Infinity, 'listValues');
  for (const item of items ?? []) {
    if (!item || (arity === 'two' && items?.length !== 2)) {
      refuseAt(reading, at, `Invalid ${reading.parameter} value`, 'CRUD_INVALID_VALUE', field);
    }
    bound(reading, at, item.length, 'valueLength');
  }

  return arity === 'one' ? value : (items as string[]);
}
