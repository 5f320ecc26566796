/** Tables and catalogs described by hand. */
import {
  type Catalog,
  type CatalogColumn,
  type CatalogRelation,
  type ColumnKind,
  describeColumn,
} from '@nestwright/crud/adapter';
import {
  type Column,
  type Database,
  type Entity,
  linkColumn,
  linkRelation,
  linkTable,
  type Relation,
  type Table,
} from '@nestwright/sql';

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
    refers ? [makeRelation(() => table, { ...refers, nullable, column: columnNamed(columns, name) })] : [],
  );
  const catalog: Catalog = {
    model: model.name,
    target: model,
    columns: new Map(columns.map(({ catalogColumn }) => [catalogColumn.path, catalogColumn])),
    relations: new Map(relations.map(({ catalogRelation: relation }) => [relation.path, relation])),
    primary: columns.filter(({ isPrimary }) => isPrimary).map(({ catalogColumn }) => catalogColumn),
  };
  const table: Table = {
    name: model.name,
    target: model,
    catalog,
    database,
    tableName,
    tablePath: tableName,
    columns,
    primaryColumns: columns.filter(({ isPrimary }) => isPrimary),
    relations: relations.map(({ relation }) => relation),
    deleteDateColumn: undefined,
    updateDateColumn: undefined,
    versionColumn: undefined,
    discriminatorColumn: undefined,
    discriminatorValue: undefined,
    parent: undefined,
    children: [],
    treeType: undefined,
    treeParentRelation: undefined,
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
  };
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
  const column: Column = {
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
    isArray: false,
    members: undefined,
    precision: undefined,
    scale: undefined,
    isUnsigned: false,
    isAssumed: false,
    isUtc: false,
    collation: undefined,
    srid: undefined,
    defaultSql,
    isComputed: false,
    isPrimary: key,
    generation: key ? 'counter' : undefined,
    isInsert: true,
    isUpdate: true,
    isSelect: true,
    isVersion: false,
    isUpdateDate: false,
    isDiscriminator: false,
    isVirtual: false,
    isTransformed: false,
    query: undefined,
    embedded: undefined,
    read: (record) => record[name] as unknown,
    write: (record, value) => void (record[name] = value),
    encode: (value) => value,
    decode: kind === 'boolean' ? (value) => value === true || value === 1 : undefined,
  };
  linkColumn(catalogColumn, column);

  return column;
}

interface DescribedRelation {
  readonly path: string;
  readonly to: () => Table;
  readonly nullable: boolean;
  readonly column: Column;
}

function makeRelation(
  table: () => Table,
  { path, to, nullable, column }: DescribedRelation,
): { readonly relation: Relation; readonly catalogRelation: CatalogRelation } {
  const relation: Relation = {
    get table() {
      return table();
    },
    get inverseTable() {
      return to();
    },
    propertyName: path,
    propertyPath: path,
    inverseRelation: undefined,
    embedded: undefined,
    isLazy: false,
    joinColumns: [column],
    isWithJoinColumn: true,
    isToMany: false,
    junction: undefined,
    foreignKeys: [],
    orphans: undefined,
    read: (record: Entity) => record[path] as unknown,
    write: (record: Entity, value) => void (record[path] = value),
  };
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
