/** TypeORM's metadata of a column; TypeORM's index does not export the type by name. */
import type { EntityMetadata, ObjectLiteral } from 'typeorm';

export type ColumnMetadata = EntityMetadata['columns'][number];

/** Sets a property of an entity itself, whatever accessor TypeORM has put on its prototype. */
export function setOwnProperty(entity: object, name: string, value: unknown): void {
  Object.defineProperty(entity, name, { value, enumerable: true, writable: true, configurable: true });
}

/** The columns that foreign key columns refer to. */
export function referencedColumns(columns: readonly ColumnMetadata[]): ColumnMetadata[] {
  return columns.flatMap(({ referencedColumn }) => referencedColumn ?? []);
}

/**
 * Sets the value of a column in an entity. TypeORM puts a foreign key without a property of its own into the relation's property, and takes it for an object as soon
 * as it exists; a declared class field exists from the start, as `undefined`.
 */
export function setColumnValue(column: ColumnMetadata, entity: ObjectLiteral, value: unknown): void {
  if (column.isVirtual && !column.embeddedMetadata && Object.hasOwn(entity, column.propertyName))
    entity[column.propertyName] ??= {};

  column.setEntityValue(entity, value);
}
