import { emptyPlan } from '@nestwright/crud/adapter';
import { type EntityMetadata, getMetadataArgsStorage, type ObjectLiteral, type RelationMetadata } from 'typeorm';
import { getCatalog, getColumn } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { type Key, keyPredicate, readKey } from '../statements/values.js';
import type { RecordStore } from './cascade.js';
import { deleteRows } from './delete-rows.js';
import { withHooks } from './hooked-rows.js';
import { loadRow } from './loaded-row.js';

/** Unlinks or deletes children missing from a replaced list, only if `orphanedRowAction` is set explicitly. */
export async function settleOrphans(
  store: RecordStore,
  { inverseRelation, inverseEntityMetadata }: RelationMetadata,
  orphans: readonly ObjectLiteral[],
): Promise<void> {
  const action = inverseRelation && orphanedRowAction(inverseRelation);

  for (const orphan of action ? orphans : []) {
    const key = readKey(inverseEntityMetadata, orphan) ?? {};

    if (action === 'nullify') await unlinkOrphan(store, inverseEntityMetadata, key, inverseRelation?.joinColumns ?? []);
    else await removeOrphan(store, inverseEntityMetadata, key, action === 'soft-delete');
  }
}

/** TypeORM's metadata has `nullify` if the option is not set; only the decorator's arguments show that it was set. */
function orphanedRowAction({
  orphanedRowAction: action,
  entityMetadata,
  propertyName,
}: RelationMetadata): 'nullify' | 'delete' | 'soft-delete' | undefined {
  if (action !== 'nullify') return action === 'disable' ? undefined : action;

  const isExplicit = getMetadataArgsStorage().relations.some(
    ({ target, propertyName: name, options }) =>
      name === propertyName &&
      options.orphanedRowAction === 'nullify' &&
      entityMetadata.inheritanceTree.some((one) => one === target),
  );

  return isExplicit ? 'nullify' : undefined;
}

function unlinkOrphan(
  store: RecordStore,
  metadata: EntityMetadata,
  key: Key,
  columns: readonly ColumnMetadata[],
): Promise<number> {
  const values = columns.map((column) => ({ column: getColumn(column), value: null }));

  return store.update(
    { metadata, key, unread: () => store.unread(metadata), path: '' },
    { ...emptyPlan(getCatalog(metadata)), values },
  );
}

async function removeOrphan(
  { runner, hooks }: RecordStore,
  metadata: EntityMetadata,
  key: Key,
  soft: boolean,
): Promise<void> {
  const row = hooks && (await loadRow(runner, metadata, key));

  await withHooks(runner, hooks, { kind: 'delete', metadata, rows: [row] }, () =>
    deleteRows(runner, metadata, keyPredicate(metadata, key), { soft, callListeners: true }),
  );
}
