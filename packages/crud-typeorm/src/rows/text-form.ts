/** Decides for each column of a result: print its text as it is, parse it directly, or use the driver's parser. */
import type { DataSource } from 'typeorm';
import { LruCache } from '../lru-cache.js';
import { numberOf } from '../number-of.js';
import { isDefaultParser, type PgParser, type PgTypes } from './default-parsers.js';
import { RAW_TYPES } from './raw-text.js';
import type { RowForm, TextForm } from './row-form.js';
import type { Field } from './text-query.js';

const forms = new LruCache<RowForm>();

/** Maximum number of cached forms, which are cached by number of columns. */
const MAX_FORMS = 32;

/** Memory of a cached column: its parser and its part of the form's name. */
const COLUMN_BYTES = 160;

/** A form and what it was made for. */
interface LastForm {
  readonly types: readonly number[];
  /** The parsers that the types had. */
  readonly parsers: readonly PgParser[];
  /** The answers of types that are not always readable. */
  readonly asked: readonly { readonly readable: () => boolean; readonly answer: boolean }[];
  readonly form: RowForm;
}

/** The last form by number of columns; usually the next one is the same. */
const lastForms = new WeakMap<PgTypes, Map<number, LastForm>>();

/** The form of rows with these columns. */
export function formOf(fields: readonly Field[], types: PgTypes, dataSource: DataSource): RowForm {
  let lasts = lastForms.get(types);
  if (!lasts) lastForms.set(types, (lasts = new Map()));

  const last = lasts.get(fields.length);
  if (last && isUnchanged(last, fields, types)) return last.form;

  const form = keptForm(fields, types, dataSource);
  const numbers = fields.map(({ dataTypeID }) => dataTypeID);
  if (lasts.size >= MAX_FORMS) lasts.clear();
  lasts.set(fields.length, {
    types: numbers,
    parsers: numbers.map((type) => types.getTypeParser(type)),
    asked: numbers.flatMap((type) => {
      const readable = RAW_TYPES.get(type)?.readable;

      return readable ? { readable, answer: readable() } : [];
    }),
    form,
  });

  return form;
}

function isUnchanged(last: LastForm, fields: readonly Field[], types: PgTypes): boolean {
  for (let index = 0; index < fields.length; index += 1) {
    const { dataTypeID: type } = fields[index]!;
    if (last.types[index] !== type || last.parsers[index] !== types.getTypeParser(type)) return false;
  }

  return last.asked.every(({ readable, answer }) => readable() === answer);
}

function keptForm(fields: readonly Field[], types: PgTypes, dataSource: DataSource): RowForm {
  let signature = 'arrays';
  for (const { dataTypeID: type } of fields) signature += readMarkOf(types, type) + String(type);

  return forms.get(dataSource, `${numberOf(types)} ${signature}`, (weigh) => {
    weigh(fields.length * COLUMN_BYTES);

    return makeForm(fields, types, signature);
  });
}

/** How the texts of a type are read, by a mark. */
function readMarkOf(types: PgTypes, type: number): string {
  return isUnparsed(types, type) ? ',' : isRaw(types, type) ? ':' : ';';
}

function makeForm(fields: readonly Field[], types: PgTypes, signature: string): RowForm {
  const texts = fields.map(({ dataTypeID }) => textForm(types, dataTypeID));

  return { signature, key: positionOf, textOf: (name) => texts[positionOf(name)] };
}

function textForm(types: PgTypes, type: number): TextForm {
  if (isUnparsed(types, type)) return {};

  return {
    parse: (text) => types.getTypeParser(type)(text),
    ...(isRaw(types, type) && { raw: RAW_TYPES.get(type)! }),
  };
}

/** No type has this number. */
const NO_TYPE = -1;

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
function positionOf(name: string): number {
  return Number(name.slice(1));
}
