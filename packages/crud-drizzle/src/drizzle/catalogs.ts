/** Catalogs of tables: what requests may name of them. */
import type { Catalog, CatalogReference, CatalogRelation, RelationKind } from '@nestwright/crud/adapter';
import { linkRelation, linkTable, type Relation, type Table } from '@nestwright/sql';
import { sameColumns } from './constraints.js';
import type { TableOptions } from './table-options.js';

export function makeCatalog(table: Table, { cascade = {} }: TableOptions): Catalog {
  const { columns, primaryColumns, deleteDateColumn, versionColumn } = table;
  const relations = table.relations.map((relation) =>
    makeCatalogRelation(relation, cascade[relation.propertyPath] ?? []),
  );
  const catalog: Catalog = {
    model: table.name,
    target: table.target,
    columns: new Map(columns.map(({ catalogColumn }) => [catalogColumn.path, catalogColumn])),
    relations: new Map(relations.map((relation) => [relation.path, relation])),
    primary: primaryColumns.map(({ catalogColumn }) => catalogColumn),
    ...(deleteDateColumn && { deleteDate: deleteDateColumn.catalogColumn }),
    ...(versionColumn && { version: versionColumn.catalogColumn }),
  };
  linkTable(catalog, table);

  return catalog;
}

function makeCatalogRelation(relation: Relation, cascade: readonly ('insert' | 'update')[]): CatalogRelation {
  const { propertyPath, joinColumns, isToMany, isWithJoinColumn } = relation;
  const made: CatalogRelation = {
    path: propertyPath,
    kind: kindOf(relation),
    toMany: isToMany,
    get target() {
      return relation.inverseTable.catalog;
    },
    get references(): CatalogReference[] {
      return joinColumns.map((column) => ({
        column: column.catalogColumn,
        references: column.referencedColumn!.catalogColumn,
      }));
    },
    nullable: !isWithJoinColumn || joinColumns.some(({ catalogColumn }) => catalogColumn.nullable),
    cascadeInsert: cascade.includes('insert'),
    cascadeUpdate: cascade.includes('update'),
    get inverse() {
      return relation.inverseRelation?.propertyPath as string;
    },
  };
  linkRelation(made, relation);

  return made;
}

function kindOf({ isToMany, isWithJoinColumn, joinColumns, table, junction }: Relation): RelationKind {
  if (junction) return 'many-to-many';
  if (isToMany) return 'one-to-many';
  if (!isWithJoinColumn) return 'one-to-one-inverse';
  const isSole = table.constraints.some(({ isUnique, columns }) => isUnique && sameColumns(columns, joinColumns));

  return isSole ? 'one-to-one' : 'many-to-one';
}
