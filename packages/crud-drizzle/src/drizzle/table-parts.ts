/** What Drizzle's dialects have in common of a table. */
import { type Column as DrizzleColumn, is, type SQL, type Table as DrizzleTable } from 'drizzle-orm';
import { getTableConfig as mysqlConfig, MySqlTable } from 'drizzle-orm/mysql-core';
import { getTableConfig as pgConfig, PgTable } from 'drizzle-orm/pg-core';
import { getTableConfig as sqliteConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';

/** Members of constraints that all of Drizzle's dialects have. */
export interface TableParts {
  readonly schema?: string | undefined;
  readonly foreignKeys: readonly {
    getName(): string;
    readonly onDelete: string | undefined;
    reference(): { columns: DrizzleColumn[]; foreignTable: DrizzleTable; foreignColumns: DrizzleColumn[] };
  }[];
  readonly uniqueConstraints: readonly { getName(): string; readonly columns: readonly DrizzleColumn[] }[];
  readonly primaryKeys: readonly { getName(): string; readonly columns: readonly DrizzleColumn[] }[];
  readonly indexes: readonly {
    readonly config: { name?: string; columns: unknown[]; unique: boolean; where?: unknown };
  }[];
  readonly checks: readonly { readonly name: string; readonly value: SQL }[];
}

export function partsOf(table: DrizzleTable): TableParts {
  const config = is(table, PgTable)
    ? pgConfig(table)
    : is(table, MySqlTable)
      ? mysqlConfig(table)
      : sqliteConfig(table as SQLiteTable);

  return config as unknown as TableParts;
}

export function isDrizzleTable(value: unknown): value is DrizzleTable {
  return is(value, PgTable) || is(value, MySqlTable) || is(value, SQLiteTable);
}
