import { getOrInsert, type PlannedKey, type WritePlan } from '@nestwright/crud/adapter';
import type { EntityMetadata, RelationMetadata } from 'typeorm';
import { getEntityMetadata, getMetadata, getRelationMetadata } from '../catalog/catalog.js';
import { type ColumnMetadata, referencedColumns } from '../column-metadata.js';
import type { LinkConditions } from './link-conditions.js';
import { isValue } from '../statements/values.js';

/** The key that a related record is named by: values of {@link namingColumns}. */
export type LinkKey = readonly unknown[];

/**
 * The columns by which the records of a relation are named: those that a foreign key or a junction refers to; children
 * by their primary key.
 */
export function namingColumns(relation: RelationMetadata): readonly ColumnMetadata[] {
  if (relation.isWithJoinColumn) return referencedColumns(relation.joinColumns);
  if (!relation.junctionEntityMetadata) return relation.inverseEntityMetadata.primaryColumns;

  return referencedColumns(requireJunction(relation).other);
}

/** The two ends of a relation's junction, seen from the record that is written. */
export interface Junction {
  readonly metadata: EntityMetadata;
  /** Columns that refer to the record written, and to the related ones. */
  readonly own: readonly ColumnMetadata[];
  readonly other: readonly ColumnMetadata[];
}

/** The junction of a many-to-many relation, from either of its sides. */
export function requireJunction(relation: RelationMetadata): Junction {
  const junction = relation.junctionEntityMetadata;

  if (!junction) throw new Error(`${relation.entityMetadata.name}.${relation.propertyPath} has no junction table`);

  const [own, other] = relation.isOwning
    ? [junction.ownerColumns, junction.inverseColumns]
    : [junction.inverseColumns, junction.ownerColumns];

  return { metadata: junction, own, other };
}

/** The values that a key has for some columns; undefined for those that it does not name. */
export function valuesInKey(key: PlannedKey, columns: readonly ColumnMetadata[]): unknown[] {
  return columns.map((column) => key.find((part) => getMetadata(part.column) === column)?.value);
}

/**
 * The keys of relations under a condition that a planned record and its nested records name. For a stored record only
 * those of nested records, since most of its own are stored already.
 */
export function namedKeys(
  { catalog, values, links, cascades }: WritePlan,
  mode: 'insert' | 'update',
  conditions: LinkConditions,
): NamedKeys[] {
  const held = new Map(values.map(({ column, value }) => [getMetadata(column), value]));
  const owned = mode === 'insert' ? conditions.listOwnedRelations(getEntityMetadata(catalog)) : [];

  return [
    ...owned.flatMap((relation) => {
      const key = relation.joinColumns.map((column) => held.get(column));

      return key.every((value) => isValue(value) && typeof value !== 'symbol') ? [{ relation, keys: [key] }] : [];
    }),
    ...links.flatMap(({ relation: planned, keys }) => {
      const relation = getRelationMetadata(planned);
      if (conditions.on(relation) === undefined) return [];
      const columns = namingColumns(relation);

      return [{ relation, keys: keys.map((key) => valuesInKey(key, columns)) }];
    }),
    ...cascades.flatMap(({ items }) =>
      items.flatMap(({ plan, update }) =>
        [plan, ...(update ? [update] : [])].flatMap((nested) => namedKeys(nested, 'insert', conditions)),
      ),
    ),
  ];
}

/** Keys of several records of one relation. */
export interface NamedKeys {
  readonly relation: RelationMetadata;
  readonly keys: readonly LinkKey[];
}

/** The keys of each relation together. */
export function byRelation(named: readonly NamedKeys[]): ReadonlyMap<RelationMetadata, readonly LinkKey[]> {
  const together = new Map<RelationMetadata, LinkKey[]>();

  for (const { relation, keys } of named) getOrInsert(together, relation, () => []).push(...keys);

  return together;
}

/** Foreign-key columns that are null because the body sets the relation to null. */
export function unlinkedColumns({ unlinks = [] }: WritePlan, relation: RelationMetadata): ReadonlySet<ColumnMetadata> {
  return new Set(
    unlinks.flatMap((unlink) =>
      getRelationMetadata(unlink.relation) === relation ? unlink.columns.map((column) => getMetadata(column)) : [],
    ),
  );
}
