import type { Column } from '../database/database.js';
import type { TextFormat } from '../database/rows.js';
import { directText } from '../rows/direct-text.js';

type Prepare = (value: unknown) => unknown;

/** Converts a row's value to the property's value; undefined if they are the same. */
export function rowValueConverter(column: Column, text: TextFormat | undefined): Prepare | undefined {
  const prepare = column.decode;
  const parse = text?.parse;
  if (!parse) return prepare && cachingMembers(column, prepare);

  const parsed: Prepare = (value) => {
    const read = typeof value === 'string' ? parse(value) : value;

    return prepare ? prepare(read) : read;
  };
  const direct = directText(column, text);
  if (!direct) return parsed;

  const { value: valueOf } = direct;

  return (value) => {
    const read = typeof value === 'string' ? valueOf(value) : undefined;

    return read === undefined ? parsed(value) : read;
  };
}

/** Enumerations have few members, so what is made of each is cached. */
export function cachingMembers<T>(
  { type, members = [], isArray, isTransformed }: Column,
  convert: (value: unknown) => T,
): (value: unknown) => T {
  if (type !== 'enum' || isArray || isTransformed) return convert;

  const known = new Map<unknown, T>(members.map((member) => [String(member), convert(String(member))]));

  return (value) => known.get(value) ?? convert(value);
}
