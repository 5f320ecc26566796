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
