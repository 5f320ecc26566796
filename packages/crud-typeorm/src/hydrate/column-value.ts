import { type ColumnMetadata, fromDriver } from '../column-metadata.js';
import { BIGINT_TYPES } from '../dialect/shared.js';
import { directText, type TextFormat } from '../rows/row-format.js';

type Prepare = (value: unknown) => unknown;

/** Types whose driver values TypeORM does not convert, on any database. */
const PLAIN: ReadonlySet<unknown> = new Set([
  String,
  'varchar',
  'character varying',
  'char',
  'character',
  'text',
  'tinytext',
  'mediumtext',
  'longtext',
  'uuid',
  'int',
  'integer',
  'int2',
  'int4',
  'smallint',
  'mediumint',
  'tinyint',
  'double',
  'double precision',
  'float',
  'float8',
  'real',
]);

/** Converts a row's value to the property's value; undefined if they are the same. */
export function rowValueConverter(column: ColumnMetadata, text: TextFormat | undefined): Prepare | undefined {
  const prepare = driverValueConverter(column);
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

/** Converts a driver's value to the property's value; undefined if they are the same. */
export function driverValueConverter(column: ColumnMetadata): Prepare | undefined {
  return PLAIN.has(column.type) && !column.transformer && !column.isArray && !column.isVirtualProperty
    ? undefined
    : (value) => fromDriver(column, asText(value, column));
}

/** Enumerations have few members, so what is made of each is cached. */
export function cachingMembers<T>(
  { type, enum: members, isArray, transformer }: ColumnMetadata,
  convert: (value: unknown) => T,
): (value: unknown) => T {
  if (type !== 'enum' || !members || isArray || transformer) return convert;

  const known = new Map<unknown, T>(members.map((member) => [String(member), convert(String(member))]));

  return (value) => known.get(value) ?? convert(value);
}

/** Bigints are text everywhere, as they do not fit into a number. */
function asText(value: unknown, { type }: ColumnMetadata): unknown {
  return BIGINT_TYPES.has(type) && (typeof value === 'number' || typeof value === 'bigint') ? String(value) : value;
}
