/** From tables, columns and relations back to TypeORM's metadata. */
import type { Column, Relation, Table } from '@nestwright/sql';
import type { EntityMetadata, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from './column-metadata.js';

const ofTables = new WeakMap<Table, EntityMetadata>();
const ofColumns = new WeakMap<Column, ColumnMetadata>();
const ofRelations = new WeakMap<Relation, RelationMetadata>();

export function linkEntityMetadata(table: Table, metadata: EntityMetadata): void {
  ofTables.set(table, metadata);
}

export function linkColumnMetadata(column: Column, metadata: ColumnMetadata): void {
  ofColumns.set(column, metadata);
}

export function linkRelationMetadata(relation: Relation, metadata: RelationMetadata): void {
  ofRelations.set(relation, metadata);
}

export function getEntityMetadata(table: Table): EntityMetadata {
  return ofTables.get(table)!;
}

export function getColumnMetadata(column: Column): ColumnMetadata {
  return ofColumns.get(column)!;
}

export function getRelationMetadata(relation: Relation): RelationMetadata {
  return ofRelations.get(relation)!;
}
