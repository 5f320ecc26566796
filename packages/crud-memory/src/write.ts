/** Every write, of one record or of many: finds its records, stores them, reads them again; all or none. */
import {
  type Catalog,
  crudError,
  isConditional,
  keyToCreate,
  type Key,
  optionsOf,
  planKnown,
  planRecords,
  planScope,
  planWithKey,
  readPersistedKey,
  reportOutcome,
  requirePreconditions,
  requireUnnamed,
  rowTagOf,
  type Stored,
  type WriteItem,
  type WritePlan,
  type Written,
} from '@nestwright/crud/adapter';
import { deleteRow, nameField } from './constraints.js';
import { withRowHooks } from './hooks.js';
import type { MemoryTransaction } from './memory-database.js';
import { findMatches, makeRecord, readingOf } from './reads.js';
import { Records } from './records.js';
import { tableOf } from './tables.js';
import { isSame, type Row, textOf } from './values.js';
import { type MemoryWrite, type MemoryWriteContext, requireVersion } from './write-context.js';

type Item = WriteItem<MemoryWriteContext>;

/** A record that a write acts on: as it is stored, or the key of a new one, if that is known. */
export interface Target {
  readonly item: Item;
  readonly row: Row | undefined;
  readonly key?: Key | undefined;
}

export function write(asked: MemoryWrite, transaction: MemoryTransaction): Promise<Stored> {
  return asked.verb === 'remove' || asked.verb === 'recover' ? mark(asked, transaction) : store(asked, transaction);
}

/** POST, PATCH and PUT. */
async function store(asked: MemoryWrite, transaction: MemoryTransaction): Promise<Stored> {
  const { verb, context, items } = asked;
  const targets =
    verb === 'insert' ? items.map((item) => ({ item, row: undefined })) : await findTargets(asked, transaction);
  if (verb === 'replace') reportOutcome(context.request, { created: targets.some(({ row }) => !row) });
  const keys = await storeTargets(asked, targets, transaction);

  return { affected: keys.length, written: readBack(asked, keys, transaction) };
}

/** Stores records: those that are there are changed, the others inserted. */
export async function storeTargets(
  { verb, context, allowGeneratedKey = false }: Pick<MemoryWrite, 'verb' | 'context' | 'allowGeneratedKey'>,
  targets: readonly Target[],
  transaction: MemoryTransaction,
): Promise<Key[]> {
  const table = tableOf(context.catalog);
  const rows: Row[] = [];

  for (const { item, row, key } of targets) {
    const records = new Records({ ...item.context, hooks: context.hooks }, transaction);
    if (row) {
      requirePersisted(context, row);
      rows.push(await records.update(table, row, item.plan, { path: item.path, always: verb === 'replace' }));
    } else {
      if (key) await requirePreconditions(item.context.request, undefined);
      const plan = key ? planWithKey(item.insert!(), key) : item.plan;
      if (key) requirePersisted(context, key);
      else if (!allowGeneratedKey) refuseChosenKey(context, plan, item.path, transaction);
      rows.push(await records.insert(table, plan, item.path));
    }
    records.reach.settle();
  }

  return rows.map((row) => keyOf(context.catalog, row));
}

/** DELETE and recovery. */
async function mark(asked: MemoryWrite, transaction: MemoryTransaction): Promise<Stored> {
  const { verb, context, soft = false } = asked;
  const table = tableOf(context.catalog);
  const deleted = table.filled('deleteDate');
  const targets = await findTargets(asked, transaction);
  const rows = targets.map(({ row }) => row!);
  const keys = rows.map((row) => keyOf(context.catalog, row));
  const removed = verb === 'remove' ? readBack(asked, keys, transaction) : undefined;
  const changed = verb === 'remove' ? rows : rows.filter((row) => deleted !== undefined && row[deleted] !== null);
  const now = new Date();

  await withRowHooks(context, table, verb === 'remove' ? 'delete' : 'recover', changed, transaction, (row) => {
    if (verb === 'recover' || soft) {
      const marked = { ...row, [deleted!]: verb === 'recover' ? null : now };
      transaction.put(table, marked);

      return marked;
    }
    deleteRow(transaction, table, row, optionsOf(context.request)?.query?.join ?? {});

    return row;
  });

  return { affected: keys.length, written: removed ?? readBack(asked, keys, transaction) };
}

/** The records of a write, as they are now. */
async function findTargets(asked: MemoryWrite, transaction: MemoryTransaction): Promise<Target[]> {
  const { items, verb, skipsMissing = false } = asked;
  const named = new Map<string, string>();
  const targets: Target[] = [];

  for (const item of items) {
    const { request, catalog, notFound } = item.context;
    const plan = planScope(request, catalog, { withDeleted: verb === 'recover' });
    const found = findMatches(plan, transaction)
      .map(({ row }) => row)
      .filter((row) => !item.key || hasKey(catalog, row, item.key));
    if (found.length > 1) throw crudError('CRUD_CONFLICT', { message: `Several records of ${catalog.model} match` });
    const row = item.replaceable === false ? undefined : found[0];
    const key = row ? undefined : item.insert && creatableKey(item);
    if (!row && !key) {
      if (!skipsMissing) notFound();
      continue;
    }
    if (key && [...transaction.of(tableOf(catalog))].some((one) => hasKey(catalog, one, key))) notFound();

    requireUnnamed(
      named,
      JSON.stringify(catalog.primary.map((column) => textOf(column, (row ?? key)![column.path]))),
      item.path,
    );
    if (row) await requireExpected(item, row);
    targets.push({ item, row, key });
  }

  return targets;
}

/** The key that a PUT may create a record under. */
function creatableKey({ key, context: { request, catalog } }: Item): Key | undefined {
  return catalog.primary.some(({ autoIncrement }) => autoIncrement)
    ? undefined
    : (key ?? keyToCreate(request, catalog));
}

/** Refuses a record that is not the one that the client expects: by its version, or its tag. */
export async function requireExpected({ context, plan, path }: Item, row: Row): Promise<void> {
  const { request, catalog } = context;
  if (isConditional(request)) await requirePreconditions(request, () => Promise.resolve(tagOf(catalog, row)));
  requireVersion(catalog, plan.expectedVersion, row, path);
}

/** The tag of a stored record. */
export function tagOf(catalog: Catalog, row: Row): string {
  return rowTagOf([catalog.model, ...[...catalog.columns.values()].map((column) => textOf(column, row[column.path]))]);
}

/** Refuses records with another key than `persist` names. */
function requirePersisted({ request, catalog }: MemoryWriteContext, key: Key): void {
  for (const [column, value] of readPersistedKey(request.parsed.authPersist as object | undefined, catalog)) {
    if (value === undefined || textOf(column, value) !== textOf(column, key[column.path]))
      throw crudError('CRUD_OUT_OF_SCOPE');
  }
}

/** Refuses a client's key for a counter: 409 if a record in reach has it. */
function refuseChosenKey(
  { request, catalog }: MemoryWriteContext,
  { values }: WritePlan,
  path: string,
  transaction: MemoryTransaction,
): void {
  const chosen = values.find(({ column, value }) => column.autoIncrement && column.primary && value !== null);
  if (!chosen) return;
  const key = Object.fromEntries(
    values.filter(({ column }) => column.primary).map(({ column, value }) => [column.path, value]),
  );
  const field = nameField(path, chosen.column.path);

  throw findMatches(planKnown(request, catalog, key), transaction).length > 0
    ? crudError('CRUD_UNIQUE_VIOLATION', { field, message: [`${field} already exists`] })
    : crudError('CRUD_INVALID_BODY', {
        field,
        message: [`${field} is generated by the database and cannot be chosen`],
      });
}

export function keyOf({ primary }: Catalog, row: Row): Key {
  return Object.fromEntries(primary.map(({ path }) => [path, row[path]]));
}

export function hasKey({ primary }: Catalog, row: Row, key: Key): boolean {
  return primary.every((column) => isSame(column, row[column.path], key[column.path] ?? null));
}

/** Reads written records as their answer has them; one that has left the scope refuses the write. */
export function readBack(
  { verb, context, items, answer }: Pick<MemoryWrite, 'verb' | 'context' | 'items' | 'answer'>,
  keys: readonly Key[],
  transaction: MemoryTransaction,
): Written[] {
  const { request, catalog } = context;
  if (answer === 'none' && verb !== 'update') return [];

  const plan = planRecords(request, catalog, keys);
  const shaped = answer === 'shallow' ? { ...plan, root: { ...plan.root, joins: [] } } : plan;
  const found = findMatches(shaped, transaction);
  const written = keys.map((key): Written => {
    const match = found.find(({ row }) => hasKey(catalog, row, key));
    if (!match) throw crudError('CRUD_OUT_OF_SCOPE');
    // A bulk has no tag.
    if (request.options?.query?.etag && verb !== 'remove' && items[0]?.path === '')
      reportOutcome(request, { row: tagOf(catalog, match.row) });

    return { key, record: makeRecord(shaped, match, readingOf(shaped, transaction)) };
  });

  return answer === 'none' ? [] : written;
}
