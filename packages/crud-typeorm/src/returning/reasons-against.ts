/**
 * Why a write cannot be one RETURNING statement: listeners, subscribers or hooks need the record, or the answer needs
 * more than the row.
 */
import { Logger } from '@nestjs/common';
import { getOrInsert, type ReadPlan, reportFastPath, type WritePlan } from '@nestwright/crud/adapter';
import { takesFastPath } from '../database/fast-paths.js';
import { makeLinkConditions } from '../scope/link-conditions.js';
import { hasRelations } from '../statements/changes.js';
import type { WriteContext } from '../statements/write-context.js';
import { getColumn, getTable } from '../database/links.js';
import { type Database, isConnection, type Table } from '../database/database.js';

/** The two statements that can return rows. */
type ReturningStatement = 'insert' | 'update';

const EVENTS = { insert: 'Insert', update: 'Update' } as const;

/** Whether connection and database allow a write to be one statement. */
export function isEligible(
  { store: { executor } }: Pick<WriteContext, 'store'>,
  statement: ReturningStatement,
): boolean {
  // An open connection may be in a transaction, which a failing statement would abort.
  return !isConnection(executor) && takesFastPath(executor, 'returning') && executor.returns[statement];
}

/**
 * Why the plain path must be taken; undefined if the fast path is possible. Subscribers are checked each time, since
 * they may be added at run time.
 */
export function findObstacle(
  context: WriteContext,
  statement: ReturningStatement,
  plans: readonly WritePlan[],
): string | undefined {
  const { hooks, catalog } = context;
  const table = getTable(catalog);
  const links = makeLinkConditions(context);

  return (
    (hooks && 'the service has hooks or emits events') ??
    findEntityObstacle(table) ??
    (table.database.listeners.observe(table, EVENTS[statement]) || table.database.listeners.observeTransactions
      ? 'a listener or subscriber observes the write'
      : undefined) ??
    (plans.some(hasRelations) ? 'the body has related records' : undefined) ??
    (plans.some((plan) => links.concern(plan)) ? 'a link must be looked up' : undefined)
  );
}

const reasons = new WeakMap<Table, { readonly reason: string | undefined }>();

function findEntityObstacle(table: Table): string | undefined {
  return getOrInsert(reasons, table, () => ({ reason: REASONS.find(([, holds]) => holds(table))?.[0] })).reason;
}

/** Properties of entities whose rows alone do not make the answer. */
const REASONS: readonly (readonly [string, (table: Table) => boolean])[] = [
  [
    'SQLite takes no value for a generated column',
    ({ columns, database }) => !database.dialect.namesGenerated && columns.some(({ isComputed }) => isComputed),
  ],
  ['the entity is a tree', ({ treeType }) => treeType !== undefined],
  [
    'several entities share the table',
    ({ discriminatorColumn, children }) => discriminatorColumn !== undefined || children.length > 0,
  ],
  ['the entity has an @AfterLoad listener', (table) => table.database.listeners.observeLoadsOf(table)],
  ['a column is computed by a query', ({ columns }) => columns.some(({ query }) => query)],
  ['new records are soft-deleted', ({ deleteDateColumn }) => deleteDateColumn?.defaultSql !== undefined],
  ['the entity has no primary key', ({ primaryColumns }) => primaryColumns.length === 0],
];

/** Whether a plan has a value for an auto-increment column. */
export function hasAutoIncrementKey({ values }: WritePlan): boolean {
  return values.some(({ column, value }) => column.primary && column.autoIncrement && value !== null);
}

/** Whether a plan reads columns of the record alone, as a row of its table holds them. */
export function isOwnRead({ root }: ReadPlan): boolean {
  return root.joins.length === 0 && root.columns.every(({ column }) => getColumn(column).query === undefined);
}

const logged = new WeakMap<Database, Set<string>>();

/**
 * Logs once per entity and reason, at level debug, why the plain path was taken. Returns undefined, for callers to
 * return.
 */
export function logReason(table: Table, reason: string): undefined {
  const texts = getOrInsert(logged, table.database, () => new Set<string>());
  const text = `${table.name}: no RETURNING, ${reason}`;

  reportFastPath('returning', reason);

  if (!texts.has(text)) {
    texts.add(text);
    new Logger('CrudFastPaths').debug(text);
  }

  return undefined;
}
