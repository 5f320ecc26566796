/**
 * Writes records that a condition has found: locks those that still match, and writes each as the single-record route
 * would, all or none.
 */
import { crudError, planRecords, type WritePlan } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { requirePersistedKey } from '../scope/persisted-key.js';
import { lockMatching } from '../scope/targets.js';
import { count } from '../sql/index.js';
import { batches, type Key } from '../statements/values.js';
import { readOptions, runWrite, withoutJoins, type WriteContext } from '../statements/write-context.js';
import { batchedOrSingly, changeItems } from './many.js';
import { removeLocked } from './remove.js';

/** Updates the records that still match; returns their number. */
export function updateMatching(context: WriteContext, keys: readonly Key[], plan: WritePlan): Promise<number> {
  return batchedOrSingly((batched) =>
    withLockedMatches(context, keys, async (runner, locked) => {
      if (plan.values.length === 0) return requirePersistedKey(context, runner, locked);

      const item = { context, plan, path: 'set' };
      const items = locked.map((key) => ({ item, key }));
      await changeItems(context, runner, items, { batched });
      await requireInScope(context, runner, locked);
    }),
  );
}

/** Deletes the records that still match, or marks them as deleted; returns their number. */
export function removeMatching(context: WriteContext, keys: readonly Key[], soft: boolean): Promise<number> {
  return withLockedMatches(context, keys, (runner, locked) => removeLocked(context, runner, locked, soft));
}

function withLockedMatches(
  context: WriteContext,
  keys: readonly Key[],
  work: (runner: QueryRunner, locked: readonly Key[]) => Promise<void>,
): Promise<number> {
  return runWrite(context, async (runner) => {
    const locked = await lockMatching(context, runner, keys);
    await work(runner, locked);

    return locked.length;
  });
}

/** Refuses a change that takes a record out of the request's scope. */
async function requireInScope(
  { request, catalog }: WriteContext,
  runner: QueryRunner,
  keys: readonly Key[],
): Promise<void> {
  const bare = withoutJoins(request);

  for (const some of batches(keys)) {
    const inScope = await count(planRecords(bare, catalog, some), runner, readOptions(request));
    if (inScope !== some.length) throw crudError('CRUD_OUT_OF_SCOPE');
  }
}
