/** Planned records go in and are stored with all that hangs on them: foreign keys, many-to-many links, cascading records; keys or the number of records found come out. */
import { DEFAULT_VALUE, type WritePlan } from '@nestwright/crud';
import type { EntityMetadata, ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import { entityMetadataOf, metadataOf, relationMetadataOf } from '../catalog/catalog.js';
import { type ColumnMetadata, setColumnValue } from '../column-metadata.js';
import { storeBelongings } from './belongings.js';
import { changeRow } from './change-row.js';
import { type Changes, RESET, type StoredRow } from './changes.js';
import type { Graph, NewRecord } from './graph.js';
import { junctionOf } from './links.js';
import { insertOwned, storeOwned } from './owned.js';
import { findRecords } from './find.js';
import { type Reach, UNLIMITED } from './reach.js';
import { announceInserts, insertRows } from './rows.js';

/**
 * Inserts records of one class with their relations, in as few statements as the relations allow. Entities come out in the order given, keys set.
 *
 * @example
 * const [user] = await insertGraph(runner, [{ plan, path: '' }]);
 */
export async function insertGraph(
  runner: QueryRunner,
  records: readonly NewRecord[],
  reach = UNLIMITED,
): Promise<ObjectLiteral[]> {
  const [first] = records;

  if (!first) {
    return [];
  }

  const metadata = entityMetadataOf(first.plan.catalog);
  const entities = records.map(({ plan, ties }) => newEntity(metadata, plan, ties));

  await reach.prepare(
    records.map(({ plan }) => plan),
    'insert',
  );
  await insertOwned(graphOn(runner, reach), records, entities);
  await reach.requireNew(records, entities);
  await insertRows(
    runner,
    metadata,
    entities.map((entity, index) => ({ entity, path: records[index]?.path ?? '' })),
  );

  for (const [index, { plan, path }] of records.entries()) {
    await storeBelongings(graphOn(runner, reach), plan, entities[index] ?? {}, { path, fresh: true });
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
  { ties, reach = UNLIMITED }: { readonly ties?: Changes | undefined; readonly reach?: Reach } = {},
): Promise<number> {
  const owned = plan.cascades.filter(({ relation }) => relation.references.length > 0);
  const asked = owned.length > 0 || hasBelongings(plan) || reach.concerns(plan);
  const stored = asked ? await storedColumns(runner, row) : undefined;
  const changes = changesOf(plan);

  if (stored) {
    await reach.prepare([plan], 'update');
    await reach.requireChanges({ plan, path: row.path }, stored, changes);
  }

  for (const [column, value] of ties ?? []) {
    changes.set(column, value);
  }

  for (const cascade of stored ? owned : []) {
    await storeOwned(graphOn(runner, reach), cascade, { stored: stored ?? {}, changes, path: row.path });
  }

  const affected = await changeRow(runner, { ...row, relations: plan.relations?.map(relationMetadataOf) }, changes);

  if (stored) {
    await storeBelongings(graphOn(runner, reach), plan, stored, { path: row.path, fresh: false });
  }

  return affected;
}

/** Whether a plan touches anything beside the record's own columns. */
export function hasRelations({ links, cascades }: WritePlan): boolean {
  return links.length + cascades.length > 0;
}

function graphOn(runner: QueryRunner, reach: Reach): Graph {
  return {
    runner,
    reach,
    insert: (records) => insertGraph(runner, records, reach),
    update: (row, plan, ties) => updateGraph(runner, row, plan, { ties, reach }),
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
    setColumnValue(metadataOf(column), entity, value);
  }

  for (const [column, value] of ties ?? []) {
    setColumnValue(column, entity, value);
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
