import {
  crudError,
  outOfScope,
  type PlannedCascade,
  type PlannedCascadeItem,
  type PlannedKey,
  type WritePlan,
} from '@nestwright/crud/adapter';
import { nameField } from '../errors/blame.js';
import type { Changes } from '../statements/changes.js';
import {
  makeForeignKey,
  insertRelated,
  identifies,
  type Parent,
  type Place,
  type RecordStore,
  refuseSecond,
  updateLinked,
} from './cascade.js';
import { type LinkKey, namingColumns, requireJunction, valuesInKey } from '../scope/link-keys.js';
import { linkChanges, readLinkedKeys, replaceLinks } from './many-to-many.js';
import { findRecords } from '../statements/find.js';
import type { NewRecord } from '../statements/new-entity.js';
import { settleOrphans } from './orphans.js';
import { equal, keyText, readValues, recordKeyText } from '../statements/values.js';
import { getColumn, getRelation } from '../database/links.js';
import type { Column, Entity, Relation, Table } from '../database/database.js';

/** Stores children and links of a record. */
export async function storeReferring(
  store: RecordStore,
  { links, cascades }: WritePlan,
  record: Entity,
  { path, isNew }: Parent,
): Promise<void> {
  for (const cascade of cascades) {
    if (cascade.relation.kind === 'one-to-many' || cascade.relation.kind === 'one-to-one-inverse')
      await storeChildren(store, cascade, record, { path, isNew });
  }

  for (const { relation: planned, keys } of links) {
    const relation = getRelation(planned);
    const items = cascades.find((cascade) => cascade.relation === planned)?.items ?? [];
    const place: Place = { relation, path: nameField(path, planned.path) };
    const linked = isNew ? [] : await readLinkedKeys(store.connection, requireJunction(relation), record);
    const named = await referredValues(store, relation, keys);

    await store.reach.requireLinks(relation, named, place.path);
    const isReached = await store.reach.reachable(relation, linked);
    requireUnchanged(
      items,
      linked.filter((link) => !isReached(link)),
      place,
    );
    await updateLinkedRecords(store, items, linked.filter(isReached), place);

    const added = items.filter(({ key }) => !key).map(({ plan }) => ({ plan, path: place.path }));
    const inserted = await insertRelated(store, relation, added);
    const values = [...named, ...inserted.map((entity) => readValues(namingColumns(relation), entity))];

    await replaceLinks(store.connection, relation, record, values, { path, linked, isRemovable: isReached });
  }
}

/** Whether a plan changes links of a stored record in other tables. */
export async function changesLinks(
  store: RecordStore,
  { links, cascades }: WritePlan,
  record: Entity,
): Promise<boolean> {
  for (const { relation: planned, keys } of links) {
    const relation = getRelation(planned);
    const hasNew = cascades.some((cascade) => cascade.relation === planned && cascade.items.some(({ key }) => !key));
    const linked = await readLinkedKeys(store.connection, requireJunction(relation), record);
    const named = await referredValues(store, relation, keys);
    const isRemovable = await store.reach.reachable(relation, linked);
    const { added, removed } = linkChanges(named, { linked, isRemovable });

    if (hasNew || added.length + removed.length > 0) return true;
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
  record: Entity,
  { path, isNew }: Parent,
): Promise<void> {
  const storedRelation = getRelation(relation);
  const columns = storedRelation.inverseRelation!.joinColumns;
  const foreignKey = makeForeignKey(record, columns);
  const target = storedRelation.inverseTable;
  const linked = isNew ? [] : await findLinked(store, target, columns, foreignKey);
  const reached = await store.reach.within(storedRelation, linked);
  const kept = new Set<string>();
  const added: NewRecord[] = [];

  for (const [index, item] of items.entries()) {
    const place: Place = {
      relation: storedRelation,
      path: relation.toMany ? nameField(path, `${relation.path}.${index}`) : nameField(path, relation.path),
    };

    requireParent(store, item, foreignKey, place);
    if (item.isNew && linked.length > 0) refuseSecond(store, place);

    const child = await updateLinked(store, item, reached, place, foreignKey);

    if (child) kept.add(child);
    else if (isHidden(item, linked, reached)) throw outOfScope(place.path);
    else if (item.key || (item.ownKey && !relation.cascadeInsert)) refuseForeign(store, place);
    else if (relation.cascadeInsert) added.push({ plan: item.plan, path: place.path, foreignKey });
  }

  const orphans = reached.filter((child) => !kept.has(recordKeyText(target, child)));
  await settleOrphans(store, storedRelation, orphans);
  await insertRelated(store, storedRelation, added);
}

/** The children that a record has, locked. */
function findLinked(
  { connection }: RecordStore,
  target: Table,
  columns: readonly Column[],
  foreignKey: Changes,
): Promise<Entity[]> {
  const where = equal(columns, [...foreignKey.values()]);

  return findRecords(connection, target, target.primaryColumns, { where, locked: true });
}

/**
 * Whether an item without a key of its own means a linked record that is out of reach, so that a new one cannot take
 * its place.
 */
function isHidden(item: PlannedCascadeItem, linked: readonly Entity[], reached: readonly Entity[]): boolean {
  return linked.some((record) => !reached.includes(record) && identifies(item, record));
}

/** A child whose key contains its parent's must not name another parent. */
function requireParent(
  store: RecordStore,
  { parentKey = [] }: PlannedCascadeItem,
  foreignKey: Changes,
  place: Place,
): void {
  if (parentKey.some(({ column, value }) => keyText([foreignKey.get(getColumn(column))]) !== keyText([value])))
    refuseForeign(store, place);
}

/** If some records are out of reach, a child of another record and a missing one get the same answer. */
function refuseForeign({ reach }: RecordStore, { relation, path }: Place): never {
  if (reach.limits(relation)) throw outOfScope(path);

  throw crudError('CRUD_INVALID_BODY', { field: path, message: [`${path} does not belong to this record`] });
}

/** Refuses changes of linked records that are out of reach. */
function requireUnchanged(
  items: readonly PlannedCascadeItem[],
  hidden: readonly LinkKey[],
  { relation, path }: Place,
): void {
  const texts = new Set(hidden.map(keyText));
  const columns = namingColumns(relation);

  if (items.some(({ key }) => key && texts.has(keyText(valuesInKey(key, columns))))) throw outOfScope(path);
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
  const target = relation.inverseTable;

  for (const values of items.some(({ key }) => key) ? linked : []) {
    const where = equal(columns, values);
    const records = await findRecords(store.connection, target, target.primaryColumns, { where, locked: true });

    for (const item of items) await updateLinked(store, item, records, place);
  }
}

/**
 * What a foreign key or a junction refers to in records named by their keys: the key itself, unless it refers to
 * another column.
 */
async function referredValues(
  { connection }: RecordStore,
  relation: Relation,
  keys: readonly PlannedKey[],
): Promise<LinkKey[]> {
  const columns = namingColumns(relation);
  const values: LinkKey[] = [];

  for (const key of keys) {
    const named = valuesInKey(key, columns);
    if (!named.includes(undefined)) {
      values.push(named);
      continue;
    }

    const keyColumns = key.map(({ column }) => getColumn(column));
    const keyValues = key.map(({ value }) => value);
    const where = equal(keyColumns, keyValues);
    const [record] = await findRecords(connection, relation.inverseTable, columns, { where });
    values.push(record ? readValues(columns, record) : named);
  }

  return values;
}
