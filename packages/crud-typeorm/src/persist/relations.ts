/** Stores planned records with their relations: foreign keys, many-to-many links, cascades. */
import type { WritePlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import { entityMetadataOf, relationMetadataOf } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { changesLinks, storeReferring } from './referring.js';
import { changeRow } from './change-row.js';
import { type Changes, changesOf, type StoredRow } from '../statements/changes.js';
import type { Graph } from './cascade.js';
import { afterInserts, beforeInserts } from './hooked-rows.js';
import { updateHooked } from './hooked-update.js';
import { newEntity, type NewRecord } from '../statements/new-entity.js';
import { junctionOf } from './many-to-many.js';
import { insertReferred, storeReferred } from './referred.js';
import { findRecords } from '../statements/find.js';
import { type Reach, UNLIMITED } from '../scope/reach.js';
import { announceInserts, insertRows } from './insert-rows.js';

/**
 * Inserts records of one class with their relations, in as few statements as the relations allow. Returns the entities
 * in the given order, with their keys.
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
  await insertReferred(graphOn(runner, reach), records, entities);
  const { hooks } = reach;
  const asked = hooks ? await beforeInserts(runner, hooks, records, entities) : { records, entities };
  await reach.requireNew(asked.records, asked.entities);
  await insertRows(
    runner,
    metadata,
    asked.entities.map((entity, index) => ({ entity, path: records[index]?.path ?? '' })),
  );
  if (hooks) await afterInserts(runner, hooks, metadata, asked.entities);

  for (const [index, { plan, path }] of records.entries()) {
    await storeReferring(graphOn(runner, reach), plan, asked.entities[index] ?? {}, { path, fresh: true });
  }

  await announceInserts(runner, metadata, asked.entities);

  return asked.entities;
}

/**
 * Updates one record with its relations, and nothing that the plan does not name. Returns how many records the row's
 * condition matched: 0 or 1, or -1 if no column of the record itself had to be written and so no statement ran.
 */
export async function updateGraph(
  runner: QueryRunner,
  row: StoredRow,
  plan: WritePlan,
  { ties, reach = UNLIMITED }: { readonly ties?: Changes | undefined; readonly reach?: Reach } = {},
): Promise<number> {
  const owned = plan.cascades.filter(({ relation }) => relation.references.length > 0);
  const asked = owned.length > 0 || hasReferring(plan) || reach.concerns(plan);
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
    await storeReferred(graphOn(runner, reach), cascade, { stored: stored ?? {}, changes, path: row.path });
  }

  const named = { ...row, relations: plan.relations?.map(relationMetadataOf) };
  const { hooks } = reach;
  const { affected, afterLinks } =
    hooks && row.key
      ? await updateHooked(runner, named, changes, {
          hooks,
          reach,
          stored: async () => stored ?? storedColumns(runner, row),
          changesLinks: async () => stored !== undefined && changesLinks(graphOn(runner, reach), plan, stored),
        })
      : { affected: await changeRow(runner, named, changes) };

  if (stored) {
    await storeReferring(graphOn(runner, reach), plan, stored, { path: row.path, fresh: false });
  }

  await afterLinks?.();

  return affected;
}

/** Whether a plan writes anything besides the record's own columns. */
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

function hasReferring({ links, cascades }: WritePlan): boolean {
  return links.length > 0 || cascades.some(({ relation }) => relation.references.length === 0);
}

/** The stored key of the record and the stored columns that its relations use. */
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
