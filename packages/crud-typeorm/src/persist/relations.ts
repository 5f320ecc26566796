/** Planned records go in and are stored with all that hangs on them: foreign keys, many-to-many links, cascading records; keys or the number of records found come out. */
import { DEFAULT_VALUE, type WritePlan } from '@nestwright/crud';
import type { EntityMetadata, ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import { entityMetadataOf, metadataOf } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { storeBelongings } from './belongings.js';
import { type Changes, changeRow, RESET, type StoredRow } from './changes.js';
import type { Graph, NewRecord } from './graph.js';
import { junctionOf } from './links.js';
import { insertOwned, storeOwned } from './owned.js';
import { findRecords } from './find.js';
import { announceInserts, insertRows } from './rows.js';

/**
 * Inserts records of one class with their relations, in as few statements as the relations allow. Entities come out in the order given, keys set.
 *
 * @example
 * const [user] = await insertGraph(runner, [{ plan, path: '' }]);
 */
export async function insertGraph(runner: QueryRunner, records: readonly NewRecord[]): Promise<ObjectLiteral[]> {
  const [first] = records;

  if (!first) {
    return [];
  }

  const metadata = entityMetadataOf(first.plan.catalog);
  const entities = records.map(({ plan, ties }) => newEntity(metadata, plan, ties));

  await insertOwned(graphOn(runner), records, entities);
  await insertRows(
    runner,
    metadata,
    entities.map((entity, index) => ({ entity, path: records[index]?.path ?? '' })),
  );

  for (const [index, { plan, path }] of records.entries()) {
    await storeBelongings(graphOn(runner), plan, entities[index] ?? {}, { path, fresh: true });
  }

  await announceInserts(runner, metadata, entities);

  return entities;
}

/**
 * Updates one record with its relations, and nothing that the plan does not name. The answer is how many records the row's condition found: 0 or 1, or -1 where no
 * column of the record itself was to be written, so that nothing was looked for.
 */
export async function updateGraph(
  runner: QueryRunner,
  row: StoredRow,
  plan: WritePlan,
  ties?: Changes,
): Promise<number> {
  const owned = plan.cascades.filter(({ relation }) => relation.references.length > 0);
  const stored = owned.length > 0 || hasBelongings(plan) ? await storedColumns(runner, row) : undefined;
  const changes = new Map([...changesOf(plan), ...(ties ?? [])]);

  for (const cascade of stored ? owned : []) {
    await storeOwned(graphOn(runner), cascade, { stored: stored ?? {}, changes, path: row.path });
  }

  const affected = await changeRow(runner, row, changes);

  if (stored && affected !== 0) {
    await storeBelongings(graphOn(runner), plan, stored, { path: row.path, fresh: false });
  }

  return affected;
}

/** Whether a plan touches anything beside the record's own columns. */
export function hasRelations({ links, cascades }: WritePlan): boolean {
  return links.length + cascades.length > 0;
}

function graphOn(runner: QueryRunner): Graph {
  return {
    runner,
    insert: (records) => insertGraph(runner, records),
    update: (row, plan, ties) => updateGraph(runner, row, plan, ties),
  };
}

function hasBelongings({ links, cascades }: WritePlan): boolean {
  return links.length > 0 || cascades.some(({ relation }) => relation.references.length === 0);
}

export function newEntity(metadata: EntityMetadata, { values }: WritePlan, ties?: Changes): ObjectLiteral {
  const entity = metadata.create();

  // A new record has nothing to load: TypeORM's getters would ask the database for relations when their foreign keys are read.
  for (const { propertyName } of metadata.lazyRelations.filter(({ isWithJoinColumn }) => isWithJoinColumn)) {
    Object.defineProperty(entity, propertyName, { value: {}, enumerable: true, writable: true, configurable: true });
  }

  for (const { column, value } of values) {
    metadataOf(column).setEntityValue(entity, value);
  }

  for (const [column, value] of ties ?? []) {
    column.setEntityValue(entity, value);
  }

  return entity;
}

export function changesOf({ values }: WritePlan): Map<ColumnMetadata, unknown> {
  return new Map(values.map(({ column, value }) => [metadataOf(column), value === DEFAULT_VALUE ? RESET : value]));
}

/** The key of the record and the columns that its relations hang on, as they are stored. */
async function storedColumns(runner: QueryRunner, { metadata, key }: StoredRow): Promise<ObjectLiteral | undefined> {
  const columns = [...metadata.primaryColumns, ...metadata.relations.flatMap(referringColumns)];
  const values = metadata.primaryColumns.map((column) => key?.[column.propertyPath]);
  const [stored] = key
    ? await findRecords(runner, metadata, columns, { columns: metadata.primaryColumns, values, locked: true })
    : [];

  return stored;
}

/** Columns of an entity that a relation of it reads: its own foreign keys, or what others refer to. */
function referringColumns(relation: RelationMetadata): ColumnMetadata[] {
  if (relation.isWithJoinColumn) {
    return relation.joinColumns;
  }

  const columns = relation.isManyToMany ? junctionOf(relation).own : (relation.inverseRelation?.joinColumns ?? []);

  return columns.flatMap((column) => column.referencedColumn ?? []);
}
