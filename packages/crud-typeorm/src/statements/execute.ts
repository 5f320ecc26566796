/**
 * Runs statements after checking that the driver binds their values; values that it does not (made by a transformer or
 * hook) are a 400.
 */
import { crudError } from '@nestwright/crud/adapter';
import type { DataSource, QueryResult, QueryRunner } from 'typeorm';
import { toDriver } from '../column-metadata.js';
import { getDialect } from '../dialect/dialect-of.js';
import { nameProperty } from '../errors/blame.js';
import { attempt, type StatementContext } from '../errors/statement-error.js';
import { type Sql, withPlaceholders } from '../sql/index.js';

/** A statement with its placeholders. */
export interface BoundSql {
  readonly sql: string;
  readonly parameters: unknown[];
}

export function placeSql(connection: DataSource, { text, values }: Sql): BoundSql {
  return { sql: withPlaceholders(connection, text), parameters: values.map(getDialect(connection).bound) };
}

/** Runs a statement. Errors of transformers, which are called while it is written, are those of the statement. */
export function execute(runner: QueryRunner, context: StatementContext, write: () => BoundSql): Promise<QueryResult> {
  return attempt(context, async () => {
    const { sql, parameters } = write();
    requireBindable(context, parameters);

    return runner.query(sql, parameters, true);
  });
}

/** Throws a 400 if the driver would not bind a value as one value: mysql2 expands an object into columns. */
export function requireBindable(context: StatementContext, parameters: readonly unknown[]): void {
  const { binds } = getDialect(context.metadata.connection);
  if (parameters.every(binds)) return;

  const { field, path } = blamed(context, binds);
  const at = [path, field].filter(Boolean).join('.');
  throw crudError('CRUD_INVALID_VALUE', at ? { field: at, message: [`${at} has a value of the wrong type`] } : {});
}

/** The column of the value, and the place of its row in the body. */
function blamed(
  { metadata, rows, paths, field }: StatementContext,
  binds: (value: unknown) => boolean,
): { field?: string | undefined; path?: string | undefined } {
  if (field !== undefined) return { field, path: paths[0] };

  for (const [index, row] of rows.entries()) {
    const column = metadata.columns.find((each) => !binds(toDriver(each, each.getEntityValue(row))));
    if (column) return { field: nameProperty(column), path: paths[index] };
  }

  return {};
}
