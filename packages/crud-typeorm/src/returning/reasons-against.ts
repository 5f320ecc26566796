/**
 * Why a write cannot be one RETURNING statement: listeners, subscribers or hooks need the record, or the answer needs
 * more than the row.
 */
import { Logger } from '@nestjs/common';
import { getOrInsert, type ReadPlan, reportFastPath, type WritePlan } from '@nestwright/crud/adapter';
import type { DataSource, EntityMetadata, EntitySubscriberInterface } from 'typeorm';
import { getEntityMetadata, getMetadata } from '../catalog/catalog.js';
import { takesFastPath } from '../database-options.js';
import { getDialect } from '../dialect/dialect-of.js';
import { makeLinkConditions } from '../scope/link-conditions.js';
import { hasRelations } from '../statements/changes.js';
import { isObserved } from '../statements/observers.js';
import type { WriteContext } from '../statements/write-context.js';

/** The two statements that can return rows. */
type ReturningStatement = 'insert' | 'update';

const EVENTS = { insert: 'Insert', update: 'Update' } as const;

/** Other methods of subscribers that need a transaction or a loaded record, which a single statement does not have. */
const HOOKS = [
  'afterLoad',
  'beforeTransactionStart',
  'afterTransactionStart',
  'beforeTransactionCommit',
  'afterTransactionCommit',
  'beforeTransactionRollback',
  'afterTransactionRollback',
] as const satisfies readonly (keyof EntitySubscriberInterface<unknown>)[];

/** Whether data source, repository and database allow a write to be one statement. */
export function isEligible(
  { store: { manager } }: Pick<WriteContext, 'store'>,
  statement: ReturningStatement,
): boolean {
  const { connection, queryRunner } = manager;

  // A repository bound to a connection may be in a transaction, which a failing statement would abort.
  return (
    !queryRunner && takesFastPath(connection, 'returning') && getDialect(connection).returns(connection)[statement]
  );
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
  const { store, hooks, catalog } = context;
  const metadata = getEntityMetadata(catalog);
  const links = makeLinkConditions(context);

  return (
    (hooks && 'the service has hooks or emits events') ??
    findEntityObstacle(metadata) ??
    (isObserved(metadata, EVENTS[statement]) || store.manager.connection.subscribers.some(hasEventMethod)
      ? 'a listener or subscriber observes the write'
      : undefined) ??
    (plans.some(hasRelations) ? 'the body has related records' : undefined) ??
    (plans.some((plan) => links.concern(plan)) ? 'a link must be looked up' : undefined)
  );
}

function hasEventMethod(subscriber: EntitySubscriberInterface<unknown>): boolean {
  return HOOKS.some((name) => subscriber[name] !== undefined);
}

const reasons = new WeakMap<EntityMetadata, { readonly reason: string | undefined }>();

function findEntityObstacle(metadata: EntityMetadata): string | undefined {
  return getOrInsert(reasons, metadata, () => ({ reason: REASONS.find(([, holds]) => holds(metadata))?.[0] })).reason;
}

/** Properties of entities whose rows alone do not make the answer. */
const REASONS: readonly (readonly [string, (metadata: EntityMetadata) => boolean])[] = [
  [
    'SQLite takes no value for a generated column',
    ({ columns, connection }) =>
      !getDialect(connection).namesGenerated && columns.some(({ asExpression }) => asExpression !== undefined),
  ],
  ['the entity is a tree', ({ treeType }) => treeType !== undefined],
  [
    'several entities share the table',
    ({ discriminatorColumn, childEntityMetadatas }) =>
      discriminatorColumn !== undefined || childEntityMetadatas.length > 0,
  ],
  ['the entity has an @AfterLoad listener', ({ afterLoadListeners }) => afterLoadListeners.length > 0],
  ['a column is computed by a query', ({ columns }) => columns.some(({ isVirtualProperty }) => isVirtualProperty)],
  ['new records are soft-deleted', ({ deleteDateColumn }) => deleteDateColumn?.default !== undefined],
  ['the entity has no primary key', ({ primaryColumns }) => primaryColumns.length === 0],
];

/** Whether a plan has a value for an auto-increment column. */
export function hasAutoIncrementKey({ values }: WritePlan): boolean {
  return values.some(({ column, value }) => column.primary && column.autoIncrement && value !== null);
}

/** Whether a plan reads columns of the record alone, as a row of its table holds them. */
export function isOwnRead({ root }: ReadPlan): boolean {
  return root.joins.length === 0 && root.columns.every(({ column }) => getMetadata(column).isVirtualProperty !== true);
}

const logged = new WeakMap<DataSource, Set<string>>();

/**
 * Logs once per entity and reason, at level debug, why the plain path was taken. Returns undefined, for callers to
 * return.
 */
export function logReason(metadata: EntityMetadata, reason: string): undefined {
  const texts = getOrInsert(logged, metadata.connection, () => new Set<string>());
  const text = `${metadata.name}: no RETURNING, ${reason}`;

  reportFastPath('returning', reason);

  if (!texts.has(text)) {
    texts.add(text);
    new Logger('CrudFastPaths').debug(text);
  }

  return undefined;
}
