import { isConditional } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import { findKey, lockTarget, prepareTarget, type Target } from '../scope/target.js';
import { broadcast, isObserved } from '../statements/observers.js';
import { batches, keyPredicate, keysPredicate } from '../statements/values.js';
import { findThenWrite, type WriteContext, type Written } from '../statements/write-context.js';
import { changeDeleteDate } from './delete-rows.js';
import { withHooks } from './hooked-rows.js';
import { copyRow, loadRow, loadRows } from './loaded-row.js';
import { listKeys, type ManyItem, withLockedItems } from './many.js';
import { reread, rereadAll } from './reread.js';
import { joinAll } from '../sql/index.js';

interface RecoverOptions {
  readonly returnRecovered?: boolean;
}

/** Recovers the record that the request acts on; an active one stays as it is. */
export function recoverRecord(
  context: WriteContext,
  { returnRecovered = true }: RecoverOptions = {},
): Promise<Written | undefined> {
  return findThenWrite(
    context,
    (runner) => findKey(context, runner, { withDeleted: true }),
    async (runner, key) => {
      const target = await prepareTarget(context, runner, key, { withDeleted: true });

      await (context.hooks || isObserved(target.metadata, 'Recover')
        ? recoverObserved(context, runner, target)
        : recoverTarget(context, runner, target));

      return returnRecovered ? reread(context, runner, key, { shallow: false }) : undefined;
    },
  );
}

/** Recovers records, as {@link recoverRecord} does each. */
export function recoverRecords(
  context: WriteContext,
  items: readonly ManyItem[],
  { returnRecovered = true }: RecoverOptions = {},
): Promise<Written[] | undefined> {
  return withLockedItems(context, items, { withDeleted: true }, async (runner, locked) => {
    const { hooks } = context;
    const metadata = getEntityMetadata(context.catalog);
    const keys = listKeys(locked);
    const stored = hooks ? await loadRows(runner, metadata, keys) : [];
    const rows = stored.filter((row) => row && metadata.deleteDateColumn?.getEntityValue(row));

    await withHooks(runner, hooks, { kind: 'recover', metadata, rows }, async () => {
      if (!isObserved(metadata, 'Recover')) {
        for (const some of batches(keys))
          await changeDeleteDate(runner, metadata, keysPredicate(metadata, some), 'clear');

        return;
      }

      for (const { item, key } of locked) {
        const target = await prepareTarget(item.context, runner, key, { withDeleted: true });
        await recoverObserved({ ...item.context, hooks: undefined }, runner, target);
      }
    });

    return returnRecovered ? rereadAll(context, runner, keys, { shallow: false }) : undefined;
  });
}

async function recoverTarget(context: WriteContext, runner: QueryRunner, target: Target): Promise<void> {
  if (isConditional(context.request) && !(await lockTarget(context, runner, target))) return context.notFound();

  if ((await recoverRow(runner, target)) > 0) return;
  if (!(await lockTarget(context, runner, target))) return context.notFound();

  // Another request may have deleted it before it was locked.
  await recoverRow(runner, target);
}

/** Recovers a record with its hooks, listeners and subscribers, which are not called for an active one. */
async function recoverObserved(context: WriteContext, runner: QueryRunner, target: Target): Promise<void> {
  const { metadata, key } = target;
  const entity = (await lockTarget(context, runner, target)) ? await loadRow(runner, metadata, key) : undefined;

  if (!entity) return context.notFound();
  if (!metadata.deleteDateColumn?.getEntityValue(entity)) return;

  const rows = [copyRow(metadata, entity)];

  await withHooks(runner, context.hooks, { kind: 'recover', metadata, rows }, async () => {
    await broadcast(runner, metadata, 'BeforeRecover', { entity, before: entity });
    await recoverRow(runner, target);
    await broadcast(runner, metadata, 'AfterRecover', { entity, before: entity });
  });
}

function recoverRow(runner: QueryRunner, { metadata, where, key }: Target): Promise<number> {
  return changeDeleteDate(runner, metadata, joinAll([where, keyPredicate(metadata, key)]), 'clear');
}
