/** Drizzle's tables as tables of SQL, made at the first use and kept with their database. */
import { getOrInsert } from '@nestwright/crud/adapter';
import type { Column, Database, ForeignKey, Table } from '@nestwright/sql';
import type { Column as DrizzleColumn, SQL, Table as DrizzleTable } from 'drizzle-orm';
import type { KnownTables, Schema } from './known-tables.js';
import { makeTable } from './table.js';
import { isDrizzleTable } from './table-parts.js';

/** The tables of one database. */
export class Tables implements KnownTables {
  private readonly tables = new Map<DrizzleTable, Table>();

  constructor(
    readonly database: Database,
    readonly schema: Schema | undefined,
    readonly nameOf: (column: DrizzleColumn) => string,
    readonly print: (sql: SQL) => string,
  ) {}

  find(table: DrizzleTable): Table {
    return getOrInsert(this.tables, table, () => makeTable(table, this));
  }

  /** By name: the columns that constraints and keys of several name may be copies. */
  columnOf(drizzle: DrizzleColumn): Column {
    const name = this.nameOf(drizzle);

    return this.find(drizzle.table).columns.find(({ databaseName }) => databaseName === name)!;
  }

  columnsOf(drizzle: readonly DrizzleColumn[]): Column[] {
    return drizzle.map((column) => this.columnOf(column));
  }

  referringTo(table: Table): ForeignKey[] {
    const known = Object.values(this.schema?.fullSchema ?? {}).filter(isDrizzleTable);
    const all = [...new Set([...known, ...this.tables.keys()])].map((one) => this.find(one));

    return all.flatMap(({ foreignKeys }) => foreignKeys.filter(({ referencedTable }) => referencedTable === table));
  }
}
