/** Recovering many records by their keys. */
import type { QueryRunner } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { targetAt } from '../scope/target.js';
import { keysPredicate } from '../statements/changes.js';
import { isObserved } from '../statements/observers.js';
import type { Key, WriteContext, Written } from '../statements/write-context.js';
import { changeMark } from './deletion-mark.js';
import { afterDeleteOrRecover, beforeDeleteOrRecover } from './hooked-rows.js';
import { loadRows } from './loaded-row.js';
import { lockedTogether, type ManyItem, readAgain } from './many.js';
import { type RecoverOptions, recoverObserved } from './recover.js';

/** Most keys of one statement. */
const MAX_KEYS = 1000;

/**
 * Lifts the marks of soft-deleted records, as `recoverRecord` does each; those without one stay as they are.
 *
 * @example
 * await recoverRecords(context, items, { returnRecovered: true });
 */
export function recoverRecords(
  context: WriteContext,
  items: readonly ManyItem[],
  { returnRecovered = true }: RecoverOptions = {},
): Promise<Written[] | undefined> {
  return lockedTogether(context, items, { withDeleted: true }, async (runner, locked) => {
    const keys = locked.map(({ key }) => key);

    const metadata = entityMetadataOf(context.catalog);
    const { hooks } = context;
    const rows = hooks ? await loadRows(runner, metadata, keys) : [];
    const marked = rows.flatMap((row) => (row && metadata.deleteDateColumn?.getEntityValue(row) ? [row] : []));
    const reported = hooks ? await beforeDeleteOrRecover(runner, hooks, 'recover', metadata, marked) : [];

    if (isObserved(runner, metadata, 'Recover')) {
      for (const { item, key } of locked) {
        const target = await targetAt(item.context, runner, key, { withDeleted: true });
        await recoverObserved({ ...item.context, hooks: undefined }, runner, target);
      }
    } else {
      await recoverRows(context, runner, keys);
    }
    if (hooks) await afterDeleteOrRecover(runner, hooks, metadata, reported);

    return returnRecovered ? readAgain(context, runner, locked, false) : undefined;
  });
}

async function recoverRows({ catalog }: WriteContext, runner: QueryRunner, keys: readonly Key[]): Promise<void> {
  const metadata = entityMetadataOf(catalog);

  for (let start = 0; start < keys.length; start += MAX_KEYS) {
    await changeMark(runner, metadata, keysPredicate(metadata, keys.slice(start, start + MAX_KEYS)), 'lift');
  }
}
