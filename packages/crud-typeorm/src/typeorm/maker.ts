import type { Catalog, CatalogColumn } from '@nestwright/crud/adapter';
import type { Column, Database, ForeignKey, Relation, Table } from '@nestwright/sql';
import type { DataSource, EntityMetadata, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from './column-metadata.js';

/** Gives the parts of tables that others refer to, each made once. */
export interface Maker {
  toDatabase(dataSource: DataSource): Database;
  toCatalog(metadata: EntityMetadata): Catalog;
  toCatalogColumn(metadata: ColumnMetadata): CatalogColumn;
  toTable(metadata: EntityMetadata): Table;
  toColumn(metadata: ColumnMetadata): Column;
  toRelation(metadata: RelationMetadata): Relation;
  toForeignKey(metadata: EntityMetadata['foreignKeys'][number]): ForeignKey;
}

const origins = new WeakMap<object, unknown>();

/** Notes the metadata that a part was made of. */
export function madeOf<Part extends object>(part: Part, metadata: unknown): Part {
  origins.set(part, metadata);

  return part;
}

export function getEntityMetadata(table: Table): EntityMetadata {
  return origins.get(table) as EntityMetadata;
}

export function getColumnMetadata(column: Column): ColumnMetadata {
  return origins.get(column) as ColumnMetadata;
}

export function getRelationMetadata(relation: Relation): RelationMetadata {
  return origins.get(relation) as RelationMetadata;
}
