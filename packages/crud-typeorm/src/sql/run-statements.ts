/** How the statements of a read run: for the database's own texts if possible, otherwise through TypeORM's runner. */
import { type Client, type ReadPlan } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { takesFastPath } from '../database-options.js';
import { type ArrayQuery, bindArrayQuery, makeArrayQuery } from '../rows/array-rows.js';
import { NAMED_FORMAT, type StatementRows } from '../rows/row-format.js';
import type { Draft, RelatedStatement } from './compile-record.js';
import { keyPages } from './list-size.js';
import { bindStatement, type Statement, type StatementInput } from './parameters.js';
import { isRunner, type ReadTarget, runStatement, withRunner } from './run.js';

export type RunStatement = (statement: Statement, input: StatementInput) => Promise<StatementRows>;

/** Runs work with a function that runs statements on a target. */
export function withStatements<T>(
  draft: Draft,
  target: ReadTarget,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  const { plan, dataSource, client } = draft;
  // TypeORM's cache stores rows as drivers return them; a transaction has its own connection.
  const arrays =
    plan.cache || isRunner(target) || !takesFastPath(dataSource, 'rows') ? undefined : makeArrayQuery(dataSource);

  return arrays
    ? work(runForArrays(arrays, client))
    : withRunner(target, (runner) => work(runForNames(runner, draft)), client);
}

function runForArrays(query: ArrayQuery, client: Client | undefined): RunStatement {
  return (statement, input) => query(statement.sql, bindStatement(statement, input), { client, mayEnd: true });
}

/** Runs statements on a given runner, with rows by name. */
export function runForNames(runner: QueryRunner, { plan, client }: Pick<Draft, 'plan' | 'client'>): RunStatement {
  return async (statement, input) => ({
    rows: await runStatement(runner, statement, input, { cache: plan.cache, client }),
    format: NAMED_FORMAT,
  });
}

/** Runs statements on a runner's connection, for the database's own texts if possible. */
export async function runOnConnection(runner: QueryRunner, draft: Draft): Promise<RunStatement> {
  const { dataSource } = draft;
  const arrays = takesFastPath(dataSource, 'rows') ? bindArrayQuery(dataSource, await runner.connect()) : undefined;

  return arrays
    ? (statement, input) => arrays(statement.sql, bindStatement(statement, input))
    : runForNames(runner, draft);
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

  return Number(rows[0]?.[format.key('c0') as string]);
}
