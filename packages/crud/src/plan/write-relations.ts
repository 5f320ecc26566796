/** Plans the relations of a body: foreign keys, many-to-many links, cascades. */
import { isRecord, readOwnPath } from '../definition/plain-objects.js';
import { applyScope, namesColumn, NO_SCOPE } from './body-scope.js';
import type { Catalog, CatalogReference, CatalogRelation, RelationKind } from './catalog.js';
import { isStorableKey, nestedScope } from './nested-scope.js';
import { findInsertRefusal, outOfScope, Refusal, wrongType } from './refusal.js';
import {
  type CarriedRelation,
  type ColumnValues,
  findInverse,
  isUnassignedKey,
  isWritable,
  listBackReferences,
  readKey,
  printKey,
  type WriteContext,
} from './write-context.js';
import type {
  PlannedCascade,
  PlannedCascadeItem,
  PlannedKey,
  PlannedLinks,
  PlannedUnlink,
  PlannedValue,
  WriteMode,
  WritePlan,
} from './write-plan.js';

interface Found {
  readonly links: PlannedLinks[];
  readonly cascades: PlannedCascade[];
  readonly unlinks: PlannedUnlink[];
}

interface Work extends Found {
  readonly catalog: Catalog;
  readonly context: WriteContext;
  /** Where foreign keys are added. */
  readonly values: ColumnValues;
}

type RelationPlanner = (work: Work, relation: CatalogRelation, raw: unknown, path: string) => void;

const PLANNERS = {
  'many-to-one': planOwned,
  'one-to-one': planOwned,
  'one-to-one-inverse': planInverse,
  'one-to-many': planChildren,
  'many-to-many': planManyToMany,
} satisfies Record<RelationKind, RelationPlanner>;

/**
 * Plans the relations that a body carries; foreign keys go into `values`; a column that the body carries itself stays
 * as it is.
 */
export function planRelations(carried: readonly CarriedRelation[], draft: Omit<Work, keyof Found>): Found {
  const work: Work = { ...draft, links: [], cascades: [], unlinks: [] };
  for (const { relation, raw } of carried)
    PLANNERS[relation.kind](work, relation, raw, draft.context.prefix + relation.path);

  return { links: work.links, cascades: work.cascades, unlinks: work.unlinks };
}

/** A relation whose foreign key the record holds: null, the bare id, or a record with the id. */
function planOwned(work: Work, relation: CatalogRelation, raw: unknown, path: string): void {
  const { values, context } = work;
  const given = relation.references.filter(({ column }) => values.has(column));
  if (raw === null) {
    for (const reference of relation.references) setForeignKey(work, reference, null, path);
    work.unlinks.push({
      relation,
      columns: relation.references.flatMap((reference) => (given.includes(reference) ? [] : [reference.column])),
    });
    return;
  }

  const key = readKey(
    relation.references.map(({ references }) => references),
    raw,
    path,
    context,
  );
  if (key === 'refused') return;
  if (key) {
    relation.references.forEach((reference, index) => setForeignKey(work, reference, key[index]!.value, path));
    const items = updateItems(work, relation, raw, path);
    if (items.length > 0) work.cascades.push({ relation, items });
    return;
  }

  // The column names the record; the nested object has no key that could contradict it.
  if (given.length > 0 && given.length === relation.references.length) return;
  if (!isRecord(raw)) {
    context.faults.add(path, wrongType('must be an object or an id'));
  } else if (acceptsWithoutKey(relation, context.mode)) {
    work.cascades.push({ relation, items: [newItem(work, relation, raw, path)] });
  } else {
    for (const { references } of relation.references)
      context.faults.add(`${path}.${references.path}`, wrongType('is required'));
  }
}

/** The other side of a one-to-one relation: nothing unless it cascades. */
function planInverse(work: Work, relation: CatalogRelation, raw: unknown, path: string): void {
  if (raw === null || !cascades(relation)) return;
  if (!isRecord(raw)) {
    work.context.faults.add(path, wrongType('must be an object'));
    return;
  }

  const item = planItem(work, relation, raw, path);
  if (item) work.cascades.push({ relation, items: [item] });
}

/** The many side: nothing unless it cascades; then new children are inserted and linked ones updated. */
function planChildren(work: Work, relation: CatalogRelation, raw: unknown, path: string): void {
  if (!cascades(relation)) return;
  if (!Array.isArray(raw)) {
    work.context.faults.add(path, wrongType('must be an array'));
    return;
  }

  const items = raw.flatMap((record: unknown, index) => {
    if (isRecord(record)) return planItem(work, relation, record, `${path}.${index}`) ?? [];
    work.context.faults.add(`${path}.${index}`, wrongType('must be an object'));
    return [];
  });
  refuseRepeated(items, path, work.context);
  // For a stored record even an empty list matters: children that it omits may be unlinked or deleted.
  if (items.length > 0 || work.context.mode !== 'insert') work.cascades.push({ relation, items });
}

/** Rows of a join table: the list names all records to link, by id or as records with their id. */
function planManyToMany(work: Work, relation: CatalogRelation, raw: unknown, path: string): void {
  const { context } = work;
  if (!Array.isArray(raw)) {
    context.faults.add(path, wrongType('must be an array'));
    return;
  }

  const keys = new Map<string, PlannedKey>();
  const items: PlannedCascadeItem[] = [];
  raw.forEach((record: unknown, index) => {
    const at = `${path}.${index}`;
    const key = readKey(relation.target.primary, record, at, context);
    if (key === 'refused') return;
    if (key) {
      keys.set(printKey(key), key);
      items.push(...updateItems(work, relation, record, at));
    } else if (!isRecord(record)) {
      context.faults.add(at, wrongType('must be an object or an id'));
    } else if (relation.cascadeInsert) {
      items.push(newItem(work, relation, record, at));
    } else {
      for (const { path: name } of relation.target.primary)
        context.faults.add(`${at}.${name}`, wrongType('is required'));
    }
  });

  refuseRepeated(items, path, context);
  work.links.push({ relation, keys: [...keys.values()] });
  if (items.length > 0) work.cascades.push({ relation, items });
}

/** Refuses a list that names one record twice, with changes that may contradict each other. */
function refuseRepeated(items: readonly PlannedCascadeItem[], path: string, { faults }: WriteContext): void {
  const texts = items.flatMap(({ key, ownKey = key }) => (ownKey ? [printKey(ownKey)] : []));
  if (new Set(texts).size < texts.length) faults.add(path, new Refusal('CRUD_INVALID_BODY', 'names one record twice'));
}

function cascades({ cascadeInsert, cascadeUpdate }: CatalogRelation): boolean {
  return cascadeInsert || cascadeUpdate;
}

function isOneToOne({ kind }: CatalogRelation): boolean {
  return kind === 'one-to-one' || kind === 'one-to-one-inverse';
}

/** Whether a nested record may lack a key: it is inserted, or it is the only one that can be linked. */
function acceptsWithoutKey(relation: CatalogRelation, mode: WriteMode): boolean {
  return relation.cascadeInsert || (relation.cascadeUpdate && isOneToOne(relation) && mode !== 'insert');
}

/** A child, new or linked already; the adapter finds out which. */
function planItem(work: Work, relation: CatalogRelation, record: object, path: string): PlannedCascadeItem | undefined {
  const { primary } = relation.target;
  const parent = new Set(findInverse(relation)?.references.map(({ column }) => column));
  const own = primary.filter((column) => !parent.has(column));
  // If a child's key contains its parent's, the body names the rest of the key.
  const hasParentKey = own.length > 0 && own.length < primary.length;
  const key = readKey(hasParentKey ? own : primary, record, path, work.context);
  if (key === 'refused') return undefined;
  if (!key) return acceptsWithoutKey(relation, work.context.mode) ? newItem(work, relation, record, path) : undefined;

  const plan = hasParentKey ? nested(work, relation, record, 'insert', path) : undefined;
  // Empty unless the relation cascades updates: the child stays linked either way.
  const update = nested(work, relation, relation.cascadeUpdate ? record : {}, 'update', path);
  if (!plan) return { key, plan: update };

  const parentKey = primary
    .filter((column) => !own.includes(column))
    .map((column) => ({ column, value: readOwnPath(record, column.path) }))
    .filter(({ value }) => value !== undefined && typeof value !== 'object');

  return { ownKey: key, parentKey, plan, update };
}

/**
 * A record without a key. If it is the one side of a one-to-one relation, a linked record would be updated in its
 * place.
 */
function newItem(work: Work, relation: CatalogRelation, record: object, path: string): PlannedCascadeItem {
  const plan = nested(work, relation, record, 'insert', path);
  if (!isOneToOne(relation)) return { plan };
  if (relation.target.primary.some((column) => isUnassignedKey(column, readOwnPath(record, column.path))))
    return { plan, isNew: true };
  if (!relation.cascadeUpdate || work.context.mode === 'insert') return { plan };

  return { plan, update: nested(work, relation, record, 'update', path) };
}

/** An update of a record that may be linked; none if nothing but its key is given. */
function updateItems(work: Work, relation: CatalogRelation, raw: unknown, path: string): PlannedCascadeItem[] {
  const { context } = work;
  // A new record is linked to nothing yet, so properties beside the key cannot be meant for a linked record.
  if (context.mode === 'insert' || !relation.cascadeUpdate || !isRecord(raw)) return [];
  const key = readKey(relation.target.primary, raw, path, context);
  if (typeof key !== 'object') return [];
  const plan = nested(work, relation, raw, 'update', path);

  return [plan.values, plan.links, plan.cascades].some(({ length }) => length > 0) ? [{ key, plan }] : [];
}

/**
 * The plan of a nested record, with the scope's values over the body's. A record that is only linked is not written.
 */
function nested(
  { catalog, context }: Work,
  relation: CatalogRelation,
  record: object,
  mode: WriteMode,
  path: string,
): WritePlan {
  const { target } = relation;
  const isNew = mode === 'insert';
  const scope = nestedScope(context.scope ?? NO_SCOPE, { owner: catalog, relation }, isNew);
  const scoped = { ...record };
  applyScope(scoped, scope);
  const plan = context.planNested(target, scoped, {
    ...context,
    mode,
    prefix: `${path}.`,
    depth: context.depth + 1,
    fixed: listBackReferences(relation),
  });
  const { values, persistedKey } = scope;
  const isSet = ({ column }: PlannedValue) => values.some(({ field }) => namesColumn(field, column, target));
  if (!isNew && plan.values.every(isSet)) return { ...plan, values: [] };

  const refusal = isNew ? findInsertRefusal(record) : undefined;
  const insertRefusal = isNew && !isStorableKey(persistedKey) ? () => outOfScope(path) : refusal;

  return {
    ...plan,
    persisted: values.map(({ field }) => field),
    ...(persistedKey.size > 0 && { persistedKey }),
    ...(insertRefusal && { insertRefusal }),
  };
}

/** Adds a foreign key to the values, unless the body carries the column itself. */
function setForeignKey({ values, context }: Work, { column }: CatalogReference, value: unknown, path: string): void {
  if (values.has(column) || !isWritable(column, context)) return;
  if (value === null && !column.nullable)
    context.faults.add(path, new Refusal('CRUD_NOT_NULL_VIOLATION', 'must not be null'));
  else values.set(column, value);
}
