/** TypeORM's metadata of a column; TypeORM's index does not export the type by name. */
import { getOrInsert } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';

export type ColumnMetadata = EntityMetadata['columns'][number];

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
export function fromDriver(column: ColumnMetadata, value: unknown): unknown {
  const read = uncutColumn(column);
  const number = read !== column && typeof value === 'string' ? Number(value) : NaN;

  return column.entityMetadata.connection.driver.prepareHydratedValue(Number.isNaN(number) ? value : number, read);
}

/** Sets a property of an entity itself, whatever accessor TypeORM has put on its prototype. */
export function setOwnProperty(entity: object, name: string, value: unknown): void {
  Object.defineProperty(entity, name, { value, enumerable: true, writable: true, configurable: true });
}

/** The columns that foreign key columns refer to. */
export function referencedColumns(columns: readonly ColumnMetadata[]): ColumnMetadata[] {
  return columns.flatMap(({ referencedColumn }) => referencedColumn ?? []);
}

/**
 * Sets the value of a column in an entity. TypeORM puts a foreign key without a property of its own into the relation's
 * property, and takes it for an object as soon as it exists; a declared class field exists from the start, as
 * `undefined`.
 */
export function setColumnValue(column: ColumnMetadata, entity: ObjectLiteral, value: unknown): void {
  if (column.isVirtual && !column.embeddedMetadata && Object.hasOwn(entity, column.propertyName))
    entity[column.propertyName] ??= {};

  column.setEntityValue(entity, value);
}
