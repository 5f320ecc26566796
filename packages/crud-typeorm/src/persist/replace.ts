/** PUT: replaces a record, or creates it where clients own its key. */
import { reportOutcome, requirePreconditions, type WritePlan } from '@nestwright/crud/adapter';
import type { QueryRunner } from 'typeorm';
import { entityMetadataOf, metadataOf } from '../catalog/catalog.js';
import { faultOf } from '../errors/fault.js';
import { insertGraph } from './relations.js';
import { findRecords } from '../statements/find.js';
import { reachOf } from '../scope/reach.js';
import { reread } from './reread.js';
import { findKey } from '../scope/target.js';
import { changeTarget, type UpdateOptions } from './update.js';
import { type Key, keyToCreate, type WriteContext, type Written, writtenAfter } from '../statements/write-context.js';

/** The plans of a PUT, which may replace or create. */
export interface ReplacePlans {
  /** Whether a record that is there may be replaced; `false` where a hook of the application hides it, so that the PUT can only create. Default: `true`. */
  readonly replaceable?: boolean;
  readonly replace: WritePlan;
  /** Asked for only where there is no record yet. */
  readonly insert: () => WritePlan;
}

/**
 * Replaces the record under the path's key, or creates it.
 *
 * @example
 * return replaceRecord(context, { replace: planWrite(catalog, body, 'replace'), insert: () => planWrite(catalog, body, 'insert') });
 */
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
    if (faultOf((error as Error).cause)?.kind !== 'unique') {
      throw error;
    }

    return replaceOnce(context, plans, { ...options, mayBeMissing: false });
  }
}

interface ReplaceOptions extends UpdateOptions {
  /** Whether to check first if the record is missing. Default: `true`. */
  readonly mayBeMissing?: boolean;
}

async function replaceOnce(
  context: WriteContext,
  plans: ReplacePlans,
  { shallow = false, mayBeMissing = true }: ReplaceOptions,
): Promise<Written> {
  const { created, ...answer } = await writtenAfter(
    context,
    (runner) => look(context, runner, mayBeMissing),
    async (runner, { key, missing }) => {
      const replaced = !missing && (await replaceFound(context, runner, plans, key));

      if (!replaced) {
        // The record may have been deleted in the meantime.
        if (!missing && !(await isMissing(context, runner, { key, locked: true }))) {
          return context.notFound();
        }

        await requirePreconditions(context.request, undefined);
        await create(context, runner, key, plans);
      }

      return { record: await reread(context, runner, key, { shallow }), key, created: !replaced };
    },
  );

  if (created) {
    reportOutcome(context.request, { created });
  }

  return answer;
}

/**
 * The key of the record, and whether to create it. Checked before and without a lock: on MySQL, an UPDATE that matches
 * nothing locks the gap, and concurrent creations would wait for each other.
 */
async function look(
  context: WriteContext,
  runner: QueryRunner,
  mayBeMissing: boolean,
): Promise<{ readonly key: Key; readonly missing: boolean }> {
  const key = await findKey(context, runner, { otherwise: keyToCreate(context.request, context.catalog) });

  return { key, missing: mayBeMissing && (await isMissing(context, runner, { key })) };
}

/** Whether clients own the key and no record has it, including soft-deleted ones and those out of scope. */
export async function isMissing(
  { catalog, request }: WriteContext,
  runner: QueryRunner,
  { key, locked }: { readonly key: Key; readonly locked?: boolean },
): Promise<boolean> {
  if (!keyToCreate(request, catalog) || catalog.primary.some(({ autoIncrement }) => autoIncrement)) {
    return false;
  }

  const columns = catalog.primary.map(metadataOf);
  const values = catalog.primary.map(({ path }) => key[path]);

  return (await findRecords(runner, entityMetadataOf(catalog), columns, { columns, values, locked })).length === 0;
}

async function replaceFound(
  context: WriteContext,
  runner: QueryRunner,
  { replace, replaceable = true }: ReplacePlans,
  key: Key,
): Promise<boolean> {
  return replaceable && changeTarget(context, runner, replace, { key, always: true });
}

async function create(
  context: WriteContext,
  runner: QueryRunner,
  key: Key,
  { insert }: Pick<ReplacePlans, 'insert'>,
): Promise<void> {
  const reach = reachOf(context, runner);

  await insertGraph(runner, [{ plan: withKey(insert(), key), path: '' }], reach);
  await reach.settle();
}

/** The plan of a new record with the given key, overriding its own. */
export function withKey(plan: WritePlan, key: Key): WritePlan {
  const values = [
    ...plan.values.filter(({ column }) => !column.primary),
    ...plan.catalog.primary.map((column) => ({ column, value: key[column.path] })),
  ];

  return { ...plan, values };
}
