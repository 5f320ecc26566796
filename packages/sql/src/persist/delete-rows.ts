import { concatSql, joinAll, type Sql, sql, tableSql } from '../select/index.js';
import { columnName } from '../statements/column-sql.js';
import { execute, placeSql } from '../statements/execute.js';
import { limitToClass, writeAutomatic, writeUpdate } from '../statements/update.js';
import type { Connection, Table } from '../database/database.js';

interface DeleteOptions {
  /** Whether their delete date is set and they stay. */
  readonly soft: boolean;
  /** Whether subscribers are notified that rows of the entity are deleted, but not which. Default: `false`. */
  readonly callListeners?: boolean;
}

/** Deletes the rows that satisfy a condition; returns their number. */
export async function deleteRows(
  connection: Connection,
  table: Table,
  where: Sql,
  { soft, callListeners = false }: DeleteOptions,
): Promise<number> {
  if (soft) return changeDeleteDate(connection, table, where, 'set');

  const context = { table, operation: 'remove' as const, paths: [''], rows: [] };
  if (callListeners) await table.database.listeners.broadcastRemoval(connection, table, 'BeforeRemove');

  const { affected } = await execute(connection, context, () =>
    placeSql(table.database, sql`DELETE FROM ${tableSql(table)} WHERE ${limitToClass(table, where)}`),
  );
  if (callListeners) await table.database.listeners.broadcastRemoval(connection, table, 'AfterRemove');

  return affected;
}

/**
 * Sets or clears the delete date of rows that need it, and advances their version and update date; returns their
 * number.
 */
export async function changeDeleteDate(
  connection: Connection,
  table: Table,
  where: Sql,
  change: 'set' | 'clear',
): Promise<number> {
  const { deleteDateColumn: date, database } = table;
  if (!date) throw new Error(`${table.name} has no delete date`);

  const [value, isOpen] =
    change === 'set' ? [database.dialect.now(date) ?? 'CURRENT_TIMESTAMP', 'IS NULL'] : ['NULL', 'IS NOT NULL'];
  const set = concatSql([`${columnName(date)} = ${value}`, ...writeAutomatic(table, new Map())], ', ');
  const context = { table, operation: change === 'set' ? 'remove' : 'store', paths: [''], rows: [] } as const;
  const { affected } = await execute(connection, context, () =>
    placeSql(database, writeUpdate(table, set, joinAll([where, sql`${columnName(date)} ${isOpen}`]))),
  );

  return affected;
}
