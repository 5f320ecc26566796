/**
 * Parses the text of one condition.
 *
 * @grammar
 * condition = field delim operator [ delim value ] ;
 * field     = name ;
 * operator  = [ "$" ] known [ "L" ] | custom ;     (* "L" folds case, for operators of kind comparison and text *)
 * value     = text                           (* operators of one value: all that follows, as it stands; not empty *)
 *           | items                                (* operators of a list *)
 *           | item delimStr item                   (* operators of two values *)
 *           | [ text ] ;                           (* operators of none: ignored *)
 * items     = item { delimStr item } ;
 * item      = symbol { symbol } ;                  (* not empty *)
 * symbol    = character | escape ;                 (* a character that starts no delimStr *)
 * escape    = "\\" | "\" first ;                   (* first: the first character of delimStr, usually "," *)
 */
import type { ConditionNode } from '../ast/nodes.js';
import { findOperator } from '../operators.js';
import { isGroupKey } from '../syntax/group-keys.js';
import { cut, splitList } from '../syntax/list.js';
import type { QueryFilter } from '../types/conditions.js';
import { parseName } from './names.js';
import { bound, type ParseContext, refuseText } from './parse-context.js';

/** A condition in both shapes. */
export interface ParsedCondition {
  readonly filter: QueryFilter;
  readonly node: ConditionNode;
}

export function parseCondition(text: string, context: ParseContext): ParsedCondition {
  const { delim } = context.language;
  bound(context, 0, (context.conditions += 1), 'conditions');
  const [field, start] = cut(text, delim);
  parseName(isGroupKey(field) ? '' : field, 0, context);
  const [operator, next] = start ? cut(text, delim, start) : ['', 0];
  const found = findOperator(operator);
  const arity = found ? found.operator.arity : context.custom.get(operator);
  if (!arity && operator) refuseText(context, start, 'Unknown operator', 'CRUD_UNKNOWN_OPERATOR', field);
  if (!arity) {
    const message = `Invalid condition. field${delim}operator${delim}value expected`;
    refuseText(context, start || text.length, message, 'CRUD_INVALID_QUERY', field);
  }
  const filter: QueryFilter = { field, operator };
  let value: string | string[] | undefined;
  if (arity !== 'none') filter.value = value = parseValue(text, next || text.length, arity, field, context);

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
  context: ParseContext,
): string | string[] {
  const value = text.slice(at);
  const items = arity === 'one' ? [value] : splitList(value, context.language.delimStr, context.limits.listValues);
  bound(context, at, items ? 0 : Infinity, 'listValues');
  for (const item of items ?? []) {
    if (!item || (arity === 'two' && items!.length !== 2))
      refuseText(context, at, `Invalid ${context.parameter} value`, 'CRUD_INVALID_VALUE', field);

    bound(context, at, item.length, 'valueLength');
  }

  return arity === 'one' ? value : (items as string[]);
}
