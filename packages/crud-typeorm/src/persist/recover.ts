import type { EntityMetadata, QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import type { StoredTarget, Target } from '../scope/targets.js';
import { broadcast, isObserved } from '../statements/observers.js';
import { batches, type Key, keyPredicate, keysPredicate } from '../statements/values.js';
import type { Write } from '../statements/write-context.js';
import { changeDeleteDate } from './delete-rows.js';
import { withHooks } from './hooked-rows.js';
import { loadRow, loadRows } from './loaded-row.js';
import { targetPredicate, type UnlockedTarget } from './unlocked.js';

/** Brings back a record that nobody else looks at; `false` if it does not match, or is active. */
export async function recoverUnlocked(
  { context }: Write,
  runner: QueryRunner,
  target: UnlockedTarget,
): Promise<boolean> {
  const metadata = getEntityMetadata(context.catalog);

  return (await changeDeleteDate(runner, metadata, targetPredicate(metadata, target), 'clear')) > 0;
}

/** Brings soft-deleted records back; active ones stay as they are, and nobody is told of them. */
export async function recoverRecords(
  { context: { catalog, hooks } }: Write,
  runner: QueryRunner,
  targets: readonly Target[],
): Promise<Key[]> {
  const metadata = getEntityMetadata(catalog);
  const keys = (targets as readonly StoredTarget[]).map(({ key }) => key);
  const rows = hooks ? await loadRows(runner, metadata, keys) : [];
  const deleted = rows.filter((row) => row && metadata.deleteDateColumn?.getEntityValue(row));

  await withHooks(runner, hooks, { kind: 'recover', metadata, rows: deleted }, async () => {
    if (isObserved(metadata, 'Recover')) {
      for (const key of keys) await recoverObserved(runner, metadata, key);
    } else {
      for (const some of batches(keys))
        await changeDeleteDate(runner, metadata, keysPredicate(metadata, some), 'clear');
    }
  });

  return keys;
}

async function recoverObserved(runner: QueryRunner, metadata: EntityMetadata, key: Key): Promise<void> {
  const entity = await loadRow(runner, metadata, key);
  if (!entity || !metadata.deleteDateColumn?.getEntityValue(entity)) return;

  await broadcast(runner, metadata, 'BeforeRecover', { entity, before: entity });
  await changeDeleteDate(runner, metadata, keyPredicate(metadata, key), 'clear');
  await broadcast(runner, metadata, 'AfterRecover', { entity, before: entity });
}
