/** What tables, relations and constraints ask of the tables of their database. */
import type { Column, Database, ForeignKey, Table } from '@nestwright/sql';
import type { Column as DrizzleColumn, SQL, Table as DrizzleTable, TablesRelationalConfig } from 'drizzle-orm';

/** The schema that Drizzle was given: its tables and relations. */
export interface Schema {
  readonly tables: TablesRelationalConfig;
  readonly tableNamesMap: Record<string, string>;
  readonly fullSchema: Record<string, unknown> | undefined;
}

export interface KnownTables {
  readonly database: Database;
  readonly schema: Schema | undefined;
  /** The name of a column in the database. */
  readonly nameOf: (column: DrizzleColumn) => string;
  /** The text of SQL. */
  readonly print: (sql: SQL) => string;
  find(table: DrizzleTable): Table;
  columnOf(drizzle: DrizzleColumn): Column;
  columnsOf(drizzle: readonly DrizzleColumn[]): Column[];
  /** The foreign keys of all tables that refer to one. */
  referringTo(table: Table): ForeignKey[];
}
