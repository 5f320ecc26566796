/** DELETE of many records by their keys, soft or not. */
import type { ObjectLiteral, QueryRunner } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { keysPredicate } from '../statements/changes.js';
import { broadcast, isObserved } from '../statements/observers.js';
import type { Key, WriteContext } from '../statements/write-context.js';
import { afterDeleteOrRecover, beforeDeleteOrRecover } from './hooked-rows.js';
import { loadRow, loadRows } from './loaded-row.js';
import { lockedTogether, type ManyItem } from './many.js';
import { type RemoveOptions, removeRows } from './remove.js';
import { rereadAll } from './reread.js';

/** Most keys of one statement. */
const MAX_KEYS = 1000;

/**
 * Removes records, as `removeRecord` does each; the answer is the records as they were, where that is wanted.
 *
 * @example
 * await removeRecords(context, items, { soft: true });
 */
export function removeRecords(
  context: WriteContext,
  items: readonly ManyItem[],
  { soft = false, returnDeleted = false }: RemoveOptions = {},
): Promise<ObjectLiteral[] | undefined> {
  return lockedTogether(context, items, {}, async (runner, locked) => {
    const keys = locked.map(({ key }) => key);
    const shown = returnDeleted ? await rereadAll(context, runner, keys, { shallow: false }) : undefined;

    await removeLocked(context, runner, keys, {
      soft,
      alreadyRemoved: (index) => locked[index]!.item.context.notFound(),
    });

    return shown;
  });
}

/** How locked records are removed. */
export interface RemoveLockedOptions {
  readonly soft: boolean;
  /** Called for a record that another one's deletion has removed. Default: nothing. */
  readonly alreadyRemoved?: (index: number) => void;
}

/** Removes locked records, calling listeners, subscribers and hooks for each. */
export async function removeLocked(
  context: WriteContext,
  runner: QueryRunner,
  keys: readonly Key[],
  options: RemoveLockedOptions,
): Promise<void> {
  const { hooks } = context;
  const metadata = entityMetadataOf(context.catalog);
  const rows = hooks ? await loadRows(runner, metadata, keys) : [];
  const reported = hooks
    ? await beforeDeleteOrRecover(
        runner,
        hooks,
        'delete',
        metadata,
        rows.filter((row) => row !== undefined),
      )
    : [];

  await removeUntold(context, runner, keys, options);

  if (hooks) await afterDeleteOrRecover(runner, hooks, metadata, reported);
}

async function removeUntold(
  context: WriteContext,
  runner: QueryRunner,
  keys: readonly Key[],
  options: RemoveLockedOptions,
): Promise<void> {
  const { soft } = options;
  const metadata = entityMetadataOf(context.catalog);

  if (isObserved(runner, metadata, soft ? 'SoftRemove' : 'Remove')) {
    for (const [index, key] of keys.entries()) {
      if (!(await removeObserved(context, runner, key, soft))) options.alreadyRemoved?.(index);
    }

    return;
  }

  for (let start = 0; start < keys.length; start += MAX_KEYS) {
    await removeRows(runner, metadata, keysPredicate(metadata, keys.slice(start, start + MAX_KEYS)), soft);
  }
}

async function removeObserved(
  { catalog }: WriteContext,
  runner: QueryRunner,
  key: Key,
  soft: boolean,
): Promise<boolean> {
  const metadata = entityMetadataOf(catalog);
  const event = soft ? 'SoftRemove' : 'Remove';
  const entity = await loadRow(runner, metadata, key);

  if (entity) await broadcast(runner, metadata, `Before${event}`, { entity, before: entity });
  // An earlier deletion may have cascaded to it.
  if ((await removeRows(runner, metadata, keysPredicate(metadata, [key]), soft)) === 0) return false;
  if (entity) await broadcast(runner, metadata, `After${event}`, { entity, before: entity });

  return true;
}
