import { differenceOf } from '../dialect/difference.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { type Changes, isWritten, RESET } from './changes.js';
import { defaultExpression } from './column-sql.js';
import type { Predicate } from './values.js';

interface ColumnDifference {
  readonly column: ColumnMetadata;
  /** Undefined if the database cannot tell. */
  readonly sql: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** How names and values are written in the text of a difference. */
interface DifferenceText {
  /** Default: the escaped name of the column. */
  readonly name?: (column: ColumnMetadata) => string;
  /** Default: the name of a parameter. */
  readonly place?: (parameter: string) => string;
}

export function differencesOf(
  changes: Changes,
  {
    name = ({ databaseName, entityMetadata: { connection } }) => connection.driver.escape(databaseName),
    place = (parameter) => `:${parameter}`,
  }: DifferenceText = {},
): ColumnDifference[] {
  return [...changes]
    .filter(([column]) => isWritten(column))
    .map(([column, value], index) => {
      const { driver } = column.entityMetadata.connection;
      const parameter = `difference${index}`;

      return {
        column,
        sql: differenceOf(column, {
          name: name(column),
          value: value === RESET ? defaultExpression(column) : place(parameter),
        }),
        parameters: value === RESET ? {} : { [parameter]: driver.preparePersistentValue(value, column) },
      };
    });
}

/** The condition that a record does not have all values yet; undefined if the database cannot tell. */
export function differencePredicate(changes: Changes): Predicate | undefined {
  const differences = differencesOf(changes);

  return differences.length > 0 && differences.every(({ sql }) => sql !== undefined)
    ? {
        sql: differences.map(({ sql }) => sql).join(' OR '),
        parameters: Object.assign({}, ...differences.map(({ parameters }) => parameters)) as Predicate['parameters'],
      }
    : undefined;
}
