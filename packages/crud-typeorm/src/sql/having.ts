/** Conditions on the rows of an aggregate request (`having`). */
import type { PlannedComparison, PlannedFunction, PlannedHaving } from '@nestwright/crud/adapter';
import type { OperatorName } from '@nestwright/crud-request';
import { aggregatesOf } from '../dialect/aggregates.js';
import { exactTotalsOf } from '../dialect/exact-totals.js';
import type { ExactTotals, Rounding } from '../dialect/totals.js';
import type { WrittenValue } from './aggregate-values.js';
import { writeComparisonOn } from './condition.js';
import { listSize } from './list-size.js';
import { itemOf, type Prepare, valueOf } from './parameters.js';
import type { Writing } from './writing.js';

/** Returns the placeholder of the compared value, or of one of several. */
type At = (rounding: Rounding, index?: number) => string;

const COMPARISONS: Readonly<Partial<Record<OperatorName, (value: string, at: At, length: number) => string>>> = {
  eq: (value, at) => `${value} = ${at('exact')}`,
  ne: (value, at) => `${value} <> ${at('exact')}`,
  gt: (value, at) => `${value} > ${at('floor')}`,
  gte: (value, at) => `${value} >= ${at('ceil')}`,
  lt: (value, at) => `${value} < ${at('ceil')}`,
  lte: (value, at) => `${value} <= ${at('floor')}`,
  between: (value, at) => `${value} BETWEEN ${at('ceil', 0)} AND ${at('floor', 1)}`,
  in: (value, at, length) => `${value} IN (${listOf(at, length)})`,
  notin: (value, at, length) => `${value} NOT IN (${listOf(at, length)})`,
  isnull: (value) => `${value} IS NULL`,
  notnull: (value) => `${value} IS NOT NULL`,
};

function listOf(at: At, length: number): string {
  return Array.from({ length: listSize(length) }, (_, index) => at('exact', index)).join(', ');
}

export function writeHaving(writing: Writing, { comparison }: PlannedHaving, value: WrittenValue): string {
  if (value.kind === 'column') return writeComparisonOn(value.ordered, comparison, writing);

  const write = COMPARISONS[comparison.operator.name];
  if (!write) throw new Error(`having does not take the operator ${comparison.operator.name}`);
  const given = comparison.slot === undefined ? undefined : writing.plan.values[comparison.slot];

  // A total is a formula.
  const condition = write(
    `(${value.ordered})`,
    atOf(writing, comparison, value),
    Array.isArray(given) ? given.length : 0,
  );

  return value.inexact === undefined ? condition : `(${value.inexact} OR ${condition})`;
}

function atOf(writing: Writing, { slot = -1 }: PlannedComparison, { kind, output }: WrittenValue): At {
  const { parameters, dialect } = writing;
  const totals = exactTotalsOf(dialect);
  const aggregates = aggregatesOf(dialect);

  return (rounding, index) => {
    const prepare = kind === 'exact' ? boundTotal(totals, rounding, output as PlannedFunction) : undefined;
    const mark = parameters.mark(index === undefined ? valueOf(slot, prepare) : itemOf(slot, index, prepare));
    if (kind === 'exact') return totals.placed(mark);

    return kind === 'period' ? mark : aggregates.placedDouble(mark);
  };
}

// Cached with the statement, so it must not capture the request.
function boundTotal(totals: ExactTotals, rounding: Rounding, { column, function: name }: PlannedFunction): Prepare {
  const { column: total } = column!;

  return (value) => totals.bound(String(value), rounding, total, name === 'avg');
}
