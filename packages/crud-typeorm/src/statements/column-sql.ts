/** The SQL of a column's value in INSERT and UPDATE. */
import type { DataSource } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';

/** Marks a value until the text is cut there; no identifier contains it. */
export const VALUE = '\0';

/** Puts placeholders between the parts of a text, the first of them after `offset` others. */
export function join({ driver }: DataSource, parts: readonly string[], offset: number): string {
  let text = parts[0] ?? '';

  for (let index = 1; index < parts.length; index += 1) {
    text += driver.createParameter('p', offset + index - 1) + parts[index]!;
  }

  return text;
}

/** A value as the driver takes it; a function is SQL. */
export function preparedValue(column: ColumnMetadata, value: unknown): unknown {
  return typeof value === 'function'
    ? value
    : (column.entityMetadata.connection.driver.preparePersistentValue(value, column) as unknown);
}

/** The SQL of a column's default; SQLite has no DEFAULT keyword for values. */
export function defaultSql(column: ColumnMetadata): string {
  return dialectOf(column.entityMetadata.connection).name === 'sqlite' ? defaultExpression(column) : 'DEFAULT';
}

/** A column's default as an expression, where DEFAULT is not allowed. */
export function defaultExpression(column: ColumnMetadata): string {
  const { driver } = column.entityMetadata.connection;

  return column.default === undefined || column.default === null ? 'NULL' : String(driver.normalizeDefault(column));
}

/**
 * The present moment in a column's precision: CURRENT_TIMESTAMP has whole seconds on MySQL and SQLite, which can lie before the creation of the record.
 *
 * @example
 * nowOf(metadata.updateDateColumn); // 'CURRENT_TIMESTAMP(6)' on MySQL
 */
export function nowOf(column: ColumnMetadata): string | undefined {
  return NOW[dialectOf(column.entityMetadata.connection).name](column);
}

const NOW = {
  postgres: () => undefined,
  mysql: ({ precision }) => (precision ? `CURRENT_TIMESTAMP(${precision})` : undefined),
  sqlite: ({ type }) => (type === 'datetime' || type === Date ? `strftime('%Y-%m-%d %H:%M:%f', 'now')` : undefined),
} as const satisfies Record<ReturnType<typeof dialectOf>['name'], (column: ColumnMetadata) => string | undefined>;
