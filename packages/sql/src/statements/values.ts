import { crudError, type Key } from '@nestwright/crud/adapter';
import { bindValue, concatSql, joinAny, type Sql, sql } from '../select/index.js';
import { columnName } from './column-sql.js';
import type { Column, Entity, Table } from '../database/database.js';

/**
 * Puts a value under a property path into a plain object, as the update builder takes it. Paths come from metadata.
 *
 * @example
 * setPath({}, 'name.first', 'Ann'); // { name: { first: 'Ann' } }
 */
export function setPath(target: Entity, path: string, value: unknown): Entity {
  const names = path.split('.');
  const last = names.pop() ?? path;
  let place = target;

  for (const name of names) place = place[name] ??= {};

  place[last] = value;

  return target;
}

export type { Key } from '@nestwright/crud/adapter';

/** The key of an entity; undefined if a part of it is missing. */
export function readKey(table: Table, entity: Entity): Key | undefined {
  const key = Object.fromEntries(table.primaryColumns.map((column) => [column.propertyPath, column.read(entity)]));

  return Object.values(key).every(isValue) ? key : undefined;
}

/** The values of a key, in the order of the primary columns. */
export function keyValues({ primaryColumns }: Table, key: Key): unknown[] {
  return primaryColumns.map(({ propertyPath }) => key[propertyPath]);
}

/** One text for the key of a record. */
export function recordKeyText({ primaryColumns }: Table, record: Entity): string {
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

export function readValues(columns: readonly Column[], entity: Entity): unknown[] {
  return columns.map((column) => column.read(entity));
}

/** A new record: its entity, and its path in the body. */
export interface NewRow {
  readonly entity: Entity;
  readonly path: string;
}

/**
 * The condition that columns hold given values; null matches nothing, since no key is null.
 *
 * @example
 * equal([idColumn], [3]); // { text: '"id" = \0', values: [3] }
 */
export function equal(columns: readonly Column[], values: readonly unknown[]): Sql {
  const parts = columns.map(
    (column, index) => sql`${columnName(column)} = ${bindValue(comparable(column, values[index]))}`,
  );

  return concatSql(parts, ' AND ');
}

/** The condition that columns hold one of several lists of values. */
export function anyEqual(columns: readonly Column[], lists: readonly (readonly unknown[])[]): Sql {
  const [only, ...others] = columns;
  if (!only || others.length > 0 || lists.length === 1) return joinAny(lists.map((values) => equal(columns, values)));
  const values = lists.map(([value]) => bindValue(comparable(only, value)));

  return sql`${columnName(only)} IN (${concatSql(values, ', ')})`;
}

export function keyPredicate(table: Table, key: Key): Sql {
  return equal(table.primaryColumns, keyValues(table, key));
}

export function keysPredicate(table: Table, keys: readonly Key[]): Sql {
  const lists = keys.map((key) => keyValues(table, key));

  return anyEqual(table.primaryColumns, lists);
}

/** A value to compare with a column; a value that the driver would not bind as one value is a 400. */
export function comparable(column: Column, value: unknown): unknown {
  const { database } = column.table;
  const prepared = column.encode(value);

  if (!database.dialect.binds(prepared)) throw crudError('CRUD_INVALID_VALUE', { field: column.propertyPath });

  return prepared;
}

/** Whether there is a value at all. */
export function isValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether there is a value that is not SQL of the application. */
export function isConstant(value: unknown): boolean {
  return isValue(value) && typeof value !== 'function';
}
