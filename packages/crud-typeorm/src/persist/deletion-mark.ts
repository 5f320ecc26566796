/** Sets and clears the delete date of soft-deleted records. */
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { attempt } from '../errors/statement-error.js';
import { nowOf } from '../statements/column-sql.js';
import { both, type Predicate, setAt } from '../statements/values.js';

/** Whether to set or to clear the delete date. */
export type MarkChange = 'set' | 'lift';

/**
 * Sets or clears the delete date (and advances version and update date) of records that need it.
 *
 * @example
 * await changeMark(runner, metadata, keyPredicate(metadata, { id: 3 }), 'set'); // 1
 */
export async function changeMark(
  runner: QueryRunner,
  metadata: EntityMetadata,
  where: Predicate,
  change: MarkChange,
): Promise<number> {
  const operation = change === 'set' ? 'remove' : 'store';
  const { affected } = await attempt({ metadata, operation, paths: [''], rows: [] }, () =>
    (isWritten(metadata) ? precise : plain)(runner, metadata, where, change),
  );

  return affected ?? 0;
}

/** A delete date that no UPDATE may touch is left to TypeORM's own statement, which writes it all the same. */
function isWritten({ deleteDateColumn }: EntityMetadata): boolean {
  return deleteDateColumn?.isUpdate === true;
}

/** TypeORM's statements write CURRENT_TIMESTAMP, whatever the column's precision. */
function precise(runner: QueryRunner, metadata: EntityMetadata, where: Predicate, change: MarkChange) {
  const { deleteDateColumn: mark, updateDateColumn: updated } = metadata;
  const set: ObjectLiteral = {};

  if (mark) {
    setAt(set, mark.propertyPath, change === 'lift' ? null : () => nowOf(mark) ?? 'CURRENT_TIMESTAMP');
  }

  if (updated) {
    setAt(set, updated.propertyPath, () => nowOf(updated) ?? 'CURRENT_TIMESTAMP');
  }

  const isMarked = `${metadata.connection.driver.escape(mark?.databaseName ?? '')} IS ${change === 'set' ? 'NULL' : 'NOT NULL'}`;
  const { sql, parameters } = both(where, { sql: isMarked, parameters: {} });
  const statement = runner.manager.createQueryBuilder().update(metadata.target).set(set).where(sql, parameters);

  return statement.callListeners(false).updateEntity(false).execute();
}

function plain(runner: QueryRunner, metadata: EntityMetadata, { sql, parameters }: Predicate, change: MarkChange) {
  const builder = runner.manager.createQueryBuilder();
  const statement = change === 'set' ? builder.softDelete() : builder.restore();

  return statement.from(metadata.target).where(sql, parameters).callListeners(false).execute();
}
