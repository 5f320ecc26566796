/** How the statements of a read run: for the database's own texts if possible, otherwise for the driver's values. */
import { type Client, type ReadPlan } from '@nestwright/crud/adapter';
import { takesFastPath } from '../database/fast-paths.js';
import { NAMED_FORMAT, type StatementRows } from '../database/rows.js';
import type { Draft, RelatedStatement } from './compile-record.js';
import { keyPages } from './list-size.js';
import { bindStatement, type Statement, type StatementInput } from './parameters.js';
import { runStatement, withConnection } from './run.js';
import { type Connection, type Executor, isConnection, type TextQuery } from '../database/database.js';

export type RunStatement = (statement: Statement, input: StatementInput) => Promise<StatementRows>;

/** Runs work with a function that runs statements on a executor. */
export function withStatements<T>(
  draft: Draft,
  executor: Executor,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  const { plan, database, client } = draft;
  // The cache of results stores rows as drivers return them; a transaction has its own connection.
  const arrays =
    plan.cache || isConnection(executor) || !takesFastPath(database, 'rows') ? undefined : database.findTextQuery?.();

  return arrays
    ? work(runForArrays(arrays, client))
    : withConnection(executor, (connection) => work(runForNames(connection, draft)), client);
}

function runForArrays(query: TextQuery, client: Client | undefined): RunStatement {
  return (statement, input) => query(statement.sql, bindStatement(statement, input), { client, mayEnd: true });
}

/** Runs statements on a connection, with rows by name. */
export function runForNames(connection: Connection, { plan, client }: Pick<Draft, 'plan' | 'client'>): RunStatement {
  return async (statement, input) => ({
    rows: await runStatement(connection, statement, input, { cache: plan.cache, client }),
    format: NAMED_FORMAT,
  });
}

/** Runs statements on an open connection, for the database's own texts if possible. */
export async function runOnConnection(connection: Connection, draft: Draft): Promise<RunStatement> {
  const { database } = draft;
  const arrays = takesFastPath(database, 'rows') ? await connection.findTextQuery() : undefined;

  return arrays
    ? (statement, input) => arrays(statement.sql, bindStatement(statement, input))
    : runForNames(connection, draft);
}

/** Reads the related rows of some keys, in as few statements as the database allows. */
export async function readRelatedRows(
  run: RunStatement,
  draft: Draft,
  statement: RelatedStatement,
  keys: readonly (readonly unknown[])[],
): Promise<StatementRows> {
  const { plan } = draft;
  const { listLimit, listParameter } = draft.dialect;
  const pages: StatementRows[] = [];

  for (const { part, size } of keyPages(keys, listLimit, listParameter))
    pages.push(await run(statement.statement(size, draft), { plan, keys: part }));

  return {
    rows: pages.length === 1 ? pages[0]!.rows : pages.flatMap(({ rows }) => rows),
    format: pages[0]?.format ?? NAMED_FORMAT,
  };
}

export async function readTotal(run: RunStatement, statement: Statement, plan: ReadPlan): Promise<number> {
  const { rows, format } = await run(statement, { plan });

  return Number(rows[0]![format.key('c0') as string]);
}
