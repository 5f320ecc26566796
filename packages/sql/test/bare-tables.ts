/** Tables and catalogs described by hand. */
import { type Catalog, type CatalogColumn, type CatalogRelation } from '@nestwright/crud/adapter';
import { type ColumnKind, describeColumn } from '@nestwright/crud/adapter';
import { type Column, type Database, type Entity, type Relation, type Table } from '@nestwright/sql';
import { linkColumn, linkRelation, linkTable } from '@nestwright/sql';

interface Described {
  readonly kind: ColumnKind;
  readonly type: string;
  /** Whether it is part of the key, which is counted unless clients give it. */
  readonly key?: boolean | 'given';
  readonly unique?: boolean;
  readonly nullable?: boolean;
  readonly defaultSql?: string;
  readonly catalog?: Partial<CatalogColumn>;
  /** What the driver is given for a value. Default: the value. */
  readonly encode?: (value: unknown) => unknown;
  /** Of a foreign key: the relation's property, and the table that it refers to. */
  readonly refers?: { readonly path: string; readonly to: Table };
}

type Model = new () => object;
type Columns = Readonly<Record<string, Described>>;

export const KEY = { kind: 'integer', type: 'integer', key: true } as const;
export const INTEGER = { kind: 'integer', type: 'integer' } as const;
export const TEXT = { kind: 'text', type: 'varchar' } as const;

/** A table whose columns are called as their properties, of a class or of one by this name. */
export function describeTable(database: Database, named: string | Model, tableName: string, described: Columns): Table {
  const model = typeof named === 'string' ? { [named]: class {} }[named]! : named;
  const names = Object.entries(described);
  const columns = names.map(([name, column]) => makeColumn(database, name, column));
  const columnNamed = (name: string) => columns.find(({ propertyName }) => propertyName === name)!;
  const relations = names.flatMap(([name, { refers, nullable = false }]) =>
    refers ? [makeRelation(refers, nullable, columnNamed(name))] : [],
  );
  const primaryColumns = columns.filter(({ isPrimary }) => isPrimary);
  const catalog: Catalog = {
    model: model.name,
    target: model,
    columns: new Map(columns.map(({ catalogColumn }) => [catalogColumn.path, catalogColumn])),
    relations: new Map(relations.map(({ catalogRelation }) => [catalogRelation.path, catalogRelation])),
    primary: primaryColumns.map(({ catalogColumn }) => catalogColumn),
  };
  const nothing = { children: [], referringKeys: [], checks: [], primaryKeyNames: [], filledColumns: [] };
  const titles = { name: model.name, target: model, tableName, tablePath: tableName };
  const table = {
    ...nothing,
    ...titles,
    catalog,
    database,
    columns,
    primaryColumns,
    relations: relations.map(({ relation }) => relation),
    constraints: names.flatMap(([name, { unique }]) =>
      unique ? [{ name: `${tableName}_${name}_key`, columns: [columnNamed(name)], isUnique: true }] : [],
    ),
    foreignKeys: names.flatMap(([name, { refers }]) =>
      refers
        ? [{ columns: [columnNamed(name)], referencedTable: refers.to, referencedColumns: refers.to.primaryColumns }]
        : [],
    ),
    create: () => new model(),
    createLoaded: () => new model(),
  } as unknown as Table;
  for (const part of [...columns, ...table.relations]) Object.assign(part, { table });
  for (const { relation } of relations) Object.assign(relation.joinColumns[0]!, { relation });
  linkTable(catalog, table);
  return table;
}

function makeColumn({ server }: Database, name: string, described: Described): Column {
  const { kind, type, key = false, nullable = false, defaultSql, catalog, refers } = described;
  const [isPrimary, isCounted] = [key !== false, key === true];
  const hasDefault = isCounted || defaultSql !== undefined;
  const generated = { primary: isPrimary, generated: isCounted, autoIncrement: isCounted };
  const catalogColumn = describeColumn(name, kind, { nullable, hasDefault, ...generated, ...catalog });
  const titles = { propertyName: name, propertyPath: name, databaseName: name, target: 'described' };
  const uses = { isInsert: true, isUpdate: true, isSelect: true, isPrimary };
  const column = {
    ...titles,
    ...uses,
    type,
    fullType: type,
    defaultSql,
    server,
    catalogColumn,
    generation: isCounted ? 'counter' : undefined,
    referencedColumn: refers?.to.primaryColumns[0],
    read: (record: Entity) => record[name] as unknown,
    write: (record: Entity, value: unknown) => void (record[name] = value),
    encode: described.encode ?? ((value: unknown) => value),
    decode: kind === 'boolean' ? (value: unknown) => value === true || value === 1 : undefined,
  } as unknown as Column;
  linkColumn(catalogColumn, column);
  return column;
}

function makeRelation({ path, to }: NonNullable<Described['refers']>, nullable: boolean, column: Column) {
  const relation = {
    inverseTable: to,
    joinColumns: [column],
    foreignKeys: [],
    isWithJoinColumn: true,
    propertyName: path,
    propertyPath: path,
    read: (record: Entity) => record[path] as unknown,
    write: (record: Entity, value: unknown) => void (record[path] = value),
  } as unknown as Relation;
  const catalogRelation: CatalogRelation = {
    path,
    kind: 'many-to-one',
    toMany: false,
    target: to.catalog,
    nullable,
    references: [{ column: column.catalogColumn, references: to.primaryColumns[0]!.catalogColumn }],
    cascadeInsert: false,
    cascadeUpdate: false,
  };
  linkRelation(catalogRelation, relation);
  return { relation, catalogRelation };
}
