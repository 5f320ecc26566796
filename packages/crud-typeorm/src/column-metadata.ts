/** TypeORM's metadata of a column; TypeORM's index does not export the type by name. */
import type { EntityMetadata, ObjectLiteral } from 'typeorm';

export type ColumnMetadata = EntityMetadata['columns'][number];

/** The columns that foreign key columns refer to. */
export function referencedColumns(columns: readonly ColumnMetadata[]): ColumnMetadata[] {
  return columns.flatMap(({ referencedColumn }) => referencedColumn ?? []);
}

/**
 * Sets the value of a column in an entity. TypeORM puts a foreign key without a property of its own into the relation's property, and takes it for an object as soon
 * as it exists; a declared class field exists from the start, as `undefined`.
 */
export function setColumnValue(column: ColumnMetadata, entity: ObjectLiteral, value: unknown): void {
  if (column.isVirtual && !column.embeddedMetadata && Object.hasOwn(entity, column.propertyName)) {
    entity[column.propertyName] ??= {};
  }
  column.setEntityValue(entity, value);
}
