/**
 * Runs statements that return rows: without a transaction if nothing must be checked afterwards. A row out of scope is
 * a 400.
 */
import { clientOf, crudError, givenNames, reportFastPath } from '@nestwright/crud/adapter';
import { attempt, type StatementContext } from '../errors/statement-error.js';
import { toCrudError } from '../errors/to-crud-error.js';
import { requireBindable } from '../statements/execute.js';
import { locate } from '../statements/locate.js';
import { inTransaction, withoutTransaction } from '../statements/transaction.js';
import { unlessClientGone, type WriteContext, type Written } from '../statements/write-context.js';
import { withRetries } from '../connections/retry.js';
import { NAMED_FORMAT, type StatementRows } from '../database/rows.js';
import type { ReturningClause } from './returning-clause.js';
import { getTable } from '../database/links.js';
import { type Connection, getDatabase, isConnection } from '../database/database.js';

export interface BoundStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly context: StatementContext;
}

/** Runs the statements of one write, all or none, and returns the stored records. */
export async function runReturning(
  { store: { executor }, catalog, request }: WriteContext,
  statements: readonly BoundStatement[],
  answer: ReturningClause,
): Promise<Written[]> {
  const database = getDatabase(executor);
  // The application may set an isolation level for transactions, which a single statement would not have.
  const alone = statements.length === 1 && !answer.isInScope && database.isolation === undefined;
  const work = async (run: Run) => {
    const stored: Written[] = [];

    for (const { sql, parameters, context } of statements) {
      requireBindable(context, parameters);
      const returned = await attempt(context, () => run(sql, [...parameters]));
      const { rows, format } = returned;

      if (!rows.every((row) => answer.isInScope?.(row, format) ?? true)) throw crudError('CRUD_OUT_OF_SCOPE');

      stored.push(...answer.readWritten(returned));
    }

    return stored;
  };
  reportFastPath('returning');
  const client = isConnection(executor) ? undefined : clientOf(request);
  const onConnection = unlessClientGone(client, (connection) => work(namedRows(connection)));

  try {
    if (!alone) return await inTransaction(executor, onConnection);

    const forTexts = database.findTextQuery?.();

    return await (forTexts
      ? withRetries(() => work((sql, parameters) => forTexts(sql, parameters, { client, mayEnd: false })))
      : withoutTransaction(executor, onConnection));
  } catch (error) {
    throw toCrudError(await locate(executor, error), getTable(catalog), 'write', givenNames(request));
  }
}

type Run = (sql: string, parameters: unknown[]) => Promise<StatementRows>;

function namedRows(connection: Connection): Run {
  return async (sql, parameters) => {
    const { rows } = await connection.run(sql, parameters);

    return { rows, format: NAMED_FORMAT };
  };
}
