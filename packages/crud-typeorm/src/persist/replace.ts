import { reportOutcome, requirePreconditions, type WritePlan } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import { readFault } from '../errors/fault.js';
import { requireCreatedKey } from '../scope/persisted-key.js';
import { findKey } from '../scope/target.js';
import { findRecords } from '../statements/find.js';
import { batches, type Key, keyPredicate, keysPredicate } from '../statements/values.js';
import { findThenWrite, keyToCreate, type WriteContext, type Written } from '../statements/write-context.js';
import { insertAll } from './insert.js';
import {
  batchedOrSingly,
  changeItems,
  groupWrites,
  listKeys,
  type LockedItem,
  type PlannedItem,
  withLockedItems,
} from './many.js';
import { reread, rereadAll } from './reread.js';
import { changeTarget, type UpdateOptions } from './update.js';

/** The plans of a PUT, which may replace or create. */
interface ReplacePlans {
  /**
   * Whether an existing record may be replaced; `false` if a hook of the application hides it, so that the PUT can only
   * create. Default: `true`.
   */
  readonly replaceable?: boolean;
  readonly replace: WritePlan;
  /** Called only if there is no record yet. */
  readonly insert: () => WritePlan;
}

/** Replaces the record under the path's key, or creates it. */
export async function replaceRecord(
  context: WriteContext,
  plans: ReplacePlans,
  options: UpdateOptions = {},
): Promise<Written> {
  try {
    return await replaceOnce(context, plans, options);
  } catch (error) {
    // Another request may have created the record in the meantime; then it is replaced, even if the application's
    // transaction does not see it yet.
    if (readFault((error as Error).cause)?.kind !== 'unique') throw error;

    return replaceOnce(context, plans, { ...options, mayBeMissing: false });
  }
}

interface ReplaceOptions extends UpdateOptions {
  /** Whether to check first if the record is missing. Default: `true`. */
  readonly mayBeMissing?: boolean;
}

async function replaceOnce(
  context: WriteContext,
  { replace, replaceable = true, insert }: ReplacePlans,
  { shallow = false, mayBeMissing = true }: ReplaceOptions,
): Promise<Written> {
  const { created, ...answer } = await findThenWrite(
    context,
    (runner) => findKeyToPut(context, runner, mayBeMissing),
    async (runner, { key, missing }) => {
      const replaced = !missing && replaceable && (await changeTarget(context, runner, replace, { key, always: true }));

      if (!replaced) {
        // The record may have been deleted in the meantime.
        if (!missing && !(await isMissing(context, runner, { key, locked: true }))) return context.notFound();

        await requirePreconditions(context.request, undefined);
        requireCreatedKey(context, key);
        await insertAll(context, runner, [{ plan: withKey(insert(), key), path: '' }], true);
      }

      return { ...(await reread(context, runner, key, { shallow })), created: !replaced };
    },
  );

  if (created) reportOutcome(context.request, { created });

  return answer;
}

/**
 * The key of the record, and whether to create it. Checked before and without a lock: on MySQL, an UPDATE that matches
 * nothing locks the gap, and concurrent creations would wait for each other.
 */
async function findKeyToPut(
  context: WriteContext,
  runner: QueryRunner,
  mayBeMissing: boolean,
): Promise<{ readonly key: Key; readonly missing: boolean }> {
  const key = await findKey(context, runner, { otherwise: keyToCreate(context.request, context.catalog) });

  return { key, missing: mayBeMissing && (await isMissing(context, runner, { key })) };
}

/** Whether clients own the key and no record has it, including soft-deleted ones and those out of scope. */
async function isMissing(
  context: WriteContext,
  runner: QueryRunner,
  { key, locked }: { readonly key: Key; readonly locked?: boolean },
): Promise<boolean> {
  if (!creatableKey(context)) return false;

  const metadata = getEntityMetadata(context.catalog);
  const where = keyPredicate(metadata, key);

  return (await findRecords(runner, metadata, metadata.primaryColumns, { where, locked })).length === 0;
}

/** The key under which a PUT may create a record; undefined if the database makes keys. */
function creatableKey({ catalog, request }: WriteContext): Key | undefined {
  return catalog.primary.some(({ autoIncrement }) => autoIncrement) ? undefined : keyToCreate(request, catalog);
}

/** The plan of a new record with the given key, overriding its own. */
function withKey(plan: WritePlan, key: Key): WritePlan {
  const values = [
    ...plan.values.filter(({ column }) => !column.primary),
    ...plan.catalog.primary.map((column) => ({ column, value: key[column.path] })),
  ];

  return { ...plan, values };
}

/** A record of a bulk with its plans, whether or not it exists. */
export interface ReplacedItem extends PlannedItem, Pick<ReplacePlans, 'insert'> {
  readonly replaceable: boolean;
}

/** Replaces records or creates them, as {@link replaceRecord} does each, and reads them again. */
export async function replaceRecords(
  context: WriteContext,
  items: readonly ReplacedItem[],
  options: UpdateOptions = {},
): Promise<Written[]> {
  const replace = () => batchedOrSingly((batched) => replaceAll(context, items, options, batched));
  const { written, created } = await replace().catch((error: unknown) => {
    // Another request may have created a record in the meantime; then it is replaced.
    if (readFault((error as Error).cause)?.kind !== 'unique') throw error;

    return replace();
  });

  if (created) reportOutcome(context.request, { created });

  return written;
}

function replaceAll(
  context: WriteContext,
  items: readonly ReplacedItem[],
  { shallow = false }: UpdateOptions,
  batched: boolean,
): Promise<{ readonly written: Written[]; readonly created: boolean }> {
  const otherwise = (item: ReplacedItem) => creatableKey(item.context);

  return withLockedItems(context, items, { otherwise }, async (runner, locked) => {
    locked.find(({ item, missing }) => !missing && !item.replaceable)?.item.context.notFound();
    for (const some of groupWrites(context, locked, ({ missing }) => !missing)) {
      if (some[0]!.missing) await createMissing(context, runner, some);
      else await changeItems(context, runner, some, { batched, always: true });
    }

    return {
      written: await rereadAll(context, runner, listKeys(locked), { shallow }),
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
  const metadata = getEntityMetadata(context.catalog);

  for (const some of batches(missing)) {
    const where = keysPredicate(metadata, listKeys(some));
    const [there] = await findRecords(runner, metadata, metadata.primaryColumns, {
      where,
      locked: true,
      sorted: true,
    });
    if (!there) continue;

    // Texts of keys that the database considers equal may differ.
    for (const { item, key } of some)
      if (!(await isMissing(item.context, runner, { key }))) return item.context.notFound();
  }

  for (const { key } of missing) requireCreatedKey(context, key);

  const records = missing.map(({ item: { insert, path }, key }) => ({ plan: withKey(insert(), key), path }));
  await insertAll(context, runner, records, true);
}
