import type { EntityMetadata, ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import { type ColumnMetadata, setColumnValue } from '../column-metadata.js';
import { type Changes, makeChangedRow, type StoredRow } from '../statements/changes.js';
import { writeDifferences } from '../statements/difference.js';
import { requireBindable } from '../statements/execute.js';
import { batches, type Key, keysPredicate, keyText, keyValues, lock, recordKeyText } from '../statements/values.js';
import { nameValues, sql } from '../sql/index.js';

/** The whole record under a key, locked for the rest of the transaction if the database can; soft-deleted ones too. */
export async function loadRow(
  runner: QueryRunner,
  metadata: EntityMetadata,
  key: Key,
): Promise<ObjectLiteral | undefined> {
  return (await selectRow(runner, metadata, key).getOne()) ?? undefined;
}

/** The whole records under some keys, as {@link loadRow} has each, in the order of the keys. */
export async function loadRows(
  runner: QueryRunner,
  metadata: EntityMetadata,
  keys: readonly Key[],
): Promise<(ObjectLiteral | undefined)[]> {
  const found = new Map<string, ObjectLiteral>();

  for (const some of batches(keys)) {
    for (const record of await selectRow(runner, metadata, ...some).getMany())
      found.set(recordKeyText(metadata, record), record);
  }

  return keys.map((key) => found.get(keyText(keyValues(metadata, key))));
}

/** A record that is about to change. */
export interface LoadedRow {
  readonly entity: ObjectLiteral;
  /** A copy, with the keys of the related records that the change names. */
  readonly before: ObjectLiteral;
  /** Columns whose stored value differs from the one sent. */
  readonly changed: ReadonlySet<ColumnMetadata>;
}

/** The record to change, with the columns that change; with all its columns, or with those that a list would read. */
export async function loadChanged(
  runner: QueryRunner,
  { metadata, relations = [], path, unread }: StoredRow,
  key: Key,
  changes: Changes,
  columns: 'all' | 'read' = 'all',
): Promise<LoadedRow | undefined> {
  const select = selectRow(runner, metadata, key);
  const named = [...new Set([...relations, ...foreignKeys(changes.keys())])];
  if (columns === 'read') selectRead(select, metadata, { unread: unread?.(), named });
  const compared = selectDifferences(select, metadata, changes, path);

  if (named.length > 0)
    select.loadAllRelationIds({ relations: named.map(({ propertyPath }) => propertyPath), disableMixedMap: true });

  const {
    raw: [row],
    entities: [entity],
  } = await select.getRawAndEntities<ObjectLiteral>();

  if (!entity || !row) return undefined;

  const before = copyRow(metadata, entity);

  for (const relation of named) {
    relation.setEntityValue(before, cloneValue(relation.getEntityValue(entity) ?? null));
    // The related record is removed from the entity, since it would override the new foreign key.
    removeRelated(relation, entity);
  }

  return {
    entity,
    before,
    changed: new Set(compared.filter((_, index) => Number(row[`${DIFFERS}${index}`]) === 1)),
  };
}

/** Selects for each column to change whether its stored value differs; the columns in that order. */
function selectDifferences(
  select: ReturnType<typeof selectRow>,
  metadata: EntityMetadata,
  changes: Changes,
  path: string,
): readonly ColumnMetadata[] {
  const { driver } = metadata.connection;
  const differences = writeDifferences(changes, ({ databaseName }) => `${ROW}.${driver.escape(databaseName)}`);

  requireBindable(
    { metadata, operation: 'store', paths: [path], rows: [makeChangedRow(changes)] },
    differences.flatMap(({ sql }) => sql?.values ?? []),
  );
  differences.forEach(({ sql: difference }, index) => {
    const named = nameValues(sql`CASE WHEN ${difference ?? '1 = 1'} THEN 1 ELSE 0 END`, `changed${index}_`);

    select.addSelect(named.sql, `${DIFFERS}${index}`).setParameters(named.parameters);
  });

  return differences.map(({ column }) => column);
}

/** TypeORM's own way of setting a relation merges objects. */
function removeRelated({ embeddedMetadata, isLazy, propertyName }: RelationMetadata, entity: ObjectLiteral): void {
  const holder = (embeddedMetadata?.parentPropertyNames ?? []).reduce<ObjectLiteral | undefined>(
    (object, name) => object?.[name] as ObjectLiteral | undefined,
    entity,
  );

  for (const name of isLazy ? [`__${propertyName}__`, `__has_${propertyName}__`] : [propertyName])
    if (holder) Reflect.deleteProperty(holder, name);
}

/** Name of the record in a statement, and prefix of the truth values selected with it. */
const ROW = 'stored';
const DIFFERS = 'differs';

function selectRow(runner: QueryRunner, metadata: EntityMetadata, ...keys: readonly Key[]) {
  const where = nameValues(keysPredicate(metadata, keys), 'key');
  const select = runner.manager
    .createQueryBuilder<ObjectLiteral>(metadata.target, ROW)
    .withDeleted()
    .where(where.sql, where.parameters);

  // Includes columns with `select: false`, which hooks are given.
  select.addSelect(
    metadata.columns
      .filter((column) => !column.isSelect && !column.isVirtual)
      .map((column) => `${ROW}.${column.propertyPath}`),
  );

  lock(select);

  return select;
}

interface ReadColumns {
  /** Columns, by property path, that are left out. Default: none. */
  readonly unread?: ReadonlySet<string> | undefined;
  /** Relations whose foreign keys are read. */
  readonly named: readonly RelationMetadata[];
}

/**
 * Selects what a read would load, as `save` of a found record has it: a listener that hashes passwords would hash a
 * stored hash again.
 */
function selectRead(
  select: ReturnType<typeof selectRow>,
  { columns }: EntityMetadata,
  { unread = new Set(), named }: ReadColumns,
): void {
  const read = columns.filter(
    (column) =>
      // Without the discriminator, TypeORM would not make an instance of the record's own class.
      column.isDiscriminator ||
      named.some(({ joinColumns }) => joinColumns.includes(column)) ||
      (column.isSelect && (column.isPrimary || !unread.has(column.propertyPath))),
  );

  select.select(read.map(({ propertyPath }) => `${ROW}.${propertyPath}`));
}

/** Relations of which no property but their own holds the foreign key. */
export function foreignKeys(columns: Iterable<ColumnMetadata>): RelationMetadata[] {
  return [...columns].flatMap(({ isVirtual, relationMetadata }) =>
    isVirtual && relationMetadata ? [relationMetadata] : [],
  );
}

export function copyRow(metadata: EntityMetadata, entity: ObjectLiteral): ObjectLiteral {
  const copy = metadata.create();

  for (const column of metadata.columns) {
    const value: unknown = column.isVirtual ? undefined : column.getEntityValue(entity);

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
