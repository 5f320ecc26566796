/** Whether a comparison holds, by the rules of the query language and SQL's logic of three values: null is "unknown", which neither holds nor fails. */
import type { Database } from './differences.js';
import type { Column, Value } from './tables.js';

export type Truth = boolean | null;
export const not = (truth: Truth): Truth => (truth === null ? null : !truth);

/** Fails where one fails, holds where all hold. */
export const every = (all: readonly Truth[]): Truth => (all.includes(false) ? false : all.includes(null) ? null : true);

/** Holds where one holds, fails where all fail. */
export const some = (truths: readonly Truth[]): Truth => not(every(truths.map(not)));
const COMPARING = ['eq', 'ne', 'gt', 'lt', 'gte', 'lte', 'in', 'notin', 'between'] as const;
const OF_TEXT = ['starts', 'ends', 'cont', 'excl'] as const;
const OF_NULL = ['isnull', 'notnull'] as const;
const OF_LISTS = ['contArr', 'intersectsArr'] as const;
export type Operator = (typeof COMPARING | typeof OF_TEXT | typeof OF_NULL | typeof OF_LISTS)[number];
export const COMPARISONS: readonly Operator[] = COMPARING;
export const NULLS: readonly Operator[] = OF_NULL;
export const ARRAYS: readonly Operator[] = OF_LISTS;
export const TEXT_OPERATORS: ReadonlySet<Operator> = new Set(OF_TEXT);

/** What is compared: a column, or a value at the end of keys into a JSON column. */
export interface Subject {
  readonly column: Column;
  readonly keys: readonly string[];
}

export interface Comparison {
  readonly operator: Operator;
  /** Whether the `L` twin is meant. */
  readonly fold: boolean;
  /** A list of the operator's values; text operators have texts, but for booleans; those of null have none. */
  readonly operands: readonly Value[];
}

/** A stored value against the operands of a comparison. */
type Sides = ReturnType<typeof sidesOf>;
type Test<T> = (value: T) => boolean;
const ordered = (test: Test<number>, index = 0) => (sides: Sides): Truth => {
  const order = sides.order(index);
  return order === null ? null : test(order);
}; // prettier-ignore

const contains = (sides: Sides): Truth => sides.text((text, operand) => text.includes(operand));
const [isLeast, isMost] = [(order: number) => order >= 0, (order: number) => order <= 0];

const RULES = {
  eq: (sides) => sides.same(0),
  ne: (sides) => not(sides.same(0)),
  gt: ordered((order) => order > 0),
  lt: ordered((order) => order < 0),
  gte: ordered(isLeast),
  lte: ordered(isMost),
  starts: (sides) => sides.text((text, operand) => text.startsWith(operand)),
  ends: (sides) => sides.text((text, operand) => text.endsWith(operand)),
  cont: contains,
  excl: (sides) => not(contains(sides)),
  in: (sides) => some(sides.all.map(sides.same)),
  notin: (sides) => not(some(sides.all.map(sides.same))),
  between: (sides) => every([ordered(isLeast)(sides), ordered(isMost, 1)(sides)]),
  contArr: (sides) => sides.all.every(sides.has),
  intersectsArr: (sides) => sides.all.some(sides.has),
} satisfies Record<Exclude<Operator, 'isnull' | 'notnull'>, (sides: Sides) => Truth>;

/** What the empty list means, whatever is stored. */
const OF_EMPTY_LIST: Partial<Record<Operator, boolean>> = {
  in: false,
  notin: true,
  contArr: true,
  intersectsArr: false,
};

/** Whether a comparison holds for a stored value. */
export function holds(comparison: Comparison, subject: Subject, stored: Value, database: Database): Truth {
  const { operator, operands } = comparison;
  const value = reach(stored, subject.keys);
  if (operator === 'isnull') return value === null;
  if (operator === 'notnull') return value !== null;
  const ofNothing = operands.length === 0 ? OF_EMPTY_LIST[operator] : undefined;
  if (ofNothing !== undefined) return ofNothing;
  if (value === null) return null;
  // On booleans the text operators ask for equality.
  if (subject.keys.length === 0 && subject.column.type === 'boolean' && TEXT_OPERATORS.has(operator))
    return operator === 'excl' ? value !== operands[0] : value === operands[0];
  return RULES[operator](sidesOf(comparison, subject, value, database));
}

/** The value at the end of keys into JSON; what is missing is null. */
export function reach(stored: Value, keys: readonly string[]): Value {
  return keys.reduce<Value>((value, key) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && Object.hasOwn(value, key) ? ((value as Record<string, Value>)[key] ?? null) : null;
  }, stored);
}

function sidesOf({ operands, fold }: Comparison, { column, keys }: Subject, value: Value, database: Database) {
  const folded = (text: string): string => (fold ? database.fold(text) : text);
  const text = textOf({ column, keys }, value, database);
  const inJson = keys.length > 0;
  const isText = (operand: Value) => (inJson ? typeof operand === 'string' : ['text', 'enum'].includes(column.type));
  /** Both sides as they are compared; undefined where they cannot be: values of two types, or no text. */
  const pair = (index: number): { ofText: boolean; left: Value; right: Value } | undefined => {
    const operand = operands[index];
    if (!isText(operand))
      return inJson && typeof operand !== typeof value ? undefined : { ofText: false, left: value, right: operand };
    return text === null ? undefined : { ofText: true, left: folded(text), right: folded(String(operand)) };
  };
  return {
    all: operands.map((_, index) => index),
    same: (index: number): Truth => {
      const sides = pair(index);
      return sides ? sides.left === sides.right : null;
    },
    order: (index: number): number | null => {
      const { ofText, left, right } = pair(index) ?? {};
      if (ofText === undefined) return null;
      if (ofText) return database.order(inJson ? 'JSON text' : 'text', String(left), String(right));
      return orderOfTyped(column, left, right, database);
    },
    text: (test: (text: string, operand: string) => boolean): Truth =>
      text === null ? null : test(folded(text), folded(String(operands[0]))),
    has: (index: number): boolean => (value as readonly Value[]).includes(operands[index]),
  };
}

/** Order of two values of one type that is no text. */
export function orderOfTyped({ type }: Column, left: Value, right: Value, database: Database): number {
  if (type === 'uuid') return database.order('uuid', String(left), String(right));
  // Numbers, bigints, booleans, and texts of digits: JavaScript orders them as SQL does.
  const [a, b] = [left, right] as [number, number];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The value's text as JSON prints it; null for what is no scalar. */
export function textOf({ column, keys }: Subject, value: Value, database: Database): string | null {
  if (keys.length > 0) return typeof value === 'object' ? null : String(value);
  if (column.type === 'decimal' && column.raw && database.differences.decimals !== 'a number')
    return (value as number).toFixed(2);
  return String(value);
}
