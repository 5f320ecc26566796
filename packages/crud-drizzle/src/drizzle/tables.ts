/** Drizzle's tables and relations as tables of SQL, made at the first use and kept with their database. */
import { isDeepStrictEqual } from 'node:util';
import { type Catalog, type ColumnSource, getOrInsert } from '@nestwright/crud/adapter';
import {
  type Column,
  type Constraint,
  type Database,
  type Entity,
  type ForeignKey,
  type Relation,
  type Table,
} from '@nestwright/sql';
import {
  type Column as DrizzleColumn,
  getTableColumns,
  getTableName,
  is,
  Many,
  normalizeRelation,
  One,
  type Relation as DrizzleRelation,
  SQL,
  type Table as DrizzleTable,
  type TablesRelationalConfig,
} from 'drizzle-orm';
import { modelOf } from '../model.js';
import { makeCatalog, sameColumns } from './catalogs.js';
import { elementKind } from './column-kind.js';
import { linkReferences, makeColumn } from './columns.js';
import { isDrizzleTable, partsOf, type TableParts } from './table-parts.js';

/** What only the application knows of a table's columns, by their properties. */
export interface TableOptions {
  /** The column that says when a record was soft-deleted. Default: records are deleted. */
  readonly deletedAt?: string | undefined;
  /** The column that counts updates, for optimistic locking. Default: none. */
  readonly version?: string | undefined;
  /** The column that is set when a record is created. Default: clients may set it. */
  readonly createdAt?: string | undefined;
  /** The column that is set by each update. Default: those with `$onUpdate`. */
  readonly updatedAt?: string | undefined;
}

/** The schema that Drizzle was given: its tables and relations. */
export interface Schema {
  readonly tables: TablesRelationalConfig;
  readonly tableNamesMap: Record<string, string>;
}

/** The tables of one database. */
export class Tables {
  private readonly tables = new Map<DrizzleTable, Table>();
  private readonly columns = new Map<DrizzleColumn, Column>();
  private readonly options = new Map<DrizzleTable, TableOptions>();

  constructor(
    private readonly database: Database,
    private readonly schema: Schema | undefined,
    private readonly nameOf: (column: DrizzleColumn) => string,
    private readonly print: (sql: SQL) => string,
  ) {}

  /** Says more of a table than its metadata; before the table is used. */
  configure(table: DrizzleTable, options: TableOptions): void {
    const before = this.options.get(table);
    const now = { ...before, ...options };
    if (this.tables.has(table) && !isDeepStrictEqual(before, now))
      throw new Error(`${getTableName(table)} is in use with other options: its services must name the same`);

    this.options.set(table, now);
  }

  find(table: DrizzleTable): Table {
    return getOrInsert(this.tables, table, () => this.make(table));
  }

  private make(drizzle: DrizzleTable): Table {
    const parts = partsOf(drizzle);
    const name = getTableName(drizzle);
    const model = modelOf(drizzle);
    const entries = Object.entries(getTableColumns(drizzle));
    const keys = [
      ...entries.filter(([, { primary }]) => primary).map(([, column]) => column),
      ...parts.primaryKeys.flatMap(({ columns }) => columns),
    ];
    const columns = entries.map(([property, column]) =>
      getOrInsert(this.columns, column, () =>
        makeColumn(
          column,
          {
            property,
            name: this.nameOf(column),
            source: this.sourceOf(drizzle, property, column),
            defaultSql: this.defaultOf(column),
            isPrimary: keys.includes(column),
            isSoleKey: keys.length === 1 && keys[0] === column,
          },
          () => table,
          this.database.dialect,
        ),
      ),
    );
    const primaryColumns = columns.filter(({ isPrimary }) => isPrimary);
    const having = (source: string) => columns.find(({ catalogColumn }) => catalogColumn.source === source);
    const defaults = entries.flatMap(([property, column]) => {
      // As Drizzle does: without a default, what an update sets is set by an insert, too.
      const make = column.defaultFn ?? (column.default === undefined ? column.onUpdateFn : undefined);

      return make ? [[property, make] as const] : [];
    });
    const relations = () => this.relationsOf(drizzle);
    let listed: readonly Relation[] | undefined;
    let keysOfTable: readonly ForeignKey[] | undefined;
    let catalog: Catalog | undefined;

    const table: Table = {
      name: model.name,
      target: model,
      database: this.database,
      tableName: name,
      tablePath: parts.schema ? `${parts.schema}.${name}` : name,
      columns,
      primaryColumns,
      deleteDateColumn: having('deleteDate'),
      updateDateColumn: having('updateDate'),
      versionColumn: having('version'),
      discriminatorColumn: undefined,
      discriminatorValue: undefined,
      parent: undefined,
      children: [],
      treeType: undefined,
      treeParentRelation: undefined,
      constraints: this.constraintsOf(parts, entries, columns),
      checks: parts.checks.map(({ name: check, value }) => ({ name: check, expression: this.print(value) })),
      primaryKeyNames: [...parts.primaryKeys.map((key) => key.getName()), `${name}_pkey`, 'PRIMARY'],
      // What the database fills in is read back.
      filledColumns: columns.filter(({ catalogColumn: { hasDefault } }) => hasDefault),
      get catalog() {
        return (catalog ??= makeCatalog(table));
      },
      get relations() {
        return (listed ??= relations());
      },
      get foreignKeys() {
        return (keysOfTable ??= keysOf(parts));
      },
      get referringKeys() {
        return referring();
      },
      create: () => Object.fromEntries(defaults.map(([property, make]) => [property, make()])),
      createLoaded: () => ({}),
    };
    const keysOf = ({ foreignKeys }: TableParts) => foreignKeys.map((key) => this.foreignKey(key, table));
    const referring = () =>
      this.allTables().flatMap((other) => other.foreignKeys.filter(({ referencedTable }) => referencedTable === table));

    return table;
  }

  /** SQL of a column's default, for databases without the keyword DEFAULT. */
  private defaultOf(column: DrizzleColumn): string | undefined {
    const { default: value } = column as { readonly default: unknown };
    if (value === undefined) return undefined;
    if (is(value, SQL)) return this.print(value);
    const stored: unknown = column.mapToDriverValue(value);

    return typeof stored === 'string' ? `'${stored.replaceAll("'", "''")}'` : String(Number(stored));
  }

  private sourceOf(drizzle: DrizzleTable, property: string, column: DrizzleColumn): ColumnSource {
    const { deletedAt, version, createdAt, updatedAt } = this.options.get(drizzle) ?? {};
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

  private constraintsOf(
    { uniqueConstraints, indexes }: TableParts,
    entries: readonly (readonly [string, DrizzleColumn])[],
    columns: readonly Column[],
  ): Constraint[] {
    const own = (drizzle: readonly unknown[]) =>
      drizzle.map((one) => columns[entries.findIndex(([, column]) => column.name === (one as DrizzleColumn).name)]!);

    return [
      ...entries.flatMap(([, column], at) =>
        column.isUnique ? [{ name: column.uniqueName ?? '', columns: [columns[at]!], isUnique: true }] : [],
      ),
      ...uniqueConstraints.map((one) => ({ name: one.getName() ?? '', columns: own(one.columns), isUnique: true })),
      ...indexes
        // An index on an expression is about no column.
        .filter(({ config }) => config.columns.every((one) => typeof (one as { name?: unknown }).name === 'string'))
        .map(({ config: { name = '', columns: over, unique, where } }) => ({
          name,
          columns: own(over),
          // A partial index allows equal values elsewhere.
          isUnique: unique && !where,
        })),
    ];
  }

  private foreignKey(key: TableParts['foreignKeys'][number], table: Table): ForeignKey {
    const { columns, foreignTable, foreignColumns } = key.reference();
    const find = () => this.find(foreignTable);
    const toColumn = (column: DrizzleColumn) => this.columnOf(column);

    return {
      name: key.getName(),
      table,
      columns: columns.map(toColumn),
      get referencedTable() {
        return find();
      },
      get referencedColumns() {
        find();

        return foreignColumns.map(toColumn);
      },
      onDelete: key.onDelete?.toUpperCase(),
    };
  }

  private allTables(): Table[] {
    const { fullSchema = {} } = (this.schema ?? {}) as { fullSchema?: Record<string, unknown> };
    const known = Object.values(fullSchema).filter(isDrizzleTable);

    return [...new Set([...known, ...this.tables.keys()])].map((table) => this.find(table));
  }

  private columnOf(drizzle: DrizzleColumn): Column {
    this.find(drizzle.table);
    const column = this.columns.get(drizzle);
    if (!column) throw new Error(`${drizzle.name} is no column of a table that the database was told of`);

    return column;
  }

  private relationsOf(drizzle: DrizzleTable): Relation[] {
    const { schema } = this;
    if (!schema) return [];
    const key = Object.keys(schema.tables).find((name) => schema.tables[name]!.columns === getTableColumns(drizzle));

    return Object.values(schema.tables[key ?? '']?.relations ?? {}).map((relation) => this.relation(relation, schema));
  }

  private relation(drizzle: DrizzleRelation, { tables, tableNamesMap }: Schema): Relation {
    const { fieldName, sourceTable, referencedTable } = drizzle;
    const { fields, references } = normalizeRelation(tables, tableNamesMap, drizzle);
    const isToMany = is(drizzle, Many);
    const isOwning = is(drizzle, One) && drizzle.config !== undefined;
    const joinColumns = isOwning ? fields.map((column) => this.columnOf(column)) : [];
    const find = (table: DrizzleTable) => this.find(table);
    const inverse = () =>
      find(referencedTable).relations.find((other) => {
        const [owner, far] = isOwning ? [relation, other] : [other, relation];

        return (
          other !== relation &&
          owner.isWithJoinColumn &&
          !far.isWithJoinColumn &&
          other.inverseTable === relation.table &&
          sameColumns(
            owner.joinColumns,
            (isOwning ? fields : references).map((column) => this.columnOf(column)),
          ) &&
          columnsOf(far) === columnsOf(owner)
        );
      });
    const table = () => find(sourceTable);
    const relation: Relation = {
      get table() {
        return table();
      },
      get inverseTable() {
        return find(referencedTable);
      },
      get inverseRelation() {
        return inverse();
      },
      get foreignKeys() {
        return isOwning ? table().foreignKeys.filter(({ columns }) => sameColumns(columns, joinColumns)) : [];
      },
      propertyName: fieldName,
      propertyPath: fieldName,
      embedded: undefined,
      isLazy: false,
      joinColumns,
      isWithJoinColumn: isOwning,
      isToMany,
      junction: undefined,
      orphans: undefined,
      read: (record: Entity) => record[fieldName] as unknown,
      write: (record: Entity, value) => void (record[fieldName] = value),
    };
    pairs.set(relation, isOwning ? joinColumns : references.map((column) => this.columnOf(column)));
    if (isOwning) {
      linkReferences(
        joinColumns,
        references.map((column) => this.columnOf(column)),
      );
    }

    return relation;
  }
}

/** The foreign key that a relation and its inverse share. */
const pairs = new WeakMap<Relation, readonly Column[]>();

const columnsOf = (relation: Relation): string =>
  (pairs.get(relation) ?? []).map(({ table, databaseName }) => `${table.tablePath}.${databaseName}`).join();
