import type { Dialect } from './dialect.js';
import { SQLITE_TOTALS } from './sqlite-totals.js';
import { AVERAGE_DIGITS, type ExactTotals, scaleOf } from './totals.js';

/** If PostgreSQL's column has no scale, an average has as many digits as that of 16. */
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

const ROWS: Readonly<Record<Dialect['name'], ExactTotals>> = {
  postgres: POSTGRES,
  mysql: MYSQL,
  sqlite: SQLITE_TOTALS,
};

export function exactTotalsOf({ name }: Pick<Dialect, 'name'>): ExactTotals {
  return ROWS[name];
}
