/** DELETE: removes a record or marks it as deleted, and answers with it as it was where that is wanted. */
import { isConditional, planRecord } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { attempt } from '../errors/statement-error.js';
import { read } from '../sql/index.js';
import { keyPredicate } from '../statements/changes.js';
import { changeMark } from './deletion-mark.js';
import { afterDeleteOrRecover, beforeDeleteOrRecover } from './hooked-rows.js';
import { loadRow } from './loaded-row.js';
import { broadcast, isObserved } from '../statements/observers.js';
import { findKey, lockTarget, type Target, targetAt } from '../scope/target.js';
import { both, type Predicate } from '../statements/values.js';
import { readOptions, type WriteContext, writtenAfter } from '../statements/write-context.js';

/** How DELETE was configured. */
export interface RemoveOptions {
  /** Whether the record is marked as deleted and stays. */
  readonly soft?: boolean;
  /** Whether the answer is the record as it was. */
  readonly returnDeleted?: boolean;
}

/**
 * Removes the record that the request acts on.
 *
 * @example
 * await removeRecord(context, { soft: true });
 */
export function removeRecord(
  context: WriteContext,
  { soft = false, returnDeleted = false }: RemoveOptions = {},
): Promise<ObjectLiteral | undefined> {
  return writtenAfter(
    context,
    (runner) => findKey(context, runner),
    async (runner, key) => {
      const event = soft ? 'SoftRemove' : 'Remove';
      const metadata = entityMetadataOf(context.catalog);
      const { hooks } = context;
      const observed = isObserved(runner, metadata, event) || hooks !== undefined;
      const target = await targetAt(context, runner, key);

      // Locked first, if the record is returned, passed to listeners or hooks, or must match the client's
      // preconditions.
      if (
        (observed || returnDeleted || isConditional(context.request)) &&
        !(await lockTarget(context, runner, target))
      ) {
        return context.notFound();
      }

      // A required join hides a record from lists, not from its own deletion.
      const plan = planRecord(context.request, context.catalog, key);
      const [record] = returnDeleted ? await read(plan, runner, readOptions(context.request)) : [];
      const entity = observed ? await loadRow(runner, metadata, key) : undefined;

      const reported = hooks && entity ? await beforeDeleteOrRecover(runner, hooks, 'delete', metadata, [entity]) : [];

      if (entity) {
        await broadcast(runner, metadata, `Before${event}`, { entity, before: entity });
      }

      if ((await removeRow(runner, target, soft)) === 0) {
        return context.notFound();
      }

      if (entity) {
        await broadcast(runner, metadata, `After${event}`, { entity, before: entity });
      }

      if (hooks) await afterDeleteOrRecover(runner, hooks, metadata, reported);

      return record;
    },
  );
}

function removeRow(runner: QueryRunner, { metadata, where, key }: Target, soft: boolean): Promise<number> {
  return removeRows(runner, metadata, both(where, keyPredicate(metadata, key)), soft);
}

/** Removes, or marks as deleted, the records that satisfy a condition. */
export async function removeRows(
  runner: QueryRunner,
  metadata: EntityMetadata,
  predicate: Predicate,
  soft: boolean,
): Promise<number> {
  if (soft) {
    return changeMark(runner, metadata, predicate, 'set');
  }

  const { sql, parameters } = predicate;
  const statement = runner.manager.createQueryBuilder().delete().from(metadata.target);
  const { affected } = await attempt({ metadata, operation: 'remove', paths: [''], rows: [] }, () =>
    statement.where(sql, parameters).callListeners(false).execute(),
  );

  return affected ?? 0;
}
