import type { EntityMetadata, QueryRunner } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { attempt } from '../errors/statement-error.js';
import { writeRow } from '../statements/changes.js';
import type { Predicate } from '../statements/values.js';

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
  where: Predicate,
  { soft, callListeners = false }: DeleteOptions,
): Promise<number> {
  if (soft) return changeDeleteDate(runner, metadata, where, 'set');

  const statement = runner.manager.createQueryBuilder().delete().from(metadata.target);
  const { affected } = await attempt({ metadata, operation: 'remove', paths: [''], rows: [] }, () =>
    statement.where(where.sql, where.parameters).callListeners(callListeners).execute(),
  );

  return affected ?? 0;
}

/**
 * Sets or clears the delete date of rows that need it, and advances their version and update date; returns their number.
 */
export async function changeDeleteDate(
  runner: QueryRunner,
  metadata: EntityMetadata,
  where: Predicate,
  change: 'set' | 'clear',
): Promise<number> {
  const { deleteDateColumn: date, updateDateColumn: updated, connection } = metadata;
  const operation = change === 'set' ? 'remove' : 'store';

  if (!date?.isUpdate) {
    // TypeORM's own statement writes a date that no UPDATE may set, too.
    const builder = runner.manager.createQueryBuilder();
    const statement = (change === 'set' ? builder.softDelete() : builder.restore()).from(metadata.target);
    const { affected } = await attempt({ metadata, operation, paths: [''], rows: [] }, () =>
      statement.where(where.sql, where.parameters).callListeners(false).execute(),
    );

    return affected ?? 0;
  }

  const now = (column: ColumnMetadata) => () => dialectOf(connection).now(column) ?? 'CURRENT_TIMESTAMP';
  const changes = new Map<ColumnMetadata, unknown>([[date, change === 'set' ? now(date) : null]]);
  if (updated) changes.set(updated, now(updated));

  const sql = `${connection.driver.escape(date.databaseName)} IS ${change === 'set' ? 'NULL' : 'NOT NULL'}`;

  return writeRow(runner, { metadata, where, path: '', operation }, changes, { sql, parameters: {} });
}
