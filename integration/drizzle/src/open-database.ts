/** Opens a database, and makes and fills its tables. */
import { type Records, RECORDS } from '@nestwright/example';
import type { DrizzleDatabase } from '@nestwright/crud-drizzle';
import { getTableColumns, getTableName, is, sql, Table } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { PgTable } from 'drizzle-orm/pg-core';
import { connect, type Connected } from './connect.js';
import type { Schema } from './tables.js';

/** A database with its tables. */
export interface OpenDatabase {
  /** Typed as PostgreSQL's, as the tables are. */
  readonly db: NodePgDatabase<Schema> & DrizzleDatabase;
  readonly schema: Schema;
  close(): Promise<void>;
}

/**
 * Opens a database with fresh tables: give the application one of its own. A table that bears one of its names, but has
 * columns of its own, is left alone and stops the start.
 *
 * @param url as of {@link connect}
 */
export async function openDatabase(url: string, records: Records = RECORDS): Promise<OpenDatabase> {
  const connected = await connect(url);
  const { schema, run, close } = connected;
  const db = connected.db as OpenDatabase['db'];

  try {
    await dropTables(connected);
    for (const statement of await connected.statements()) await run(sql.raw(statement));
    await fill(db, schema, records);
  } catch (error) {
    await close();
    throw error;
  }

  return { db, schema, close };
}

async function dropTables({ schema, run, columns }: Connected): Promise<void> {
  const tables = Object.values(schema).filter((one) => is(one, Table)) as Table[];
  for (const table of tables) {
    const known = new Set(Object.values(getTableColumns(table)).map((column) => column.name));
    const found = (await run(columns(getTableName(table)))) as { name: string }[];
    const stranger = found.find(({ name }) => !known.has(name));
    if (stranger) {
      throw new Error(
        `The database has a table "${getTableName(table)}" with a column "${stranger.name}": not the application's`,
      );
    }
  }
  // Children first.
  for (const table of tables.reverse()) await run(sql`DROP TABLE IF EXISTS ${table}`);
  if (is(schema.users, PgTable)) await run(sql`DROP TYPE IF EXISTS users_role_enum`);
}

/** Fills the tables, parents first. Counters begin at 1. */
export async function fill(db: NodePgDatabase<Schema>, schema: Schema, records: Records): Promise<void> {
  const users = records.users.map((user) => {
    const { name, ...rest } = user as { name: { first: string | null; last: string | null } };

    return { ...rest, nameFirst: name.first, nameLast: name.last };
  });
  const rows: readonly (readonly [Table, object[]])[] = [
    [schema.companies, records.companies],
    [schema.profiles, records.profiles],
    [schema.users, users],
    [schema.projects, records.projects],
    [schema.userProjects, records.userProjects],
    [schema.memberships, records.memberships],
    [schema.devices, records.devices],
    [schema.categories, records.categories],
    [schema.events, records.events],
  ];
  for (const [table, values] of rows) await db.insert(table as never).values(values as never);
}
