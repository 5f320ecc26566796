import {
  type AggregatePlan,
  type CatalogColumn,
  crudError,
  outputKind,
  type OutputKind,
  type PlannedFunction,
  type PlannedGroup,
  type PlannedOutput,
} from '@nestwright/crud/adapter';
import { speakable } from '@nestwright/crud-request';
import type { Aggregates, Totals } from '../database/dialect.js';
import { printTotal } from '../dialect/shared.js';
import { rowValueConverter } from '../hydrate/column-value.js';
import type { RowFormat } from '../database/rows.js';
import type { Selection } from './selection.js';
import { columnSql, type Scope, type Writing } from './writing.js';
import { getColumn } from '../database/links.js';

/** A value while the statement is written. */
export interface WrittenValue {
  readonly kind: OutputKind;
  readonly output: PlannedOutput;
  /** The expression that rows are ordered and compared by. */
  readonly ordered: string;
  /** Where the value is not sure to be right, so that the request is refused whatever it compares. Default: nowhere. */
  readonly inexact?: string;
  /** A second sort expression for values that the first treats as equal; undefined if there are none. */
  readonly tieBreaker?: string;
  /** The GROUP BY expression; undefined for functions. */
  readonly groupBy?: string;
  readonly selected: readonly string[];
}

interface ValueContext {
  readonly writing: Writing;
  readonly scope: Scope;
  readonly aggregates: Aggregates;
  readonly totals: Totals;
  /** Selects an expression of each group; its name outside. */
  readonly grouped: (sql: string) => string;
}

/**
 * Writes the values of a plan.
 *
 * @param inner What the statement of the groups selects; it is added to.
 * @param alias Name of that statement.
 */
export function writeValues(writing: Writing, scope: Scope, inner: Selection, alias: string): WrittenValue[] {
  const { dialect, database } = writing;
  const { quote } = database;
  const valueContext: ValueContext = {
    writing,
    scope,
    aggregates: dialect.aggregates,
    totals: dialect.totals,
    grouped: (sql) => `${quote(alias)}.${quote(inner.addSql(sql))}`,
  };

  return (writing.plan as AggregatePlan).outputs.map((output) =>
    'function' in output ? writeFunction(output, valueContext) : writeGroup(output, valueContext),
  );
}

function writeGroup(output: PlannedGroup, { writing, scope, aggregates, grouped }: ValueContext): WrittenValue {
  const { column } = output.column;
  const storedColumn = getColumn(column);
  const sql = columnSql(writing, scope(output.column.source), storedColumn);
  const kind = outputKind(output);

  if (output.unit !== undefined) {
    const groupBy = aggregates.period(sql, output.unit, column, storedColumn);
    const period = grouped(groupBy);

    return { kind, output, ordered: aggregates.digits(period), groupBy, selected: [period] };
  }

  const groupBy = aggregates.key(sql, column, storedColumn);
  if (groupBy === sql) {
    const value = grouped(sql);

    return { kind, output, ordered: value, groupBy, selected: [writing.dialect.selected(value, storedColumn)] };
  }

  // All values of a group are the same then.
  const value = grouped(`MIN(${sql})`);

  return {
    kind,
    output,
    ordered: value,
    tieBreaker: grouped(groupBy),
    groupBy,
    selected: [writing.dialect.selected(value, storedColumn)],
  };
}

function writeFunction(output: PlannedFunction, valueContext: ValueContext): WrittenValue {
  const { writing, scope, aggregates, grouped } = valueContext;
  const kind = outputKind(output);
  if (!output.column) {
    const count = grouped('COUNT(*)');

    return { kind, output, ordered: count, selected: [count] };
  }

  const { column, source } = output.column;
  const storedColumn = getColumn(column);
  const sql = columnSql(writing, scope(source), storedColumn);

  if (output.function === 'min' || output.function === 'max') {
    const value = grouped(`${output.function.toUpperCase()}(${sql})`);

    return { kind, output, ordered: value, selected: [writing.dialect.selected(value, storedColumn)] };
  }

  if (kind === 'count') {
    const count = grouped(
      output.function === 'count' ? `COUNT(${sql})` : `COUNT(DISTINCT ${aggregates.key(sql, column, storedColumn)})`,
    );

    return { kind, output, ordered: count, selected: [count] };
  }

  return writeTotal(output, column, sql, valueContext);
}

/** Sums and averages; those of small whole numbers are compared as doubles, and selected with all digits. */
function writeTotal(
  output: PlannedFunction,
  column: CatalogColumn,
  sql: string,
  { aggregates, totals, grouped }: ValueContext,
): WrittenValue {
  const kind = outputKind(output);
  const isAverage = output.function === 'avg';

  if (column.kind === 'float') {
    const sum = grouped(`SUM(${aggregates.double(sql)})`);
    const count = grouped(`COUNT(${sql})`);
    const ordered = isAverage ? `${sum} / ${aggregates.double(nonZero(count))}` : sum;

    return { kind, output, ordered, selected: [aggregates.selectedDouble(sum), count] };
  }

  const sum = grouped(totals.sum(sql, column));
  const count = grouped(`COUNT(${sql})`);
  if (kind === 'number') {
    const double = totals.double(sum);
    const ordered = isAverage ? `${double} / ${aggregates.double(nonZero(count))}` : double;

    return { kind, output, ordered, selected: [totals.selected(sum), count] };
  }

  const ordered = isAverage ? totals.average(sum, nonZero(count), column) : totals.total(sum, column);
  const selected = [totals.selected(ordered)];
  const size = totals.size?.(sql, column, isAverage);
  if (!size) return { kind, output, ordered, selected };

  const inexact = `(${grouped(size.part)} >= ${size.beyond})`;

  return { kind, output, ordered, inexact, selected: [...selected, inexact] };
}

function nonZero(count: string): string {
  return `NULLIF(${count}, 0)`;
}

export type ReadValue = (selected: readonly unknown[]) => unknown;

/** What reads the values of an output from rows of a format; `names` are those of what is selected. */
export function makeReader(output: PlannedOutput, names: readonly string[], format: RowFormat): ReadValue {
  const kind = outputKind(output);
  if (kind === 'count') return ([count]) => Number(count);
  if (kind === 'period') return ([text]) => text ?? null;

  const { column } = output.column!;
  if (kind === 'column') {
    const prepare = rowValueConverter(getColumn(column), format.findTextFormat(names[0]!));

    return ([value]) => (value === null || value === undefined ? null : prepare ? prepare(value) : value);
  }

  const isAverage = (output as PlannedFunction).function === 'avg';
  if (kind === 'exact') {
    return ([total, inexact]) => {
      if (Number(inexact) === 1)
        throw outOfRange('The total has more digits than the database can compute', output.name);

      return readNullable(total, (text) => printTotal(text, column, isAverage));
    };
  }
  if (column.kind === 'float')
    return ([sum, count]) => readNullable(sum, (text) => averaged(Number(text), count, isAverage));

  return ([sum, count]) => readNullable(sum, (text) => averaged(safeNumber(text, output.name), count, isAverage));
}

function readNullable(value: unknown, read: (text: string) => unknown): unknown {
  return value === null || value === undefined ? null : read(String(value));
}

function averaged(sum: number, count: unknown, isAverage: boolean): number {
  return isAverage ? sum / Number(count) : sum;
}

/** The largest integer up to which doubles are exact. */
const MAX_EXACT = 2 ** 53;

/** A column that is only assumed to be of integers may have fractions. */
function safeNumber(text: string, name: string): number {
  const sum = Number(text);
  const isRounded = Math.abs(sum) === MAX_EXACT && !text.includes(String(MAX_EXACT));
  if (Math.abs(sum) > MAX_EXACT || isRounded)
    throw outOfRange('The sum is beyond 2^53, which a JSON number cannot represent exactly', name);

  return sum;
}

function outOfRange(what: string, name: string): Error {
  return crudError('CRUD_VALUE_OUT_OF_RANGE', {
    message: `${what}: use a filter or more groups`,
    field: speakable(name) ?? 'aggregate',
  });
}
