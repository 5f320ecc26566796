import { isConditional, planRecord } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import { findKey, lockTarget, prepareTarget } from '../scope/target.js';
import { joinAll, read, type Sql } from '../sql/index.js';
import { broadcast, isObserved } from '../statements/observers.js';
import { batches, type Key, keyPredicate, keysPredicate } from '../statements/values.js';
import { findThenWrite, readOptions, type WriteContext } from '../statements/write-context.js';
import { deleteRows } from './delete-rows.js';
import { withHooks } from './hooked-rows.js';
import { loadRow, loadRows } from './loaded-row.js';
import { listKeys, type ManyItem, withLockedItems } from './many.js';
import { rereadAll } from './reread.js';

interface RemoveOptions {
  /** Whether the record is marked as deleted and stays. */
  readonly soft?: boolean;
  /** Whether the answer is the record as it was. */
  readonly returnDeleted?: boolean;
}

/** Removes the record that the request acts on. */
export function removeRecord(
  context: WriteContext,
  { soft = false, returnDeleted = false }: RemoveOptions = {},
): Promise<ObjectLiteral | undefined> {
  return findThenWrite(
    context,
    (runner) => findKey(context, runner),
    async (runner, key) => {
      const { hooks, request, catalog } = context;
      const metadata = getEntityMetadata(catalog);
      const observed = hooks !== undefined || isObserved(metadata, nameEvent(soft));
      const target = await prepareTarget(context, runner, key);

      // Locked first, if the record is returned, passed to listeners or hooks, or must match the client's
      // preconditions.
      if ((observed || returnDeleted || isConditional(request)) && !(await lockTarget(context, runner, target)))
        return context.notFound();

      // A required join hides a record from lists, not from its own deletion.
      const plan = planRecord(request, catalog, key);
      const [record] = returnDeleted ? await read(plan, runner, readOptions(request)) : [];
      const entity = observed ? await loadRow(runner, metadata, key) : undefined;
      const where = joinAll([target.where, keyPredicate(metadata, key)]);

      await withHooks(runner, hooks, { kind: 'delete', metadata, rows: [entity] }, async () => {
        if (!(await removeRow(runner, metadata, where, soft, entity))) context.notFound();
      });

      return record;
    },
  );
}

/** Removes records, as {@link removeRecord} does each; the answer is the records as they were, if that is wanted. */
export function removeRecords(
  context: WriteContext,
  items: readonly ManyItem[],
  { soft = false, returnDeleted = false }: RemoveOptions = {},
): Promise<ObjectLiteral[] | undefined> {
  return withLockedItems(context, items, {}, async (runner, locked) => {
    const keys = listKeys(locked);
    const shown = returnDeleted ? await rereadAll(context, runner, keys, { shallow: false }) : undefined;

    await removeLocked(context, runner, keys, soft, (index) => locked[index]!.item.context.notFound());

    return shown?.map(({ record }) => record);
  });
}

/**
 * Removes locked records, calling listeners, subscribers and hooks for each.
 *
 * @param alreadyRemoved Called for a record that another one's deletion has removed. Default: nothing.
 */
export async function removeLocked(
  { catalog, hooks }: WriteContext,
  runner: QueryRunner,
  keys: readonly Key[],
  soft: boolean,
  alreadyRemoved?: (index: number) => void,
): Promise<void> {
  const metadata = getEntityMetadata(catalog);
  const rows = hooks ? await loadRows(runner, metadata, keys) : [];

  await withHooks(runner, hooks, { kind: 'delete', metadata, rows }, async () => {
    if (!isObserved(metadata, nameEvent(soft))) {
      for (const some of batches(keys)) await deleteRows(runner, metadata, keysPredicate(metadata, some), { soft });

      return;
    }

    for (const [index, key] of keys.entries()) {
      const entity = await loadRow(runner, metadata, key);
      const where = keysPredicate(metadata, [key]);
      if (!(await removeRow(runner, metadata, where, soft, entity))) alreadyRemoved?.(index);
    }
  });
}

function nameEvent(soft: boolean): 'SoftRemove' | 'Remove' {
  return soft ? 'SoftRemove' : 'Remove';
}

/**
 * Removes one row with its listeners and subscribers; `false` if there is none that satisfies the condition.
 *
 * @param entity The record for listeners and subscribers. Undefined if there are none, or an earlier deletion has
 * cascaded to it.
 */
async function removeRow(
  runner: QueryRunner,
  metadata: EntityMetadata,
  where: Sql,
  soft: boolean,
  entity: ObjectLiteral | undefined,
): Promise<boolean> {
  const event = nameEvent(soft);

  if (entity) await broadcast(runner, metadata, `Before${event}`, { entity, before: entity });
  if ((await deleteRows(runner, metadata, where, { soft })) === 0) return false;
  if (entity) await broadcast(runner, metadata, `After${event}`, { entity, before: entity });

  return true;
}
