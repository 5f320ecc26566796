import { concatSql, type Sql, VALUE } from '../select/index.js';
import { type Changes, isWritten, RESET } from './changes.js';
import { columnName, defaultExpression } from './column-sql.js';
import type { Column } from '../database/database.js';

interface ColumnDifference {
  readonly column: Column;
  /** The condition that the column has another value; undefined if the database cannot tell. */
  readonly sql: Sql | undefined;
}

export function writeDifferences(changes: Changes, name: (column: Column) => string = columnName): ColumnDifference[] {
  return [...changes]
    .filter(([column]) => isWritten(column))
    .map(([column, value]) => {
      const isReset = value === RESET;
      const text = column.table.database.dialect.differs(column, {
        name: name(column),
        value: isReset ? defaultExpression(column) : VALUE,
      });

      return {
        column,
        sql: text === undefined ? undefined : { text, values: isReset ? [] : [column.encode(value)] },
      };
    });
}

/** The condition that a record does not have all values yet; undefined if the database cannot tell. */
export function differencePredicate(changes: Changes): Sql | undefined {
  const differences = writeDifferences(changes).map(({ sql }) => sql);
  const known = differences.filter((sql) => sql !== undefined);

  return known.length > 0 && known.length === differences.length ? concatSql(known, ' OR ') : undefined;
}
