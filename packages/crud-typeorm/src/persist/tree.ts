/** Inserts records of a `@Tree` entity by TypeORM's own persistence, which keeps paths, closures and nested sets. */
import { crudError } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { referencedColumns } from '../column-metadata.js';
import { fieldAt } from '../errors/blame.js';
import { attempt } from '../errors/statement-error.js';
import { keyPredicate } from '../statements/changes.js';
import { findRecords } from '../statements/find.js';
import { secondRoot } from './subtree-moves.js';
import { parentColumnsOf, parentField, refusedParent, lockAncestors } from './tree-move.js';
import { isValue, keyOf, keyText, type NewRow, valuesOf } from '../statements/values.js';

/**
 * Inserts records one by one; the list has parents before their children. TypeORM calls listeners and subscribers. The
 * tree's root is locked before anything is read, so that changes of one tree are serialized.
 */
export async function insertInTree(
  runner: QueryRunner,
  metadata: EntityMetadata,
  rows: readonly NewRow[],
): Promise<void> {
  const columns = parentColumnsOf(metadata);

  for (const { entity } of rows) await lockAncestors(runner, metadata, valuesOf(columns, entity));

  for (const row of rows) {
    await refuseKnownKey(runner, metadata, row);
    refuseItself(metadata, row);
    setParent(metadata, row.entity);
    await save(runner, metadata, row);
  }
}

async function save(runner: QueryRunner, metadata: EntityMetadata, { entity, path }: NewRow): Promise<void> {
  const context = { metadata, operation: 'store' as const, paths: [path], rows: [entity] };

  await attempt(context, () => runner.manager.save(metadata.target, entity, { transaction: false })).catch(
    (error: Error) => {
      throw isSecondRoot(error.cause) ? refusedRoot(metadata, { entity, path }) : error;
    },
  );
}

/** TypeORM's error for a second root of a nested set: no parent was named, or it does not exist. */
function isSecondRoot(error: unknown): boolean {
  return error instanceof Error && error.name === 'NestedSetMultipleRootError';
}

function refusedRoot(metadata: EntityMetadata, { entity, path }: NewRow): Error {
  const field = parentField(metadata, path);

  return valuesOf(parentColumnsOf(metadata), entity).every(isValue)
    ? crudError('CRUD_FOREIGN_KEY_VIOLATION', { field, message: [`${field} does not exist`] })
    : secondRoot(field);
}

/** A client that chooses keys might name the new record as its own parent. */
function refuseItself(metadata: EntityMetadata, { entity, path }: NewRow): void {
  const columns = parentColumnsOf(metadata);
  const parent = valuesOf(columns, entity);
  const own = valuesOf(referencedColumns(columns), entity);

  if (parent.every(isValue) && keyText(parent) === keyText(own)) throw refusedParent(parentField(metadata, path));
}

/** `save` would update the record under a known key. */
async function refuseKnownKey(runner: QueryRunner, metadata: EntityMetadata, { entity, path }: NewRow): Promise<void> {
  const { primaryColumns: columns } = metadata;
  const key = keyOf(metadata, entity);

  if (key && (await findRecords(runner, metadata, columns, { where: keyPredicate(metadata, key) })).length > 0) {
    const field = fieldAt(path, columns[0]!.propertyPath);

    throw crudError('CRUD_UNIQUE_VIOLATION', { field, message: [`${field} already exists`] });
  }
}

/** TypeORM reads the parent from the relation, not from its foreign key. */
function setParent(metadata: EntityMetadata, entity: ObjectLiteral): void {
  const columns = parentColumnsOf(metadata);
  const values = valuesOf(columns, entity);

  if (values.every((value) => value === undefined)) return;

  const parent = columns.reduce<ObjectLiteral>((map, column, index) => {
    column.referencedColumn?.setEntityValue(map, values[index]);

    return map;
  }, {});

  metadata.treeParentRelation?.setEntityValue(entity, values.includes(null) ? null : parent);
}
