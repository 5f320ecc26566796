/**
 * Reads a search condition: a client's, already parsed from JSON, or one that the server wrote.
 *
 * @grammar
 * s           = "{" [ member { "," member } ] "}" ;             (* JSON; all members hold; {} always holds *)
 * member      = '"$and":' conditions | '"$or":' conditions      (* all hold; one holds *)
 *             | '"$not":' ( s | conditions )                    (* negated; of a list, its conjunction is *)
 *             | fieldname ":" ( "null" | scalar | comparisons ) (* IS NULL; equals *)
 *             ;
 * conditions  = "[" [ s { "," s } ] "]" ;                       (* $and and $not of none: true; $or of none: false *)
 * comparisons = "{" [ comparison { "," comparison } ] "}" ;     (* all hold; {} always holds *)
 * comparison  = '"$or":' comparisons                            (* one of them holds *)
 *             | opname ":" operand ;
 * operand     = scalar                                (* one value; of lists: one item, or items as in a filter *)
 *             | "[" [ scalar { "," scalar } ] "]"               (* lists; two values *)
 *             | "null" ;                                        (* eq: IS NULL; ne: IS NOT NULL *)
 * fieldname   = string ;
 * opname      = string ;                                        (* an operator *)
 * scalar      = string | number | "true" | "false" ;
 */
import { type QueryErrorCode, refuse } from '../errors.js';
import { completeLimits, type QueryLimits, limitMessage } from '../limits.js';
import { findOperator, OPERATORS, type OperatorDescriptor } from '../operators.js';
import { type CustomOperatorNames, customOperatorTable } from '../syntax/custom-operators.js';
import { isGroupKey } from '../syntax/group-keys.js';
import { splitList } from '../syntax/list.js';
import { type ConditionNode, group, type LeafNode } from './nodes.js';

/** Who wrote a search condition, and what it may hold. */
export interface ParseSearchOptions {
  /**
   * `client`: what JSON can say, within the limits. `trusted`: dates, bigints, buffers and other values too, of any
   * size; a value that is undefined matches nothing.
   */
  readonly source: 'client' | 'trusted';
  /** Bounds for a client. Default: `DEFAULT_LIMITS`. */
  readonly limits?: Partial<QueryLimits>;
  /** Operators of the application's own. Default: none. */
  readonly customOperators?: CustomOperatorNames;
  /**
   * An empty list that is filled with keys and indexes while reading: after an error, it is the path of the part that
   * was refused.
   */
  readonly path?: (string | number)[];
  /**
   * Called with each leaf, while `path` is its path; returns the node to put into the tree. Default: the leaf itself.
   */
  readonly leaf?: (node: LeafNode) => LeafNode;
}

/**
 * Reads a search condition.
 *
 * @throws RequestQueryException `CRUD_INVALID_SEARCH`, `CRUD_UNKNOWN_OPERATOR`, `CRUD_INVALID_VALUE` or
 * `CRUD_LIMIT_EXCEEDED`
 * @example
 * parseSearch({ age: { $gte: 18 } }, { source: 'client' });
 * // { kind: 'comparison', field: 'age', operator: OPERATORS.gte, fold: false, value: 18 }
 */
export function parseSearch(
  search: unknown,
  { source, limits: given, customOperators, path = [], leaf = (node) => node }: ParseSearchOptions,
): ConditionNode {
  const trusted = source === 'trusted';
  const limits = completeLimits(given);
  const custom = customOperatorTable(customOperators);
  let counted = 0;

  const fail = (code: QueryErrorCode, message: string, field?: string): never => refuse(message, code, { field });
  const failSearch = (field?: string): never =>
    fail('CRUD_INVALID_SEARCH', 'Invalid search param. JSON expected', field);
  const failValue = (field: string): never => fail('CRUD_INVALID_VALUE', 'Invalid search value', field);
  const bound = (size: number, limit: keyof QueryLimits, most = trusted ? Infinity : limits[limit]): void => {
    if (size > most) fail('CRUD_LIMIT_EXCEEDED', limitMessage(most, limit));
  };
  const count = (): void => bound((counted += 1), 'conditions');
  // A trusted condition that is deeper than this was put together by mistake, or contains itself.
  const descend = (depth: number): void => bound(depth, 'nesting', trusted ? 256 : limits.nesting);
  // A null or undefined value that the server wrote: unknown, as SQL's NULL.
  const unknown = (field: string): ConditionNode => leaf({ kind: 'unknown', field });
  const presence = (field: string, isNull: boolean): ConditionNode =>
    comparison(field, isNull ? OPERATORS.isnull : OPERATORS.notnull);
  const comparison = (field: string, operator: OperatorDescriptor, fold = false, value?: unknown): ConditionNode =>
    leaf({ kind: 'comparison', field, operator, fold, value });

  /** Reads members or items one by one; an empty group counts as a condition, so that the limit bounds those, too. */
  const each = (keys: readonly (string | number)[], read: (key: never) => ConditionNode): ConditionNode[] => {
    if (!keys.length) count();

    return keys.map((key) => {
      path.push(key);
      const node = read(key as never);
      path.pop();
      return node;
    });
  };

  const readCondition = (condition: unknown, depth: number): ConditionNode => {
    if (condition === undefined && trusted) return unknown('');

    if (!isPlainObject(condition)) return failSearch();

    return group(
      'and',
      each(Object.keys(condition), (key: string) =>
        isGroupKey(key) ? readGroup(key, condition[key], depth + 1) : readField(key, condition[key], depth),
      ),
    );
  };

  const readGroup = (key: '$and' | '$or' | '$not', value: unknown, depth: number): ConditionNode => {
    descend(depth);
    if (value === undefined && trusted) return unknown(key);

    if (!Array.isArray(value))
      return key === '$not' ? { kind: 'not', item: readCondition(value, depth) } : failSearch();

    // Before the keys are listed: a list may be long.
    bound(counted + value.length, 'conditions');
    const node = group(
      key === '$or' ? 'or' : 'and',
      each([...value.keys()], (index: number) => readCondition(value[index], depth)),
    );
    return key === '$not' ? { kind: 'not', item: node } : node;
  };

  const readField = (field: string, value: unknown, depth: number): ConditionNode => {
    bound(field.length, 'valueLength');
    if (isPlainObject(value)) return readComparisons('and', field, value, depth);

    count();
    if (value === undefined && trusted) return unknown(field);

    return value === null
      ? presence(field, true)
      : Array.isArray(value)
        ? failSearch(field)
        : comparison(field, OPERATORS.eq, false, readOne(field, value));
  };

  const readComparisons = (
    kind: 'and' | 'or',
    field: string,
    comparisons: Readonly<Record<string, unknown>>,
    depth: number,
  ): ConditionNode =>
    group(
      kind,
      each(Object.keys(comparisons), (key: string) => {
        const value = comparisons[key];
        const missing = value === undefined && trusted;
        if (key !== '$or') {
          count();
          return missing && (findOperator(key) || custom.has(key)) ? unknown(field) : readComparison(key, field, value);
        }
        descend(depth + 1);
        return missing
          ? unknown(field)
          : isPlainObject(value)
            ? readComparisons('or', field, value, depth + 1)
            : failSearch(field);
      }),
    );

  const readComparison = (key: string, field: string, value: unknown): ConditionNode => {
    const found = findOperator(key);
    if (!found) {
      const arity = custom.get(key) ?? fail('CRUD_UNKNOWN_OPERATOR', 'Unknown operator', field);
      const read = arity === 'list' || (Array.isArray(value) && !trusted) ? readItems : trusted ? undefined : readOne;
      return leaf({ kind: 'custom', field, operator: key, value: read ? read(field, value) : value });
    }
    const { operator, fold } = found;
    const { name, arity } = operator;
    if (arity === 'none') return presence(field, (name === 'isnull') !== (value === false));

    if (value === null && (name === 'eq' || name === 'ne')) return presence(field, name === 'eq');

    const items = arity === 'one' ? [value] : readItems(field, value);
    if (trusted && items.some((item) => item === undefined || item === null)) return unknown(field);

    if (arity === 'two' && items.length !== 2) failValue(field);

    return comparison(field, operator, fold, arity === 'one' ? readOne(field, value) : items);
  };

  /** The items of a list: an array, or a text in which they are separated by commas. */
  const readItems = (field: string, value: unknown): unknown[] => {
    const items: unknown[] | undefined =
      typeof value === 'string'
        ? splitList(value, ',', trusted ? Infinity : limits.listValues)
        : Array.isArray(value)
          ? value
          : [value];
    bound(items?.length ?? Infinity, 'listValues');
    // By index, since `map` would pass over the holes of a list made by hand.
    return Array.from(items as unknown[], (item) =>
      trusted && (item === undefined || item === null)
        ? item
        : item === '' && items !== value
          ? failValue(field)
          : readOne(field, item),
    );
  };

  const readOne = (field: string, value: unknown): unknown => {
    if (typeof value === 'string') {
      bound(value.length, 'valueLength');
    } else if (!/^(number|boolean)$/.test(typeof value)) {
      const isInstance = typeof value === 'object' && value && !Array.isArray(value);
      if (!trusted || !(typeof value === 'bigint' || isInstance)) failValue(field);
    }
    return value;
  };

  return readCondition(search, 0);
}

/**
 * Whether a value is an object literal: of class instances (a promise, a Map) the conditions would be lost silently.
 */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  const prototype: unknown = typeof value === 'object' && value ? Object.getPrototypeOf(value) : [];

  // Not `=== Object.prototype`: an object may come from another realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
