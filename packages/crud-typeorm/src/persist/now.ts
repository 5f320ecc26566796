/** A date column goes in, the SQL of the present moment comes out, as precise as the column; undefined where TypeORM's own CURRENT_TIMESTAMP is. */
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';

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
