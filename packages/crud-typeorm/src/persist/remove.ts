/** A request of DELETE goes in, the record is removed or marked as deleted, and comes out as it was where that is wanted; refuses a record out of scope (404) and one that others refer to (409). */
import { planRecord } from '@nestwright/crud';
import type { ObjectLiteral, QueryRunner } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { attempt } from '../errors/statement-error.js';
import { read } from '../sql/index.js';
import { keyPredicate } from './changes.js';
import { changeMark } from './deletion-mark.js';
import { loadRow } from './loaded-row.js';
import { broadcast, isObserved } from './observers.js';
import { findKey, lockTarget, type Target, targetAt } from './target.js';
import { both } from './values.js';
import { readOptions, type WriteContext, writtenAfter } from './write-context.js';

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
      const observed = isObserved(runner, metadata, event);
      const target = await targetAt(context, runner, key);

      // What is returned, or shown to onlookers, is what is removed.
      if ((observed || returnDeleted) && !(await lockTarget(context, runner, target))) {
        return context.notFound();
      }

      // A required join hides a record from lists, not from its own deletion.
      const plan = planRecord(context.request, context.catalog, key);
      const [record] = returnDeleted ? await read(plan, runner, readOptions(context.request)) : [];
      const entity = observed ? await loadRow(runner, metadata, key) : undefined;

      if (entity) {
        await broadcast(runner, metadata, `Before${event}`, { entity, before: entity });
      }

      if ((await removeRow(runner, target, soft)) === 0) {
        return context.notFound();
      }

      if (entity) {
        await broadcast(runner, metadata, `After${event}`, { entity, before: entity });
      }

      return record;
    },
  );
}

async function removeRow(runner: QueryRunner, { metadata, where, key }: Target, soft: boolean): Promise<number> {
  const predicate = both(where, keyPredicate(metadata, key));

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
