/** Changed columns of one stored record go in and are written by one UPDATE, under the condition given; the number of records found comes out. */
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { attempt } from '../errors/statement-error.js';
import { nowOf } from './now.js';
import { broadcast, isObserved } from './observers.js';
import { moveInTree, movesInTree } from './tree-move.js';
import { both, equal, lock, type Predicate, setAt } from './values.js';

/** New values by column; {@link RESET} puts back the column's default. */
export type Changes = ReadonlyMap<ColumnMetadata, unknown>;

/** Stands for a column's default, or null where it has none. */
export const RESET: unique symbol = Symbol('reset');

/** One record to change: its key, and what else must hold of it. */
export interface StoredRow {
  readonly metadata: EntityMetadata;
  /** By property path. Undefined where nobody needs it: the condition alone finds the record. */
  readonly key?: Readonly<Record<string, unknown>>;
  readonly where?: Predicate;
  /** Where the record stands in the body. */
  readonly path: string;
}

/**
 * Updates the given columns alone, and with them the version and the update date. Onlookers see the whole record, and what they change on it is written too.
 *
 * The answer is -1 where there was nothing to write, so that nothing was looked for.
 *
 * @example
 * await changeRow(runner, { metadata, key: { id: 3 }, path: '' }, new Map([[emailColumn, 'a@b.example']])); // 1
 */
export async function changeRow(runner: QueryRunner, row: StoredRow, changes: Changes): Promise<number> {
  const { metadata, key, path } = row;

  if (key && movesInTree(metadata, changes.keys())) {
    await moveInTree(runner, { metadata, key, path, parent: (column) => plainOf(changes.get(column)) });
  }

  if (!key || changes.size === 0 || !isObserved(runner, metadata, 'Update')) {
    return update(runner, row, changes);
  }

  const entity = await loadRow(runner, metadata, key);

  if (!entity) {
    return 0;
  }

  const before = copyOf(metadata, entity);

  for (const [column, value] of changes) {
    column.setEntityValue(entity, value === RESET ? undefined : value);
  }

  await broadcast(runner, metadata, 'BeforeUpdate', { entity, before });

  const affected = await update(runner, row, withChangesOf(metadata, changes, before, entity));

  if (affected > 0) {
    await broadcast(runner, metadata, 'AfterUpdate', { entity, before });
  }

  return affected;
}

/** A foreign key as it is to be stored; no parent is the default of a tree. */
function plainOf(value: unknown): unknown {
  return value === RESET ? null : value;
}

/** The whole record under a key, locked for the rest of the transaction where the database can; soft-deleted ones too. */
export async function loadRow(
  runner: QueryRunner,
  metadata: EntityMetadata,
  key: Readonly<Record<string, unknown>>,
): Promise<ObjectLiteral | undefined> {
  const select = runner.manager
    .createQueryBuilder(metadata.target, 'stored')
    .withDeleted()
    .whereInIds(entityKey(metadata, key));

  // Columns with `select: false` too: a listener may want to hash a password that did not change.
  select.addSelect(
    metadata.columns
      .filter((column) => !column.isSelect && !column.isVirtual)
      .map((column) => `stored.${column.propertyPath}`),
  );

  lock(select);

  return (await select.getOne()) ?? undefined;
}

/** A key by property path as TypeORM's conditions take it. */
export function entityKey(metadata: EntityMetadata, key: Readonly<Record<string, unknown>>): ObjectLiteral {
  return metadata.primaryColumns.reduce((map, column) => setAt(map, column.propertyPath, key[column.propertyPath]), {});
}

/** The condition that a record has a key. */
export function keyPredicate(metadata: EntityMetadata, key: Readonly<Record<string, unknown>>): Predicate {
  return equal(
    metadata.primaryColumns,
    metadata.primaryColumns.map((column) => key[column.propertyPath]),
    'key',
  );
}

/** What the update builder is to set, the time of the update included; empty where there is nothing to write. */
export function settersOf(metadata: EntityMetadata, changes: Changes): ObjectLiteral {
  const set: ObjectLiteral = {};

  for (const [column, value] of changes) {
    if (column.isUpdate && !column.isPrimary) {
      setAt(set, column.propertyPath, value === RESET ? () => defaultOf(column) : value);
    }
  }

  const now = Object.keys(set).length > 0 ? updateTime(metadata) : undefined;

  return now ? setAt(set, now.column.propertyPath, () => now.sql) : set;
}

async function update(
  runner: QueryRunner,
  { metadata, key, where, path }: StoredRow,
  changes: Changes,
): Promise<number> {
  const set = settersOf(metadata, changes);

  if (Object.keys(set).length === 0) {
    return -1;
  }

  const byKey = key && keyPredicate(metadata, key);
  const predicate = where ? both(where, byKey) : byKey;

  if (!predicate) {
    throw new Error(`An update of ${metadata.name} without a condition`);
  }

  const statement = runner.manager
    .createQueryBuilder()
    .update(metadata.target)
    .set(set)
    .where(predicate.sql, predicate.parameters);
  const context = { metadata, operation: 'store' as const, paths: [path], rows: [set] };
  const { affected } = await attempt(context, () => statement.callListeners(false).updateEntity(false).execute());

  return affected ?? 0;
}

/** The time of an update, where the column knows it better than TypeORM's own statement. */
function updateTime({ updateDateColumn: column }: EntityMetadata): { column: ColumnMetadata; sql: string } | undefined {
  const sql = column && nowOf(column);

  return column && sql ? { column, sql } : undefined;
}

/** The SQL of a column's default; SQLite has no word for it. */
function defaultOf(column: ColumnMetadata): string {
  const { driver } = column.entityMetadata.connection;

  if (dialectOf(column.entityMetadata.connection).name !== 'sqlite') {
    return 'DEFAULT';
  }

  return column.default === undefined || column.default === null ? 'NULL' : String(driver.normalizeDefault(column));
}

function copyOf(metadata: EntityMetadata, entity: ObjectLiteral): ObjectLiteral {
  const copy = metadata.create();

  for (const column of metadata.columns) {
    const value: unknown = column.isVirtual ? undefined : column.getEntityValue(entity);

    if (value !== undefined) {
      column.setEntityValue(copy, cloneOf(value));
    }
  }

  return copy;
}

/** JSON values are changed in place by listeners; what cannot be cloned is kept. */
function cloneOf(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}

/** The columns sent and those that onlookers changed, with the values that the entity has now. */
function withChangesOf(metadata: EntityMetadata, sent: Changes, before: ObjectLiteral, entity: ObjectLiteral): Changes {
  const { driver } = metadata.connection;
  const changes = new Map<ColumnMetadata, unknown>();

  for (const column of metadata.columns) {
    const value: unknown = column.getEntityValue(entity);
    const isSent = sent.has(column);

    if (isSent && value === undefined) {
      changes.set(column, sent.get(column));
    } else if (isSent || (isWritable(column) && stored(value) !== stored(column.getEntityValue(before)))) {
      changes.set(column, value);
    }

    function stored(value: unknown): string | undefined {
      return JSON.stringify(driver.preparePersistentValue(value, column));
    }
  }

  return changes;
}

function isWritable(column: ColumnMetadata): boolean {
  return (
    !column.isVirtual && !column.isVirtualProperty && !column.isVersion && !column.isUpdateDate && !column.isPrimary
  );
}
