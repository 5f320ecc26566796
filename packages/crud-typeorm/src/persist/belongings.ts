/** What refers to a record goes in and is stored after it: children and many-to-many links; refuses a child that belongs to another record. */
import {
  crudError,
  type PlannedCascade,
  type PlannedCascadeItem,
  type PlannedKey,
  type WritePlan,
} from '@nestwright/crud';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { metadataOf, relationMetadataOf } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import type { Changes } from './changes.js';
import { below, type Graph, type NewRecord, type Parent, type Place, textOf } from './graph.js';
import { updateLinked } from './linked.js';
import { junctionOf, linkedTo, replaceLinks } from './links.js';
import { findRecords } from './find.js';
import { settleOrphans } from './orphans.js';
import { keyText } from './values.js';

/** What refers to a record is stored after it. */
export async function storeBelongings(
  graph: Graph,
  { links, cascades }: WritePlan,
  record: ObjectLiteral,
  { path, fresh }: Parent,
): Promise<void> {
  for (const cascade of cascades) {
    if (cascade.relation.kind === 'one-to-many' || cascade.relation.kind === 'one-to-one-inverse') {
      await storeChildren(graph, cascade, record, { path, fresh });
    }
  }

  for (const { relation, keys } of links) {
    const metadata = relationMetadataOf(relation);
    const items = cascades.find((cascade) => cascade.relation === relation)?.items ?? [];
    const place: Place = { relation: metadata, path: below(path, relation.path) };

    if (!fresh) {
      await updateLinkedRecords(graph, items, record, place);
    }

    const added = await graph.insert(items.filter(({ key }) => !key).map(({ plan }) => ({ plan, path: place.path })));
    const columns = junctionOf(metadata).other.flatMap((column) => column.referencedColumn ?? []);
    const values = [
      ...(await referredValues(graph, metadata.inverseEntityMetadata, columns, keys)),
      ...added.map((entity) => columns.map((column): unknown => column.getEntityValue(entity))),
    ];

    await replaceLinks(graph.runner, metadata, record, values, { path, fresh });
  }
}

/** Children of a record: new ones are inserted, its own are updated, others' are refused, and those left out go as their relation says. */
async function storeChildren(
  graph: Graph,
  { relation, items }: PlannedCascade,
  record: ObjectLiteral,
  { path, fresh }: Parent,
): Promise<void> {
  const metadata = relationMetadataOf(relation);
  const columns = metadata.inverseRelation?.joinColumns ?? [];
  const ties: Changes = new Map(
    columns.map((column) => [column, column.referencedColumn?.getEntityValue(record) as unknown]),
  );
  const target = metadata.inverseEntityMetadata;
  const linked = fresh
    ? []
    : await findRecords(graph.runner, target, target.primaryColumns, {
        columns,
        values: [...ties.values()],
        locked: true,
      });
  const kept = new Set<string>();
  const added: NewRecord[] = [];

  for (const [index, item] of items.entries()) {
    const place: Place = {
      relation: metadata,
      path: relation.toMany ? below(path, `${relation.path}.${index}`) : below(path, relation.path),
    };

    requireParent(item, ties, place);

    const child = await updateLinked(graph, item, linked, place, ties);

    if (child) {
      kept.add(child);
    } else if (item.key || (item.ownKey && !relation.cascadeInsert)) {
      refuseForeign(place);
    } else if (relation.cascadeInsert) {
      added.push({ plan: item.plan, path: place.path, ties });
    }
  }

  await settleOrphans(
    graph.runner,
    metadata,
    linked.filter((child) => !kept.has(textOf(target, child))),
  );
  await graph.insert(added);
}

/** A child whose key contains its parent's must not name another parent. */
function requireParent({ parentKey = [] }: PlannedCascadeItem, ties: Changes, place: Place): void {
  if (parentKey.some(({ column, value }) => keyText([ties.get(metadataOf(column))]) !== keyText([value]))) {
    refuseForeign(place);
  }
}

function refuseForeign({ path }: Place): never {
  throw crudError('CRUD_INVALID_BODY', { field: path, message: [`${path} does not belong to this record`] });
}

/** Records of a many-to-many relation that are linked already take the changes that stand beside their keys. */
async function updateLinkedRecords(
  graph: Graph,
  items: readonly PlannedCascadeItem[],
  record: ObjectLiteral,
  place: Place,
): Promise<void> {
  if (!items.some(({ key }) => key)) {
    return;
  }

  const { relation } = place;
  const junction = junctionOf(relation);
  const columns = junction.other.flatMap((column) => column.referencedColumn ?? []);
  const target = relation.inverseEntityMetadata;

  for (const values of await linkedTo(graph.runner, junction, record)) {
    const linked = await findRecords(graph.runner, target, target.primaryColumns, { columns, values });

    for (const item of items) {
      await updateLinked(graph, item, linked, place);
    }
  }
}

/** What a foreign key or a junction refers to in records named by their keys: the key itself, unless it refers to another column. */
async function referredValues(
  graph: Graph,
  target: EntityMetadata,
  columns: readonly ColumnMetadata[],
  keys: readonly PlannedKey[],
): Promise<unknown[][]> {
  const values: unknown[][] = [];

  for (const key of keys) {
    const named = columns.map((column) => key.find((part) => metadataOf(part.column) === column)?.value);
    const missing = named.includes(undefined);
    const [record] = missing
      ? await findRecords(graph.runner, target, columns, {
          columns: key.map((part) => metadataOf(part.column)),
          values: key.map(({ value }) => value),
        })
      : [];

    values.push(record ? columns.map((column): unknown => column.getEntityValue(record)) : named);
  }

  return values;
}
