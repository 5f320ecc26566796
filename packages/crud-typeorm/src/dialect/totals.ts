import type { CatalogColumn } from '@nestwright/crud/adapter';
import type { Dialect } from './dialect.js';

/** Digits that an average has behind those of its column. */
const AVERAGE_DIGITS = 6;

/** How one database adds up bigints and decimals; `sum` is a column of the grouping statement. */
export interface Totals {
  /** What is selected of each group for the sum of a column. */
  sum(value: string, column: CatalogColumn): string;
  /** The sum, as it is ordered and compared. */
  total(sum: string, column: CatalogColumn): string;
  /** The average, rounded half up, away from zero, to {@link AVERAGE_DIGITS} more digits than the column has. */
  average(sum: string, count: string, column: CatalogColumn): string;
  /** The sum as a double. */
  double(sum: string): string;
  /** An ordered total as a text. */
  selected(total: string): string;
  /** The placeholder of a number that is compared with a total. */
  placed(placeholder: string): string;
  /**
   * Where a total may have more digits than the database computes with, which then silently returns another number.
   * Default: it never does.
   */
  size?(value: string, column: CatalogColumn, isAverage: boolean): TotalSize | undefined;
}

/** How large a total may be. */
interface TotalSize {
  /** What is selected of each group: no total is larger. */
  readonly part: string;
  /** The bound from which a total is not sure to be right. */
  readonly beyond: string;
}

/** If PostgreSQL's column has no scale, an average has as many digits as that of 16. */
const UNBOUNDED = 16;

const POSTGRES: Totals = {
  sum: (value) => `SUM(${value})`,
  total: (sum) => `${sum}::numeric`,
  average: (sum, count, column) => {
    const digits = (readScale(column) ?? UNBOUNDED) + AVERAGE_DIGITS;
    const twice = `abs(${sum}::numeric) * 2${'0'.repeat(digits)} + ${count}`;

    return `(sign(${sum}::numeric) * div(${twice}, 2 * ${count}::numeric) * ${ulp(digits)})`;
  },
  double: (sum) => `${sum}::float8`,
  selected: (total) => `(${total})::text`,
  placed: (placeholder) => `${placeholder}::numeric`,
};

const MYSQL: Totals = {
  sum: (value) => `SUM(${value})`,
  total: (sum) => sum,
  average: (sum, count, column) => {
    const scale = readScale(column) ?? (column.assumed ? AVERAGE_DIGITS : 0);
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
  double: (sum) => `(${sum} + 0e0)`,
  selected: (total) => `CAST(${total} AS CHAR)`,
  placed: (placeholder) => `CAST(${placeholder} AS DECIMAL(65, 30))`,
  size: (value, column, isAverage) => {
    const { precision = 0 } = column;
    if (column.kind !== 'decimal' || precision + COUNTED_DIGITS + AVERAGE_DIGITS < MOST_DIGITS) return undefined;
    const whole = MOST_DIGITS - (readScale(column) ?? 0) - (isAverage ? AVERAGE_DIGITS + 1 : 0);

    return { part: `COUNT(${value}) * MAX(ABS(${value}) + 0e0)`, beyond: `1e${whole}` };
  },
};

/** Its numbers are integers of 64 bits, whose sum is an error where it has more, and doubles. */
const SQLITE: Totals = {
  sum: (value, { kind }) => `SUM(${kind === 'decimal' ? value : `CAST(${value} AS INTEGER)`})`,
  total: (sum, column) => (column.kind === 'decimal' ? rounded(sum, readScale(column)) : sum),
  average: (sum, count, column) => rounded(`${SQLITE.double(sum)} / ${count}`, averageDigits(column)),
  double: (sum) => `CAST(${sum} AS REAL)`,
  // Drivers read integers as doubles.
  selected: (total) => `CASE typeof(${total}) WHEN 'integer' THEN CAST(${total} AS TEXT) ELSE ${total} END`,
  placed: (placeholder) => `CAST(${placeholder} AS NUMERIC)`,
};

function rounded(number: string, digits: number | undefined): string {
  return digits === undefined ? number : `ROUND(${number}, ${digits})`;
}

function averageDigits(column: CatalogColumn): number | undefined {
  const scale = readScale(column);

  return scale === undefined ? undefined : scale + AVERAGE_DIGITS;
}

/** Digits of a decimal. */
const MOST_DIGITS = 65;

/** Digits by which the sum of a table may be longer than its values. */
const COUNTED_DIGITS = 18;

/** The smallest number above zero with so many digits behind the point. */
function ulp(digits: number): string {
  return digits === 0 ? '1' : `0.${'0'.repeat(digits - 1)}1`;
}

/** Digits behind the point of a column's values; undefined if each has its own. */
function readScale({ kind, scale, precision }: CatalogColumn): number | undefined {
  if (kind !== 'decimal') return 0;

  return scale ?? (precision === undefined ? undefined : 0);
}

const ROWS: Readonly<Record<Dialect['name'], Totals>> = { postgres: POSTGRES, mysql: MYSQL, sqlite: SQLITE };

export function findTotals({ name }: Pick<Dialect, 'name'>): Totals {
  return ROWS[name];
}

/**
 * What was selected of a sum or an average, with its digits behind the point: a database may leave out zeros at the
 * end.
 */
export function printTotal(selected: string, column: CatalogColumn, isAverage: boolean): string {
  const digits = isAverage ? averageDigits(column) : readScale(column);
  if (digits === undefined) return selected;

  const text = selected.includes('e-') ? Number(selected).toFixed(digits) : selected;
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  const [whole, fraction = ''] = text.split('.');

  return digits === 0 ? whole! : `${whole}.${fraction.padEnd(digits, '0')}`;
}
