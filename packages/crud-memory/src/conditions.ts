/** Whether records satisfy conditions, by SQL's logic: null is unknown, which neither holds nor fails. */
import {
  type ColumnKind,
  crudError,
  type PlannedComparison,
  type PlannedCondition,
  type PlannedSource,
} from '@nestwright/crud/adapter';
import type { OperatorName } from '@nestwright/crud-request';
import { relationOf, type Rows } from './tables.js';
import { comparable, compareValues, type Row } from './values.js';

type Truth = boolean | null;

/** What is read. */
export interface Reading {
  readonly rows: Rows;
  /** Values by slot. */
  readonly values: readonly unknown[];
  /** Whether soft-deleted records are found. */
  readonly withDeleted: boolean;
}

/** One related record per source, by its alias, or none: a row of a left join. */
export type Choice = ReadonlyMap<string, Row | undefined>;

/** Whether a condition holds for a choice. */
export function holds(condition: PlannedCondition, choice: Choice, reading: Pick<Reading, 'values'>): Truth {
  switch (condition.kind) {
    case 'constant':
      return condition.value === 'unknown' ? null : condition.value;
    case 'not':
      return negate(holds(condition.item, choice, reading));
    case 'and':
    case 'or':
      return combine(
        condition.items.map((item) => holds(item, choice, reading)),
        condition.kind === 'or',
      );
    case 'comparison':
      return compare(condition, choice.get(condition.column.source.alias), reading.values);
    case 'custom':
      throw crudError('CRUD_UNKNOWN_OPERATOR', {
        message: `${condition.operator} is SQL, which records in memory do not know`,
      });
  }
}

function negate(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

function combine(truths: readonly Truth[], decisive: boolean): Truth {
  if (truths.includes(decisive)) return decisive;

  return truths.includes(null) ? null : !decisive;
}

function compare(comparison: PlannedComparison, row: Row | undefined, values: readonly unknown[]): Truth {
  const { column, operator, slot } = comparison;
  const value = readColumn(comparison, row);
  if (operator.name === 'isnull') return value === null;
  if (operator.name === 'notnull') return value !== null;
  const operand = values[slot!];
  const shown = comparison.as === 'text' ? scalarText(value) : ofType(value, comparison.as);
  if (shown === null) return null;
  const { kind, elementKind = 'text' } = column.column;
  const compared = KINDS[comparison.as] ?? kind;
  const fold = (given: unknown) => (comparison.fold ? String(given).toLowerCase() : given);
  const element = (item: unknown) => comparable(elementKind, item);

  return TESTS[operator.name](
    {
      order: (to) => compareValues(compared, fold(shown), fold(to)),
      text: String(fold(shown)),
      list: () => (shown as readonly unknown[]).map(element),
    },
    operand as never,
    element,
    (text) => String(fold(text)),
  );
}

/** What values are compared as, if not as their column's. */
const KINDS: Partial<Record<PlannedComparison['as'], ColumnKind>> = {
  text: 'text',
  number: 'float',
  boolean: 'boolean',
};

/** The value of a comparison's column, or at its keys in a document. */
function readColumn({ column: { column, jsonPath } }: PlannedComparison, row: Row | undefined): unknown {
  const value = row?.[column.path] ?? null;

  return jsonPath.reduce<unknown>((document, key) => {
    const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);

    return isObject && Object.hasOwn(document, key) ? ((document as Row)[key] ?? null) : null;
  }, value);
}

/** The text of what is no object. */
function scalarText(value: unknown): string | null {
  return typeof value === 'object' ? null : String(value);
}

/** A value in a document, if it has the type that it is compared by. */
function ofType(value: unknown, as: PlannedComparison['as']): unknown {
  return as === 'column' || typeof value === as ? value : null;
}

/** The stored side of a comparison. */
interface Stored {
  readonly order: (operand: unknown) => number;
  readonly text: string;
  /** Of a list, its elements. */
  readonly list: () => readonly unknown[];
}

type Test = (
  stored: Stored,
  operand: never,
  element: (item: unknown) => unknown,
  fold: (text: unknown) => string,
) => boolean;

const TESTS: Record<Exclude<OperatorName, 'isnull' | 'notnull'>, Test> = {
  eq: ({ order }, operand) => order(operand) === 0,
  ne: ({ order }, operand) => order(operand) !== 0,
  gt: ({ order }, operand) => order(operand) > 0,
  gte: ({ order }, operand) => order(operand) >= 0,
  lt: ({ order }, operand) => order(operand) < 0,
  lte: ({ order }, operand) => order(operand) <= 0,
  between: ({ order }, [low, high]: readonly [unknown, unknown]) => order(low) >= 0 && order(high) <= 0,
  in: ({ order }, operands: readonly unknown[]) => operands.some((operand) => order(operand) === 0),
  notin: ({ order }, operands: readonly unknown[]) => operands.every((operand) => order(operand) !== 0),
  starts: ({ text }, operand, _, fold) => text.startsWith(fold(operand)),
  ends: ({ text }, operand, _, fold) => text.endsWith(fold(operand)),
  cont: ({ text }, operand, _, fold) => text.includes(fold(operand)),
  excl: ({ text }, operand, _, fold) => !text.includes(fold(operand)),
  contArr: ({ list }, operands: readonly unknown[], element) =>
    operands.every((item) => list().includes(element(item))),
  intersectsArr: ({ list }, operands: readonly unknown[], element) =>
    operands.some((item) => list().includes(element(item))),
};

/** The sources that a condition is about, and those that lead to them, these first. */
export function sourcesOf(condition: PlannedCondition | undefined): PlannedSource[] {
  if (!condition || condition.kind === 'constant') return [];
  if (condition.kind === 'not') return sourcesOf(condition.item);
  if ('items' in condition) return [...new Set(condition.items.flatMap(sourcesOf))];

  return pathTo(condition.column.source);
}

/** The sources that lead from the root to one, which is last. */
export function pathTo(source: PlannedSource): PlannedSource[] {
  return source.parent ? [...pathTo(source.parent), source] : [];
}

/** Every choice that adds some sources to one, those that lead to others first. */
export function choices(from: Choice, sources: readonly PlannedSource[], reading: Reading): Choice[] {
  return sources.reduce<Choice[]>(
    (found, source) =>
      found.flatMap((choice) => {
        if (choice.has(source.alias)) return [choice];
        const related = relatedTo(choice, source, reading);
        const offered = related.length > 0 || source.required ? related : [undefined];

        return offered.map((row) => new Map([...choice, [source.alias, row]]));
      }),
    [from],
  );
}

/** The related records of a source: those that its condition lets through, without soft-deleted ones. */
export function relatedTo(choice: Choice, source: PlannedSource, reading: Reading): Row[] {
  const parent = choice.get(source.parent!.alias);
  if (!parent) return [];
  const { on, relation } = source;
  const { path: deleted } = source.catalog.deleteDate ?? {};

  return relationOf(relation!)
    .follow(parent, reading.rows)
    .filter((row) => reading.withDeleted || deleted === undefined || row[deleted] === null)
    .filter((row) => on === undefined || matches(on, new Map([...choice, [source.alias, row]]), reading));
}

/** Whether a condition holds for any choice of the related records that it is about. */
export function matches(condition: PlannedCondition, from: Choice, reading: Reading): boolean {
  return choices(from, sourcesOf(condition), reading).some((choice) => holds(condition, choice, reading) === true);
}
