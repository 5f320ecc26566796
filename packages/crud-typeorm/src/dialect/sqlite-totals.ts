/**
 * SQLite has whole numbers of 64 bits and doubles, nothing larger. A sum is kept in two parts, each a sum of 32 bits of every value; a total is a text, its high part and its low
 * part with leading zeros, so that texts are ordered as their totals are.
 */
import type { CatalogColumn } from '@nestwright/crud/adapter';
import { AVERAGE_DIGITS, type ExactTotals, type Rounding, scaleOf } from './totals.js';

const SUM_BASE = 2n ** 32n;
const SUM_DIGITS = 10;
const HIGH_DIGITS = 20;
const HIGH_LEAST = -(2n ** 63n);
const HIGH_MOST = 2n ** 63n - 1n;
const LOW_BITS = '4294967295';

/** Digits behind the point of a decimal column without a scale; SQLite's numbers have 15 digits in all. */
const UNSCALED_DIGITS = 6;

const AVERAGE_BASE = 10n ** BigInt(AVERAGE_DIGITS);

export const SQLITE_TOTALS: ExactTotals = {
  parts: (value, column) => {
    const units = column.kind === 'decimal' ? `CAST(ROUND(${value} * 1e${digitsOf(column)}) AS INTEGER)` : value;

    return [`SUM(${units} >> 32)`, `SUM(${units} & ${LOW_BITS})`];
  },
  sum: (parts) => orderedText(highOf(parts), lowOf(parts), SUM_DIGITS),
  average: (parts, count) => averageText(parts, count, AVERAGE_DIGITS),
  double: (parts) => `(${highOf(parts)} * ${String(SUM_BASE)}.0 + ${lowOf(parts)})`,
  selected: (total) => total,
  textOf: (selected, column, isAverage) =>
    decimalText(unitsOf(selected, isAverage ? AVERAGE_BASE : SUM_BASE), digitsOf(column, isAverage)),
  bound: (text, rounding, column, isAverage) => {
    const units = unitsBeside(text, digitsOf(column, isAverage), rounding);
    // No total has this text.
    if (units === undefined) return '';

    return isAverage ? printed(units, AVERAGE_BASE, AVERAGE_DIGITS) : printed(units, SUM_BASE, SUM_DIGITS);
  },
  placed: (placeholder) => placeholder,
};

/** Digits behind the point of a column's values, or of their average. */
function digitsOf(column: CatalogColumn, isAverage = false): number {
  return (scaleOf(column) ?? UNSCALED_DIGITS) + (isAverage ? AVERAGE_DIGITS : 0);
}

function highOf([high, low]: readonly string[]): string {
  return `(${high} + (${low} >> 32))`;
}

function lowOf([, low]: readonly string[]): string {
  return `(${low} & ${LOW_BITS})`;
}

/** Two parts as a text. Numbers below zero come first, and each counts from the least. */
function orderedText(high: string, low: string, digits: number): string {
  return (
    `CASE WHEN ${high} < 0 THEN '0' || printf('%019d', ${high} + ${HIGH_MOST} + 1) ` +
    `WHEN ${high} >= 0 THEN '1' || printf('%019d', ${high}) END || printf('%0${digits}d', ${low})`
  );
}

/** Long division of the size of a sum by the number of values; what is left makes the digits behind the point. */
function averageText(parts: readonly string[], count: string, digits: number): string {
  const unit = `1${'0'.repeat(digits)}`;
  const summed = `SELECT ${highOf(parts)} AS high, ${lowOf(parts)} AS low, ${count} AS number`;
  const sized =
    `SELECT high < 0 AS negative, number, CASE WHEN high < 0 THEN -high - (low > 0) ELSE high END AS high, ` +
    `CASE WHEN high < 0 AND low > 0 THEN ${String(SUM_BASE)} - low ELSE low END AS low FROM (${summed})`;
  const divided =
    `SELECT negative, number, (high / number) * ${String(SUM_BASE)} + ((high % number) * ${String(SUM_BASE)} + low) / number AS whole, ` +
    `((high % number) * ${String(SUM_BASE)} + low) % number AS rest FROM (${sized})`;
  const rounded = `SELECT negative, whole, (rest * 2${'0'.repeat(digits)} + number) / (2 * number) AS part FROM (${divided})`;
  const carried = `SELECT negative, whole + part / ${unit} AS whole, part % ${unit} AS part FROM (${rounded})`;
  const signed =
    `SELECT CASE WHEN negative THEN -whole - (part > 0) ELSE whole END AS whole, ` +
    `CASE WHEN negative AND part > 0 THEN ${unit} - part ELSE part END AS part FROM (${carried})`;

  return `(SELECT ${orderedText('whole', 'part', digits)} FROM (${signed}))`;
}

/** The whole number that a text of two parts means. */
function unitsOf(text: string, base: bigint): bigint {
  const high = BigInt(text.slice(1, HIGH_DIGITS)) + (text.startsWith('0') ? HIGH_LEAST : 0n);

  return high * base + BigInt(text.slice(HIGH_DIGITS));
}

function printed(units: bigint, base: bigint, digits: number): string {
  const floor = units / base - (units % base < 0n ? 1n : 0n);
  if (floor < HIGH_LEAST) return '';
  // Above every total.
  if (floor > HIGH_MOST) return '2';
  const low = String(units - floor * base).padStart(digits, '0');
  const high = floor < 0n ? `0${pad(floor - HIGH_LEAST)}` : `1${pad(floor)}`;

  return high + low;
}

function pad(high: bigint): string {
  return String(high).padStart(HIGH_DIGITS - 1, '0');
}

/** A decimal number in units of a scale; undefined if it is between two of them and has to be exact. */
function unitsBeside(text: string, scale: number, rounding: Rounding): bigint | undefined {
  const [, sign, whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const size = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  const units = sign ? -size : size;
  if (/^0*$/.test(fraction.slice(scale))) return units;
  if (rounding === 'exact') return undefined;

  return units + (rounding === 'floor' ? (sign ? -1n : 0n) : sign ? 0n : 1n);
}

/** Units of a scale as a decimal number. */
function decimalText(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;

  return units < 0n ? `-${text}` : text;
}
