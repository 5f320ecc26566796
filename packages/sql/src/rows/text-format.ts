/** Decides for each column of a result: print its text as it is, parse it directly, or use the driver's parser. */
import { LruCache } from '../lru-cache.js';
import { getObjectNumber } from '../number-of.js';
import { isDefaultParser, NO_TYPE, type PgTypes } from './default-parsers.js';
import { RAW_TYPES } from './raw-text.js';
import type { RowFormat, TextFormat } from '../database/rows.js';
import type { Field } from './text-query.js';
import type { Database } from '../database/database.js';

const NONE: ReadonlySet<number> = new Set();

const formats = new LruCache<RowFormat>();

/** Memory of a cached column: its parser and its part of the format's name. */
const COLUMN_BYTES = 160;

/**
 * The format of rows of the database's own texts, which is made once for equal types of columns.
 *
 * @param kept types whose values stay texts; the same for all statements of a database
 */
export function getRowFormat(
  fields: readonly Field[],
  types: PgTypes,
  database: Database,
  kept: ReadonlySet<number> = NONE,
): RowFormat {
  const unknown = types.getTypeParser(NO_TYPE);
  let signature = 'arrays';
  for (const { dataTypeID: type } of fields) {
    const mark = types.getTypeParser(type) === unknown ? ',' : isRaw(types, type) ? ':' : ';';
    signature += mark + String(type);
  }

  return formats.get(database, `${getObjectNumber(types)} ${signature}`, (weigh) => {
    weigh(fields.length * COLUMN_BYTES);

    return makeFormat(fields, types, kept, signature);
  });
}

function makeFormat(fields: readonly Field[], types: PgTypes, kept: ReadonlySet<number>, signature: string): RowFormat {
  const texts = fields.map(({ dataTypeID }) => (kept.has(dataTypeID) ? {} : makeTextFormat(types, dataTypeID)));

  return { signature, key: parsePosition, findTextFormat: (name) => texts[parsePosition(name)] };
}

function makeTextFormat(types: PgTypes, type: number): TextFormat {
  if (isUnparsed(types, type)) return {};

  return {
    parse: (text) => types.getTypeParser(type)(text),
    ...(isRaw(types, type) && { raw: RAW_TYPES.get(type)! }),
  };
}

/** Whether a type has pg's parser for unknown types, which returns the text. */
function isUnparsed(types: PgTypes, type: number): boolean {
  return types.getTypeParser(type) === types.getTypeParser(NO_TYPE);
}

/** Whether values of a type need no parser. */
function isRaw(types: PgTypes, type: number): boolean {
  const raw = RAW_TYPES.get(type);

  return raw !== undefined && (raw.readable?.() ?? true) && isDefaultParser(types, type);
}

/** Statements name what they select c0, c1 … in the order of the list. */
function parsePosition(name: string): number {
  return Number(name.slice(1));
}
