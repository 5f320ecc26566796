/**
 * Why a write cannot be one RETURNING statement: listeners, subscribers or hooks need the record, or the answer needs
 * more than the row.
 */
import { Logger } from '@nestjs/common';
import {
  getOrInsert,
  hasTag,
  readPathKey,
  type ReadPlan,
  reportFastPath,
  type WritePlan,
} from '@nestwright/crud/adapter';
import { takesFastPath } from '../database/fast-paths.js';
import { makeLinkConditions } from '../scope/link-conditions.js';
import { hasPersistedKey } from '../scope/persisted-key.js';
import { hasRelations } from '../statements/changes.js';
import { type WriteContext } from '../statements/write-context.js';
import { getColumn, getTable } from '../database/links.js';
import { type Database, isConnection, type Table } from '../database/database.js';

/** The two statements that can return rows. */
type ReturningStatement = 'insert' | 'update';

const EVENTS = { insert: 'Insert', update: 'Update' } as const;

/**
 * Why a write is not made of statements that return their rows, as far as that is known before they are written;
 * undefined if nothing stands against it. Nothing else asks whether a database can return rows that it answers with.
 */
export function findObstacle(
  context: WriteContext,
  statement: ReturningStatement,
  plans: readonly WritePlan[],
): string | undefined {
  const { store, hooks, catalog } = context;
  const { executor } = store;
  const table = getTable(catalog);
  const { listeners } = table.database;
  const links = makeLinkConditions(context);

  // A failing statement would abort the transaction.
  if (isConnection(executor)) return "the connection is the application's";
  if (!takesFastPath(executor, 'returning')) return 'the option fastPaths: false';
  if (!executor.returns[statement]) return 'the database returns no rows';
  if (hasTag(context.request) && (statement === 'update' || plans.length === 1)) return 'the answer has an entity tag';
  if (hooks) return 'the service has hooks or emits events';
  if (listeners.observe(table, EVENTS[statement]) || listeners.observeTransactions)
    return 'a listener or subscriber observes the write';
  if (plans.some(hasRelations)) return 'the body has related records';
  if (plans.some((plan) => links.concern(plan))) return 'a link must be looked up';

  return findEntityObstacle(table) ?? (statement === 'insert' ? findKeyOf(plans) : findOtherKey(context));
}

function findKeyOf(plans: readonly WritePlan[]): string | undefined {
  return plans.some(hasAutoIncrementKey) ? 'the body has a value for an auto-increment key' : undefined;
}

function findOtherKey(context: WriteContext): string | undefined {
  const key = readPathKey(context.request, context.catalog);
  if (!key) return 'the path has no key';

  return hasPersistedKey(context, key) ? undefined : '`persist` names another key';
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
function hasAutoIncrementKey({ values }: WritePlan): boolean {
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
