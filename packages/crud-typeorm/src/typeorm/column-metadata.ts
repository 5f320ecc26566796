/** TypeORM's metadata of a column; TypeORM's index does not export the type by name. */
import { getOrInsert } from '@nestwright/crud/adapter';
import { BIGINT_TYPES } from '@nestwright/sql';
import type { EntityMetadata } from 'typeorm';

export type ColumnMetadata = EntityMetadata['columns'][number];

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

const uncut = new WeakMap<ColumnMetadata, ColumnMetadata>();

/**
 * The column for TypeORM's driver, which cuts numbers off at the point if only the type of the property says that they
 * are numbers.
 */
function uncutColumn(column: ColumnMetadata): ColumnMetadata {
  return column.type === Number && !column.isArray
    ? getOrInsert(uncut, column, () => Object.create(column, { type: { value: 'double precision' } }) as ColumnMetadata)
    : column;
}

/** The value of a property as its column stores it: through the column's transformer and TypeORM's driver. */
export function toDriver(column: ColumnMetadata, value: unknown): unknown {
  return column.entityMetadata.connection.driver.preparePersistentValue(value, uncutColumn(column));
}

/** The value of a property for what the driver has read. */
function fromDriver(column: ColumnMetadata, value: unknown): unknown {
  const read = uncutColumn(column);
  const number = read !== column && typeof value === 'string' ? Number(value) : NaN;

  return column.entityMetadata.connection.driver.prepareHydratedValue(Number.isNaN(number) ? value : number, read);
}

/** Converts a driver's value to the property's value; undefined if they are the same. */
export function driverValueConverter(column: ColumnMetadata): ((value: unknown) => unknown) | undefined {
  return PLAIN.has(column.type) && !column.transformer && !column.isArray && !column.isVirtualProperty
    ? undefined
    : (value) => fromDriver(column, asText(value, column));
}

/** Bigints are text everywhere, as they do not fit into a number. */
function asText(value: unknown, { type }: ColumnMetadata): unknown {
  return BIGINT_TYPES.has(type) && (typeof value === 'number' || typeof value === 'bigint') ? String(value) : value;
}
