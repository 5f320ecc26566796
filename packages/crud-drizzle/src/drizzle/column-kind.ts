/** The kind of a column and the name of its type, by Drizzle's metadata. A type that is not listed is `binary`. */
import type { ColumnKind } from '@nestwright/crud/adapter';
import type { Dialect } from '@nestwright/sql';
import type { Column } from 'drizzle-orm';

const KINDS: ReadonlyMap<string, ColumnKind> = new Map<string, ColumnKind>([
  ...named('text', ['varchar', 'char', 'text', 'tinytext', 'mediumtext', 'longtext', 'citext']),
  ...named('integer', ['integer', 'int', 'smallint', 'mediumint', 'tinyint', 'year', 'serial', 'smallserial']),
  ...named('bigint', ['bigint', 'bigserial']),
  ...named('decimal', ['numeric', 'decimal']),
  ...named('float', ['real', 'double', 'double precision', 'float']),
  ...named('boolean', ['boolean']),
  ...named('uuid', ['uuid']),
  ...named('date', ['date']),
  ...named('time', ['time', 'time with time zone']),
  ...named('datetime', ['timestamp', 'timestamp with time zone', 'datetime']),
  ...named('json', ['json', 'jsonb']),
]);

/** Bits of integers by the names that statements know their types by. */
const BITS: ReadonlyMap<string, number> = new Map([
  ['tinyint', 8],
  ['smallint', 16],
  ['mediumint', 24],
  ['integer', 32],
  ['int', 32],
  ['bigint', 64],
]);

/** Names that statements know types by, where they are not Drizzle's. */
const TYPES: Readonly<Record<Dialect['name'], ReadonlyMap<string, string>>> = {
  postgres: new Map([
    ['varchar', 'character varying'],
    ['char', 'character'],
    ['serial', 'integer'],
    ['smallserial', 'smallint'],
    ['bigserial', 'bigint'],
    ['timestamp', 'timestamp without time zone'],
    ['time', 'time without time zone'],
  ]),
  mysql: new Map([
    ['serial', 'bigint'],
    ['boolean', 'tinyint'],
  ]),
  sqlite: new Map(),
};

function named(kind: ColumnKind, types: readonly string[]): [string, ColumnKind][] {
  return types.map((type) => [type, kind]);
}

/** The type as the schema has it, without length, precision and members: `timestamp with time zone`. */
export function baseType(column: Column): string {
  const type = column.getSQLType().replace(' unsigned', '');
  const open = type.indexOf('(');
  const bare = open < 0 ? type : type.slice(0, open) + type.slice(type.lastIndexOf(')') + 1);

  return bare.replace(/\s+/g, ' ').trim();
}

/** The name that statements know the type of a column by. */
export function typeName(column: Column, dialect: Dialect['name']): string {
  if (isEnumType(column)) return 'enum';
  const base = baseType(column);

  return TYPES[dialect].get(base) ?? base;
}

/** Whether the database has a type of its own for the column's members. */
export function isEnumType({ columnType }: Column): boolean {
  return columnType === 'PgEnumColumn' || columnType === 'MySqlEnumColumn';
}

/** The kind of a column, or of the elements of a list. */
export function elementKind(column: Column): ColumnKind {
  const { dataType, enumValues } = column;
  if (isEnumType(column) || enumValues?.length) return 'enum';
  if (dataType === 'boolean') return 'boolean';
  if (dataType === 'date') return baseType(column) === 'date' ? 'date' : 'datetime';
  if (dataType === 'json') return 'json';

  const kind = KINDS.get(baseType(column)) ?? 'binary';

  // A number of 64 bits that is declared as one of JavaScript.
  return kind === 'bigint' && dataType === 'number' ? 'integer' : kind;
}

/** Smallest and largest value of an integer column. */
export function rangeOf(
  column: Column,
  kind: ColumnKind,
  { name, wideInteger }: Dialect,
): readonly [bigint, bigint] | undefined {
  const type = typeName(column, name);
  const bits = kind === 'bigint' ? 64 : BITS.get(type);
  if (bits === undefined) return undefined;

  const isSafe = kind === 'integer' && (bits === 64 || (wideInteger && type === 'integer'));
  if (isSafe) return [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)];

  const span = 1n << BigInt(bits);

  return / unsigned/.test(column.getSQLType()) ? [0n, span - 1n] : [-span / 2n, span / 2n - 1n];
}
