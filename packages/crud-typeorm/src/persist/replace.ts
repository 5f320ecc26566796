/** A planned body of PUT goes in, the record comes out as the body says, created where the client owns its key; refuses what is out of scope or has a key that the database counts (404). */
import { reportOutcome, type WritePlan } from '@nestwright/crud';
import type { QueryRunner } from 'typeorm';
import { entityMetadataOf, metadataOf } from '../catalog/catalog.js';
import { faultOf } from '../errors/fault.js';
import { insertGraph } from './relations.js';
import { findRecords } from './find.js';
import { reread } from './reread.js';
import { changeTarget, type UpdateOptions } from './update.js';
import { type Key, keyOfPath, type Target, type WriteContext, type Written, written } from './write-context.js';

/** The two things that a PUT may turn out to be. */
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
    // Another request may have created the record in the meantime; it is there to be replaced now.
    if (faultOf((error as Error).cause)?.kind !== 'unique') {
      throw error;
    }

    return replaceOnce(context, plans, options);
  }
}

async function replaceOnce(
  context: WriteContext,
  plans: ReplacePlans,
  { shallow = false }: UpdateOptions,
): Promise<Written> {
  const { created, ...answer } = await written(context, async (runner) => {
    const missing = await missingKey(context, runner);
    const { key } = missing
      ? await create(context, runner, missing, plans)
      : ((await replaceFound(context, runner, plans)) ?? context.notFound());

    return { record: await reread(context, runner, key, { shallow }), key, created: missing !== undefined };
  });

  if (created) {
    reportOutcome(context.request, { created });
  }

  return answer;
}

/**
 * The path's key, where clients own it and no record has it, be it deleted or out of this request's scope. Asked first: an UPDATE that finds nothing would lock the gap on
 * MySQL, and requests that create the same record would wait for each other.
 */
async function missingKey({ catalog, request }: WriteContext, runner: QueryRunner): Promise<Key | undefined> {
  const key = keyOfPath(request, catalog);

  if (!key || catalog.primary.some(({ counted }) => counted)) {
    return undefined;
  }

  const columns = catalog.primary.map(metadataOf);
  const found = await findRecords(runner, entityMetadataOf(catalog), columns, {
    columns,
    values: catalog.primary.map(({ path }) => key[path]),
  });

  return found.length === 0 ? key : undefined;
}

async function replaceFound(
  context: WriteContext,
  runner: QueryRunner,
  { replace, replaceable = true }: ReplacePlans,
): Promise<Target | undefined> {
  return replaceable ? changeTarget(context, runner, replace) : undefined;
}

async function create(
  { catalog }: WriteContext,
  runner: QueryRunner,
  key: Key,
  { insert }: ReplacePlans,
): Promise<{ readonly key: Key }> {
  const plan = insert();
  const values = [
    ...plan.values.filter(({ column }) => !column.primary),
    ...catalog.primary.map((column) => ({ column, value: key[column.path] })),
  ];

  await insertGraph(runner, [{ plan: { ...plan, values }, path: '' }]);

  return { key };
}
