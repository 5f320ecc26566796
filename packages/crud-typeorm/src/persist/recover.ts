/** Recover: clears the delete date of a soft-deleted record; an active one stays as it is. */
import { isConditional } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { keyPredicate } from '../statements/changes.js';
import { changeMark } from './deletion-mark.js';
import { afterDeleteOrRecover, beforeDeleteOrRecover } from './hooked-rows.js';
import { copyOfRow, loadRow } from './loaded-row.js';
import { broadcast, isObserved } from '../statements/observers.js';
import { reread } from './reread.js';
import { findKey, lockTarget, type Target, targetAt } from '../scope/target.js';
import { both } from '../statements/values.js';
import { type WriteContext, type Written, writtenAfter } from '../statements/write-context.js';

/** How the recover route was configured. */
export interface RecoverOptions {
  /** Whether the answer is the recovered record. */
  readonly returnRecovered?: boolean;
}

/**
 * Recovers the record that the request acts on.
 *
 * @example
 * const user = await recoverRecord(context, { returnRecovered: true });
 */
export function recoverRecord(
  context: WriteContext,
  { returnRecovered = true }: RecoverOptions = {},
): Promise<Written | undefined> {
  return writtenAfter(
    context,
    (runner) => findKey(context, runner, { withDeleted: true }),
    async (runner, key) => {
      const target = await targetAt(context, runner, key, { withDeleted: true });

      await (context.hooks || isObserved(runner, target.metadata, 'Recover')
        ? recoverObserved(context, runner, target)
        : recoverTarget(context, runner, target));

      return returnRecovered ? { record: await reread(context, runner, key, { shallow: false }), key } : undefined;
    },
  );
}

async function recoverTarget(context: WriteContext, runner: QueryRunner, target: Target): Promise<void> {
  if (isConditional(context.request) && !(await lockTarget(context, runner, target))) {
    return context.notFound();
  }

  if ((await recoverRow(runner, target)) > 0) {
    return;
  }

  if (!(await lockTarget(context, runner, target))) {
    return context.notFound();
  }

  // Another request may have deleted it before it was locked.
  await recoverRow(runner, target);
}

export async function recoverObserved(context: WriteContext, runner: QueryRunner, target: Target): Promise<void> {
  const { metadata, key } = target;
  const entity = (await lockTarget(context, runner, target)) ? await loadRow(runner, metadata, key) : undefined;

  if (!entity) {
    return context.notFound();
  }

  if (!metadata.deleteDateColumn?.getEntityValue(entity)) {
    return;
  }

  const { hooks } = context;
  const reported = hooks
    ? await beforeDeleteOrRecover(runner, hooks, 'recover', metadata, [copyOfRow(metadata, entity)])
    : [];
  await broadcast(runner, metadata, 'BeforeRecover', { entity, before: entity });
  await recoverRow(runner, target);
  await broadcast(runner, metadata, 'AfterRecover', { entity, before: entity });
  if (hooks) await afterDeleteOrRecover(runner, hooks, metadata, reported);
}

function recoverRow(runner: QueryRunner, { metadata, where, key }: Target): Promise<number> {
  return changeMark(runner, metadata, both(where, keyPredicate(metadata, key)), 'lift');
}
