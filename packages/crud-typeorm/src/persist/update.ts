/** A planned body of PATCH goes in, the record as it is then comes out; refuses a record out of scope (404), a version that is not the stored one (409) and a change that leaves the scope (400). */
import type { CrudRequest, WritePlan } from '@nestwright/crud';
import type { QueryRunner } from 'typeorm';
import { entityMetadataOf, metadataOf } from '../catalog/catalog.js';
import { updateReturning } from '../returning/index.js';
import { isObserved } from './observers.js';
import { hasRelations, updateGraph } from './relations.js';
import { reread } from './reread.js';
import { movesInTree } from './tree-move.js';
import { both, equal, type Predicate } from './values.js';
import {
  checkVersion,
  findTarget,
  isThere,
  type Target,
  type WriteContext,
  type Written,
  written,
} from './write-context.js';

/** How PATCH or PUT was configured. */
export interface UpdateOptions {
  /** Whether the answer leaves joined relations out. */
  readonly shallow?: boolean;
}

/**
 * Updates one record: the columns sent and no others, by one statement that is bound to key, path and auth conditions.
 *
 * @example
 * return updateRecord(context, planWrite(catalog, body, 'update'));
 */
export async function updateRecord(
  context: WriteContext,
  plan: WritePlan,
  { shallow = false }: UpdateOptions = {},
): Promise<Written> {
  const changes = withoutPath(plan, context.request);
  const direct = await updateReturning(context, changes, { shallow });

  if (direct) {
    return direct;
  }

  return written(context, async (runner) => {
    const target = (await changeTarget(context, runner, changes)) ?? context.notFound();

    return { record: await reread(context, runner, target.key, { shallow }), key: target.key };
  });
}

/** Changes the record that the request acts on; undefined where there is none in scope. */
export async function changeTarget(
  context: WriteContext,
  runner: QueryRunner,
  plan: WritePlan,
): Promise<Target | undefined> {
  // Onlookers, and the records around this one, must not meet a record out of scope.
  const metadata = entityMetadataOf(context.catalog);
  const moves = movesInTree(
    metadata,
    plan.values.map(({ column }) => metadataOf(column)),
  );
  const confirm = hasRelations(plan) || moves || isObserved(runner, metadata, 'Update');
  const target = await findTarget(context, runner, { confirm });

  if (!target) {
    return undefined;
  }

  if (hasRelations(plan) || moves) {
    await checkVersion(context, runner, target, plan.expectedVersion);
  }

  const row = {
    metadata: target.metadata,
    key: target.key,
    where: withVersion(target, plan.expectedVersion),
    path: '',
  };
  const affected = await updateGraph(runner, row, plan);

  if (affected > 0) {
    return target;
  }

  // Nothing found, nothing to write, or a driver that counts only rows whose values changed.
  if (!(affected < 0 && target.confirmed) && !(await isThere(context, runner, target))) {
    return undefined;
  }

  await checkVersion(context, runner, target, plan.expectedVersion);

  return target;
}

/** What the path says holds of the record already, or it would not be found: it is not written again. */
function withoutPath(plan: WritePlan, { parsed }: CrudRequest): WritePlan {
  const path = new Map((parsed.paramsFilter ?? []).map(({ field, value }) => [field, value as unknown]));
  const values = plan.values.filter(({ column, value }) => !path.has(column.path) || path.get(column.path) !== value);

  return values.length === plan.values.length ? plan : { ...plan, values };
}

function withVersion({ metadata, where }: Target, expected: number | undefined): Predicate {
  const column = metadata.versionColumn;

  return column && expected !== undefined ? both(where, equal([column], [expected], 'version')) : where;
}
