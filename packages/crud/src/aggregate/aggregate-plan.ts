/** The frozen plan of a request for aggregates: types alone, and what the values of an answer are. */
import type { AggregateFunction, DateUnit } from '@nestwright/crud-request';
import type { ColumnKind } from '../plan/catalog.js';
import type { PlannedComparison, ReadPlan, ResolvedColumn } from '../plan/read-plan.js';

/** What records are grouped by. */
export interface PlannedGroup {
  /** Key of the value in the rows of the answer. */
  readonly name: string;
  /** The column that records are grouped by. */
  readonly column: ResolvedColumn;
  /** Part of the calendar in UTC. Default: the value itself. */
  readonly unit?: DateUnit;
}

/** What is computed of each group. */
export interface PlannedFunction {
  /** Key of the value in the rows of the answer. */
  readonly name: string;
  /** What is computed. */
  readonly function: AggregateFunction;
  /** What it is computed of. Default: the records themselves. */
  readonly column?: ResolvedColumn;
}

/** A value of each row of the answer. */
export type PlannedOutput = PlannedGroup | PlannedFunction;

/** A condition on the rows of the answer. */
export interface PlannedHaving {
  /** What is compared, in {@link AggregatePlan.outputs}. */
  readonly output: number;
  /** Its column is the output's column if the output has one, otherwise a placeholder. */
  readonly comparison: PlannedComparison;
}

/** A value that the rows of the answer are sorted by. */
export interface PlannedRowOrder {
  /** What is sorted by, in {@link AggregatePlan.outputs}. */
  readonly output: number;
  /** Direction. */
  readonly order: 'ASC' | 'DESC';
}

/**
 * Everything an adapter must know to group records and compute functions of each group. The members of {@link
 * ReadPlan} select the records; `limit` and `offset` page the rows of the answer. Plans that differ only in `values`,
 * `limit` and `offset` give equal SQL.
 */
export interface AggregatePlan extends ReadPlan {
  /** Groups first, then functions. */
  readonly outputs: readonly PlannedOutput[];
  /** All hold. */
  readonly having: readonly PlannedHaving[];
  /** Each output once; the remaining groups follow, ascending, so that pages never overlap. */
  readonly order: readonly PlannedRowOrder[];
}

/**
 * What a value of the answer is: `column`, a value as its column prints it; `count`, a whole number; `number`, a sum or
 * an average of doubles or of small integers; `exact`, a text with all digits; `period`, a text that names a part of
 * the calendar.
 */
export type OutputKind = 'column' | 'count' | 'number' | 'exact' | 'period';

const TOTALS: ReadonlyMap<ColumnKind, OutputKind> = new Map<ColumnKind, OutputKind>([
  ['integer', 'number'],
  ['float', 'number'],
  ['bigint', 'exact'],
  ['decimal', 'exact'],
]);

/** What the values of an output are; it depends on the column's type alone. */
export function outputKind(output: PlannedOutput): OutputKind {
  if (!('function' in output)) return output.unit === undefined ? 'column' : 'period';
  if (output.function === 'min' || output.function === 'max') return 'column';
  const total = output.function === 'sum' || output.function === 'avg';

  return (total && output.column && TOTALS.get(output.column.column.kind)) || 'count';
}
