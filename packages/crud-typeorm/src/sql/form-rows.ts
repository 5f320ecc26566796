/** Statements of a plan in, their rows and the form of these out: as the database's own texts where nobody would miss the driver's values, as the driver gives them otherwise. */
import type { Client, ReadPlan } from '@nestwright/crud';
import type { QueryRunner } from 'typeorm';
import { databaseOptionsOf } from '../database-options.js';
import { type ArrayQuery, arrayQueryOf } from '../rows/array-rows.js';
import { type FormedRows, NAMED_ROWS } from '../rows/row-form.js';
import type { Draft, RelatedStatement } from './compile-record.js';
import { keyPages } from './key-pages.js';
import { bindStatement, type Statement, type StatementInput } from './parameters.js';
import { isRunner, type ReadTarget, runStatement, withRunner } from './run.js';

/** Runs one statement of a read. */
export type RunRows = (statement: Statement, input: StatementInput) => Promise<FormedRows>;

/** Lends work a way to run statements, and returns what it returns. */
export type LendRows = <T>(work: (run: RunRows) => Promise<T>) => Promise<T>;

/** How the statements of a plan run on a target. */
export function lenderOf(draft: Draft, target: ReadTarget): LendRows {
  const { plan, dataSource, client } = draft;
  // TypeORM's cache keeps rows as its drivers give them; a transaction has a connection of its own.
  const arrays =
    plan.cache || isRunner(target) || !databaseOptionsOf(dataSource).fastPaths ? undefined : arrayQueryOf(dataSource);

  return (work) =>
    arrays
      ? work(runForArrays(arrays, client))
      : withRunner(target, (runner) => work(runForNames(runner, draft)), client);
}

function runForArrays(query: ArrayQuery, client: Client | undefined): RunRows {
  return (statement, input) => query(statement.sql, bindStatement(statement, input), { client, mayEnd: true });
}

/** Runs statements on a runner that is there. */
export function runForNames(runner: QueryRunner, { plan, client }: Pick<Draft, 'plan' | 'client'>): RunRows {
  return async (statement, input) => ({
    rows: await runStatement(runner, statement, input, { cache: plan.cache, client }),
    form: NAMED_ROWS,
  });
}

/** Reads the related rows of records with some keys, as many at once as the database takes. */
export async function readRelatedRows(
  run: RunRows,
  draft: Draft,
  statement: RelatedStatement,
  keys: readonly (readonly unknown[])[],
): Promise<FormedRows> {
  const { plan } = draft;
  const { listLimit, listParameter } = draft.dialect;
  const pages: FormedRows[] = [];

  for (const { part, size } of keyPages(keys, listLimit, listParameter)) {
    pages.push(await run(statement.statement(size, draft), { plan, keys: part }));
  }

  return {
    rows: pages.length === 1 ? pages[0]!.rows : pages.flatMap(({ rows }) => rows),
    form: pages[0]?.form ?? NAMED_ROWS,
  };
}

/** Counts. */
export async function readTotal(run: RunRows, statement: Statement, plan: ReadPlan): Promise<number> {
  const { rows, form } = await run(statement, { plan });

  return Number(rows[0]?.[form.key('c0') as string]);
}
