/** Records of a `@Tree` entity go in and are stored by TypeORM's own persistence, which alone keeps paths, closures and nested sets; refuses a key that is there already. */
import { crudError } from '@nestwright/crud';
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { attempt } from '../errors/statement-error.js';
import { findRecords } from './find.js';
import { keyOf, type NewRow } from './values.js';

/** Whether a change moves a record to another place in its tree. */
export function movesInTree(
  { treeType, treeParentRelation }: EntityMetadata,
  columns: Iterable<ColumnMetadata>,
): boolean {
  return treeType !== undefined && [...columns].some((column) => treeParentRelation?.joinColumns.includes(column));
}

/** Inserts records one by one; a parent comes before its children, as the list says. Listeners and subscribers hear of it from TypeORM. */
export async function insertInTree(
  runner: QueryRunner,
  metadata: EntityMetadata,
  rows: readonly NewRow[],
): Promise<void> {
  for (const { entity, path } of rows) {
    await refuseKnownKey(runner, metadata, { entity, path });
    setParent(metadata, entity);
    await save(runner, metadata, { entity, path });
  }
}

/**
 * Moves a record, which the caller has found to be in scope, under the parent that its foreign key names now.
 *
 * @param entity The stored record with its new foreign key.
 */
export async function moveInTree(runner: QueryRunner, metadata: EntityMetadata, row: NewRow): Promise<void> {
  setParent(metadata, row.entity);
  await save(runner, metadata, row);
}

async function save(runner: QueryRunner, metadata: EntityMetadata, { entity, path }: NewRow): Promise<void> {
  const context = { metadata, operation: 'store' as const, paths: [path], rows: [entity] };

  await attempt(context, () => runner.manager.save(metadata.target, entity, { transaction: false }));
}

/** `save` would update the record under a known key. */
async function refuseKnownKey(runner: QueryRunner, metadata: EntityMetadata, { entity, path }: NewRow): Promise<void> {
  const columns = metadata.primaryColumns;
  const values = columns.map((column): unknown => column.getEntityValue(entity));

  if (keyOf(metadata, entity) && (await findRecords(runner, metadata, columns, { columns, values })).length > 0) {
    const field = [path, columns[0]?.propertyPath].filter(Boolean).join('.');

    throw crudError('CRUD_UNIQUE_VIOLATION', { field, message: [`${field} already exists`] });
  }
}

/** TypeORM reads the parent from the relation, not from its foreign key. */
function setParent({ treeParentRelation }: EntityMetadata, entity: ObjectLiteral): void {
  const columns = treeParentRelation?.joinColumns ?? [];
  const values = columns.map((column): unknown => column.getEntityValue(entity));

  if (values.every((value) => value === undefined)) {
    return;
  }

  const parent = columns.reduce<ObjectLiteral>((map, column, index) => {
    column.referencedColumn?.setEntityValue(map, values[index]);

    return map;
  }, {});

  treeParentRelation?.setEntityValue(entity, values.includes(null) ? null : parent);
}
