/** What the rows of several databases share: patterns, paths, texts of sort values, digits of totals. */
import type { CatalogColumn, ColumnForm, ColumnKind } from '@nestwright/crud/adapter';
import type { DateUnit } from '@nestwright/crud-request';
import type { PatternPlace } from '../database/dialect.js';

/** Types of whole numbers that a double cannot hold. */
export const BIGINT_TYPES: ReadonlySet<unknown> = new Set(['bigint', 'int8', 'unsigned big int']);

/** LIMIT and OFFSET of a database whose OFFSET requires a LIMIT. */
export function pageSql(limit: string | undefined, offset: string | undefined, allRows: string): string {
  if (limit === undefined && offset === undefined) return '';

  return ` LIMIT ${limit ?? allRows}${offset === undefined ? '' : ` OFFSET ${offset}`}`;
}

/** Whether a value is no object or list but a moment or bytes. */
export function isSimple(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array;
}

/**
 * Escapes the characters that have a meaning in LIKE; `!` is the escape character, which no SQL mode treats specially.
 */
export function likePattern(text: string, place: PatternPlace): string {
  return withWildcards(text.replace(/[!%_]/g, '!$&'), place, '%');
}

/** Adds the wildcards of a pattern. */
export function withWildcards(text: string, place: PatternPlace, wildcard: string): string {
  return `${place === 'starts' ? '' : wildcard}${text}${place === 'ends' ? '' : wildcard}`;
}

/** A path of JSON keys as SQLite and MySQL write it. */
export function jsonPath(keys: readonly string[]): string {
  return `$${keys.map((key) => `.${JSON.stringify(key)}`).join('')}`;
}

/** The SQL of a part of the calendar. */
export type Periods = Readonly<Record<DateUnit, (moment: string) => string>>;

/** Valid texts by kind, checked here since not every database refuses invalid ones. */
export const VALID_TEXTS: Readonly<Partial<Record<ColumnKind, RegExp>>> = {
  integer: /^-?\d{1,20}$/,
  bigint: /^-?\d{1,20}$/,
  decimal: /^(?:-?\d+(?:\.\d+)?|NaN|-?Infinity)$/,
  float: /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|-?Infinity)$/,
  boolean: /^(?:true|false|[01])$/,
  date: /^[-\d]{8,}(?: BC)?$|^-?infinity$/,
  time: /^-?[\d:.]{5,}(?:[+-][\d:]+)?$/,
  datetime: /^[-\d]{8,}[T ][\d:.]{5,}(?:[+-][\d:]+)?(?: BC)?$|^-?infinity$/,
};

/** A text that can be a value of a column. */
export function validText(text: string, { kind }: CatalogColumn): string | undefined {
  return (VALID_TEXTS[kind]?.test(text) ?? true) && !text.includes('\0') ? text : undefined;
}

/** Digits that an average has behind those of its column. */
export const AVERAGE_DIGITS = 6;

/** Digits behind the point of an average. */
export function averageDigits(column: CatalogColumn): number | undefined {
  const scale = readScale(column);

  return scale === undefined ? undefined : scale + AVERAGE_DIGITS;
}

/** Digits behind the point of a column's values; undefined if each has its own. */
export function readScale({ kind, scale, precision }: CatalogColumn): number | undefined {
  if (kind !== 'decimal') return 0;

  return scale ?? (precision === undefined ? undefined : 0);
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

/** Types of bytes. */
export const BYTES: readonly (readonly [type: string, form: ColumnForm])[] = [
  'bytea',
  'blob',
  'tinyblob',
  'mediumblob',
  'longblob',
  'binary',
  'varbinary',
].map((type) => [type, 'bytes']);
