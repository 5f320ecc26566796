import { type CatalogRelation, getOrInsert } from '@nestwright/crud/adapter';
import { getRelation } from '../database/links.js';
import type { Column, Relation, Table } from '../database/database.js';

/** A column of one side and the column of the other (or of the junction) that equals it. */
export type ColumnPair = readonly [near: Column, far: Column];

export type Link =
  /** Columns of the parent beside columns of the child. */
  | { readonly junction?: undefined; readonly pairs: readonly ColumnPair[] }
  | {
      readonly junction: Table;
      /** Columns of the parent beside columns of the junction. */
      readonly parentPairs: readonly ColumnPair[];
      /** Columns of the child beside columns of the junction. */
      readonly childPairs: readonly ColumnPair[];
    };

const links = new WeakMap<CatalogRelation, Link>();

export function getLink(relation: CatalogRelation): Link {
  return getOrInsert(links, relation, () => buildLink(getRelation(relation)));
}

/** Columns of the parent by which the records of a relation are found. */
export function parentColumns(relation: CatalogRelation): readonly Column[] {
  const link = getLink(relation);

  return (link.junction ? link.parentPairs : link.pairs).map(([near]) => near);
}

function buildLink(relation: Relation): Link {
  const { junction } = relation;
  if (junction) {
    return {
      junction: junction.table,
      parentPairs: junction.own.map(referencedFirst),
      childPairs: junction.other.map(referencedFirst),
    };
  }

  if (relation.isWithJoinColumn)
    return { pairs: relation.joinColumns.map((column) => [column, column.referencedColumn!]) };

  return { pairs: requireInverse(relation).joinColumns.map(referencedFirst) };
}

function referencedFirst(column: Column): ColumnPair {
  return [column.referencedColumn!, column];
}

function requireInverse(relation: Relation): Relation {
  if (!relation.inverseRelation)
    throw new Error(`The relation ${relation.table.name}.${relation.propertyPath} has no other side`);

  return relation.inverseRelation;
}
