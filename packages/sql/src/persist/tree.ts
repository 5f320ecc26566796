/**
 * Inserts records of a `@Tree` entity by the ORM's own persistence, which keeps paths, closures and nested sets;
 * refuses to move stored ones (400).
 */
import { crudError } from '@nestwright/crud/adapter';
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
import { referencedColumns } from '../database/records.js';
import type { Column, Connection, Entity, Table } from '../database/database.js';

/**
 * Inserts records one by one; the list has parents before their children. The ORM calls its listeners. The
 * tree's root is locked before anything is read, so that changes of one tree are serialized.
 */
export async function insertInTree(connection: Connection, table: Table, rows: readonly NewRow[]): Promise<void> {
  const columns = listTreeParentColumns(table);

  for (const { entity } of rows) await lockAncestors(connection, table, readValues(columns, entity));

  for (const row of rows) {
    await refuseKnownKey(connection, table, row);
    refuseItself(table, row);
    setParent(table, row.entity);
    await save(connection, table, row);
  }
}

async function save(connection: Connection, table: Table, { entity, path }: NewRow): Promise<void> {
  const context = { table, operation: 'store' as const, paths: [path], rows: [entity] };

  await attempt(context, () => connection.saveInTree(table, entity)).catch((error: Error) => {
    throw isSecondRoot(error.cause) ? refusedRoot(table, { entity, path }) : error;
  });
}

/** TypeORM's error for a second root of a nested set: no parent was named, or it does not exist. */
function isSecondRoot(error: unknown): boolean {
  return error instanceof Error && error.name === 'NestedSetMultipleRootError';
}

function refusedRoot(table: Table, { entity, path }: NewRow): Error {
  const field = parentField(table, path);

  return readValues(listTreeParentColumns(table), entity).every(isValue)
    ? crudError('CRUD_FOREIGN_KEY_VIOLATION', { field, message: [`${field} does not exist`] })
    : crudError('CRUD_UNIQUE_VIOLATION', { field, message: [`${field} must be given: a nested set has one root`] });
}

/** A client that chooses keys might name the new record as its own parent. */
function refuseItself(table: Table, { entity, path }: NewRow): void {
  const columns = listTreeParentColumns(table);
  const parent = readValues(columns, entity);
  const own = readValues(referencedColumns(columns), entity);

  if (parent.every(isValue) && keyText(parent) === keyText(own)) {
    const field = parentField(table, path);

    throw crudError('CRUD_CHECK_VIOLATION', { field, message: [`${field} must not be the record itself`] });
  }
}

/** `save` would update the record under a known key. */
async function refuseKnownKey(connection: Connection, table: Table, { entity, path }: NewRow): Promise<void> {
  const { primaryColumns: columns } = table;
  const key = readKey(table, entity);

  if (key && (await findRecords(connection, table, columns, { where: keyPredicate(table, key) })).length > 0) {
    const field = nameField(path, columns[0]!.propertyPath);

    throw crudError('CRUD_UNIQUE_VIOLATION', { field, message: [`${field} already exists`] });
  }
}

/** The ORM reads the parent from the relation, not from its foreign key. */
function setParent(table: Table, entity: Entity): void {
  const columns = listTreeParentColumns(table);
  const values = readValues(columns, entity);

  if (values.every((value) => value === undefined)) return;

  const parent = columns.reduce<Entity>((map, column, index) => {
    column.referencedColumn!.write(map, values[index]);

    return map;
  }, {});

  table.treeParentRelation?.write(entity, values.includes(null) ? null : parent);
}

/** Whether a change names the parent of a record in a tree. */
export function namesParent(table: Table, columns: Iterable<Column>): boolean {
  const { treeType } = table;
  if (treeType === undefined || treeType === 'adjacency-list') return false;

  return [...columns].some((column) => listTreeParentColumns(table).includes(column));
}

/**
 * Refuses a change of the parent (400): the ORM's way to move records writes keys into the text of statements.
 *
 * @param foreignKey The value to store in a column; undefined if the column keeps its value.
 */
export async function requireSameParent(
  connection: Connection,
  table: Table,
  { key, path }: { readonly key: Key; readonly path: string },
  foreignKey: (column: Column) => unknown,
): Promise<void> {
  const columns = listTreeParentColumns(table);
  const [stored] = await findRecords(connection, table, columns, { where: keyPredicate(table, key), locked: true });
  if (!stored) return;

  const before = readValues(columns, stored);
  const wanted = columns.map((column, index) => {
    const value = foreignKey(column);

    return value === undefined ? before[index] : value;
  });
  if (keyText(before) === keyText(wanted)) return;

  const field = parentField(table, path);
  throw crudError('CRUD_INVALID_BODY', {
    field,
    message: [`${field} cannot be changed: a record keeps its place in a tree`],
  });
}

/**
 * Locks the record that a foreign key names and those above it until the transaction ends, so that inserts into one
 * tree wait for each other at its root.
 */
async function lockAncestors(connection: Connection, table: Table, foreignKey: readonly unknown[]): Promise<void> {
  const columns = listTreeParentColumns(table);
  const referenced = referencedColumns(columns);
  const wanted = [...new Set([...table.primaryColumns, ...columns, ...referenced])];
  const known = new Set<string>();

  for (let next = foreignKey; next.every(isValue);) {
    const where = equal(referenced, next);
    const [record] = await findRecords(connection, table, wanted, { where, locked: true });
    // The table may contain a cycle that was stored without the ORM.
    if (!record || known.has(recordKeyText(table, record))) return;

    known.add(recordKeyText(table, record));
    next = readValues(columns, record);
  }
}

/** The columns that name the record above. */
function listTreeParentColumns({ treeParentRelation }: Table): readonly Column[] {
  return treeParentRelation?.joinColumns ?? [];
}

/** The field to blame for a parent. */
function parentField({ treeParentRelation }: Table, path: string): string {
  return [path, treeParentRelation?.propertyPath].filter(Boolean).join('.');
}
