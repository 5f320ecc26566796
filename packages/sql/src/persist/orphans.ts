import { emptyPlan } from '@nestwright/crud/adapter';
import { type Key, keyPredicate, readKey } from '../statements/values.js';
import type { RecordStore } from './cascade.js';
import { deleteRows } from './delete-rows.js';
import { withHooks } from './hooked-rows.js';
import { loadRow } from './loaded-row.js';
import { getCatalog, getCatalogColumn } from '../database/links.js';
import type { Column, Entity, Relation, Table } from '../database/database.js';

/** Unlinks or deletes children missing from a replaced list, only if the relation says so. */
export async function settleOrphans(
  store: RecordStore,
  { inverseRelation, inverseTable, orphans: action }: Relation,
  orphans: readonly Entity[],
): Promise<void> {
  for (const orphan of action ? orphans : []) {
    const key = readKey(inverseTable, orphan) ?? {};

    if (action === 'nullify') await unlinkOrphan(store, inverseTable, key, inverseRelation!.joinColumns);
    else await removeOrphan(store, inverseTable, key, action === 'soft-delete');
  }
}

function unlinkOrphan(store: RecordStore, table: Table, key: Key, columns: readonly Column[]): Promise<number> {
  const values = columns.map((column) => ({ column: getCatalogColumn(column), value: null }));

  return store.update(
    { table, key, unread: () => store.unread(table), path: '' },
    { ...emptyPlan(getCatalog(table)), values },
  );
}

async function removeOrphan({ connection, hooks }: RecordStore, table: Table, key: Key, soft: boolean): Promise<void> {
  const row = hooks && (await loadRow(connection, table, key));

  await withHooks(connection, hooks, { kind: 'delete', table, rows: [row] }, () =>
    deleteRows(connection, table, keyPredicate(table, key), { soft, callListeners: true }),
  );
}
