/** Reads values of clients and of trusted conditions as the column's type. */
import { crudError } from '../errors.js';
import { oncePerObject } from '../get-or-insert.js';
import type { CatalogColumn, ColumnKind } from './catalog.js';
import {
  inCalendar,
  printDecimal,
  readDay,
  readDecimal,
  readMoment,
  readTime,
  roundDecimal,
} from './numbers-and-dates.js';
import { outOfRange, Refusal, wrongType } from './refusal.js';

type Reader = (raw: unknown, column: CatalogColumn) => unknown;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INT64: readonly [bigint, bigint] = [-(2n ** 63n), 2n ** 63n - 1n];
const SAFE: readonly [bigint, bigint] = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)];
/**
 * Digits that a decimal without a declared precision may have before the point: the least that a supported database
 * holds.
 */
const WHOLE_DIGITS = 65;
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
]);

const BYTE = 255n;
const FLAGS: ReadonlyMap<unknown, bigint> = new Map<unknown, bigint>([
  [true, 1n],
  [false, 0n],
  ['true', 1n],
  ['false', 0n],
]);
const LONE_SURROGATE = /\p{Surrogate}/u;
const INTEGER = /^-?\d+$/;

/** How the values of each kind are read. */
const READERS = {
  text: readText,
  integer: (raw, { range = SAFE }) => {
    if (Number.isSafeInteger(raw))
      return isInRange(raw as number, range) ? (raw as number) + 0 : makeRangeRefusal(range);
    // MySQL and SQLite return booleans as one byte.
    const flag = range[1] <= BYTE ? FLAGS.get(raw) : undefined;
    const value = flag ?? readWhole(raw, range);
    return value instanceof Refusal ? value : Number(value);
  },
  bigint: (raw, { range = INT64 }) => {
    // A JSON number beyond 2^53 has lost digits before it could be read.
    if (Number.isInteger(raw) && !Number.isSafeInteger(raw))
      return wrongType('must be sent as text to keep its digits');
    const value = readWhole(raw, range);
    return value instanceof Refusal ? value : String(value);
  },
  decimal: readFixed,
  float: (raw) => {
    if (Number.isFinite(raw)) return raw;
    const value = isNumeric(raw) && readDecimal(raw) ? Number(raw) : NaN;
    if (Number.isNaN(value)) return wrongType('must be a number');
    return Number.isFinite(value) ? value : outOfRange('is out of range');
  },
  boolean: (raw) => BOOLEANS.get(raw) ?? wrongType('must be true or false'),
  uuid: (raw) => (typeof raw === 'string' && UUID.test(raw) ? raw.toLowerCase() : wrongType('must be a UUID')),
  enum: (raw, { members = [] }) =>
    (typeof raw === 'string' || typeof raw === 'number'
      ? members.find((member) => String(member) === String(raw))
      : undefined) ?? wrongType(`must be one of: ${members.join(', ')}`),
  date: (raw) =>
    (typeof raw === 'string' || raw instanceof Date ? readDay(raw) : undefined) ??
    wrongType('must be a date (YYYY-MM-DD)'),
  time: (raw, { zoned }) =>
    (typeof raw === 'string' ? readTime(raw, zoned) : undefined) ?? wrongType('must be a time (HH:MM:SS)'),
  datetime: (raw) =>
    (typeof raw === 'string' ? readMoment(raw) : raw instanceof Date ? inCalendar(raw) : undefined) ??
    wrongType('must be a date and time (ISO 8601)'),
  json: () => wrongType('cannot be compared'),
  array: () => wrongType('cannot be compared'),
  binary: () => wrongType('cannot be compared'),
} satisfies Record<ColumnKind, Reader>;

/** As {@link readValue}, but hands the refusal back for callers that word or collect errors themselves. */
export function typedValue(column: CatalogColumn, raw: unknown): unknown {
  const value = READERS[column.kind](raw, column);

  return value instanceof Refusal
    ? explainRefusal(value, column, (declared) => READERS[declared.kind](raw, declared))
    : value;
}

/** A refusal that `validation.columns: 'declared'` would prevent names that option. */
export function explainRefusal(
  refusal: Refusal,
  { declared }: CatalogColumn,
  read: (declared: CatalogColumn) => unknown,
): Refusal {
  // A counted key is an integer in any case.
  if (!declared || declared.kind === 'integer' || read(declared) instanceof Refusal) return refusal;

  return new Refusal(
    refusal.code,
    `${refusal.text} (assumed, since @Column() does not declare it; validation: { columns: 'declared' } leaves it out)`,
  );
}

/** As {@link typedValue}, for one element of an array column. */
export function typedElement(column: CatalogColumn, raw: unknown): unknown {
  const element = makeElementColumn(column);

  return READERS[element.kind](raw, element);
}

/** The elements of an array column, as if they were a column of their own. */
export const makeElementColumn = oncePerObject((column: CatalogColumn): CatalogColumn => ({
  ...column,
  kind: column.elementKind ?? 'text',
}));

/**
 * Reads one value by a column's type: text or JSON in, the typed value out (a bigint or decimal as text, a moment as
 * `Date`, a day as `YYYY-MM-DD`). Throws a 400 `CRUD_INVALID_VALUE` that names the field, never the value.
 *
 * @example
 * readValue(catalog.columns.get('age'), '42'); // 42
 */
export function readValue(column: CatalogColumn, raw: unknown, field: string = column.path): unknown {
  const value = typedValue(column, raw);
  if (value instanceof Refusal) throw refused(field, value.text);

  return value;
}

/** The error for a value that cannot be compared with a column. */
export function refused(field: string, text: string): Error {
  return crudError('CRUD_INVALID_VALUE', { message: `${field} ${text}`, field });
}

/** Reads text, or the text of a primitive as JSON prints it. */
export function readText(raw: unknown): string | Refusal {
  const text = typeof raw === 'number' && !Number.isFinite(raw) ? undefined : printPrimitive(raw);
  if (text === undefined) return wrongType('must be a string');

  return unstorable(text) ?? text;
}

/**
 * Why a text cannot be stored or compared as it is: PostgreSQL has no NUL, and half of a pair of surrogates has no
 * encoding.
 */
export function unstorable(text: string): Refusal | undefined {
  if (text.includes('\0')) return wrongType('must not contain NUL characters');

  return isWellFormed(text) ? undefined : wrongType('must be well-formed Unicode');
}

/** Whether a text has no surrogate without its other half. */
function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

function printPrimitive(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'number' || typeof raw === 'boolean' || typeof raw === 'bigint') return String(raw);

  return raw instanceof Date ? inCalendar(raw)?.toISOString() : undefined;
}

function isNumeric(raw: unknown): raw is string | number | bigint {
  return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'bigint';
}

type Range = readonly [min: bigint, max: bigint];

/** Reads an integer of any size; the texts `1.0` and `1e3` are none. */
function readWhole(raw: unknown, range: Range): bigint | Refusal {
  const isWhole = typeof raw === 'string' ? INTEGER.test(raw) : typeof raw === 'bigint' || Number.isInteger(raw);
  if (!isWhole) return wrongType('must be an integer');
  const value = BigInt(raw as string | number | bigint);

  return isInRange(value, range) ? value : makeRangeRefusal(range);
}

function isInRange(value: bigint | number, [min, max]: Range): boolean {
  return value >= min && value <= max;
}

function makeRangeRefusal([min, max]: Range): Refusal {
  return outOfRange(`must be between ${min} and ${max}`);
}

/**
 * Reads a decimal as its column stores it: rounded to its scale, half away from zero, since databases round in
 * different ways.
 */
export function readStoredDecimal(raw: unknown, column: CatalogColumn): string | Refusal {
  const value = isNumeric(raw) ? readDecimal(raw) : undefined;
  const { precision, scale } = column;
  if (value === undefined || (precision === undefined && scale === undefined)) return readFixed(raw, column);

  return readFixed(printDecimal(roundDecimal(value, scale ?? 0)), column);
}

function readFixed(raw: unknown, { precision, scale = 0 }: CatalogColumn): string | Refusal {
  const value = isNumeric(raw) ? readDecimal(raw) : undefined;
  if (value === undefined) return wrongType('must be a number');

  const digits = precision === undefined ? WHOLE_DIGITS : precision - scale;
  if (value.whole !== '0' && value.whole.length > digits)
    return outOfRange(`must have at most ${digits} digits before the decimal point`);

  return printDecimal(value);
}
