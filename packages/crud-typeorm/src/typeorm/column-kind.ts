/**
 * The kind of a column, by TypeORM's column type. A type that is not listed is `binary`: it can only be null or not.
 */
import type { ColumnKind } from '@nestwright/crud/adapter';
import { BIGINT_TYPES } from '@nestwright/sql';
import type { ColumnMetadata } from './column-metadata.js';
import { getDialect } from './dialect-of.js';

const KINDS: ReadonlyMap<unknown, ColumnKind> = new Map<unknown, ColumnKind>([
  ...typed('text', [
    String,
    'varchar',
    'character varying',
    'varying character',
    'nvarchar',
    'national varchar',
    'char',
    'character',
    'native character',
    'nchar',
    'national char',
    'text',
    'tinytext',
    'mediumtext',
    'longtext',
    'clob',
    'citext',
  ]),
  ...typed('integer', [Number, 'int', 'integer', 'int2', 'int4', 'tinyint', 'smallint', 'mediumint', 'year']),
  ...typed('bigint', [...BIGINT_TYPES]),
  ...typed('decimal', ['decimal', 'dec', 'numeric', 'fixed']),
  ...typed('float', ['float', 'float4', 'float8', 'double', 'double precision', 'real']),
  ...typed('boolean', [Boolean, 'boolean', 'bool']),
  ...typed('uuid', ['uuid']),
  ...typed('enum', ['enum', 'simple-enum']),
  ...typed('date', ['date']),
  ...typed('time', ['time', 'time without time zone', 'timetz', 'time with time zone']),
  ...typed('datetime', [
    Date,
    'datetime',
    'timestamp',
    'timestamp without time zone',
    'timestamptz',
    'timestamp with time zone',
  ]),
  ...typed('json', ['json', 'jsonb', 'simple-json']),
  ...typed('array', ['simple-array', 'set']),
]);

/** MySQL would take a smaller number for a two-digit year. */
const YEARS: readonly [bigint, bigint] = [1901n, 2155n];

/** Smallest and largest value by integer type: two's complement of the given number of bits. */
const BITS: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ['tinyint', 8],
  ['smallint', 16],
  ['int2', 16],
  ['mediumint', 24],
  [Number, 32],
  ['int', 32],
  ['int4', 32],
  ['integer', 32],
  ['bigint', 64],
  ['int8', 64],
]);

function typed(kind: ColumnKind, types: readonly unknown[]): [unknown, ColumnKind][] {
  return types.map((type) => [type, kind]);
}

/** Kind of a column; a column that is generated as a uuid is one whatever text type stores it. */
export function decideKind(column: ColumnMetadata): ColumnKind {
  return column.isArray ? 'array' : decideElementKind(column);
}

/** Kind of the elements of an array column, or of the column itself if it holds one value. */
export function decideElementKind(column: ColumnMetadata): ColumnKind {
  if (column.generationStrategy === 'uuid') return 'uuid';

  return KINDS.get(column.type) ?? KINDS_OF_VIEWS.get(readViewType(column)) ?? 'binary';
}

/**
 * Whether TypeORM assumes more of a column than `@Column()` says: an integer by the type of the property, or a length.
 */
export function isAssumed(column: ColumnMetadata): boolean {
  const isText = !column.length && assumeLength(column) > 0;

  return isAssumedInteger(column) || (isText && decideKind(column) === 'text');
}

/** Length of a text column whose entity names none; 0: unbounded. */
export function assumeLength({ type, entityMetadata }: ColumnMetadata): number {
  return type === String || type === 'varchar' ? getDialect(entityMetadata.connection).varcharLength : 0;
}

/** Whether only the type of a property says that its column stores integers. */
export function isAssumedInteger(column: ColumnMetadata): boolean {
  return column.type === Number;
}

/** Whether the database counts the values of a column, or of the one that it refers to. */
export function isCounted({ isGenerated, referencedColumn }: ColumnMetadata): boolean {
  return isGenerated || (referencedColumn !== undefined && isCounted(referencedColumn));
}

/** A view's columns only have their property's type, which does not distinguish integers from other numbers. */
const KINDS_OF_VIEWS: ReadonlyMap<unknown, ColumnKind> = new Map<unknown, ColumnKind>([
  [String, 'text'],
  [Number, 'float'],
  [Boolean, 'boolean'],
  [Date, 'datetime'],
]);

/** The type of a view column's property, as emitted by the compiler. */
function readViewType({ entityMetadata, target, propertyName }: ColumnMetadata): unknown {
  return entityMetadata.tableType === 'view' && typeof target === 'function'
    ? (Reflect as ReflectWithMetadata).getMetadata?.('design:type', target.prototype as object, propertyName)
    : undefined;
}

/** TypeORM loads reflect-metadata; without it, the type is unknown. */
type ReflectWithMetadata = typeof Reflect & {
  getMetadata?: (key: string, target: object, property: string) => unknown;
};

/** Range of an integer column, by its type alone, so that databases with wider integers refuse the same values. */
export function computeRange(column: ColumnMetadata, wideInteger: boolean): readonly [bigint, bigint] | undefined {
  if (wideInteger && column.type === 'integer')
    return [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)];

  if (column.type === 'year') return YEARS;

  const bits = BITS.get(column.type);
  if (bits === undefined) return undefined;

  const span = 1n << BigInt(bits);

  return column.unsigned ? [0n, span - 1n] : [-span / 2n, span / 2n - 1n];
}
