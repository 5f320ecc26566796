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
import { refuse } from '../errors.js';
import { completeLimits, limitMessage, type QueryLimits } from '../limits.js';
import { findOperator, type OperatorDescriptor, OPERATORS } from '../operators.js';
import { type CustomOperatorNames, type CustomOperatorTable, customOperatorTable } from '../syntax/custom-operators.js';
import { isGroupKey } from '../syntax/group-keys.js';
import { splitList } from '../syntax/list.js';
import type { SConditionKey } from '../types/conditions.js';
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
  { source, limits, customOperators, path = [], leaf = (node) => node }: ParseSearchOptions,
): ConditionNode {
  const trusted = source === 'trusted';
  const reading: Reading = {
    trusted,
    limits: trusted ? WIDE : completeLimits(limits),
    custom: customOperatorTable(customOperators),
    path,
    leaf,
    conditions: 0,
  };

  return readCondition(reading, search, 0);
}

/** What reading one condition goes along with. */
interface Reading extends Required<Pick<ParseSearchOptions, 'path' | 'leaf'>> {
  readonly trusted: boolean;
  readonly limits: Readonly<typeof WIDE>;
  readonly custom: CustomOperatorTable;
  /** How many conditions were read. */
  conditions: number;
}

/** Of trusted conditions; one that is nested deeper was put together by mistake, or contains itself. */
const WIDE = { conditions: Infinity, nesting: 256, listValues: Infinity, valueLength: Infinity };

function readCondition(reading: Reading, condition: unknown, depth: number): ConditionNode {
  if (condition === undefined && reading.trusted) return makeUnknownNode(reading, '');
  if (!isPlainObject(condition)) return refuseSearch();

  const items: ConditionNode[] = [];
  for (const key of Object.keys(condition)) {
    reading.path.push(key);
    items.push(
      isGroupKey(key)
        ? readGroup(reading, key, condition[key], depth + 1)
        : readField(reading, key, condition[key], depth),
    );
    reading.path.pop();
  }
  if (!items.length) countCondition(reading);

  return group('and', items);
}

function readGroup(reading: Reading, key: SConditionKey, value: unknown, depth: number): ConditionNode {
  bound(reading, depth, 'nesting');
  if (value === undefined && reading.trusted) return makeUnknownNode(reading, key);
  if (!Array.isArray(value))
    return key === '$not' ? { kind: 'not', item: readCondition(reading, value, depth) } : refuseSearch();

  // Before the items are read: a list may be long.
  bound(reading, reading.conditions + value.length, 'conditions');
  const items: ConditionNode[] = [];
  for (const index of value.keys()) {
    reading.path.push(index);
    items.push(readCondition(reading, value[index], depth));
    reading.path.pop();
  }
  if (!items.length) countCondition(reading);
  const node = group(key === '$or' ? 'or' : 'and', items);

  return key === '$not' ? { kind: 'not', item: node } : node;
}

function readField(reading: Reading, field: string, value: unknown, depth: number): ConditionNode {
  bound(reading, field.length, 'valueLength');
  if (isPlainObject(value)) return readComparisons(reading, 'and', field, value, depth);

  countCondition(reading);
  if (value === undefined && reading.trusted) return makeUnknownNode(reading, field);
  if (value === null) return compare(reading, field, OPERATORS.isnull);
  if (Array.isArray(value)) refuseSearch(field);

  return compare(reading, field, OPERATORS.eq, false, readOne(reading, field, value));
}

function readComparisons(
  reading: Reading,
  kind: 'and' | 'or',
  field: string,
  comparisons: Readonly<Record<string, unknown>>,
  depth: number,
): ConditionNode {
  const items: ConditionNode[] = [];
  for (const key of Object.keys(comparisons)) {
    reading.path.push(key);
    items.push(
      key === '$or'
        ? readAlternatives(reading, field, comparisons[key], depth + 1)
        : readComparison(reading, key, field, comparisons[key]),
    );
    reading.path.pop();
  }
  if (!items.length) countCondition(reading);

  return group(kind, items);
}

function readAlternatives(reading: Reading, field: string, value: unknown, depth: number): ConditionNode {
  bound(reading, depth, 'nesting');
  if (value === undefined && reading.trusted) return makeUnknownNode(reading, field);

  return isPlainObject(value) ? readComparisons(reading, 'or', field, value, depth) : refuseSearch(field);
}

function readComparison(reading: Reading, key: string, field: string, value: unknown): ConditionNode {
  const { trusted } = reading;
  countCondition(reading);
  const found = findOperator(key);
  const arity = found?.operator.arity ?? reading.custom.get(key);
  if (!arity) refuse('Unknown operator', 'CRUD_UNKNOWN_OPERATOR', { field });
  if (value === undefined && trusted) return makeUnknownNode(reading, field);
  if (!found) {
    const read = arity === 'list' || (Array.isArray(value) && !trusted) ? readItems : trusted ? undefined : readOne;
    return reading.leaf({ kind: 'custom', field, operator: key, value: read ? read(reading, field, value) : value });
  }
  const { operator, fold } = found;
  const { name } = operator;
  if (arity === 'none' || (value === null && (name === 'eq' || name === 'ne'))) {
    const isNull = (name === 'eq' || name === 'isnull') !== (value === false);
    return compare(reading, field, isNull ? OPERATORS.isnull : OPERATORS.notnull);
  }
  if (value === null && trusted) return makeUnknownNode(reading, field);
  if (arity === 'one') return compare(reading, field, operator, fold, readOne(reading, field, value));

  const items = readItems(reading, field, value);
  if (trusted && items.some((item) => item === undefined || item === null)) return makeUnknownNode(reading, field);
  if (arity === 'two' && items.length !== 2) refuseValue(field);

  return compare(reading, field, operator, fold, items);
}

/** The items of a list: an array, or a text in which they are separated by commas. */
function readItems(reading: Reading, field: string, value: unknown): unknown[] {
  const { trusted, limits } = reading;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const items = typeof value === 'string' ? splitList(value, ',', limits.listValues) : list;
  bound(reading, items?.length ?? Infinity, 'listValues');

  // By index, since `map` would pass over the holes of a list made by hand.
  return Array.from(items as unknown[], (item) => {
    if (trusted && (item === undefined || item === null)) return item;
    if (item === '' && items !== list) refuseValue(field);

    return readOne(reading, field, item);
  });
}

function readOne(reading: Reading, field: string, value: unknown): unknown {
  if (typeof value === 'string') {
    bound(reading, value.length, 'valueLength');
  } else if (typeof value !== 'number' && typeof value !== 'boolean') {
    const isInstance = typeof value === 'object' && !Array.isArray(value);
    if (!reading.trusted || !(typeof value === 'bigint' || isInstance)) refuseValue(field);
  }

  return value;
}

function compare(
  { leaf }: Reading,
  field: string,
  operator: OperatorDescriptor,
  fold = false,
  value?: unknown,
): LeafNode {
  return leaf({ kind: 'comparison', field, operator, fold, value });
}

/** A null or undefined value that the server wrote: unknown, as SQL's NULL. */
function makeUnknownNode({ leaf }: Reading, field: string): ConditionNode {
  return leaf({ kind: 'unknown', field });
}

/** Counts a condition; an empty group is one, so that the limit bounds those, too. */
function countCondition(reading: Reading): void {
  bound(reading, (reading.conditions += 1), 'conditions');
}

function bound({ limits }: Reading, size: number, limit: keyof typeof WIDE): void {
  const most = limits[limit];
  if (size > most) refuse(limitMessage(most, limit), 'CRUD_LIMIT_EXCEEDED');
}

function refuseSearch(field?: string): never {
  refuse('Invalid search param. JSON expected', 'CRUD_INVALID_SEARCH', { field });
}

function refuseValue(field: string): never {
  refuse('Invalid search value', 'CRUD_INVALID_VALUE', { field });
}

/**
 * Whether a value is an object literal: of class instances (a promise, a Map) the conditions would be lost silently.
 */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  const prototype: unknown = typeof value === 'object' && value ? Object.getPrototypeOf(value) : [];

  // Not `=== Object.prototype`: an object may come from another realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
