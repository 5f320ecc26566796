import type { CustomOperators } from '@nestwright/crud-request';
import { type Client, type ReadPlan, refuseGone } from '@nestwright/crud/adapter';
import type { RelatedRows } from '../hydrate/read-rows.js';
import type { Row, RowFormat, StatementRows } from '../database/rows.js';
import { groupRows, parentKeys } from '../rows/row-groups.js';
import { compiledRead, type CompiledRead } from './compile.js';
import type { Draft, RelatedStatement } from './compile-record.js';
import { printSortValues } from './keyset.js';
import { withStatements, readRelatedRows, readTotal, runForNames, type RunStatement } from './run-statements.js';
import { type RowEdges, RowsResult } from './rows-result.js';
import { withConnection } from './run.js';
import {
  type Connection,
  type Database,
  type Entity,
  type Executor,
  getDatabase,
  isConnection,
} from '../database/database.js';

/** What a read takes of its request besides the plan. */
export interface ReadOptions {
  /** `operators.custom` of the resource. */
  readonly operators?: CustomOperators | undefined;
  /** The client: nothing is read if it has disconnected. */
  readonly client?: Client | undefined;
}

interface ReadPage<T extends Entity> {
  readonly rows: RowsResult<T>;
  readonly total: number;
}

/** The records of a plan. */
export async function read<T extends Entity = Entity>(
  plan: ReadPlan,
  executor: Executor,
  options: ReadOptions = {},
): Promise<T[]> {
  return (await readRows<T>(plan, executor, options)).records();
}

/**
 * Reads the rows of a plan: one statement, and one per to-many relation.
 *
 * @example
 * const rows = await readRows(planRead(request, catalog), database);
 * const records = await rows.records();
 *
 * @param most Rows beyond it are dropped, before anything is read for them. Default: none are.
 */
export function readRows<T extends Entity = Entity>(
  plan: ReadPlan,
  executor: Executor,
  options: ReadOptions = {},
  most?: number,
): Promise<RowsResult<T>> {
  const draft = makeDraft(plan, executor, options);

  return readCompiled(draft, compiledRead(draft), executor, most);
}

/** Counts the records that match a plan, on all pages. */
export async function count(plan: ReadPlan, executor: Executor, options: ReadOptions = {}): Promise<number> {
  const draft = makeDraft(plan, executor, options);

  return countCompiled(draft, compiledRead(draft), executor);
}

/** Whether any record fits a plan. */
export async function holdsAny(plan: ReadPlan, executor: Executor, options: ReadOptions = {}): Promise<boolean> {
  const draft = makeDraft(plan, executor, options);
  const { page } = compiledRead(draft);

  return withStatements(draft, executor, async (run) => (await run(page, { plan: draft.plan })).rows.length > 0);
}

/** Reads a page and its total, concurrently if possible. */
export async function readPage<T extends Entity = Entity>(
  plan: ReadPlan,
  executor: Executor,
  options: ReadOptions = {},
): Promise<ReadPage<T>> {
  const draft = makeDraft(plan, executor, options);
  const compiled = compiledRead(draft);

  if (!isConnection(executor) && !draft.dialect.sharedConnection) {
    const [rows, total] = await Promise.all([
      readCompiled<T>(draft, compiled, executor),
      countCompiled(draft, compiled, executor),
    ]);

    return { rows, total };
  }

  return withConnection(
    executor,
    async (connection) => ({
      rows: await readCompiled<T>(draft, compiled, connection),
      total: await countCompiled(draft, compiled, connection),
    }),
    draft.client,
  );
}

/** The draft that a plan's statements are written with. */
export function makeDraft(plan: ReadPlan, executor: Executor, { operators, client }: ReadOptions): Draft {
  const database = getDatabase(executor);
  // A connection of the application may be in a transaction or have session settings, so its reads are neither cached nor
  // served from the cache.
  const own = isConnection(executor) && plan.cache ? { ...plan, cache: undefined } : plan;

  return {
    database,
    dialect: database.dialect,
    plan: own,
    operators,
    client: isConnection(executor) ? undefined : client,
    weigh: () => undefined,
  };
}

function countCompiled(draft: Draft, compiled: CompiledRead, executor: Executor): Promise<number> {
  return withStatements(draft, executor, (run) => readTotal(run, compiled.total(draft), draft.plan));
}

/** With load listeners or subscribers, records are made at once, on a connection, for which they are called. */
function readCompiled<T extends Entity>(
  draft: Draft,
  compiled: CompiledRead,
  executor: Executor,
  most?: number,
): Promise<RowsResult<T>> {
  // Internal lookups of a write do not count as loaded records.
  if (draft.plan.locked || !isLoadObserved(draft.database, compiled))
    return withStatements(draft, executor, (run) => readResult(draft, compiled, run, most));

  return withConnection(
    executor,
    async (connection) =>
      observed(connection, compiled, await readResult<T>(draft, compiled, runForNames(connection, draft), most)),
    draft.client,
  );
}

/** Whether anybody listens to loaded records; subscribers may be added while the application runs. */
function isLoadObserved({ listeners }: Database, { hasListeners }: CompiledRead): boolean {
  return hasListeners || listeners.observeLoads;
}

/** Makes the records of a result, and calls load listeners and subscribers. */
export async function observed<T extends Entity>(
  connection: Connection,
  compiled: CompiledRead,
  result: RowsResult<T>,
): Promise<RowsResult<T>> {
  if (isLoadObserved(connection.database, compiled)) {
    const records = await result.make();
    if (records.length > 0)
      await connection.database.listeners.broadcastLoad(connection, compiled.shape.table, records);
  }

  return result;
}

async function readResult<T extends Entity>(
  draft: Draft,
  statement: CompiledRead,
  run: RunStatement,
  most: number | undefined,
): Promise<RowsResult<T>> {
  return makeResult(draft, statement, run, await run(statement.page, { plan: draft.plan }), most);
}

/** The result of given rows, with their to-many relations. */
export function makeResult<T extends Entity>(
  draft: Draft,
  statement: CompiledRead,
  run: RunStatement,
  { rows: found, format }: StatementRows,
  most?: number,
): RowsResult<T> | Promise<RowsResult<T>> {
  const cut = most !== undefined && found.length > most;
  const rows = cut ? found.slice(0, most) : found;
  const edges = readEdges(draft, statement, rows, format);
  const withRelated = (related: RelatedRows[]) =>
    new RowsResult<T>({ statement, rows, format, related }, draft, cut, edges);

  return statement.related.length > 0
    ? readRelated(draft, run, statement.related, { rows, format }).then(withRelated)
    : withRelated([]);
}

/** The sort values at both ends of a page that is read by a cursor. */
function readEdges(
  draft: Draft,
  { sortValues }: CompiledRead,
  rows: readonly Row[],
  format: RowFormat,
): RowEdges | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || sortValues.length === 0) return undefined;

  const printEdge = (row: Row) => printSortValues(draft, row, sortValues, format);

  return { first: printEdge(first), last: printEdge(last) };
}

/** Reads the to-many relations of some rows, recursively, one after the other. */
async function readRelated(
  draft: Draft,
  run: RunStatement,
  statements: readonly RelatedStatement[],
  parents: StatementRows,
): Promise<RelatedRows[]> {
  const lists: RelatedRows[] = [];

  for (const statement of statements) {
    const found = await readRelatedRows(run, draft, statement, parentKeys(statement, parents));
    const groups = await groupRows(statement, found, () => refuseGone(draft.client));

    lists.push({ statement, ...found, groups, related: await readRelated(draft, run, statement.related, found) });
  }

  return lists;
}
