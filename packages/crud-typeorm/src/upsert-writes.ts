/** POST with `onConflict`: updates an existing record as PATCH would, instead of failing. */
import { reportOutcome, type WritePlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral } from 'typeorm';
import { type BulkWrite, makeKeyRequest } from './bulk-writes.js';
import { getEntityMetadata, getMetadata, getRelationMetadata } from './catalog/catalog.js';
import type { ColumnMetadata } from './column-metadata.js';
import { upsert, type UpsertItem } from './persist/upsert.js';
import { uniqueColumns } from './statements/unique-columns.js';
import type { Write, WriteContext, WriteItem, Written } from './statements/write-context.js';
import { isShown } from './writes-under-hooks.js';

export interface NewItem extends Pick<WriteItem, 'path' | 'plan'> {
  /** The record as POST would store it. */
  readonly body: object;
}

interface UpsertOptions extends Pick<Write, 'answer' | 'allowGeneratedKey'> {
  readonly onConflict: readonly string[];
}

/** `POST /` and `POST /bulk`. */
export async function upsertItems<T extends ObjectLiteral>(
  bulk: BulkWrite<T>,
  items: readonly NewItem[],
  { onConflict, ...options }: UpsertOptions,
): Promise<readonly Written[]> {
  const { context } = bulk;
  const columns = requireUniqueColumns(context, onConflict);
  const { written, created } = await upsert({
    verb: 'insert',
    context,
    items: items.map((item) => makeUpsertItem(bulk, item, columns)),
    columns,
    ...options,
  });
  if (!created) reportOutcome(context.request, { updated: true });

  return written;
}

function requireUniqueColumns({ catalog }: WriteContext, names: readonly string[]): readonly ColumnMetadata[] {
  const columns = uniqueColumns(getEntityMetadata(catalog), names);
  if (typeof columns === 'string') throw new Error(`onConflict names ${names.join(', ')}, but ${columns}`);

  return columns;
}

function makeUpsertItem<T extends ObjectLiteral>(
  { service, context, plan: planItem }: BulkWrite<T>,
  { body, plan, path }: NewItem,
  columns: readonly ColumnMetadata[],
): UpsertItem {
  return {
    context,
    plan,
    path,
    update: async (key) => {
      const request = makeKeyRequest(context.request, key);
      if (!(await isShown(service, request))) return undefined;

      return {
        context: { ...context, request },
        plan: withoutConstraintColumns(planItem(body, 'update', { path, request }), columns),
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
