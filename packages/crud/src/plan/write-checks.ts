/** One value of a body and its column in, the value to store out; refuses what the column's metadata can tell to be wrong, so that every database says the same. */
import type { CatalogColumn, ColumnKind } from './catalog.js';
import { outOfRange, Refusal, wrongType } from './refusal.js';
import { elementOf, readText, typedValue, unstorable } from './values.js';

const WRONG_TYPE = 'has a value of the wrong type';

type Check = (column: CatalogColumn, raw: unknown) => unknown;

const CHECKS = {
  text: (column, raw) => {
    const text = raw instanceof Date ? wrongType('must be a string') : readText(raw);
    return text instanceof Refusal ? text : withinLength(column, text);
  },
  integer: typedValue,
  bigint: typedValue,
  decimal: typedValue,
  float: typedValue,
  boolean: typedValue,
  uuid: typedValue,
  enum: typedValue,
  date: typedValue,
  time: typedValue,
  datetime: typedValue,
  json: (_column, raw) => findUnstorable(raw) ?? raw,
  array: (column, raw) => {
    if (!Array.isArray(raw)) return wrongType('must be an array');
    const element = elementOf(column);
    const items = raw.map((item: unknown) => CHECKS_OF_ELEMENTS[element.kind](element, item));
    const refusal = items.find((item) => item instanceof Refusal);
    return refusal ? new Refusal(refusal.code, `has an element that ${refusal.text}`) : items;
  },
  binary: (_column, raw) => readOther(raw) ?? wrongType(WRONG_TYPE),
} satisfies Record<ColumnKind, Check>;

// Named apart, since an array's check refers to the table that it stands in.
const CHECKS_OF_ELEMENTS: Readonly<Record<ColumnKind, Check>> = CHECKS;

/**
 * Reads and checks one value as it will be stored: type, length in characters, range, calendar, enum members. Null passes where the column takes it.
 * Values of columns with a transformer are the entity's affair and not meant for this, but what their transformers make of them is.
 */
export function checkValue(column: CatalogColumn, raw: unknown): unknown {
  if (raw === null) return column.nullable ? null : new Refusal('CRUD_NOT_NULL_VIOLATION', 'must not be null');

  return CHECKS[column.kind](column, raw);
}

/**
 * Checks a value of a column with a transformer by what is stored of it: a number as any other, of other values only that something storable is left of an object. Texts are not
 * put through their transformers here, since those that encrypt or hash are dear; the database judges them.
 */
export function checkStored(column: CatalogColumn, raw: unknown): Refusal | undefined {
  const isNumber = NUMBERS.has(column.kind);
  if (!column.toStored || column.kind === 'json' || (!isNumber && !isObject(raw))) return undefined;

  try {
    const stored = column.toStored(raw);
    if (stored === null || stored === undefined) return undefined;
    const value = isNumber ? checkValue(column, stored) : isObject(stored) ? wrongType(WRONG_TYPE) : stored;
    return value instanceof Refusal ? value : undefined;
  } catch {
    return wrongType(WRONG_TYPE);
  }
}

const NUMBERS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['integer', 'bigint', 'decimal', 'float']);

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Uint8Array);
}

/**
 * A value of a type that planning knows nothing of, or of bytes: bytes as they are, or as JSON prints a Buffer; text, numbers and booleans for the database to judge; GeoJSON. No other
 * object, which drivers would store in ways of their own.
 */
function readOther(raw: unknown): unknown {
  if (typeof raw === 'string') return unstorable(raw) ? undefined : raw;
  if (typeof raw === 'number' || typeof raw === 'boolean' || raw instanceof Uint8Array) return raw;
  if (typeof raw !== 'object' || raw === null || !('type' in raw) || typeof raw.type !== 'string') return undefined;

  if (raw.type === 'Buffer' && 'data' in raw && isBytes(raw.data)) return Buffer.from(raw.data);

  return 'coordinates' in raw || 'geometries' in raw ? raw : undefined;
}

function isBytes(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.every((byte: unknown) => Number.isInteger(byte) && (byte as number) >= 0 && (byte as number) <= 255)
  );
}

function withinLength({ length }: CatalogColumn, text: string): string | Refusal {
  // A text cannot have more characters than code units, which are cheap to count.
  if (length === undefined || text.length <= length || countCharacters(text) <= length) return text;

  return outOfRange(`must be at most ${length} characters long`);
}

/** Databases count code points; JavaScript counts a character beyond the first plane twice. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;

  return count;
}

/** What makes a document impossible to store, in any of its texts; without recursion, since clients choose the depth. */
function findUnstorable(document: unknown): Refusal | undefined {
  const open = [document];
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value === 'string') {
      const refusal = unstorable(value);
      if (refusal) return refusal;
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) open.push(name, item);
    }
  }

  return undefined;
}
