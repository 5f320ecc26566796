import { crudError, type Key } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { type ColumnMetadata, toDriver } from '../column-metadata.js';
import { getDialect } from '../dialect/dialect-of.js';
import { bindValue, concatSql, joinAny, type Sql, sql } from '../sql/index.js';
import { columnName } from './column-sql.js';

/**
 * Puts a value under a property path into a plain object, as the update builder takes it. Paths come from metadata.
 *
 * @example
 * setPath({}, 'name.first', 'Ann'); // { name: { first: 'Ann' } }
 */
export function setPath(target: ObjectLiteral, path: string, value: unknown): ObjectLiteral {
  const names = path.split('.');
  const last = names.pop() ?? path;
  let place = target;

  for (const name of names) place = place[name] ??= {};

  place[last] = value;

  return target;
}

export type { Key } from '@nestwright/crud/adapter';

/** The key of an entity; undefined if a part of it is missing. */
export function readKey(metadata: EntityMetadata, entity: ObjectLiteral): Key | undefined {
  const key = Object.fromEntries(
    metadata.primaryColumns.map((column) => [column.propertyPath, column.getEntityValue(entity)]),
  );

  return Object.values(key).every(isValue) ? key : undefined;
}

/** The values of a key, in the order of the primary columns. */
export function keyValues({ primaryColumns }: EntityMetadata, key: Key): unknown[] {
  return primaryColumns.map(({ propertyPath }) => key[propertyPath]);
}

/** One text for the key of a record. */
export function recordKeyText({ primaryColumns }: EntityMetadata, record: ObjectLiteral): string {
  return keyText(readValues(primaryColumns, record));
}

/** One text for equal keys; drivers return a bigint as a number or as digits. */
export function keyText(values: readonly unknown[]): string {
  return JSON.stringify(values.map(printPlainValue));
}

function printPlainValue(value: unknown): string {
  if (value instanceof Date) return value.toISOString();

  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}

/** Most items in the list of one statement. */
const MAX_ITEMS = 1000;

/** Splits a list into parts, one for each statement. */
export function* batches<T>(items: readonly T[], size = MAX_ITEMS): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

export function readValues(columns: readonly ColumnMetadata[], entity: ObjectLiteral): unknown[] {
  return columns.map((column) => column.getEntityValue(entity));
}

/** A new record: its entity, and its path in the body. */
export interface NewRow {
  readonly entity: ObjectLiteral;
  readonly path: string;
}

/**
 * The condition that columns hold given values; null matches nothing, since no key is null.
 *
 * @example
 * equal([idColumn], [3]); // { text: '"id" = \0', values: [3] }
 */
export function equal(columns: readonly ColumnMetadata[], values: readonly unknown[]): Sql {
  const parts = columns.map(
    (column, index) => sql`${columnName(column)} = ${bindValue(comparable(column, values[index]))}`,
  );

  return concatSql(parts, ' AND ');
}

/** The condition that columns hold one of several lists of values. */
export function anyEqual(columns: readonly ColumnMetadata[], lists: readonly (readonly unknown[])[]): Sql {
  const [only, ...others] = columns;
  if (!only || others.length > 0 || lists.length === 1) return joinAny(lists.map((values) => equal(columns, values)));
  const values = lists.map(([value]) => bindValue(comparable(only, value)));

  return sql`${columnName(only)} IN (${concatSql(values, ', ')})`;
}

export function keyPredicate(metadata: EntityMetadata, key: Key): Sql {
  return equal(metadata.primaryColumns, keyValues(metadata, key));
}

export function keysPredicate(metadata: EntityMetadata, keys: readonly Key[]): Sql {
  const lists = keys.map((key) => keyValues(metadata, key));

  return anyEqual(metadata.primaryColumns, lists);
}

/** A value to compare with a column; a value that the driver would not bind as one value is a 400. */
export function comparable(column: ColumnMetadata, value: unknown): unknown {
  const { connection } = column.entityMetadata;
  const prepared = toDriver(column, value);

  if (!getDialect(connection).binds(prepared)) throw crudError('CRUD_INVALID_VALUE', { field: column.propertyPath });

  return prepared;
}

/** Locks rows in their current committed state for the transaction; not needed on a shared connection. */
export function lock(select: SelectQueryBuilder<ObjectLiteral>): void {
  if (!getDialect(select.connection).sharedConnection) select.setLock('pessimistic_write');
}

/** Whether there is a value at all. */
export function isValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether there is a value that is not SQL of the application. */
export function isConstant(value: unknown): boolean {
  return isValue(value) && typeof value !== 'function';
}
