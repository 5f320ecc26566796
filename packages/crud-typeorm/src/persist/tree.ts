/**
 * Inserts records of a `@Tree` entity by TypeORM's own persistence, which keeps paths, closures and nested sets;
 * refuses to move stored ones (400).
 */
import { crudError } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { type ColumnMetadata, referencedColumns } from '../column-metadata.js';
import { nameField } from '../errors/blame.js';
import { attempt } from '../errors/statement-error.js';
import { findRecords } from '../statements/find.js';
import {
  equal,
  isValue,
  type Key,
  keyPredicate,
  keyText,
  type NewRow,
  readKey,
  readValues,
  recordKeyText,
} from '../statements/values.js';

/**
 * Inserts records one by one; the list has parents before their children. TypeORM calls listeners and subscribers. The
 * tree's root is locked before anything is read, so that changes of one tree are serialized.
 */
export async function insertInTree(
  runner: QueryRunner,
  metadata: EntityMetadata,
  rows: readonly NewRow[],
): Promise<void> {
  const columns = listTreeParentColumns(metadata);

  for (const { entity } of rows) await lockAncestors(runner, metadata, readValues(columns, entity));

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

  return readValues(listTreeParentColumns(metadata), entity).every(isValue)
    ? crudError('CRUD_FOREIGN_KEY_VIOLATION', { field, message: [`${field} does not exist`] })
    : crudError('CRUD_UNIQUE_VIOLATION', { field, message: [`${field} must be given: a nested set has one root`] });
}

/** A client that chooses keys might name the new record as its own parent. */
function refuseItself(metadata: EntityMetadata, { entity, path }: NewRow): void {
  const columns = listTreeParentColumns(metadata);
  const parent = readValues(columns, entity);
  const own = readValues(referencedColumns(columns), entity);

  if (parent.every(isValue) && keyText(parent) === keyText(own)) {
    const field = parentField(metadata, path);

    throw crudError('CRUD_CHECK_VIOLATION', { field, message: [`${field} must not be the record itself`] });
  }
}

/** `save` would update the record under a known key. */
async function refuseKnownKey(runner: QueryRunner, metadata: EntityMetadata, { entity, path }: NewRow): Promise<void> {
  const { primaryColumns: columns } = metadata;
  const key = readKey(metadata, entity);

  if (key && (await findRecords(runner, metadata, columns, { where: keyPredicate(metadata, key) })).length > 0) {
    const field = nameField(path, columns[0]!.propertyPath);

    throw crudError('CRUD_UNIQUE_VIOLATION', { field, message: [`${field} already exists`] });
  }
}

/** TypeORM reads the parent from the relation, not from its foreign key. */
function setParent(metadata: EntityMetadata, entity: ObjectLiteral): void {
  const columns = listTreeParentColumns(metadata);
  const values = readValues(columns, entity);

  if (values.every((value) => value === undefined)) return;

  const parent = columns.reduce<ObjectLiteral>((map, column, index) => {
    column.referencedColumn?.setEntityValue(map, values[index]);

    return map;
  }, {});

  metadata.treeParentRelation?.setEntityValue(entity, values.includes(null) ? null : parent);
}

/** Whether a change names the parent of a record in a tree. */
export function namesParent(metadata: EntityMetadata, columns: Iterable<ColumnMetadata>): boolean {
  const { treeType } = metadata;
  if (treeType === undefined || treeType === 'adjacency-list') return false;

  return [...columns].some((column) => listTreeParentColumns(metadata).includes(column));
}

/**
 * Refuses a change of the parent (400): TypeORM's way to move records writes keys into the text of statements.
 *
 * @param foreignKey The value to store in a column; undefined if the column keeps its value.
 */
export async function requireSameParent(
  runner: QueryRunner,
  metadata: EntityMetadata,
  { key, path }: { readonly key: Key; readonly path: string },
  foreignKey: (column: ColumnMetadata) => unknown,
): Promise<void> {
  const columns = listTreeParentColumns(metadata);
  const [stored] = await findRecords(runner, metadata, columns, { where: keyPredicate(metadata, key), locked: true });
  if (!stored) return;

  const before = readValues(columns, stored);
  const wanted = columns.map((column, index) => {
    const value = foreignKey(column);

    return value === undefined ? before[index] : value;
  });
  if (keyText(before) === keyText(wanted)) return;

  const field = parentField(metadata, path);
  throw crudError('CRUD_INVALID_BODY', {
    field,
    message: [`${field} cannot be changed: a record keeps its place in a tree`],
  });
}

/**
 * Locks the record that a foreign key names and those above it until the transaction ends, so that inserts into one
 * tree wait for each other at its root.
 */
async function lockAncestors(
  runner: QueryRunner,
  metadata: EntityMetadata,
  foreignKey: readonly unknown[],
): Promise<void> {
  const columns = listTreeParentColumns(metadata);
  const referenced = referencedColumns(columns);
  const wanted = [...new Set([...metadata.primaryColumns, ...columns, ...referenced])];
  const known = new Set<string>();

  for (let next = foreignKey; next.every(isValue);) {
    const where = equal(referenced, next);
    const [record] = await findRecords(runner, metadata, wanted, { where, locked: true });
    // The table may contain a cycle that was stored without TypeORM.
    if (!record || known.has(recordKeyText(metadata, record))) return;

    known.add(recordKeyText(metadata, record));
    next = readValues(columns, record);
  }
}

/** The columns that name the record above. */
function listTreeParentColumns({ treeParentRelation }: EntityMetadata): readonly ColumnMetadata[] {
  return treeParentRelation?.joinColumns ?? [];
}

/** The field to blame for a parent. */
function parentField({ treeParentRelation }: EntityMetadata, path: string): string {
  return [path, treeParentRelation?.propertyPath].filter(Boolean).join('.');
}
