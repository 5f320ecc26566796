/**
 * Runs statements after checking that the driver binds their values; values that it does not (made by a transformer or
 * hook) are a 400.
 */
import { crudError } from '@nestwright/crud/adapter';
import { nameProperty } from '../errors/blame.js';
import { attempt, type StatementContext } from '../errors/statement-error.js';
import { type Sql, withPlaceholders } from '../select/index.js';
import type { Connection, Database, Result } from '../database/database.js';

/** A statement with its placeholders. */
export interface BoundSql {
  readonly sql: string;
  readonly parameters: unknown[];
}

export function placeSql(database: Database, { text, values }: Sql): BoundSql {
  return { sql: withPlaceholders(database, text), parameters: values.map(database.dialect.bound) };
}

/** Runs a statement. Errors of transformers, which are called while it is written, are those of the statement. */
export function execute(connection: Connection, context: StatementContext, write: () => BoundSql): Promise<Result> {
  return attempt(context, async () => {
    const { sql, parameters } = write();
    requireBindable(context, parameters);

    return connection.run(sql, parameters);
  });
}

/** Throws a 400 if the driver would not bind a value as one value: mysql2 expands an object into columns. */
export function requireBindable(context: StatementContext, parameters: readonly unknown[]): void {
  const { binds } = context.table.database.dialect;
  if (parameters.every(binds)) return;

  const { field, path } = blamed(context, binds);
  const at = [path, field].filter(Boolean).join('.');
  throw crudError('CRUD_INVALID_VALUE', at ? { field: at, message: [`${at} has a value of the wrong type`] } : {});
}

/** The column of the value, and the place of its row in the body. */
function blamed(
  { table, rows, paths, field }: StatementContext,
  binds: (value: unknown) => boolean,
): { field?: string | undefined; path?: string | undefined } {
  if (field !== undefined) return { field, path: paths[0] };

  for (const [index, row] of rows.entries()) {
    const column = table.columns.find((each) => !binds(each.encode(each.read(row))));
    if (column) return { field: nameProperty(column), path: paths[index] };
  }

  return {};
}
