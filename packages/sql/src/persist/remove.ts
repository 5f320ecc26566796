import type { StoredTarget, Target } from '../scope/targets.js';
import type { Sql } from '../select/index.js';
import { batches, type Key, keyPredicate, keysPredicate } from '../statements/values.js';
import type { Write } from '../statements/write-context.js';
import { deleteRows } from './delete-rows.js';
import { withHooks } from './hooked-rows.js';
import { loadRow, loadRows } from './loaded-row.js';
import { nameEvent, targetPredicate, type UnlockedTarget } from './unlocked.js';
import { getTable } from '../database/links.js';
import type { Connection, Entity, Table } from '../database/database.js';

/** Removes a record that nobody else looks at; `false` if it does not match. */
export async function removeUnlocked(
  { context, soft = false }: Write,
  connection: Connection,
  target: UnlockedTarget,
): Promise<boolean> {
  const table = getTable(context.catalog);

  return (await deleteRows(connection, table, targetPredicate(table, target), { soft })) > 0;
}

/** Removes records, or marks them as deleted, calling listeners, subscribers and hooks for each. */
export async function removeRecords(write: Write, connection: Connection, targets: readonly Target[]): Promise<Key[]> {
  const { context, soft = false } = write;
  const { hooks } = context;
  const table = getTable(context.catalog);
  const stored = targets as readonly StoredTarget[];
  const keys = stored.map(({ key }) => key);
  const rows = hooks ? await loadRows(connection, table, keys) : [];

  await withHooks(connection, hooks, { kind: 'delete', table, rows }, async () => {
    if (table.database.listeners.observe(table, nameEvent(write))) await removeObserved(write, connection, stored);
    else for (const some of batches(keys)) await deleteRows(connection, table, keysPredicate(table, some), { soft });
  });

  return keys;
}

/** Removes records one by one. One that an earlier deletion has removed by a cascade of the database is missing. */
async function removeObserved(write: Write, connection: Connection, targets: readonly StoredTarget[]): Promise<void> {
  const table = getTable(write.context.catalog);

  for (const { key, item } of targets) {
    const entity = await loadRow(connection, table, key);
    if (!(await removeRow(write, connection, keyPredicate(table, key), { table, entity })) && !write.skipsMissing)
      item.context.notFound();
  }
}

/** A row that is removed; the entity is undefined if an earlier deletion has cascaded to it. */
interface RemovedRow {
  readonly table: Table;
  readonly entity: Entity | undefined;
}

/** Removes one row with its listeners and subscribers; `false` if there is none that satisfies the condition. */
async function removeRow(
  write: Write,
  connection: Connection,
  where: Sql,
  { table, entity }: RemovedRow,
): Promise<boolean> {
  const event = nameEvent(write);

  if (entity) await table.database.listeners.broadcast(connection, table, `Before${event}`, { entity, before: entity });
  if ((await deleteRows(connection, table, where, { soft: write.soft ?? false })) === 0) return false;
  if (entity) await table.database.listeners.broadcast(connection, table, `After${event}`, { entity, before: entity });

  return true;
}
