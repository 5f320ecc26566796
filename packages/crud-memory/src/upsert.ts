/** POST that changes the record which has the same values of a unique constraint already. */
import {
  crudError,
  planScope,
  requireUnnamed,
  type Upsert,
  type UpsertItem,
  type Upserted,
} from '@nestwright/crud/adapter';
import { findEqual, nameField, newRow } from './constraints.js';
import type { MemoryTransaction } from './memory-database.js';
import { findMatches } from './reads.js';
import { tableOf } from './tables.js';
import { type Row, textOf } from './values.js';
import { keyOf, readBack, requireExpected, storeTargets, type Target } from './write.js';
import type { MemoryWriteContext } from './write-context.js';

type Item = UpsertItem<MemoryWriteContext>;

export async function upsert(asked: Upsert<MemoryWriteContext>, transaction: MemoryTransaction): Promise<Upserted> {
  const { context, items, onConflict } = asked;
  const table = tableOf(context.catalog);
  const named = new Map<string, string>();
  const targets: Target[] = [];

  for (const item of items) {
    const values = newRow(
      table,
      new Map(item.plan.values.map(({ column, value }) => [column.path, value])),
      transaction,
    );
    const texts = onConflict.map((path) => textOf(context.catalog.columns.get(path)!, values[path]));
    if (!texts.includes(null)) requireUnnamed(named, JSON.stringify(texts), item.path);
    const row = findEqual(transaction, table, onConflict, values);
    targets.push(row ? await existing(asked, item, row, transaction) : { item, row: undefined });
  }
  const keys = await storeTargets({ ...asked, verb: 'update' }, targets, transaction);

  return {
    written: readBack({ ...asked, verb: 'update' }, keys, transaction),
    created: targets.some(({ row }) => !row),
  };
}

/** The record that is there, if the request may change it. */
async function existing(
  { context, onConflict }: Upsert<MemoryWriteContext>,
  item: Item,
  row: Row,
  transaction: MemoryTransaction,
): Promise<Target> {
  const change = await item.update(keyOf(context.catalog, row));
  const isInScope = findMatches(planScope(context.request, context.catalog), transaction).some(
    (match) => match.row === row,
  );
  if (!change || !isInScope) {
    const field = nameField(item.path, onConflict[0]!);
    throw crudError('CRUD_UNIQUE_VIOLATION', { field, message: [`${field} already exists`] });
  }
  const isDecided = (path: string) => onConflict.includes(path);
  const plan = {
    ...change.plan,
    values: change.plan.values.filter(({ column }) => !isDecided(column.path)),
    cascades: change.plan.cascades.filter(
      ({ relation }) => !relation.references.some(({ column }) => isDecided(column.path)),
    ),
  };
  await requireExpected({ ...item, ...change, plan }, row);

  return { item: { ...item, ...change, plan }, row };
}
