/** Children missing from a replaced list are unlinked, deleted or kept, by `orphanedRowAction`. */
import {
  type EntityMetadata,
  getMetadataArgsStorage,
  type ObjectLiteral,
  type QueryRunner,
  type RelationMetadata,
} from 'typeorm';
import { attempt } from '../errors/statement-error.js';
import type { ColumnMetadata } from '../column-metadata.js';
import type { Graph } from './cascade.js';
import { changeRow } from './change-row.js';
import { keyPredicate, type StoredRow } from '../statements/changes.js';
import { findRecords } from '../statements/find.js';
import { changeMark } from './deletion-mark.js';
import { afterDeleteOrRecover, beforeDeleteOrRecover } from './hooked-rows.js';
import { updateHooked } from './hooked-update.js';
import { loadRow } from './loaded-row.js';
import { keyOf } from '../statements/values.js';

/** Unlinks or deletes children missing from a replaced list, only if `orphanedRowAction` is set explicitly. */
export async function settleOrphans(
  graph: Graph,
  { inverseRelation, inverseEntityMetadata }: RelationMetadata,
  orphans: readonly ObjectLiteral[],
): Promise<void> {
  const action = inverseRelation && orphanedRowAction(inverseRelation);

  for (const orphan of action ? orphans : []) {
    const key = keyOf(inverseEntityMetadata, orphan) ?? {};

    if (action === 'nullify') {
      await unlinkOrphan(graph, inverseEntityMetadata, key, inverseRelation?.joinColumns ?? []);
    } else {
      await removeOrphan(graph, inverseEntityMetadata, key, action === 'soft-delete');
    }
  }
}

/** TypeORM's metadata has `nullify` if the option is not set; the decorator's arguments have the option itself. */
function orphanedRowAction({
  orphanedRowAction: action,
  entityMetadata,
  propertyName,
}: RelationMetadata): 'nullify' | 'delete' | 'soft-delete' | undefined {
  if (action !== 'nullify') {
    return action === 'disable' ? undefined : action;
  }

  const said = getMetadataArgsStorage().relations.some(
    ({ target, propertyName: name, options }) =>
      name === propertyName &&
      options.orphanedRowAction === 'nullify' &&
      entityMetadata.inheritanceTree.some((one) => one === target),
  );

  return said ? 'nullify' : undefined;
}

async function unlinkOrphan(
  { runner, reach }: Graph,
  metadata: EntityMetadata,
  key: Readonly<Record<string, unknown>>,
  columns: readonly ColumnMetadata[],
): Promise<void> {
  const row: StoredRow = { metadata, key, path: '' };
  const changes = new Map<ColumnMetadata, unknown>(columns.map((column) => [column, null]));
  const { hooks } = reach;

  if (!hooks) {
    await changeRow(runner, row, changes);

    return;
  }

  const stored = async () =>
    (
      await findRecords(runner, metadata, [...new Set(metadata.relations.flatMap(({ joinColumns }) => joinColumns))], {
        columns: metadata.primaryColumns,
        values: metadata.primaryColumns.map(({ propertyPath }) => key[propertyPath]),
      })
    )[0];
  await updateHooked(runner, row, changes, { hooks, reach, stored });
}

async function removeOrphan(
  { runner, reach: { hooks } }: Graph,
  metadata: EntityMetadata,
  key: Readonly<Record<string, unknown>>,
  soft: boolean,
): Promise<void> {
  const row = hooks && (await loadRow(runner, metadata, key));
  const reported = hooks && row ? await beforeDeleteOrRecover(runner, hooks, 'delete', metadata, [row]) : [];

  await removeUntold(runner, metadata, key, soft);

  if (hooks) await afterDeleteOrRecover(runner, hooks, metadata, reported);
}

async function removeUntold(
  runner: QueryRunner,
  metadata: EntityMetadata,
  key: Readonly<Record<string, unknown>>,
  soft: boolean,
): Promise<void> {
  const predicate = keyPredicate(metadata, key);

  if (soft) {
    await changeMark(runner, metadata, predicate, 'set');

    return;
  }

  const statement = runner.manager.createQueryBuilder().delete().from(metadata.target);

  await attempt({ metadata, operation: 'remove', paths: [''], rows: [] }, () =>
    statement.where(predicate.sql, predicate.parameters).execute(),
  );
}
