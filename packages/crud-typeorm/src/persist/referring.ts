import {
  crudError,
  type PlannedCascade,
  type PlannedCascadeItem,
  type PlannedKey,
  type WritePlan,
} from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { metadataOf, relationMetadataOf } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { fieldAt } from '../errors/blame.js';
import type { Changes } from '../statements/changes.js';
import { type RecordStore, means, type Parent, type Place, updateLinked } from './cascade.js';
import { namingColumns } from '../scope/link-keys.js';
import { junctionOf, linkedTo, replaceLinks } from './many-to-many.js';
import { findRecords } from '../statements/find.js';
import type { NewRecord } from '../statements/new-entity.js';
import { settleOrphans } from './orphans.js';
import { outOfScope } from '../scope/reach.js';
import { keyText, recordKeyText, valuesOf } from '../statements/values.js';

/** Stores children and links of a record. */
export async function storeReferring(
  store: RecordStore,
  { links, cascades }: WritePlan,
  record: ObjectLiteral,
  { path, isNew }: Parent,
): Promise<void> {
  for (const cascade of cascades) {
    if (cascade.relation.kind === 'one-to-many' || cascade.relation.kind === 'one-to-one-inverse') {
      await storeChildren(store, cascade, record, { path, isNew });
    }
  }

  for (const { relation, keys } of links) {
    const metadata = relationMetadataOf(relation);
    const items = cascades.find((cascade) => cascade.relation === relation)?.items ?? [];
    const place: Place = { relation: metadata, path: fieldAt(path, relation.path) };

    const columns = namingColumns(metadata);
    const linked = isNew ? [] : await linkedTo(store.runner, junctionOf(metadata), record);
    const named = await referredValues(store, metadata.inverseEntityMetadata, columns, keys);

    await store.reach.requireLinks(metadata, named, { linked, path: place.path });

    const isReached = await store.reach.reachable(metadata, linked);

    await updateLinkedRecords(store, items, linked.filter(isReached), place);

    const added = await store.insert(items.filter(({ key }) => !key).map(({ plan }) => ({ plan, path: place.path })));

    added.forEach((entity) => store.reach.note(metadata, { record: entity, path: place.path }));

    const values = [...named, ...added.map((entity) => valuesOf(columns, entity))];

    await replaceLinks(store.runner, metadata, record, values, { path, linked, isRemovable: isReached });
  }
}

/** Whether a plan changes links of a stored record in other tables. */
export async function changesLinks(
  store: RecordStore,
  { links, cascades }: WritePlan,
  record: ObjectLiteral,
): Promise<boolean> {
  for (const { relation, keys } of links) {
    const metadata = relationMetadataOf(relation);
    const items = cascades.find((cascade) => cascade.relation === relation)?.items ?? [];
    const linked = await linkedTo(store.runner, junctionOf(metadata), record);
    const named = await referredValues(store, metadata.inverseEntityMetadata, namingColumns(metadata), keys);
    const isReached = await store.reach.reachable(metadata, linked);
    const present = new Set(linked.map(keyText));
    const wanted = new Set(named.map(keyText));

    if (
      items.some(({ key }) => !key) ||
      named.some((link) => !present.has(keyText(link))) ||
      linked.some((link) => !wanted.has(keyText(link)) && isReached(link))
    )
      return true;
  }

  return false;
}

/**
 * Stores the children of a record: inserts new ones, updates its own, refuses other records' children, and handles
 * missing ones by `orphanedRowAction`.
 */
async function storeChildren(
  store: RecordStore,
  { relation, items }: PlannedCascade,
  record: ObjectLiteral,
  { path, isNew }: Parent,
): Promise<void> {
  const metadata = relationMetadataOf(relation);
  const columns = metadata.inverseRelation?.joinColumns ?? [];
  const ties: Changes = new Map(
    columns.map((column) => [column, column.referencedColumn?.getEntityValue(record) as unknown]),
  );
  const target = metadata.inverseEntityMetadata;
  const linked = isNew
    ? []
    : await findRecords(store.runner, target, target.primaryColumns, {
        columns,
        values: [...ties.values()],
        locked: true,
      });
  const reached = items.length > 0 || linked.length > 0 ? await store.reach.within(metadata, linked) : linked;
  const kept = new Set<string>();
  const added: NewRecord[] = [];

  for (const [index, item] of items.entries()) {
    const place: Place = {
      relation: metadata,
      path: relation.toMany ? fieldAt(path, `${relation.path}.${index}`) : fieldAt(path, relation.path),
    };

    requireParent(store, item, ties, place);

    const child = await updateLinked(store, item, reached, place, ties);

    if (child) {
      kept.add(child);
    } else if (item.key || (item.ownKey && !relation.cascadeInsert) || isHidden(item, linked, reached)) {
      refuseForeign(store, place);
    } else if (relation.cascadeInsert) {
      added.push({ plan: item.plan, path: place.path, ties });
    }
  }

  await settleOrphans(
    store,
    metadata,
    reached.filter((child) => !kept.has(recordKeyText(target, child))),
  );
  (await store.insert(added)).forEach((child, index) =>
    store.reach.note(metadata, { record: child, path: added[index]?.path ?? '' }),
  );
}

/** Whether an item without a key of its own means a linked record that is out of reach, so that a new one cannot take its place. */
function isHidden(
  item: PlannedCascadeItem,
  linked: readonly ObjectLiteral[],
  reached: readonly ObjectLiteral[],
): boolean {
  return linked.some((record) => !reached.includes(record) && means(item, record));
}

/** A child whose key contains its parent's must not name another parent. */
function requireParent(store: RecordStore, { parentKey = [] }: PlannedCascadeItem, ties: Changes, place: Place): void {
  if (parentKey.some(({ column, value }) => keyText([ties.get(metadataOf(column))]) !== keyText([value]))) {
    refuseForeign(store, place);
  }
}

/** If some records are out of reach, a child of another record and a missing one get the same answer. */
function refuseForeign({ reach }: RecordStore, { relation, path }: Place): never {
  if (reach.limits(relation)) throw outOfScope(path);

  throw crudError('CRUD_INVALID_BODY', { field: path, message: [`${path} does not belong to this record`] });
}

/** Records of a many-to-many relation that are linked already take the changes next to their keys. */
async function updateLinkedRecords(
  store: RecordStore,
  items: readonly PlannedCascadeItem[],
  linked: readonly (readonly unknown[])[],
  place: Place,
): Promise<void> {
  const { relation } = place;
  const columns = namingColumns(relation);
  const target = relation.inverseEntityMetadata;

  for (const values of items.some(({ key }) => key) ? linked : []) {
    const records = await findRecords(store.runner, target, target.primaryColumns, { columns, values, locked: true });

    for (const item of items) {
      await updateLinked(store, item, records, place);
    }
  }
}

/** What a foreign key or a junction refers to in records named by their keys: the key itself, unless it refers to another column. */
async function referredValues(
  store: RecordStore,
  target: EntityMetadata,
  columns: readonly ColumnMetadata[],
  keys: readonly PlannedKey[],
): Promise<unknown[][]> {
  const values: unknown[][] = [];

  for (const key of keys) {
    const named = columns.map((column) => key.find((part) => metadataOf(part.column) === column)?.value);
    const missing = named.includes(undefined);
    const [record] = missing
      ? await findRecords(store.runner, target, columns, {
          columns: key.map((part) => metadataOf(part.column)),
          values: key.map(({ value }) => value),
        })
      : [];

    values.push(record ? columns.map((column): unknown => column.getEntityValue(record)) : named);
  }

  return values;
}
