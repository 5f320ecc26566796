/** Checks a value against the column's metadata, so that every database gives the same answer. */
import { isObject } from '../definition/plain-objects.js';
import type { CatalogColumn, ColumnKind } from './catalog.js';
import { readForm } from './column-forms.js';
import { outOfRange, Refusal, wrongType } from './refusal.js';
import { explainRefusal, makeElementColumn, readStoredDecimal, readText, typedValue, unstorable } from './values.js';

/** Digits of a number that are exact, and the point. */
const EXACT_LENGTH = 16;
const WRONG_TYPE = 'has a value of the wrong type';

type Check = (column: CatalogColumn, raw: unknown) => unknown;

const CHECKS = {
  text: (column, raw) => {
    const text = checkText(column, raw);
    return text instanceof Refusal ? explainRefusal(text, column, (declared) => checkText(declared, raw)) : text;
  },
  integer: typedValue,
  bigint: typedValue,
  decimal: (column, raw) => {
    const value = readStoredDecimal(raw, column);
    // The property is a number, which has all digits of a shorter text.
    return column.assumed && typeof value === 'string' && value.length <= EXACT_LENGTH ? Number(value) : value;
  },
  float: typedValue,
  boolean: typedValue,
  uuid: typedValue,
  enum: typedValue,
  date: typedValue,
  time: typedValue,
  datetime: typedValue,
  json: ({ depth }, raw) => findUnstorable(raw, depth) ?? raw,
  array: (column, raw) => {
    if (!Array.isArray(raw)) return wrongType('must be an array');
    const element = makeElementColumn(column);
    const items = raw.map((item: unknown) => undivided(column, CHECKS_OF_ELEMENTS[element.kind](element, item)));
    const refusal = items.find((item) => item instanceof Refusal);
    return refusal ? new Refusal(refusal.code, `has an element that ${refusal.text}`) : items;
  },
  binary: ({ form = 'plain' }, raw) => readForm(form, raw) ?? wrongType(WRONG_TYPE),
} satisfies Record<ColumnKind, Check>;

// A table of its own, since the check of an array refers to it.
const CHECKS_OF_ELEMENTS: Readonly<Record<ColumnKind, Check>> = CHECKS;

/**
 * Reads and checks one value of a body as it will be stored: type, length in characters, range, calendar, enum members.
 * Null passes if the column takes it. A value that a transformer will change stays as it is.
 */
export function checkValue(column: CatalogColumn, raw: unknown): unknown {
  return column.transformed ? (checkTransformed(column, raw) ?? raw) : checkStored(column, raw);
}

function checkStored(column: CatalogColumn, raw: unknown): unknown {
  if (raw === null) return column.nullable ? null : new Refusal('CRUD_NOT_NULL_VIOLATION', 'must not be null');

  return CHECKS[column.kind](column, raw);
}

/**
 * Checks what a transformer makes of a value, and returns a refusal; a decimal that the transformer stores as it is,
 * rounded to its column's scale; or undefined. A number is checked as in any column; of other values only that the
 * result can be stored. Texts are not transformed here, since encrypting or hashing is expensive; the database checks
 * them.
 */
function checkTransformed(column: CatalogColumn, raw: unknown): unknown {
  const isNumber = NUMBERS.has(column.kind);
  if (!column.toStored || column.kind === 'json' || (!isNumber && !isStructured(raw))) return undefined;

  try {
    const stored = column.toStored(raw);
    if (stored === null || stored === undefined) return undefined;
    if (!isNumber && !isStructured(stored)) return undefined;
    const value = checkStored(column, stored);
    if (value instanceof Refusal) return isNumber ? value : wrongType(WRONG_TYPE);
    if (column.kind !== 'decimal' || String(stored) !== String(raw)) return undefined;
    return typeof raw === 'number' ? Number(value) : value;
  } catch {
    return wrongType(WRONG_TYPE);
  }
}

const NUMBERS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['integer', 'bigint', 'decimal', 'float']);

function isStructured(value: unknown): boolean {
  return isObject(value) && !(value instanceof Date) && !(value instanceof Uint8Array);
}

function undivided({ separator }: CatalogColumn, item: unknown): unknown {
  const isDivided = separator !== undefined && typeof item === 'string' && item.includes(separator);

  return isDivided ? wrongType(`must not contain ${JSON.stringify(separator)}`) : item;
}

function checkText({ length }: CatalogColumn, raw: unknown): string | Refusal {
  const text = raw instanceof Date ? wrongType('must be a string') : readText(raw);
  if (text instanceof Refusal || length === undefined) return text;
  // A text cannot have more characters than code units, which are cheap to count.
  if (text.length <= length || countCharacters(text) <= length) return text;

  return outOfRange(`must be at most ${length} characters long`);
}

/** Databases count code points; JavaScript counts a character beyond the first plane twice. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;

  return count;
}

/**
 * What makes a document impossible to store, in any of its texts or by its depth; without recursion, since clients
 * choose the depth.
 */
function findUnstorable(document: unknown, deepest = Number.POSITIVE_INFINITY): Refusal | undefined {
  const open: unknown[] = [document];
  const depths = [1];

  while (open.length > 0) {
    const value = open.pop();
    const depth = depths.pop()!;

    if (typeof value === 'string') {
      const refusal = unstorable(value);
      if (refusal) return refusal;
    } else if (typeof value === 'object' && value !== null) {
      if (depth > deepest) return outOfRange(`must be nested at most ${deepest} levels deep`);
      for (const [name, item] of Object.entries(value)) {
        open.push(name, item);
        depths.push(depth + 1, depth + 1);
      }
    }
  }

  return undefined;
}
