import type { EntityMetadata, QueryRunner } from 'typeorm';
import { getDialect } from '../dialect/dialect-of.js';
import { concatSql, joinAll, type Sql, sql, tableSql } from '../sql/index.js';
import { columnName } from '../statements/column-sql.js';
import { execute, placeSql } from '../statements/execute.js';
import { limitToClass, writeAutomatic, writeUpdate } from '../statements/update.js';

interface DeleteOptions {
  /** Whether their delete date is set and they stay. */
  readonly soft: boolean;
  /** Whether subscribers are notified that rows of the entity are deleted, but not which. Default: `false`. */
  readonly callListeners?: boolean;
}

/** Deletes the rows that satisfy a condition; returns their number. */
export async function deleteRows(
  runner: QueryRunner,
  metadata: EntityMetadata,
  where: Sql,
  { soft, callListeners = false }: DeleteOptions,
): Promise<number> {
  if (soft) return changeDeleteDate(runner, metadata, where, 'set');

  const context = { metadata, operation: 'remove' as const, paths: [''], rows: [] };
  if (callListeners) await runner.broadcaster.broadcast('BeforeRemove', metadata);

  const { affected } = await execute(runner, context, () =>
    placeSql(metadata.connection, sql`DELETE FROM ${tableSql(metadata)} WHERE ${limitToClass(metadata, where)}`),
  );
  if (callListeners) await runner.broadcaster.broadcast('AfterRemove', metadata);

  return affected ?? 0;
}

/**
 * Sets or clears the delete date of rows that need it, and advances their version and update date; returns their
 * number.
 */
export async function changeDeleteDate(
  runner: QueryRunner,
  metadata: EntityMetadata,
  where: Sql,
  change: 'set' | 'clear',
): Promise<number> {
  const { deleteDateColumn: date, connection } = metadata;
  if (!date) throw new Error(`${metadata.name} has no delete date`);

  const [value, isOpen] =
    change === 'set' ? [getDialect(connection).now(date) ?? 'CURRENT_TIMESTAMP', 'IS NULL'] : ['NULL', 'IS NOT NULL'];
  const set = concatSql([`${columnName(date)} = ${value}`, ...writeAutomatic(metadata, new Map())], ', ');
  const context = { metadata, operation: change === 'set' ? 'remove' : 'store', paths: [''], rows: [] } as const;
  const { affected } = await execute(runner, context, () =>
    placeSql(connection, writeUpdate(metadata, set, joinAll([where, sql`${columnName(date)} ${isOpen}`]))),
  );

  return affected ?? 0;
}
