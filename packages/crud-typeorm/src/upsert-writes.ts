/** POST with `onConflict`: updates an existing record as PATCH would, instead of failing. */
import { reportOutcome, type WritePlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral, QueryRunner } from 'typeorm';
import { type BulkWrite, makeKeyRequest } from './bulk-writes.js';
import { getEntityMetadata, getMetadata, getRelationMetadata } from './catalog/catalog.js';
import type { ColumnMetadata } from './column-metadata.js';
import { listKeys } from './persist/many.js';
import { reread, rereadAll } from './persist/reread.js';
import { readUniqueViolation, UniqueViolation } from './persist/unique-values.js';
import { upsert, type UpsertItem } from './persist/upsert.js';
import { isKeyPersisted } from './scope/persisted-key.js';
import { uniqueColumns } from './statements/unique-columns.js';
import type { Key } from './statements/values.js';
import type { WriteContext, Written } from './statements/write-context.js';
import { isShown } from './writes-under-hooks.js';
import { insertReturning } from './returning/insert-returning.js';

interface NewItem {
  /** The record as POST would store it. */
  readonly body: object;
  readonly insert: WritePlan;
  /** Its path in the request's body. */
  readonly path: string;
}

interface UpsertRouteOptions {
  readonly onConflict: readonly string[];
  readonly shallow?: boolean | undefined;
  readonly allowGeneratedKey?: boolean | undefined;
}

/** `POST /`. */
export async function upsertOne<T extends ObjectLiteral>(
  write: BulkWrite<T>,
  item: NewItem,
  options: UpsertRouteOptions,
): Promise<Written> {
  const { shallow = false } = options;
  const [stored] = await upsertAll(write, [item], options, async (runner, [key]) => [
    await reread(write.context, runner, key!, { shallow }),
  ]);

  return stored!;
}

/** `POST /bulk`. */
export function upsertMany<T extends ObjectLiteral>(
  write: BulkWrite<T>,
  items: readonly NewItem[],
  options: UpsertRouteOptions,
): Promise<Written[]> {
  return upsertAll(write, items, { ...options, shallow: true }, (runner, keys) =>
    rereadAll(write.context, runner, keys),
  );
}

async function upsertAll<T extends ObjectLiteral>(
  write: BulkWrite<T>,
  items: readonly NewItem[],
  { onConflict, shallow = false, allowGeneratedKey }: UpsertRouteOptions,
  read: (runner: QueryRunner, keys: readonly Key[]) => Promise<Written[]>,
): Promise<Written[]> {
  const { context } = write;
  const columns = requireUniqueColumns(context, onConflict);
  const direct = isKeyPersisted(context) ? undefined : await insertDirectly(context, items, columns, shallow);
  if (direct && !(direct instanceof UniqueViolation)) return direct;

  const { written, created } = await upsert(
    context,
    items.map((item) => upsertItem(write, item, columns)),
    { columns, allowGeneratedKey },
    async (runner, stored) => ({
      written: await read(runner, listKeys(stored)),
      created: stored.some((one) => one.created),
    }),
    direct,
  );
  if (!created) reportOutcome(context.request, { updated: true });

  return written;
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
    const violation = readUniqueViolation(error, getEntityMetadata(context.catalog), columns);
    if (violation) return violation;

    throw error;
  }
}

function requireUniqueColumns({ catalog }: WriteContext, names: readonly string[]): readonly ColumnMetadata[] {
  const columns = uniqueColumns(getEntityMetadata(catalog), names);
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
      const request = makeKeyRequest(context.request, key);
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
    values: plan.values.filter(({ column }) => !column.primary && !named.has(getMetadata(column))),
    cascades: plan.cascades.filter(
      ({ relation }) => !getRelationMetadata(relation).joinColumns.some((column) => named.has(column)),
    ),
  };
}
