/** POST as one INSERT that returns its rows; undefined if a transaction and a read are needed. */
import type { StatementContext } from '../errors/statement-error.js';
import { insertSql, bindEntity } from '../statements/insert-text.js';
import { chunks, generateUuids, newEntity, type NewRecord } from '../statements/new-entity.js';
import type { WriteContext, Written } from '../statements/write-context.js';
import { makeReturningClause, type ReturningClause } from './returning-clause.js';
import { findObstacle, logReason } from './reasons-against.js';
import { type BoundStatement, runReturning } from './run-returning.js';
import { getTable } from '../database/links.js';
import type { Table } from '../database/database.js';

/** Inserts records and answers with them, in the order given. */
export async function insertReturning(
  context: WriteContext,
  records: readonly NewRecord[],
  { shallow }: { readonly shallow: boolean },
): Promise<Written[] | undefined> {
  const table = getTable(context.catalog);
  const obstacle = findObstacle(
    context,
    'insert',
    records.map(({ plan }) => plan),
  );
  const answer = obstacle === undefined ? makeReturningClause(context, { shallow }) : undefined;
  if (!answer) return logReason(table, obstacle ?? 'the answer has joined records');

  const statements: BoundStatement[] = [];

  for (const chunk of chunks(records, table)) {
    const bound = bindRows(table, chunk, answer);
    if (!bound) return logReason(table, 'a value is an expression');

    statements.push(bound);
  }

  return runReturning(context, statements, answer);
}

function bindRows(table: Table, chunk: readonly NewRecord[], answer: ReturningClause): BoundStatement | undefined {
  const entities = chunk.map(({ plan }) => newEntity(table, plan));
  for (const entity of entities) generateUuids(table, entity);
  const rows = entities.map((entity) => bindEntity(table, entity));
  if (rows.some(({ hasSql }) => hasSql)) return undefined;

  const returning = { text: answer.sql, values: answer.parameters };
  const context: StatementContext = {
    table,
    operation: 'store',
    paths: chunk.map(({ path }) => path),
    rows: entities,
  };

  return { ...insertSql(table.database, rows, returning), context };
}
