/** Groups of records, and what is computed of them. */
import {
  type AggregatePlan,
  type AggregateRows,
  type CatalogColumn,
  type ColumnKind,
  crudError,
  outputKind,
  type PlannedFunction,
  type PlannedGroup,
  type PlannedOutput,
} from '@nestwright/crud/adapter';
import type { DateUnit } from '@nestwright/crud-request';
import { holds, type Reading } from './conditions.js';
import { findMatches, type Match, readingOf, sortValue } from './reads.js';
import type { Rows } from './tables.js';
import { comparable, compareValues, scaled, textOf } from './values.js';

/** What is asked for besides the plan. */
interface Use {
  readonly most?: number | undefined;
  /** Whether all rows are counted. */
  readonly counts: boolean;
}

/** A row of the answer: a value for each output. */
type Values = readonly unknown[];

/** Digits that an average has beyond those of its column. */
const MORE_DIGITS = 6;
const DAY = 86_400_000;

export function aggregate(plan: AggregatePlan, rows: Rows, { most = Infinity, counts }: Use): AggregateRows {
  const { outputs, order, offset = 0, limit = Infinity } = plan;
  const reading = readingOf(plan, rows);
  const sorted = groupMatches(plan, findMatches(plan, rows), reading)
    .map((group) => outputs.map((output) => computeOutput(output, group, reading)))
    .filter((values) => fulfils(plan, values))
    .sort((one, other) => {
      const first = order.find(({ output }) => compareOutputs(outputs[output]!, one[output], other[output]) !== 0);
      const compared = first ? compareOutputs(outputs[first.output]!, one[first.output], other[first.output]) : 0;

      return first?.order === 'DESC' ? -compared : compared;
    });
  const page = sorted.slice(offset, offset + limit);

  return {
    rows: page.slice(0, most).map((values) => Object.fromEntries(outputs.map(({ name }, at) => [name, values[at]]))),
    cut: page.length > most,
    total: counts ? sorted.length : undefined,
  };
}

/** Groups of records; without anything to group by, all are one, even if there are none. */
function groupMatches({ outputs }: AggregatePlan, matches: readonly Match[], reading: Reading): Match[][] {
  const by = outputs.filter(isGroup);
  if (by.length === 0) return [[...matches]];
  const groups = new Map<string, Match[]>();

  for (const match of matches) {
    const key = JSON.stringify(by.map((output) => textOf(keyColumn(output), groupValue(output, match, reading))));
    const group = groups.get(key);
    if (group) group.push(match);
    else groups.set(key, [match]);
  }

  return [...groups.values()];
}

function isGroup(output: PlannedOutput): output is PlannedGroup {
  return !('function' in output);
}

/** What groups are told apart by. */
function keyColumn({ column, unit }: PlannedGroup): CatalogColumn {
  return unit ? { ...column.column, kind: 'text' } : column.column;
}

function groupValue({ column, unit }: PlannedGroup, match: Match, reading: Reading): unknown {
  const value = sortValue({ column }, match, reading);

  return unit && value !== null ? periodOf(new Date(value as string | Date), unit) : value;
}

/** The name of the part of the calendar, in UTC, that a moment lies in. */
function periodOf(moment: Date, unit: DateUnit): string {
  const text = moment.toISOString();
  const [year, month] = [text.slice(0, 4), text.slice(5, 7)];
  const names: Record<DateUnit, () => string> = {
    day: () => text.slice(0, 10),
    // Its Monday.
    week: () => new Date(moment.getTime() - ((moment.getUTCDay() + 6) % 7) * DAY).toISOString().slice(0, 10),
    month: () => `${year}-${month}`,
    quarter: () => `${year}-Q${Math.ceil(Number(month) / 3)}`,
    year: () => year,
  };

  return names[unit]();
}

function computeOutput(output: PlannedOutput, group: readonly Match[], reading: Reading): unknown {
  if (isGroup(output)) return groupValue(output, group[0]!, reading);
  const { column } = output;
  if (!column) return group.length;
  const values = group.map((match) => sortValue({ column }, match, reading)).filter((value) => value !== null);

  return FUNCTIONS[output.function](values, column.column);
}

const FUNCTIONS: Record<PlannedFunction['function'], (values: Values, column: CatalogColumn) => unknown> = {
  count: (values) => values.length,
  countDistinct: (values, { kind }) => new Set(values.map((value) => comparable(kind, value))).size,
  min: (values, { kind }) => [...values].sort((one, other) => compareValues(kind, one, other))[0] ?? null,
  max: (values, { kind }) => [...values].sort((one, other) => compareValues(kind, other, one))[0] ?? null,
  sum: (values, column) => (values.length === 0 ? null : sumOf(values, column)),
  avg: (values, column) => (values.length === 0 ? null : averageOf(values, column)),
};

function isExact({ kind }: CatalogColumn): boolean {
  return kind === 'bigint' || kind === 'decimal';
}

function sumOf(values: Values, column: CatalogColumn): unknown {
  if (!isExact(column)) {
    const sum = values.reduce<number>((total, value) => total + Number(value), 0);
    if (column.kind === 'integer' && !Number.isSafeInteger(sum))
      throw crudError('CRUD_VALUE_OUT_OF_RANGE', { message: 'The sum is too large', field: 'aggregate' });

    return sum;
  }

  return printScaled(exactSum(values, column), column.scale ?? 0);
}

function exactSum(values: Values, { scale = 0 }: CatalogColumn): bigint {
  return values.reduce<bigint>((sum, value) => sum + scaled(String(value), scale), 0n);
}

function averageOf(values: Values, column: CatalogColumn): unknown {
  if (!isExact(column)) return (sumOf(values, column) as number) / values.length;
  const count = BigInt(values.length);
  const units = exactSum(values, column) * 10n ** BigInt(MORE_DIGITS);
  const size = units < 0n ? -units : units;
  // Rounded half away from zero.
  const rounded = (size * 2n + count) / (count * 2n);

  return printScaled(units < 0n ? -rounded : rounded, (column.scale ?? 0) + MORE_DIGITS);
}

/** A number of units as a decimal with so many digits after the point. */
function printScaled(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;

  return units < 0n ? `-${text}` : text;
}

const COMPARED: Readonly<Record<Exclude<ReturnType<typeof outputKind>, 'column'>, ColumnKind>> = {
  count: 'integer',
  number: 'float',
  exact: 'decimal',
  period: 'text',
};

function compareOutputs(output: PlannedOutput, one: unknown, other: unknown): number {
  const kind = outputKind(output);

  return compareValues(kind === 'column' ? output.column!.column.kind : COMPARED[kind], one, other);
}

/** Whether a row satisfies all conditions on rows. */
function fulfils(plan: AggregatePlan, values: Values): boolean {
  return plan.having.every(({ output, comparison }) => {
    const { source, column } = comparison.column;

    return holds(comparison, new Map([[source.alias, { [column.path]: values[output] }]]), plan) === true;
  });
}
