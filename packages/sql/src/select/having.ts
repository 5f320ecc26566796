/** Conditions on the rows of an aggregate request (`having`). */
import type { PlannedComparison, PlannedHaving } from '@nestwright/crud/adapter';
import type { OperatorName } from '@nestwright/crud-request';
import type { WrittenValue } from './aggregate-values.js';
import { writeValueComparison } from './condition.js';
import { listSize } from './list-size.js';
import { makeItemSource, makeValueSource } from './parameters.js';
import type { Writing } from './writing.js';

/** Returns the placeholder of the compared value, or of one of several. */
type At = (index?: number) => string;

const COMPARISONS: Readonly<Partial<Record<OperatorName, (value: string, at: At, length: number) => string>>> = {
  eq: (value, at) => `${value} = ${at()}`,
  ne: (value, at) => `${value} <> ${at()}`,
  gt: (value, at) => `${value} > ${at()}`,
  gte: (value, at) => `${value} >= ${at()}`,
  lt: (value, at) => `${value} < ${at()}`,
  lte: (value, at) => `${value} <= ${at()}`,
  between: (value, at) => `${value} BETWEEN ${at(0)} AND ${at(1)}`,
  in: (value, at, length) => `${value} IN (${writeList(at, length)})`,
  notin: (value, at, length) => `${value} NOT IN (${writeList(at, length)})`,
  isnull: (value) => `${value} IS NULL`,
  notnull: (value) => `${value} IS NOT NULL`,
};

function writeList(at: At, length: number): string {
  return Array.from({ length: listSize(length) }, (_, index) => at(index)).join(', ');
}

export function writeHaving(writing: Writing, { comparison }: PlannedHaving, value: WrittenValue): string {
  if (value.kind === 'column') return writeValueComparison(value.ordered, comparison, writing);

  const write = COMPARISONS[comparison.operator.name];
  if (!write) throw new Error(`having does not take the operator ${comparison.operator.name}`);
  const given = comparison.slot === undefined ? undefined : writing.plan.values[comparison.slot];

  // A total is a formula.
  const condition = write(
    `(${value.ordered})`,
    makeMarker(writing, comparison, value),
    Array.isArray(given) ? given.length : 0,
  );

  return value.inexact === undefined ? condition : `(${value.inexact} OR ${condition})`;
}

function makeMarker(writing: Writing, { slot }: PlannedComparison, { kind }: WrittenValue): At {
  const { parameters, dialect } = writing;
  const { totals, aggregates } = dialect;

  return (index) => {
    const prepare = kind === 'exact' ? String : undefined;
    const mark = parameters.mark(
      index === undefined ? makeValueSource(slot!, prepare) : makeItemSource(slot!, index, prepare),
    );
    if (kind === 'exact') return totals.placed(mark);

    return kind === 'period' ? mark : aggregates.placedDouble(mark);
  };
}
