/** A statement that returns rows in, the rows out, kept only if they are in scope: by itself where nothing is left to be checked, in a transaction otherwise; a row out of scope is a 400. */
import { crudError } from '@nestwright/crud';
import type { QueryRunner } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { attempt, type StatementContext } from '../errors/statement-error.js';
import { toCrudError } from '../errors/to-crud-error.js';
import type { Row } from '../hydrate/hydrator.js';
import { locate } from '../persist/locate.js';
import { inTransaction, withoutTransaction } from '../persist/transaction.js';
import type { WriteContext } from '../persist/write-context.js';
import { noteRecurring } from '../prepared-statements.js';
import type { Answer } from './answer.js';

/** One statement, and what it is about. */
export interface BoundStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly context: StatementContext;
  /** Whether the same text comes again and again, which that of a bulk insert does not. */
  readonly recurs: boolean;
}

/** Runs the statements of one write: all of them, or none. */
export async function runReturning(
  { manager, catalog }: WriteContext,
  statements: readonly BoundStatement[],
  answer: Answer,
): Promise<readonly Row[]> {
  const { connection } = manager;
  // Transactions may have a level of their own, which a statement by itself would not have.
  const alone = statements.length === 1 && !answer.scoped && connection.options.isolationLevel === undefined;
  const work = async (runner: QueryRunner) => {
    const rows: Row[] = [];

    for (const statement of statements) {
      rows.push(...(await runOne(runner, statement)));
    }

    if (!rows.every(answer.isInScope)) {
      throw crudError('CRUD_OUT_OF_SCOPE');
    }

    return rows;
  };

  try {
    return await (alone ? withoutTransaction(manager, work) : inTransaction(manager, work));
  } catch (error) {
    throw toCrudError(await locate(manager, error), entityMetadataOf(catalog));
  }
}

async function runOne(
  runner: QueryRunner,
  { sql, parameters, context, recurs }: BoundStatement,
): Promise<readonly Row[]> {
  if (recurs) {
    noteRecurring(runner.manager.connection, sql);
  }

  const { records } = await attempt(context, () => runner.query(sql, [...parameters], true));

  return records as Row[];
}
