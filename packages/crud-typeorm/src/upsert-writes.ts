/** POST with `onConflict`: updates an existing record as PATCH would, instead of failing. */
import { reportOutcome, type WritePlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral } from 'typeorm';
import { type BulkWrite, requestOfKey } from './bulk-writes.js';
import { entityMetadataOf, metadataOf, relationMetadataOf } from './catalog/catalog.js';
import type { ColumnMetadata } from './column-metadata.js';
import { reread, rereadAll } from './persist/reread.js';
import { UniqueViolation, uniqueViolationOf } from './persist/unique-values.js';
import { upsert, type UpsertItem } from './persist/upsert.js';
import { uniqueColumns } from './statements/unique-columns.js';
import type { WriteContext, Written } from './statements/write-context.js';
import { isShown } from './writes-under-hooks.js';
import { insertReturning } from './returning/insert-returning.js';

/** A record to store. */
export interface NewItem {
  /** The record as POST would store it. */
  readonly body: object;
  readonly insert: WritePlan;
  /** Its path in the request's body. */
  readonly path: string;
}

/** How POST was configured. */
export interface UpsertRouteOptions {
  readonly onConflict: readonly string[];
  readonly shallow?: boolean | undefined;
  readonly allowGeneratedKey?: boolean | undefined;
}

/** `POST /`. */
export async function upsertOne<T extends ObjectLiteral>(
  write: BulkWrite<T>,
  item: NewItem,
  { onConflict, shallow = false, allowGeneratedKey }: UpsertRouteOptions,
): Promise<Written> {
  const { context } = write;
  const columns = columnsOf(context, onConflict);
  const direct = await insertDirectly(context, [item], columns, shallow);
  if (direct && !(direct instanceof UniqueViolation)) return direct[0]!;

  const options = { columns, allowGeneratedKey };
  const { created, ...stored } = await upsert(
    context,
    [upsertItem(write, item, columns)],
    options,
    async (runner, [one]) => ({ record: await reread(context, runner, one!.key, { shallow }), ...one! }),
    direct,
  );
  if (!created) reportOutcome(context.request, { updated: true });

  return stored;
}

/** `POST /bulk`. */
export async function upsertMany<T extends ObjectLiteral>(
  write: BulkWrite<T>,
  items: readonly NewItem[],
  { onConflict, allowGeneratedKey }: UpsertRouteOptions,
): Promise<readonly Pick<Written, 'record' | 'json'>[]> {
  const { context } = write;
  const columns = columnsOf(context, onConflict);
  const direct = await insertDirectly(context, items, columns, true);
  if (direct && !(direct instanceof UniqueViolation)) return direct;

  const { records, created } = await upsert(
    context,
    items.map((item) => upsertItem(write, item, columns)),
    { columns, allowGeneratedKey },
    async (runner, stored) => ({
      records: await rereadAll(
        context,
        runner,
        stored.map(({ key }) => key),
      ),
      created: stored.some((one) => one.created),
    }),
    direct,
  );
  if (!created) reportOutcome(context.request, { updated: true });

  return records.map((record) => ({ record }));
}

/**
 * Tries to insert by RETURNING statements; returns the unique violation if a record exists already, undefined if that
 * path is not possible.
 */
async function insertDirectly(
  context: WriteContext,
  items: readonly NewItem[],
  columns: readonly ColumnMetadata[],
  shallow: boolean,
): Promise<Written[] | UniqueViolation | undefined> {
  const records = items.map(({ insert, path }) => ({ plan: insert, path }));

  try {
    return await insertReturning(context, records, { shallow });
  } catch (error) {
    const violation = uniqueViolationOf(error, entityMetadataOf(context.catalog), columns);
    if (violation) return violation;

    throw error;
  }
}

function columnsOf({ catalog }: WriteContext, names: readonly string[]): readonly ColumnMetadata[] {
  const columns = uniqueColumns(entityMetadataOf(catalog), names);
  if (typeof columns === 'string') throw new Error(`onConflict names ${names.join(', ')}, but ${columns}`);

  return columns;
}

function upsertItem<T extends ObjectLiteral>(
  { service, context, plan }: BulkWrite<T>,
  { body, insert, path }: NewItem,
  columns: readonly ColumnMetadata[],
): UpsertItem {
  return {
    insert,
    path,
    update: async (key) => {
      const request = requestOfKey(context.request, key);
      if (!(await isShown(service, request))) return undefined;

      return {
        context: { ...context, request },
        plan: withoutConstraintColumns(plan(body, 'update', { path, request }), columns),
      };
    },
  };
}

/** The columns of the constraint are not written, nor is a record that they link to. */
function withoutConstraintColumns(plan: WritePlan, columns: readonly ColumnMetadata[]): WritePlan {
  const named = new Set(columns);

  return {
    ...plan,
    values: plan.values.filter(({ column }) => !column.primary && !named.has(metadataOf(column))),
    cascades: plan.cascades.filter(
      ({ relation }) => !relationMetadataOf(relation).joinColumns.some((column) => named.has(column)),
    ),
  };
}
