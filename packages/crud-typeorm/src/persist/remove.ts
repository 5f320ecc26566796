import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import type { StoredTarget, Target } from '../scope/targets.js';
import type { Sql } from '../sql/index.js';
import { broadcast, isObserved } from '../statements/observers.js';
import { batches, type Key, keyPredicate, keysPredicate } from '../statements/values.js';
import type { Write } from '../statements/write-context.js';
import { deleteRows } from './delete-rows.js';
import { withHooks } from './hooked-rows.js';
import { loadRow, loadRows } from './loaded-row.js';
import { nameEvent, targetPredicate, type UnlockedTarget } from './unlocked.js';

/** Removes a record that nobody else looks at; `false` if it does not match. */
export async function removeUnlocked(
  { context, soft = false }: Write,
  runner: QueryRunner,
  target: UnlockedTarget,
): Promise<boolean> {
  const metadata = getEntityMetadata(context.catalog);

  return (await deleteRows(runner, metadata, targetPredicate(metadata, target), { soft })) > 0;
}

/** Removes records, or marks them as deleted, calling listeners, subscribers and hooks for each. */
export async function removeRecords(write: Write, runner: QueryRunner, targets: readonly Target[]): Promise<Key[]> {
  const { context, soft = false } = write;
  const { hooks } = context;
  const metadata = getEntityMetadata(context.catalog);
  const stored = targets as readonly StoredTarget[];
  const keys = stored.map(({ key }) => key);
  const rows = hooks ? await loadRows(runner, metadata, keys) : [];

  await withHooks(runner, hooks, { kind: 'delete', metadata, rows }, async () => {
    if (isObserved(metadata, nameEvent(write))) await removeObserved(write, runner, stored);
    else for (const some of batches(keys)) await deleteRows(runner, metadata, keysPredicate(metadata, some), { soft });
  });

  return keys;
}

/** Removes records one by one. One that an earlier deletion has removed by a cascade of the database is missing. */
async function removeObserved(write: Write, runner: QueryRunner, targets: readonly StoredTarget[]): Promise<void> {
  const metadata = getEntityMetadata(write.context.catalog);

  for (const { key, item } of targets) {
    const entity = await loadRow(runner, metadata, key);
    if (!(await removeRow(write, runner, keyPredicate(metadata, key), { metadata, entity })) && !write.skipsMissing)
      item.context.notFound();
  }
}

/** A row that is removed; the entity is undefined if an earlier deletion has cascaded to it. */
interface RemovedRow {
  readonly metadata: EntityMetadata;
  readonly entity: ObjectLiteral | undefined;
}

/** Removes one row with its listeners and subscribers; `false` if there is none that satisfies the condition. */
async function removeRow(
  write: Write,
  runner: QueryRunner,
  where: Sql,
  { metadata, entity }: RemovedRow,
): Promise<boolean> {
  const event = nameEvent(write);

  if (entity) await broadcast(runner, metadata, `Before${event}`, { entity, before: entity });
  if ((await deleteRows(runner, metadata, where, { soft: write.soft ?? false })) === 0) return false;
  if (entity) await broadcast(runner, metadata, `After${event}`, { entity, before: entity });

  return true;
}
