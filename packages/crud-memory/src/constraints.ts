/** Rows stored under the constraints of their table: defaults, keys, uniqueness, references, checks. */
import { type CatalogColumn, crudError } from '@nestwright/crud/adapter';
import type { MemoryTransaction } from './memory-database.js';
import type { MemoryTable } from './tables.js';
import { isSame, type Row, stored } from './values.js';

/** New values by property path; undefined stands for the default. */
export type Values = ReadonlyMap<string, unknown>;

/** Where a row is in a body, and which of its properties the server sets: these are blamed last. */
export interface Place {
  readonly path: string;
  readonly given: ReadonlySet<string>;
}

/** `bulk.0.email` */
export const nameField = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The row that an INSERT of some values makes. */
export function newRow(table: MemoryTable, values: Values, transaction: MemoryTransaction): Row {
  const row: Record<string, unknown> = {};
  for (const [path, column] of table.catalog.columns) {
    const value = values.get(path);
    row[path] = stored(column, value === undefined ? fill(table, path, transaction) : value);
  }

  return row;
}

/** What the database fills in. */
export function fill(table: MemoryTable, path: string, { database }: MemoryTransaction): unknown {
  const { default: value, counter, source } = table.columns.get(path)!;
  if (counter) return String(database.count(`${table.name}.${path}`));
  if (source === 'createDate' || source === 'updateDate') return new Date();
  if (source === 'version') return 1;

  return typeof value === 'function' ? (value as () => unknown)() : value;
}

export function insertRow(transaction: MemoryTransaction, table: MemoryTable, row: Row, place: Place): void {
  requireValid(transaction, table, row, place);
  for (const [path, { counter }] of table.columns)
    if (counter) transaction.database.count(`${table.name}.${path}`, BigInt(String(row[path])));
  transaction.put(table, row);
}

export function replaceRow(
  transaction: MemoryTransaction,
  table: MemoryTable,
  [former, row]: readonly [Row, Row],
  place: Place,
): void {
  requireValid(transaction, table, row, place, former);
  transaction.put(table, row, former);
}

function requireValid(transaction: MemoryTransaction, table: MemoryTable, row: Row, place: Place, former?: Row): void {
  const { catalog, columns } = table;
  const refuse = (code: Parameters<typeof crudError>[0], path: string, text: string): never => {
    const field = nameField(place.path, path);
    throw crudError(code, { field, message: [`${field} ${text}`] });
  };

  for (const [path, column] of catalog.columns) {
    const value = row[path] as never;
    if (value === null && !column.nullable && column.source !== 'deleteDate')
      refuse('CRUD_NOT_NULL_VIOLATION', path, 'should not be null or undefined');
    if (value !== null && columns.get(path)!.check?.(value) === false)
      refuse('CRUD_CHECK_VIOLATION', path, 'has a value that is not allowed');
  }
  for (const unique of table.uniques) {
    if (unique.length > 0 && findEqual(transaction, table, unique, row, former)) {
      const fields = unique.filter((path) => !place.given.has(path));
      refuse('CRUD_UNIQUE_VIOLATION', fields[0] ?? unique[0]!, 'already exists');
    }
  }
  for (const [path, target] of table.references()) {
    const [key = ''] = target.primary;
    const isThere = [...transaction.of(target)].some((one) => one[key] === row[path]);
    if (row[path] !== null && row[path] !== former?.[path] && !isThere)
      refuse('CRUD_FOREIGN_KEY_VIOLATION', path, 'does not exist');
  }
}

/** Another row with the same values of some columns, none of them null. */
export function findEqual(
  transaction: MemoryTransaction,
  table: MemoryTable,
  paths: readonly string[],
  row: Row,
  former?: Row,
): Row | undefined {
  const columns = paths.map((path) => table.catalog.columns.get(path)!);
  const isEqual = (column: CatalogColumn, other: Row) =>
    row[column.path] !== null && isSame(column, row[column.path], other[column.path]);

  return [...transaction.of(table)].find(
    (other) => other !== former && columns.every((column) => isEqual(column, other)),
  );
}

/** Deletes a row; others that refer to it keep it from that, or go along, as their columns say. */
export function deleteRow(
  transaction: MemoryTransaction,
  table: MemoryTable,
  row: Row,
  joins: Readonly<Record<string, unknown>>,
): void {
  transaction.remove(table, row);
  const key = row[table.primary[0]!];

  for (const other of transaction.database.all()) {
    for (const [path, target, { onDelete = 'restrict' }] of other.references()) {
      const referring = target === table ? [...transaction.of(other)].filter((one) => one[path] === key) : [];
      if (referring.length > 0 && onDelete === 'restrict') refuseRemoval(table, other, path, joins);
      for (const one of referring) {
        if (onDelete === 'cascade') deleteRow(transaction, other, one, joins);
        else transaction.put(other, { ...one, [path]: null });
      }
    }
  }
}

function refuseRemoval(table: MemoryTable, other: MemoryTable, path: string, joins: object): never {
  const relation = Object.entries(table.definition.relations ?? {}).find(
    ([, one]) => 'of' in one && one.of === path && ('one' in one ? one.one : one.many) === other.name,
  )?.[0];
  const field = relation !== undefined && Object.hasOwn(joins, relation) ? relation : undefined;

  throw crudError('CRUD_FOREIGN_KEY_VIOLATION', {
    message: `${field ? `Records in ${field}` : 'Other records'} still refer to this one: delete or change them first`,
    ...(field !== undefined && { field }),
  });
}
