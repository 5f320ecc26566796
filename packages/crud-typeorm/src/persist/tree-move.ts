/** Moves a stored record of a `@Tree` entity below another parent, with all below it. A parent that is the record itself or below it is refused (400). */
import { crudError } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { type ColumnMetadata, referencedColumns } from '../column-metadata.js';
import { attempt } from '../errors/statement-error.js';
import { findRecords } from '../statements/find.js';
import { SUBTREE_MOVES } from './subtree-moves.js';
import { equal, isValue, type Key, keyText, keyValues, recordKeyText, valuesOf } from '../statements/values.js';

interface Move {
  readonly metadata: EntityMetadata;
  readonly key: Key;
  readonly path: string;
  /** The new foreign key of a column; undefined if the column keeps its value, null at the root. */
  readonly foreignKey: (column: ColumnMetadata) => unknown;
}

/** Whether a change moves a record to another place in its tree. */
export function movesInTree(
  { treeType, treeParentRelation }: EntityMetadata,
  columns: Iterable<ColumnMetadata>,
): boolean {
  return treeType !== undefined && [...columns].some((column) => treeParentRelation?.joinColumns.includes(column));
}

/**
 * Updates what the tree stores besides foreign keys (paths, closures, nested sets); the caller writes the foreign key itself. The statements are our own: TypeORM's put
 * keys into their text, take a path for part of another one, and let a record be moved below itself.
 */
export async function moveInTree(runner: QueryRunner, { metadata, key, path, foreignKey }: Move): Promise<void> {
  const columns = parentColumnsOf(metadata);
  const [stored] = await rowsWith(runner, metadata, metadata.primaryColumns, keyValues(metadata, key));

  if (!stored) return;

  const before = valuesOf(columns, stored);
  const wanted = columns.map((column, index) => {
    const value = foreignKey(column);

    return value === undefined ? before[index] : value;
  });

  if (keyText(before) === keyText(wanted)) return;

  const ancestors = await lockAncestors(runner, metadata, wanted);
  const field = parentField(metadata, path);

  if (ancestors.some((record) => isSame(metadata, record, stored))) throw refusedParent(field);

  const [parent] = ancestors;

  // A missing parent is refused by the foreign key.
  if (parent || wanted.every((value) => value === null)) {
    const context = { metadata, operation: 'store' as const, paths: [path], rows: [stored] };
    const moveSubtree = SUBTREE_MOVES[metadata.treeType ?? 'adjacency-list'];

    await lockAncestors(runner, metadata, before);
    await attempt(context, () => moveSubtree(runner, metadata, { record: stored, parent, field }));
  }
}

/**
 * The record that a foreign key names, the one above it and so on to the root. All are locked until the transaction
 * ends, so that changes of one tree wait for each other at its root.
 */
export async function lockAncestors(
  runner: QueryRunner,
  metadata: EntityMetadata,
  foreignKey: readonly unknown[],
): Promise<ObjectLiteral[]> {
  const columns = parentColumnsOf(metadata);
  const referenced = referencedColumns(columns);
  const ancestors: ObjectLiteral[] = [];

  for (let next = foreignKey; next.every(isValue);) {
    const [record] = await rowsWith(runner, metadata, referenced, next);

    // The table may contain a cycle that was stored without TypeORM.
    if (!record || ancestors.some((known) => isSame(metadata, known, record))) break;

    ancestors.push(record);
    next = valuesOf(columns, record);
  }

  return ancestors;
}

function isSame(metadata: EntityMetadata, one: ObjectLiteral, other: ObjectLiteral): boolean {
  return recordKeyText(metadata, one) === recordKeyText(metadata, other);
}

/** Keys, foreign keys and whatever the tree keeps in rows of its own entity. */
function rowsWith(
  runner: QueryRunner,
  metadata: EntityMetadata,
  columns: readonly ColumnMetadata[],
  values: readonly unknown[],
): Promise<ObjectLiteral[]> {
  const { primaryColumns, materializedPathColumn, nestedSetLeftColumn, nestedSetRightColumn } = metadata;
  const kept = [materializedPathColumn, nestedSetLeftColumn, nestedSetRightColumn].flatMap((column) => column ?? []);
  const wanted = [...new Set([...primaryColumns, ...parentColumnsOf(metadata), ...columns, ...kept])];

  return findRecords(runner, metadata, wanted, { where: equal(columns, values), locked: true });
}

/** The columns that name the record above. */
export function parentColumnsOf({ treeParentRelation }: EntityMetadata): readonly ColumnMetadata[] {
  return treeParentRelation?.joinColumns ?? [];
}

/** The field to blame if a record cannot be moved. */
export function parentField({ treeParentRelation }: EntityMetadata, path: string): string {
  return [path, treeParentRelation?.propertyPath].filter(Boolean).join('.');
}

/** The error for a move that would create a cycle. */
export function refusedParent(field: string): Error {
  return crudError('CRUD_CHECK_VIOLATION', {
    field,
    message: [`${field} must be neither the record itself nor below it`],
  });
}
