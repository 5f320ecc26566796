/**
 * Writes of many records by their keys: all or none, in one transaction, each as the routes of one record would write
 * it.
 */
import type { WritePlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral, QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import { readFault } from '../errors/fault.js';
import { findOperationalFault } from '../errors/operational.js';
import { makeLinkConditions } from '../scope/link-conditions.js';
import { requirePersistedKey } from '../scope/persisted-key.js';
import { findKey } from '../scope/target.js';
import { lockTargets } from '../scope/targets.js';
import { findThenWrite, type WriteContext, type Written } from '../statements/write-context.js';
import { hasRelations, readChanges } from '../statements/changes.js';
import { isObserved } from '../statements/observers.js';
import { withKnownRows } from './known-rows.js';
import { withRecordStore } from './relations.js';
import { rereadAll } from './reread.js';
import { listUnreadPaths, type UpdateOptions, withoutPath } from './update.js';
import type { Key } from '../statements/values.js';
import { updateRows } from '../statements/update.js';

/** One record of a bulk. */
export interface ManyItem {
  /** The context of a request for this record alone. */
  readonly context: WriteContext;
  readonly path: string;
  /** The version that the client expects to find. Default: the plan's, or any. */
  readonly expectedVersion?: number | undefined;
}

export interface PlannedItem extends ManyItem {
  readonly plan: WritePlan;
}

/** How the records of a bulk are found and locked. */
interface LockOptions<Item> {
  /** Whether soft-deleted ones are found too. Default: `false`. */
  readonly withDeleted?: boolean;
  /** Returns the key of a missing record. Default: a missing record is a 404. */
  readonly otherwise?: (item: Item) => Key | undefined;
}

/** A record of a bulk, locked: its key, and whether it is there at all. */
export interface LockedItem<Item> {
  readonly item: Item;
  readonly key: Key;
  readonly missing: boolean;
}

/** Updates records, as `updateRecord` does each, and reads them again. */
export function updateRecords(
  context: WriteContext,
  items: readonly PlannedItem[],
  { shallow = false }: UpdateOptions = {},
): Promise<Written[]> {
  return batchedOrSingly((batched) =>
    withLockedItems(context, items, {}, async (runner, locked) => {
      await changeItems(context, runner, locked, { batched });

      return rereadAll(context, runner, listKeys(locked), { shallow });
    }),
  );
}

interface ChangeItemsOptions {
  /** Whether a statement may change several. */
  readonly batched: boolean;
  /** Whether a record is written though none of its values changes. Default: `false`. */
  readonly always?: boolean;
}

/**
 * Runs work that may write several records by one statement. If the database refuses a value, runs it again record by
 * record, so that the error names the record.
 */
export async function batchedOrSingly<T>(work: (batched: boolean) => Promise<T>): Promise<T> {
  try {
    return await work(true);
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error;

    return work(false);
  }
}

/** Thrown if a statement that changes several records was refused for a value of one of them. */
class BatchRefused extends Error {}

/** Writes what is planned of locked records. */
export async function changeItems(
  context: WriteContext,
  runner: QueryRunner,
  locked: readonly { readonly item: PlannedItem; readonly key: Key }[],
  { batched, always = false }: ChangeItemsOptions,
): Promise<void> {
  await requirePersistedKey(context, runner, listKeys(locked));
  const plans = locked.map(({ item }) => withoutPath(item.plan, item.context.request));

  if (!batched || !mayBatch(context, plans)) {
    await changeSingly(context, runner, locked, always);

    return;
  }

  const records = locked.map(({ item: { path }, key }, index) => ({ key, path, changes: readChanges(plans[index]!) }));
  await updateRows(runner, getEntityMetadata(context.catalog), records, always).catch((error: unknown) => {
    const kind = readFault(error)?.kind;
    throw kind !== undefined && findOperationalFault(kind) === undefined ? new BatchRefused() : error;
  });
}

/**
 * Whether records may be written by one statement: there are no listeners, subscribers or hooks, and only own columns
 * are written.
 */
function mayBatch(context: WriteContext, plans: readonly WritePlan[]): boolean {
  const metadata = getEntityMetadata(context.catalog);
  const { treeType, discriminatorColumn } = metadata;
  if (context.hooks || plans.length < 2 || treeType || discriminatorColumn || isObserved(metadata, 'Update'))
    return false;

  const links = makeLinkConditions(context);

  return plans.every((plan) => !hasRelations(plan) && !links.concern(plan));
}

interface ChangeItemOptions extends Partial<Pick<ChangeItemsOptions, 'always'>> {
  readonly key: Key;
  /** The record as it is stored. Default: it was not read. */
  readonly known?: ObjectLiteral | undefined;
}

/** Writes what is planned of a locked record. */
export async function changeItem(
  context: WriteContext,
  runner: QueryRunner,
  { plan, path }: PlannedItem,
  { key, always, known }: ChangeItemOptions,
): Promise<void> {
  const unread = () => listUnreadPaths(context);
  const row = { metadata: getEntityMetadata(context.catalog), key, always, unread, known, path };

  await withRecordStore(context, runner, (store) => store.update(row, withoutPath(plan, context.request)));
}

/** Does work on the records of a bulk, which are locked, in one transaction. */
export function withLockedItems<Item extends ManyItem & { readonly plan?: WritePlan }, T>(
  context: WriteContext,
  items: readonly Item[],
  { withDeleted = false, otherwise = () => undefined }: LockOptions<Item>,
  work: (runner: QueryRunner, locked: readonly LockedItem<Item>[]) => Promise<T>,
): Promise<T> {
  const findKeys = async (runner: QueryRunner) => {
    const keys: Key[] = [];

    for (const item of items)
      keys.push(await findKey(item.context, runner, { withDeleted, otherwise: otherwise(item) }));

    return keys;
  };

  return findThenWrite(context, findKeys, async (runner, keys) => {
    const targets = items.map(({ path, plan, expectedVersion = plan?.expectedVersion }, index) => ({
      key: keys[index]!,
      path,
      expectedVersion,
    }));
    const stored = await lockTargets(context, runner, targets, { withDeleted });

    const locked = items.map((item, index): LockedItem<Item> => {
      const key = stored[index];
      if (!key && !otherwise(item)) return item.context.notFound();

      return { item, key: key ?? keys[index]!, missing: !key };
    });

    return work(runner, locked);
  });
}

/**
 * Writes record after record; what hooks are shown of them is read together if none is changed along with another
 * before its turn.
 */
async function changeSingly(
  context: WriteContext,
  runner: QueryRunner,
  locked: readonly { readonly item: PlannedItem; readonly key: Key }[],
  always: boolean,
): Promise<void> {
  const { hooks } = context;
  const change = ({ item, key }: (typeof locked)[number], hooked: Pick<WriteContext, 'hooks'>, known?: ObjectLiteral) =>
    changeItem({ ...item.context, ...hooked }, runner, item, { key, always, known });

  if (!hooks || locked.some(({ item: { plan } }) => hasRelations(plan))) {
    for (const one of locked) await change(one, {});

    return;
  }

  await withKnownRows({ ...context, hooks }, runner, listKeys(locked), async (rows) => {
    for (const [index, one] of locked.entries()) await change(one, { hooks: rows.hooks }, await rows.at(index));
  });
}

/**
 * Items that are written together: either all exist or none does. Hooks are called in the order of the body, so for
 * them only neighbours are.
 */
export function groupWrites<T>({ hooks }: WriteContext, items: readonly T[], exists: (item: T) => boolean): T[][] {
  if (!hooks)
    return [true, false].map((some) => items.filter((item) => exists(item) === some)).filter(([first]) => first);

  const groups: T[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && exists(last[0]!) === exists(item)) last.push(item);
    else groups.push([item]);
  }

  return groups;
}

export function listKeys(items: readonly { readonly key: Key }[]): Key[] {
  return items.map(({ key }) => key);
}
