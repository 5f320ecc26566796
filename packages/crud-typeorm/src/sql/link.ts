import { type CatalogRelation, getOrInsert } from '@nestwright/crud/adapter';
import type { EntityMetadata, RelationMetadata } from 'typeorm';
import { getRelationMetadata } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';

/** A column of one side and the column of the other (or of the junction) that equals it. */
export type ColumnPair = readonly [near: ColumnMetadata, far: ColumnMetadata];

export type Link =
  /** Columns of the parent beside columns of the child. */
  | { readonly junction?: undefined; readonly pairs: readonly ColumnPair[] }
  | {
      readonly junction: EntityMetadata;
      /** Columns of the parent beside columns of the junction. */
      readonly parentPairs: readonly ColumnPair[];
      /** Columns of the child beside columns of the junction. */
      readonly childPairs: readonly ColumnPair[];
    };

const links = new WeakMap<CatalogRelation, Link>();

export function getLink(relation: CatalogRelation): Link {
  return getOrInsert(links, relation, () => buildLink(getRelationMetadata(relation)));
}

/** Columns of the parent by which the records of a relation are found. */
export function parentColumns(relation: CatalogRelation): readonly ColumnMetadata[] {
  const link = getLink(relation);

  return (link.junction ? link.parentPairs : link.pairs).map(([near]) => near);
}

function buildLink(relation: RelationMetadata): Link {
  if (relation.isManyToMany) {
    const owner = relation.isManyToManyOwner ? relation : requireInverse(relation);
    const own = owner.joinColumns.map(referencedFirst);
    const other = owner.inverseJoinColumns.map(referencedFirst);

    return {
      junction: relation.junctionEntityMetadata ?? requireInverse(relation).junctionEntityMetadata!,
      parentPairs: relation.isManyToManyOwner ? own : other,
      childPairs: relation.isManyToManyOwner ? other : own,
    };
  }

  if (relation.isManyToOne || relation.isOneToOneOwner)
    return { pairs: relation.joinColumns.map((column) => [column, column.referencedColumn!]) };

  return { pairs: requireInverse(relation).joinColumns.map(referencedFirst) };
}

function referencedFirst(column: ColumnMetadata): ColumnPair {
  return [column.referencedColumn!, column];
}

function requireInverse(relation: RelationMetadata): RelationMetadata {
  if (!relation.inverseRelation)
    throw new Error(`The relation ${relation.entityMetadata.name}.${relation.propertyPath} has no other side`);

  return relation.inverseRelation;
}
