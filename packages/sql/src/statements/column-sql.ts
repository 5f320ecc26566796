import type { Column } from '../database/database.js';

/** The escaped name of a column. */
export function columnName({ databaseName, table: { database } }: Column): string {
  return database.quote(databaseName);
}

/** A value as the driver takes it; a function is SQL. */
export function preparedValue(column: Column, value: unknown): unknown {
  return typeof value === 'function' ? value : column.encode(value);
}

export function defaultSql(column: Column): string {
  return column.table.database.dialect.hasDefaultKeyword ? 'DEFAULT' : defaultExpression(column);
}

/** A column's default as an expression, where DEFAULT is not allowed. */
export function defaultExpression(column: Column): string {
  return column.defaultSql ?? 'NULL';
}
