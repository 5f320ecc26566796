/**
 * PATCH: changes the columns sent and no others. A version that is not the stored one is a 409, a change that leaves
 * the scope a 400.
 */
import type { CrudRequest } from '@nestwright/crud';
import { isConditional, unreadColumns, type WritePlan } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { getEntityMetadata, getMetadata } from '../catalog/catalog.js';
import { updateReturning } from '../returning/update-returning.js';
import { makeLinkConditions } from '../scope/link-conditions.js';
import { isObserved } from '../statements/observers.js';
import { withRecordStore } from './relations.js';
import { reread } from './reread.js';
import { hasPersistedKey, requirePersistedKey } from '../scope/persisted-key.js';
import { findKey, lockTarget, prepareTarget, type Target } from '../scope/target.js';
import { namesParent } from './tree.js';
import { equal, type Key } from '../statements/values.js';
import { findThenWrite, type WriteContext, type Written } from '../statements/write-context.js';
import { hasRelations } from '../statements/changes.js';
import { joinAll, type Sql } from '../sql/index.js';

export interface UpdateOptions {
  /** Whether the answer leaves joined relations out. */
  readonly shallow?: boolean;
}

/**
 * Updates one record: the columns sent and no others, by one statement that is bound to key, path and auth conditions.
 * If it would change no stored value, nothing is written.
 */
export async function updateRecord(
  context: WriteContext,
  plan: WritePlan,
  { shallow = false }: UpdateOptions = {},
): Promise<Written> {
  const changes = withoutPath(plan, context.request);
  const direct = await updateReturning(context, changes, { shallow });

  if (direct && direct !== 'unmatched') return direct;

  return findThenWrite(
    context,
    (runner) => findKey(context, runner),
    async (runner, key) => {
      const found = await changeTarget(context, runner, changes, { key, ...(direct && { locked: true }) });

      return found ? reread(context, runner, key, { shallow }) : context.notFound();
    },
  );
}

interface ChangeOptions {
  readonly key: Key;
  /** Whether the record is locked before it is changed. Default: only if more than one statement depends on it. */
  readonly locked?: boolean;
  /** Whether the record is written though none of its values changes. Default: `false`. */
  readonly always?: boolean;
}

/**
 * Changes the record that the request acts on; `false` if none is in scope. A simple change is one UPDATE; if it
 * matches nothing, or if there is more to do, the record is locked first.
 */
export async function changeTarget(
  context: WriteContext,
  runner: QueryRunner,
  plan: WritePlan,
  { key, locked = dependsOnRecord(context, plan, key), always }: ChangeOptions,
): Promise<boolean> {
  const target = await prepareTarget(context, runner, key);
  const { metadata } = target;
  const unread = () => listUnreadPaths(context);

  if (locked) {
    if (!(await lockTarget(context, runner, target, plan.expectedVersion))) return false;
    await requirePersistedKey(context, runner, [key]);

    await withRecordStore(context, runner, (store) => store.update({ metadata, key, always, unread, path: '' }, plan));

    return true;
  }

  const row = { metadata, key, where: withVersion(target, plan.expectedVersion), always, unread, path: '' };

  const affected = await withRecordStore(context, runner, (store) => store.update(row, plan));

  return affected > 0 || changeTarget(context, runner, plan, { key, locked: true, always });
}

/** Columns of the record, by property path, that the options of a request keep from being read. */
export function listUnreadPaths({ catalog, request }: Pick<WriteContext, 'catalog' | 'request'>): ReadonlySet<string> {
  return unreadColumns(catalog, request.options?.query);
}

/** Listeners, hooks and related records must not be touched if the record is out of scope or has another version. */
function dependsOnRecord(context: WriteContext, plan: WritePlan, key: Key): boolean {
  const metadata = getEntityMetadata(context.catalog);
  const columns = plan.values.map(({ column }) => getMetadata(column));

  return (
    isConditional(context.request) ||
    context.hooks !== undefined ||
    hasRelations(plan) ||
    makeLinkConditions(context).concern(plan) ||
    !hasPersistedKey(context, key) ||
    isObserved(metadata, 'Update') ||
    namesParent(metadata, columns)
  );
}

/** The record has the path's values already, or it would not be found, so they are not written again. */
export function withoutPath(plan: WritePlan, { parsed }: CrudRequest): WritePlan {
  const path = new Map((parsed.paramsFilter ?? []).map(({ field, value }) => [field, value as unknown]));
  const values = plan.values.filter(({ column, value }) => !path.has(column.path) || path.get(column.path) !== value);

  return values.length === plan.values.length ? plan : { ...plan, values };
}

function withVersion({ metadata, where }: Target, expected: number | undefined): Sql {
  const column = metadata.versionColumn;

  return column && expected !== undefined ? joinAll([where, equal([column], [expected])]) : where;
}
