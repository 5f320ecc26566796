/** A request of the recover route goes in, the record that was marked as deleted comes back; one that was not stays as it is; refuses a record out of scope (404). */
import type { QueryRunner } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { keyPredicate, loadRow } from './changes.js';
import { changeMark } from './deletion-mark.js';
import { broadcast, isObserved } from './observers.js';
import { reread } from './reread.js';
import { both } from './values.js';
import { findTarget, isThere, type Target, type WriteContext, type Written, written } from './write-context.js';

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
  return written(context, async (runner) => {
    const metadata = entityMetadataOf(context.catalog);
    const observed = isObserved(runner, metadata, 'Recover');
    const target = (await findTarget(context, runner, { confirm: observed, withDeleted: true })) ?? context.notFound();
    const entity = observed ? await loadRow(runner, metadata, target.key) : undefined;
    const deleted = entity && metadata.deleteDateColumn?.getEntityValue(entity) ? entity : undefined;

    if (deleted) {
      await broadcast(runner, metadata, 'BeforeRecover', { entity: deleted, before: deleted });
    }

    if ((await recoverRow(runner, target)) === 0 && !(await isThere(context, runner, target))) {
      return context.notFound();
    }

    if (deleted) {
      await broadcast(runner, metadata, 'AfterRecover', { entity: deleted, before: deleted });
    }

    if (!returnRecovered) {
      return undefined;
    }

    // A record that was not marked is not locked: it may be deleted before it is read.
    const missing = () => context.notFound();

    return { record: await reread(context, runner, target.key, { shallow: false, missing }), key: target.key };
  });
}

function recoverRow(runner: QueryRunner, { metadata, where, key }: Target): Promise<number> {
  return changeMark(runner, metadata, both(where, keyPredicate(metadata, key)), 'lift');
}
