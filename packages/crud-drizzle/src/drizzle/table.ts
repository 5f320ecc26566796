/** A table of Drizzle as a table of SQL. */
import { type Catalog, classOfModel, type ColumnSource } from '@nestwright/crud/adapter';
import type { Column, Entity, ForeignKey, Relation, Table } from '@nestwright/sql';
import {
  type Column as DrizzleColumn,
  getTableColumns,
  getTableName,
  is,
  SQL,
  type Table as DrizzleTable,
} from 'drizzle-orm';
import { makeCatalog } from './catalogs.js';
import { elementKind } from './column-kind.js';
import { makeColumn } from './columns.js';
import { constraintsOf, foreignKeyOf } from './constraints.js';
import { placesOf } from './embedded.js';
import { relationsOf } from './relations.js';
import { partsOf, type TableParts } from './table-parts.js';
import { optionsOf, type TableOptions } from './table-options.js';
import type { KnownTables } from './known-tables.js';

export function makeTable(drizzle: DrizzleTable, tables: KnownTables): Table {
  const parts = partsOf(drizzle);
  const name = getTableName(drizzle);
  const options = optionsOf(drizzle);
  const model = (options.model ?? classOfModel(drizzle)) as new () => object;
  const columns = makeColumns(drizzle, parts, options, tables, () => table);
  const having = (source: ColumnSource) => columns.find(({ catalogColumn }) => catalogColumn.source === source);
  let relations: readonly Relation[] | undefined;
  let foreignKeys: readonly ForeignKey[] | undefined;
  let catalog: Catalog | undefined;

  const table: Table = {
    name: model.name,
    target: model,
    database: tables.database,
    tableName: name,
    tablePath: parts.schema ? `${parts.schema}.${name}` : name,
    columns,
    primaryColumns: columns.filter(({ isPrimary }) => isPrimary),
    deleteDateColumn: having('deleteDate'),
    updateDateColumn: having('updateDate'),
    versionColumn: having('version'),
    discriminatorColumn: undefined,
    discriminatorValue: undefined,
    parent: undefined,
    children: [],
    treeType: undefined,
    treeParentRelation: undefined,
    constraints: constraintsOf(parts, drizzle, columns),
    checks: parts.checks.map(({ name: check, value }) => ({ name: check, expression: tables.print(value) })),
    primaryKeyNames: [...parts.primaryKeys.map((key) => key.getName()), `${name}_pkey`, 'PRIMARY'],
    // What the database fills in is read back.
    filledColumns: columns.filter(({ catalogColumn: { hasDefault } }) => hasDefault),
    get catalog() {
      return (catalog ??= makeCatalog(table, options));
    },
    get relations() {
      return (relations ??= relationsOf(drizzle, table, options, tables));
    },
    get foreignKeys() {
      return (foreignKeys ??= parts.foreignKeys.map((key) => foreignKeyOf(key, table, tables)));
    },
    get referringKeys() {
      return tables.referringTo(table);
    },
    ...makersOf(columns, options),
  };

  return table;
}

function makeColumns(
  drizzle: DrizzleTable,
  parts: TableParts,
  options: TableOptions,
  tables: KnownTables,
  table: () => Table,
): Column[] {
  const entries = Object.entries(getTableColumns(drizzle));
  const places = placesOf(
    options,
    entries.map(([property]) => property),
  );
  // By name: the columns of a key over several may be copies.
  const keys = new Set([
    ...entries.filter(([, { primary }]) => primary).map(([, { name }]) => name),
    ...parts.primaryKeys.flatMap(({ columns }) => columns.map(({ name }) => name)),
  ]);

  return entries.map(([property, column]) =>
    makeColumn(
      column,
      {
        place: places.get(property)!,
        described: options.columns?.[property] ?? {},
        name: tables.nameOf(column),
        source: sourceOf(drizzle, property, column, options),
        defaultSql: defaultOf(column, tables),
        isPrimary: keys.has(column.name),
        isSoleKey: keys.size === 1 && keys.has(column.name),
      },
      table,
      tables.database.dialect,
    ),
  );
}

/** What makes records: of the class that the application has given, or plain objects. */
function makersOf(columns: readonly Column[], { model }: TableOptions): Pick<Table, 'create' | 'createLoaded'> {
  const empty = model ? () => new (model as new () => Entity)() : (): Entity => ({});
  const defaults = columns.filter(({ makeDefault }) => makeDefault);

  return {
    create: () => {
      const record = empty();
      for (const { write, makeDefault } of defaults) write(record, makeDefault!());

      return record;
    },
    createLoaded: empty,
  };
}

/** SQL of a column's default, for databases without the keyword DEFAULT. */
function defaultOf(column: DrizzleColumn, tables: KnownTables): string | undefined {
  const { default: value } = column as { readonly default: unknown };
  if (value === undefined) return undefined;
  if (is(value, SQL)) return tables.print(value);
  const stored: unknown = column.mapToDriverValue(value);

  return typeof stored === 'string' ? `'${stored.replaceAll("'", "''")}'` : String(stored);
}

function sourceOf(
  drizzle: DrizzleTable,
  property: string,
  column: DrizzleColumn,
  { deletedAt, version, createdAt, updatedAt }: TableOptions,
): ColumnSource {
  if (property === deletedAt) return 'deleteDate';
  if (property === version) return 'version';
  if (property === createdAt) return 'createDate';
  if (property === updatedAt) return 'updateDate';
  if (!column.onUpdateFn || updatedAt !== undefined) return 'client';
  if (/^date/.test(elementKind(column))) return 'updateDate';

  throw new Error(
    `$onUpdate of ${getTableName(drizzle)}.${property}: each update sets the present, which it cannot be`,
  );
}
