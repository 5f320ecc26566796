/** Catalogs and tables of TypeORM's metadata, made at the first use and kept as long as the metadata live. */
import {
  type Catalog,
  type CatalogColumn,
  type CatalogReference,
  type CatalogRelation,
  getOrInsert,
  type RelationKind,
} from '@nestwright/crud/adapter';
import {
  type Column,
  type ForeignKey,
  linkColumn,
  linkRelation,
  linkTable,
  type Relation,
  type Table,
} from '@nestwright/sql';
import type { EntityMetadata, RelationMetadata } from 'typeorm';
import { buildCatalogColumn } from './catalog-column.js';
import type { ColumnMetadata } from './column-metadata.js';
import { makeColumn } from './entity-column.js';
import { makeRelation } from './entity-relation.js';
import { toDatabase } from './database.js';
import { makeTable } from './entity-table.js';
import { madeOf, type Maker } from './maker.js';
import { buildRecordClasses } from './record-classes.js';

type ForeignKeyMetadata = EntityMetadata['foreignKeys'][number];

const tables = new WeakMap<EntityMetadata, Table>();
const columns = new WeakMap<ColumnMetadata, Column>();
const relations = new WeakMap<RelationMetadata, Relation>();
const foreignKeys = new WeakMap<ForeignKeyMetadata, ForeignKey>();

export function toTable(metadata: EntityMetadata): Table {
  return getOrInsert(tables, metadata, () => madeOf(makeTable(metadata, MAKER), metadata));
}

export function toColumn(metadata: ColumnMetadata): Column {
  return getOrInsert(columns, metadata, () => madeOf(makeColumn(metadata, MAKER), metadata));
}

export function toRelation(metadata: RelationMetadata): Relation {
  return getOrInsert(relations, metadata, () => madeOf(makeRelation(metadata, MAKER), metadata));
}

function toForeignKey(metadata: ForeignKeyMetadata): ForeignKey {
  return getOrInsert(foreignKeys, metadata, () => ({
    name: metadata.name,
    table: toTable(metadata.entityMetadata),
    columns: metadata.columns.map(toColumn),
    get referencedTable() {
      return toTable(metadata.referencedEntityMetadata);
    },
    referencedColumns: metadata.referencedColumns.map(toColumn),
    onDelete: metadata.onDelete,
  }));
}

const catalogs = new WeakMap<EntityMetadata, Catalog>();
const declaredCatalogs = new WeakMap<EntityMetadata, Catalog>();
const catalogColumns = new WeakMap<ColumnMetadata, CatalogColumn>();

/** The catalog of an entity, with the types that TypeORM assumes where none are declared. */
export function toCatalog(metadata: EntityMetadata): Catalog {
  return getCachedCatalog(metadata, false);
}

function getCachedCatalog(metadata: EntityMetadata, isDeclared: boolean): Catalog {
  return getOrInsert(isDeclared ? declaredCatalogs : catalogs, metadata, () => {
    const catalog = buildCatalog(metadata, isDeclared);
    linkTable(catalog, toTable(metadata));

    return catalog;
  });
}

function toCatalogColumn(metadata: ColumnMetadata): CatalogColumn {
  return getOrInsert(catalogColumns, metadata, () => {
    const built = buildCatalogColumn(metadata);
    for (const one of [built, built.declared]) if (one) linkColumn(one, toColumn(metadata));

    return built;
  });
}

function toDeclaredColumn(metadata: ColumnMetadata): CatalogColumn {
  const known = toCatalogColumn(metadata);

  return known.declared ?? known;
}

function buildCatalog(metadata: EntityMetadata, isDeclared: boolean): Catalog {
  const named = metadata.columns.filter((column) => !column.isVirtual);
  const describe = isDeclared ? toDeclaredColumn : toCatalogColumn;

  return Object.freeze({
    model: metadata.name,
    target: metadata.target,
    recordClasses: isDeclared ? toCatalog(metadata).recordClasses! : buildRecordClasses(metadata),
    columns: new Map(named.map((column) => [column.propertyPath, describe(column)])),
    relations: new Map(
      metadata.relations.map((relation) => [relation.propertyPath, buildRelation(relation, isDeclared)]),
    ),
    primary: Object.freeze(metadata.primaryColumns.map(describe)),
    ...(metadata.deleteDateColumn && { deleteDate: describe(metadata.deleteDateColumn) }),
    ...(metadata.versionColumn && { version: describe(metadata.versionColumn) }),
    get declared() {
      return isDeclared ? undefined : getCachedCatalog(metadata, true);
    },
  });
}

function buildRelation(relation: RelationMetadata, isDeclared: boolean): CatalogRelation {
  const describe = isDeclared ? toDeclaredColumn : toCatalogColumn;
  const kind = decideRelationKind(relation);
  const owning = kind === 'many-to-one' || kind === 'one-to-one';
  const built: CatalogRelation = {
    path: relation.propertyPath,
    kind,
    toMany: kind === 'one-to-many' || kind === 'many-to-many',
    get target() {
      return getCachedCatalog(relation.inverseEntityMetadata, isDeclared);
    },
    references: Object.freeze(
      owning ? relation.joinColumns.flatMap((column) => buildReferences(column, describe)) : [],
    ),
    nullable: relation.isNullable,
    ...(relation.isTreeParent && isNestedTree(relation.entityMetadata) && { keptIfOmitted: true as const }),
    cascadeInsert: relation.isCascadeInsert,
    cascadeUpdate: relation.isCascadeUpdate,
    ...(relation.inverseRelation && { inverse: relation.inverseRelation.propertyPath }),
  };

  linkRelation(built, toRelation(relation));

  return Object.freeze(built);
}

/** Whether TypeORM stores more of a tree than foreign keys; `adjacency-list` is none of these forms. */
function isNestedTree({ treeType }: EntityMetadata): boolean {
  return treeType !== undefined && treeType !== 'adjacency-list';
}

function buildReferences(
  column: ColumnMetadata,
  describe: (column: ColumnMetadata) => CatalogColumn,
): CatalogReference[] {
  return column.referencedColumn ? [{ column: describe(column), references: describe(column.referencedColumn) }] : [];
}

function decideRelationKind(relation: RelationMetadata): RelationKind {
  return (
    (relation.isManyToOne && 'many-to-one') ||
    (relation.isOneToOneOwner && 'one-to-one') ||
    (relation.isOneToOne && 'one-to-one-inverse') ||
    (relation.isOneToMany && 'one-to-many') ||
    'many-to-many'
  );
}

const MAKER: Maker = { toDatabase, toCatalog, toCatalogColumn, toTable, toColumn, toRelation, toForeignKey };
