import type { StoredTarget, Target } from '../scope/targets.js';
import { batches, type Key, keyPredicate, keysPredicate } from '../statements/values.js';
import type { Write } from '../statements/write-context.js';
import { changeDeleteDate } from './delete-rows.js';
import { withHooks } from './hooked-rows.js';
import { loadRow, loadRows } from './loaded-row.js';
import { targetPredicate, type UnlockedTarget } from './unlocked.js';
import { getTable } from '../database/links.js';
import type { Connection, Table } from '../database/database.js';

/** Brings back a record that nobody else looks at; `false` if it does not match, or is active. */
export async function recoverUnlocked(
  { context }: Write,
  connection: Connection,
  target: UnlockedTarget,
): Promise<boolean> {
  const table = getTable(context.catalog);

  return (await changeDeleteDate(connection, table, targetPredicate(table, target), 'clear')) > 0;
}

/** Brings soft-deleted records back; active ones stay as they are, and nobody is told of them. */
export async function recoverRecords(
  { context: { catalog, hooks } }: Write,
  connection: Connection,
  targets: readonly Target[],
): Promise<Key[]> {
  const table = getTable(catalog);
  const keys = (targets as readonly StoredTarget[]).map(({ key }) => key);
  const rows = hooks ? await loadRows(connection, table, keys) : [];
  const deleted = rows.filter((row) => row && table.deleteDateColumn?.read(row));

  await withHooks(connection, hooks, { kind: 'recover', table, rows: deleted }, async () => {
    if (table.database.listeners.observe(table, 'Recover'))
      for (const key of keys) await recoverObserved(connection, table, key);
    else
      for (const some of batches(keys)) await changeDeleteDate(connection, table, keysPredicate(table, some), 'clear');
  });

  return keys;
}

async function recoverObserved(connection: Connection, table: Table, key: Key): Promise<void> {
  const entity = await loadRow(connection, table, key);
  if (!entity || !table.deleteDateColumn!.read(entity)) return;

  await table.database.listeners.broadcast(connection, table, 'BeforeRecover', { entity, before: entity });
  await changeDeleteDate(connection, table, keyPredicate(table, key), 'clear');
  await table.database.listeners.broadcast(connection, table, 'AfterRecover', { entity, before: entity });
}
