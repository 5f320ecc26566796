/** Records as hooks and listeners are given them: entities, locked for the rest of the transaction. */
import type { Column, Connection, Entity, Relation, Table } from '../database/database.js';
import { decodeValue, setColumnValue, setOwnProperty } from '../database/records.js';
import { type Changes, makeChangedRow, type StoredRow } from '../statements/changes.js';
import { writeDifferences } from '../statements/difference.js';
import { requireBindable } from '../statements/execute.js';
import { findValues, qualifiedName } from '../statements/find.js';
import { type Sql, sql } from '../select/index.js';
import {
  batches,
  type Key,
  keyPredicate,
  keysPredicate,
  keyText,
  keyValues,
  recordKeyText,
} from '../statements/values.js';
import { readRelatedKeys } from './related-keys.js';

/** The whole record under a key, soft-deleted ones too, also with columns that are not selected by default. */
export async function loadRow(connection: Connection, table: Table, key: Key): Promise<Entity | undefined> {
  return (await loadRows(connection, table, [key]))[0];
}

/** The whole records under some keys, as {@link loadRow} has each, in the order of the keys. */
export async function loadRows(
  connection: Connection,
  table: Table,
  keys: readonly Key[],
): Promise<(Entity | undefined)[]> {
  const columns = table.columns.filter(isHeld);
  const found = new Map<string, Entity>();

  for (const some of batches(keys)) {
    for (const { entity } of await selectEntities(connection, table, columns, keysPredicate(table, some)))
      found.set(recordKeyText(table, entity), entity);
  }

  return keys.map((key) => found.get(keyText(keyValues(table, key))));
}

/** A record that is about to change. */
export interface LoadedRow {
  readonly entity: Entity;
  /** A copy, with the keys of the related records that the change names. */
  readonly before: Entity;
  /** Columns whose stored value differs from the one sent. */
  readonly changed: ReadonlySet<Column>;
}

/** The record to change, with the columns that change; with all its columns, or with those that a list would read. */
export async function loadChanged(
  connection: Connection,
  { table, relations = [], path, unread }: StoredRow,
  key: Key,
  changes: Changes,
  wanted: 'all' | 'read' = 'all',
): Promise<LoadedRow | undefined> {
  const named = [...new Set([...relations, ...foreignKeys(changes.keys())])];
  const differences = writeDifferences(changes, (column) => qualifiedName(column, table));
  requireBindable(
    { table, operation: 'store', paths: [path], rows: [makeChangedRow(changes)] },
    differences.flatMap(({ sql: difference }) => difference?.values ?? []),
  );
  const read = wanted === 'read' ? listRead(table, unread?.()) : table.columns.filter(isHeld);
  const columns = [
    ...new Set([...read, ...named.flatMap(({ joinColumns, junction }) => (junction ? [] : joinColumns))]),
  ];
  const [found] = await selectEntities(
    connection,
    table,
    columns,
    keyPredicate(table, key),
    differences.map((difference) => sql`CASE WHEN ${difference.sql ?? '1 = 1'} THEN 1 ELSE 0 END`),
  );
  if (!found) return undefined;

  const { entity, values, others } = found;
  const before = copyRow(table, entity);

  for (const relation of named) {
    relation.write(before, await readRelatedKeys(connection, relation, values));
    removeRelated(relation, entity);
  }

  return {
    entity,
    before,
    changed: new Set(differences.flatMap(({ column }, index) => (Number(others[index]) === 1 ? [column] : []))),
  };
}

/** Whether an entity holds a column; the discriminator is needed to make it. */
function isHeld({ isVirtual, isDiscriminator }: Column): boolean {
  return !isVirtual || isDiscriminator;
}

/**
 * The columns that a read would load, as `save` of a found record has it: a listener that hashes passwords would hash a
 * stored hash again.
 */
function listRead({ columns }: Table, unread: ReadonlySet<string> = new Set()): Column[] {
  return columns.filter(
    (column) =>
      column.isDiscriminator ||
      (isHeld(column) && column.isSelect && (column.isPrimary || !unread.has(column.propertyPath))),
  );
}

interface SelectedEntity {
  readonly entity: Entity;
  /** What was read of each column. */
  readonly values: ReadonlyMap<Column, unknown>;
  /** The values of the other expressions. */
  readonly others: readonly unknown[];
}

async function selectEntities(
  connection: Connection,
  table: Table,
  columns: readonly Column[],
  where: Sql,
  others: readonly Sql[] = [],
): Promise<SelectedEntity[]> {
  const { dialect, listeners } = table.database;
  const selected = columns.map((column) => dialect.selected(qualifiedName(column, table), column));
  const rows = await findValues(connection, table, [...selected, ...others], { where, locked: true });
  const found = rows.map((row) => {
    const values = new Map(columns.map((column, index) => [column, decodeValue(column, row[index])]));

    return { entity: makeEntity(connection, table, values), values, others: row.slice(columns.length) };
  });

  if (
    found.length > 0 &&
    (listeners.observeLoads || [table, ...table.children].some((one) => listeners.observeLoadsOf(one)))
  ) {
    await listeners.broadcastLoad(
      connection,
      table,
      found.map(({ entity }) => entity),
    );
  }

  return found;
}

/** The entity of a row, of the class that its discriminator names. */
function makeEntity(connection: Connection, table: Table, values: ReadonlyMap<Column, unknown>): Entity {
  const { discriminatorColumn: discriminator, children } = table;
  const own =
    (discriminator && children.find((child) => child.discriminatorValue === values.get(discriminator))) ?? table;
  const foreign = new Set(own.children.map(({ target }) => target));
  const byName = new Map(Array.from(values, ([{ databaseName }, value]) => [databaseName, value]));
  const entity = own.createLoaded(connection);

  for (const column of own.columns) {
    const value = byName.get(column.databaseName);
    if (value !== undefined && !column.isVirtual && !foreign.has(column.target)) column.write(entity, value);
  }

  return entity;
}

/** What a class sets at first would override the new foreign key, and a lazy getter would show the old one. */
function removeRelated({ embedded, isLazy, isWithJoinColumn, propertyName }: Relation, entity: Entity): void {
  const holder = (embedded?.path ?? []).reduce<Entity | undefined>(
    (object, { propertyName: name }) => object?.[name] as Entity | undefined,
    entity,
  );

  for (const name of isLazy ? [`__${propertyName}__`, `__has_${propertyName}__`] : [propertyName])
    if (holder) Reflect.deleteProperty(holder, name);

  if (isLazy && isWithJoinColumn && !embedded) setOwnProperty(entity, propertyName, {});
}

/** Relations of which no property but their own holds the foreign key. */
export function foreignKeys(columns: Iterable<Column>): Relation[] {
  return [...columns].flatMap(({ isVirtual, relation }) => (isVirtual && relation ? [relation] : []));
}

export function copyRow(table: Table, entity: Entity): Entity {
  const copy = table.create();

  for (const column of table.columns) {
    const value: unknown = column.isVirtual ? undefined : column.read(entity);

    if (value !== undefined) setColumnValue(column, copy, cloneValue(value));
  }

  return copy;
}

/** JSON values are changed in place by listeners; what cannot be cloned is kept. */
function cloneValue(value: unknown): unknown {
  // structuredClone creates the engine's own Date, which is another class inside a test runner's context.
  if (value instanceof Date) return new Date(value);

  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
