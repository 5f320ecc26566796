/** PUT of many records by their keys: each is replaced, or created where clients own its key. */
import { reportOutcome, type WritePlan } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { faultOf } from '../errors/fault.js';
import { reachOf } from '../scope/reach.js';
import { keysPredicate } from '../statements/changes.js';
import { findMatching } from '../statements/find.js';
import { keyToCreate, type WriteContext, type Written } from '../statements/write-context.js';
import { changeItems, type LockedItem, lockedTogether, type PlannedItem, readAgain, togetherOrEach } from './many.js';
import { insertGraph } from './relations.js';
import { isMissing, withKey } from './replace.js';
import type { UpdateOptions } from './update.js';

/** Most keys of one statement. */
const MAX_KEYS = 1000;

/** A record of a bulk with its plans, whether or not it exists. */
export interface ReplacedItem extends PlannedItem {
  /** Whether a record that is there may be replaced; `false` where a hook of the application hides it. */
  readonly replaceable: boolean;
  /** Asked for only where there is no record yet. */
  readonly insert: () => WritePlan;
}

/**
 * Replaces records or creates them, as `replaceRecord` does each, and reads them again.
 *
 * @example
 * await replaceRecords(context, [{ context: contextOfItem, path: 'bulk.0', plan, insert: () => planToInsert }]);
 */
export async function replaceRecords(
  context: WriteContext,
  items: readonly ReplacedItem[],
  options: UpdateOptions = {},
): Promise<Written[]> {
  const replace = () => togetherOrEach((together) => replaceAll(context, items, options, together));
  const { written, created } = await replace().catch((error: unknown) => {
    // Another request may have created a record in the meantime; then it is replaced.
    if (faultOf((error as Error).cause)?.kind !== 'unique') throw error;

    return replace();
  });

  if (created) reportOutcome(context.request, { created });

  return written;
}

function replaceAll(
  context: WriteContext,
  items: readonly ReplacedItem[],
  { shallow = false }: UpdateOptions,
  together: boolean,
): Promise<{ readonly written: Written[]; readonly created: boolean }> {
  const otherwise = ({ context: { request, catalog } }: ReplacedItem) =>
    catalog.primary.some(({ autoIncrement }) => autoIncrement) ? undefined : keyToCreate(request, catalog);

  return lockedTogether(context, items, { otherwise }, async (runner, locked) => {
    const found = locked.filter(({ missing }) => !missing);
    found.find(({ item }) => !item.replaceable)?.item.context.notFound();
    await changeItems(context, runner, found, { together, always: true });
    await createMissing(
      context,
      runner,
      locked.filter(({ missing }) => missing),
    );

    return {
      written: await readAgain(context, runner, locked, shallow),
      created: locked.some(({ missing }) => missing),
    };
  });
}

/** Creates missing records; soft-deleted ones and those out of scope count as existing. */
async function createMissing(
  context: WriteContext,
  runner: QueryRunner,
  missing: readonly LockedItem<ReplacedItem>[],
): Promise<void> {
  const metadata = entityMetadataOf(context.catalog);
  const { primaryColumns } = metadata;

  for (let start = 0; start < missing.length; start += MAX_KEYS) {
    const some = missing.slice(start, start + MAX_KEYS);
    const where = keysPredicate(
      metadata,
      some.map(({ key }) => key),
    );
    const [there] = await findMatching(runner, metadata, primaryColumns, { where, locked: true, sorted: true });
    if (!there) continue;

    // Texts of keys that the database considers equal may differ.
    for (const { item, key } of some) {
      if (!(await isMissing(item.context, runner, { key }))) return item.context.notFound();
    }
  }

  const records = missing.map(({ item: { insert, path }, key }) => ({ plan: withKey(insert(), key), path }));
  const reach = reachOf(context, runner);
  await insertGraph(runner, records, reach);
  await reach.settle();
}
