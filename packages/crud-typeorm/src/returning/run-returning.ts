/**
 * Runs statements that return rows: without a transaction if nothing must be checked afterwards. A row out of scope is
 * a 400.
 */
import { clientOf, crudError, reportFastPath } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import { attempt, type StatementContext } from '../errors/statement-error.js';
import { toCrudError } from '../errors/to-crud-error.js';
import { requireBindable } from '../statements/execute.js';
import { locate } from '../statements/locate.js';
import { inTransaction, withoutTransaction } from '../statements/transaction.js';
import { givenNames, unlessClientGone, type WriteContext, type Written } from '../statements/write-context.js';
import { withRetries } from '../retry.js';
import { makeArrayQuery } from '../rows/array-rows.js';
import { NAMED_FORMAT, type Row, type StatementRows } from '../rows/row-format.js';
import type { ReturningClause } from './returning-clause.js';

export interface BoundStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly context: StatementContext;
}

/** Runs the statements of one write, all or none, and returns the stored records. */
export async function runReturning(
  { store: { manager }, catalog, request }: WriteContext,
  statements: readonly BoundStatement[],
  answer: ReturningClause,
): Promise<Written[]> {
  const { connection } = manager;
  // The data source may set an isolation level for transactions, which a single statement would not have.
  const alone = statements.length === 1 && !answer.isInScope && connection.options.isolationLevel === undefined;
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
  const client = manager.queryRunner ? undefined : clientOf(request);
  const onRunner = unlessClientGone(client, (runner) => work(namedRows(runner)));

  try {
    if (!alone) return await inTransaction(manager, onRunner);

    const forTexts = makeArrayQuery(connection);

    return await (forTexts
      ? withRetries(() => work((sql, parameters) => forTexts(sql, parameters, { client, mayEnd: false })))
      : withoutTransaction(manager, onRunner));
  } catch (error) {
    throw toCrudError(await locate(manager, error), getEntityMetadata(catalog), 'write', givenNames(request));
  }
}

type Run = (sql: string, parameters: unknown[]) => Promise<StatementRows>;

function namedRows(runner: QueryRunner): Run {
  return async (sql, parameters) => {
    const { records } = await runner.query(sql, parameters, true);

    return { rows: records as Row[], format: NAMED_FORMAT };
  };
}
