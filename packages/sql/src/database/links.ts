/** From the parts of a catalog, which plans name, to the tables that store them. */
import type { Catalog, CatalogColumn, CatalogRelation } from '@nestwright/crud/adapter';
import type { Column, Relation, Table } from './database.js';

const tables = new WeakMap<Catalog, Table>();
const columns = new WeakMap<CatalogColumn, Column>();
const relations = new WeakMap<CatalogRelation, Relation>();

/** Says which table a catalog describes. */
export function linkTable(catalog: Catalog, table: Table): void {
  tables.set(catalog, table);
}

/** Says which column a catalog's stands for. */
export function linkColumn(catalogColumn: CatalogColumn, column: Column): void {
  columns.set(catalogColumn, column);
}

/** Says which relation a catalog's stands for. */
export function linkRelation(catalogRelation: CatalogRelation, relation: Relation): void {
  relations.set(catalogRelation, relation);
}

/** The table that a catalog describes. */
export function getTable(catalog: Catalog): Table {
  return known(tables.get(catalog));
}

/** The column that a catalog's stands for. */
export function getColumn(catalogColumn: CatalogColumn): Column {
  return known(columns.get(catalogColumn));
}

export function getRelation(catalogRelation: CatalogRelation): Relation {
  return known(relations.get(catalogRelation));
}

function known<T>(value: T | undefined): T {
  if (!value) throw new Error('This catalog was not made by the adapter of the store');

  return value;
}

/**
 * The catalog of a table.
 *
 * @param beside The catalog of another table: if that has only declared types, so has this one. Default: types that the
 * ORM assumes are in it.
 */
export function getCatalog({ catalog }: Table, beside?: Catalog): Catalog {
  return isDeclared(beside) ? (catalog.declared ?? catalog) : catalog;
}

/** The catalog's column for a table's, also for a foreign key that no property holds. `beside` as in {@link getCatalog}. */
export function getCatalogColumn({ catalogColumn }: Column, beside?: Catalog): CatalogColumn {
  return isDeclared(beside) ? (catalogColumn.declared ?? catalogColumn) : catalogColumn;
}

function isDeclared(catalog: Catalog | undefined): boolean {
  return catalog !== undefined && known(tables.get(catalog)).catalog !== catalog;
}
