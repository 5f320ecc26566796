/** Values of columns in records. */
import type { Column, Entity } from './database.js';

/** Sets a property of a record itself, whatever accessor its prototype has. */
export function setOwnProperty(record: object, name: string, value: unknown): void {
  Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true });
}

/** The columns that foreign key columns refer to. */
export function referencedColumns(columns: readonly Column[]): Column[] {
  return columns.map(({ referencedColumn }) => referencedColumn!);
}

/**
 * Sets the value of a column in a record. A foreign key without a property of its own lies in the relation's property,
 * which is taken for an object as soon as it exists; a declared class field exists from the start, as `undefined`.
 */
export function setColumnValue(column: Column, record: Entity, value: unknown): void {
  if (column.isVirtual && !column.embedded && Object.hasOwn(record, column.propertyName))
    record[column.propertyName] ??= {};

  column.write(record, value);
}

/** The value of a property for what the driver has read. */
export function decodeValue({ decode }: Column, value: unknown): unknown {
  return decode ? decode(value) : value;
}
