/** Tables and catalogs described by hand. */
import { type Catalog, type CatalogColumn, type CatalogRelation } from '@nestwright/crud/adapter';
import { type ColumnKind, describeColumn } from '@nestwright/crud/adapter';
import { type Column, type Database, type Entity, linkColumn } from '@nestwright/sql';
import { linkRelation, linkTable, type Relation, type Table } from '@nestwright/sql';

interface Described {
  readonly kind: ColumnKind;
  readonly type: string;
  readonly key?: boolean;
  readonly unique?: boolean;
  readonly nullable?: boolean;
  readonly defaultSql?: string;
  /** Of a foreign key: the relation's property, and the table that it refers to. */
  readonly refers?: { readonly path: string; readonly to: () => Table };
}

/** A table whose columns are called as their properties. */
export function describeTable(
  database: Database,
  model: new () => object,
  tableName: string,
  described: Readonly<Record<string, Described>>,
): Table {
  const names = Object.entries(described);
  const columns = names.map(([name, column]) => makeColumn(() => table, name, column));
  const relations = names.flatMap(([name, { refers, nullable = false }]) =>
    refers ? [makeRelation(() => table, refers, nullable, columnNamed(columns, name))] : [],
  );
  const primaryColumns = columns.filter(({ isPrimary }) => isPrimary);
  const catalog: Catalog = {
    model: model.name,
    target: model,
    columns: new Map(columns.map(({ catalogColumn }) => [catalogColumn.path, catalogColumn])),
    relations: new Map(relations.map(({ catalogRelation: relation }) => [relation.path, relation])),
    primary: primaryColumns.map(({ catalogColumn }) => catalogColumn),
  };
  const table = {
    name: model.name,
    target: model,
    catalog,
    database,
    tableName,
    tablePath: tableName,
    columns,
    primaryColumns,
    relations: relations.map(({ relation }) => relation),
    children: [],
    constraints: names.flatMap(([name, { unique }]) =>
      unique ? [{ name: `${tableName}_${name}_key`, columns: [columnNamed(columns, name)], isUnique: true }] : [],
    ),
    foreignKeys: [],
    referringKeys: [],
    checks: [],
    primaryKeyNames: [],
    filledColumns: [],
    create: () => new model(),
    createLoaded: () => new model(),
  } as unknown as Table;
  linkTable(catalog, table);
  return table;
}

function columnNamed(columns: readonly Column[], name: string): Column {
  return columns.find(({ propertyName }) => propertyName === name)!;
}

function makeColumn(table: () => Table, name: string, described: Described): Column {
  const { kind, type, key = false, nullable = false, defaultSql, refers } = described;
  const catalogColumn: CatalogColumn = describeColumn(name, kind, {
    nullable,
    primary: key,
    generated: key,
    autoIncrement: key,
    hasDefault: key || defaultSql !== undefined,
  });
  const column = {
    get table() {
      return table();
    },
    get server() {
      return table().database.server;
    },
    get referencedColumn() {
      return refers?.to().primaryColumns[0];
    },
    get relation() {
      return table().relations.find(({ propertyPath }) => propertyPath === refers?.path);
    },
    catalogColumn,
    propertyName: name,
    propertyPath: name,
    databaseName: name,
    target: 'described',
    type,
    fullType: type,
    defaultSql,
    isPrimary: key,
    generation: key ? 'counter' : undefined,
    isInsert: true,
    isUpdate: true,
    isSelect: true,
    read: (record: Entity) => record[name] as unknown,
    write: (record: Entity, value: unknown) => void (record[name] = value),
    encode: (value: unknown) => value,
    decode: kind === 'boolean' ? (value: unknown) => value === true || value === 1 : undefined,
  } as unknown as Column;
  linkColumn(catalogColumn, column);
  return column;
}

/** A relation to one, by its foreign key. */
type Refers = NonNullable<Described['refers']>;
function makeRelation(table: () => Table, { path, to }: Refers, nullable: boolean, column: Column) {
  const relation = {
    get table() {
      return table();
    },
    get inverseTable() {
      return to();
    },
    joinColumns: [column],
    propertyName: path,
    propertyPath: path,
    isWithJoinColumn: true,
    foreignKeys: [],
    read: (record: Entity) => record[path] as unknown,
    write: (record: Entity, value: unknown) => void (record[path] = value),
  } as unknown as Relation;
  const catalogRelation: CatalogRelation = {
    path,
    kind: 'many-to-one',
    toMany: false,
    get target() {
      return to().catalog;
    },
    get references() {
      return [{ column: column.catalogColumn, references: to().primaryColumns[0]!.catalogColumn }];
    },
    nullable,
    cascadeInsert: false,
    cascadeUpdate: false,
  };
  linkRelation(catalogRelation, relation);
  return { relation, catalogRelation };
}
