/** Sums and averages of whole numbers and decimals with every digit, in the order of their values; a row per database. */
import type { CatalogColumn } from '@nestwright/crud/adapter';
import type { Dialect } from './dialect.js';
import { sqliteTotals } from './sqlite-totals.js';

/** Digits that an average has behind those of its column. */
export const AVERAGE_DIGITS = 6;

/** How to round a bound between two possible values of a total: not at all, down or up. */
export type Rounding = 'exact' | 'floor' | 'ceil';

/** How one database computes exact totals; parts are columns of the grouping statement. */
export interface ExactTotals {
  /** What is selected of each group for the sum of a column. */
  parts(value: string, column: CatalogColumn): readonly string[];
  /** The sum, as it is ordered and compared. */
  sum(parts: readonly string[]): string;
  /** The average, rounded half up, away from zero, to {@link AVERAGE_DIGITS} more digits than the column has. */
  average(parts: readonly string[], count: string, column: CatalogColumn): string;
  /** The sum as a double. */
  double(parts: readonly string[]): string;
  /** An ordered total as a text. */
  selected(total: string): string;
  /** What was selected of a sum or an average, as a decimal number. */
  textOf(selected: string, column: CatalogColumn, isAverage: boolean): string;
  /** What a decimal number is bound as, to be compared with sums or averages of a column. */
  bound(text: string, rounding: Rounding, column: CatalogColumn, isAverage: boolean): unknown;
  placed(placeholder: string): string;
  /** Where a total may have more digits than the database computes with, which then silently returns another number. Default: it never does. */
  size?(value: string, column: CatalogColumn, isAverage: boolean): TotalSize | undefined;
}

/** How large a total may be. */
export interface TotalSize {
  /** What is selected of each group: no total is larger. */
  readonly part: string;
  /** The bound from which a total is not sure to be right. */
  readonly beyond: string;
}

/** Digits behind the point of a column's values; undefined where each has its own. */
export function scaleOf({ kind, scale, precision }: CatalogColumn): number | undefined {
  if (kind !== 'decimal') return 0;

  return scale ?? (precision === undefined ? undefined : 0);
}

/** Where PostgreSQL's column has no scale, an average has as many digits as that of 16. */
const UNBOUNDED = 16;

const POSTGRES: ExactTotals = {
  parts: (value) => [`SUM(${value})`],
  sum: ([sum]) => `${sum}::numeric`,
  average: ([sum], count, column) => {
    const digits = (scaleOf(column) ?? UNBOUNDED) + AVERAGE_DIGITS;
    const twice = `abs(${sum}::numeric) * 2${'0'.repeat(digits)} + ${count}`;

    return `(sign(${sum}::numeric) * div(${twice}, 2 * ${count}::numeric) * ${ulp(digits)})`;
  },
  double: ([sum]) => `${sum}::float8`,
  selected: (total) => `(${total})::text`,
  textOf: (selected) => selected,
  bound: (text) => text,
  placed: (placeholder) => `${placeholder}::numeric`,
};

const MYSQL: ExactTotals = {
  parts: (value) => [`SUM(${value})`],
  sum: ([sum]) => sum!,
  average: ([sum], count, column) => {
    const scale = scaleOf(column) ?? 0;
    const digits = scale + AVERAGE_DIGITS;
    // MariaDB silently drops digits of long products, so the point is moved in the text.
    const text = `CAST(CAST(ABS(${sum}) AS DECIMAL(65, ${scale})) AS CHAR)`;
    const units = `CAST(REPLACE(${text}, '.', '') AS DECIMAL(65, 0))`;
    // Division keeps four digits more than its left side: the quotient is made whole before.
    const twice = `(${units} * 2${'0'.repeat(AVERAGE_DIGITS)} + ${count})`;
    const whole = `CAST((${twice} - ${twice} MOD (2 * ${count})) / (2 * ${count}) AS DECIMAL(65, 0))`;
    const padded = `CONCAT('${'0'.repeat(digits)}', ${whole})`;
    const average = `INSERT(${padded}, CHAR_LENGTH(${padded}) - ${digits - 1}, 0, '.')`;

    return `CAST(CONCAT(IF(${sum} < 0, '-', ''), ${average}) AS DECIMAL(65, ${digits}))`;
  },
  double: ([sum]) => `(${sum} + 0e0)`,
  selected: (total) => `CAST(${total} AS CHAR)`,
  textOf: (selected) => selected,
  bound: (text) => text,
  placed: (placeholder) => `CAST(${placeholder} AS DECIMAL(65, 30))`,
  size: (value, column, isAverage) => {
    const { precision = 0 } = column;
    if (column.kind !== 'decimal' || precision + COUNTED_DIGITS + AVERAGE_DIGITS < MOST_DIGITS) return undefined;
    const whole = MOST_DIGITS - (scaleOf(column) ?? 0) - (isAverage ? AVERAGE_DIGITS + 1 : 0);

    return { part: `COUNT(${value}) * MAX(ABS(${value}) + 0e0)`, beyond: `1e${whole}` };
  },
};

/** Digits of a decimal. */
const MOST_DIGITS = 65;

/** Digits by which the sum of a table may be longer than its values. */
const COUNTED_DIGITS = 18;

/** The smallest number above zero with so many digits behind the point. */
function ulp(digits: number): string {
  return digits === 0 ? '1' : `0.${'0'.repeat(digits - 1)}1`;
}

/** Digits behind the point of a decimal column without a scale; SQLite's numbers have 15 digits in all. */
const SQLITE_SCALE = 6;

const ROWS: Readonly<Record<Dialect['name'], ExactTotals>> = {
  postgres: POSTGRES,
  mysql: MYSQL,
  sqlite: sqliteTotals((column) => scaleOf(column) ?? SQLITE_SCALE, AVERAGE_DIGITS),
};

/** How a database computes exact totals. */
export function exactTotalsOf({ name }: Pick<Dialect, 'name'>): ExactTotals {
  return ROWS[name];
}
