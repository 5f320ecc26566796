/** JSON of one column. Values that are not plain go through class-transformer and `JSON.stringify` themselves. */
import { jsonProperty } from '@nestwright/crud/adapter';
import { cachingMembers } from '../hydrate/column-value.js';
import type { RowFormat } from '../database/rows.js';
import { directText } from '../rows/direct-text.js';
import { numberJson, textJson } from './text.js';
import type { Column } from '../database/database.js';

/** JSON of a row's value; undefined if JSON leaves the property out. */
type CellJson = (value: unknown) => string | undefined;

/** The JSON of one column in rows of one format. */
export function cellJson(column: Column, name: string, format: RowFormat): CellJson {
  const prepare = column.decode;
  const general: CellJson = (value) => {
    const prepared = prepare ? prepare(value) : value;

    return plainJson(prepared) ?? jsonProperty(column.propertyName, prepared);
  };
  const text = format.findTextFormat(name);
  if (!text) return cachingMembers(column, general);

  const { parse } = text;
  if (!parse) return cachingMembers(column, prepare ? general : verbatimJson);

  const parsed: CellJson = (value) => general(typeof value === 'string' ? parse(value) : value);
  const direct = directText(column, text);
  if (!direct) return parsed;

  const { json } = direct;

  return (value) => (typeof value === 'string' ? (json(value) ?? parsed(value)) : general(value));
}

/** A text or null, and nothing else. */
function verbatimJson(value: unknown): string {
  return value === null ? 'null' : textJson(value as string);
}

function plainJson(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return textJson(value);
    case 'number':
      return numberJson(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      if (value === null) return 'null';

      return isMoment(value) ? dateJson(value) : undefined;
  }
}

function isMoment(value: unknown): value is Date {
  return value instanceof Date && Object.getPrototypeOf(value) === Date.prototype && !Object.hasOwn(value, 'toJSON');
}

function dateJson(value: Date): string {
  return Number.isNaN(value.getTime()) ? 'null' : `"${value.toISOString()}"`;
}
