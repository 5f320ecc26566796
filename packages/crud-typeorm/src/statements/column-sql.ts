import { type ColumnMetadata, toDriver } from '../column-metadata.js';
import { getDialect } from '../dialect/dialect-of.js';

/** The escaped name of a column. */
export function columnName({ databaseName, entityMetadata: { connection } }: ColumnMetadata): string {
  return connection.driver.escape(databaseName);
}

/** A value as the driver takes it; a function is SQL. */
export function preparedValue(column: ColumnMetadata, value: unknown): unknown {
  return typeof value === 'function' ? value : toDriver(column, value);
}

export function defaultSql(column: ColumnMetadata): string {
  return getDialect(column.entityMetadata.connection).hasDefaultKeyword ? 'DEFAULT' : defaultExpression(column);
}

/** A column's default as an expression, where DEFAULT is not allowed. */
export function defaultExpression(column: ColumnMetadata): string {
  const { driver } = column.entityMetadata.connection;

  return column.default === undefined || column.default === null ? 'NULL' : String(driver.normalizeDefault(column));
}
