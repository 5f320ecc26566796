/**
 * The records that a write acts on: found by path and auth conditions before the transaction begins, then locked in
 * their current state, so that the write depends on nothing that another request can change.
 */
import {
  crudError,
  isConditional,
  keyToCreate,
  planScope,
  readPathKey,
  requireUnnamed,
} from '@nestwright/crud/adapter';
import { nameField } from '../errors/blame.js';
import { compileWhere, joinAll, read } from '../select/index.js';
import { findRecords } from '../statements/find.js';
import { batches, type Key, keysPredicate, keyText, keyValues, readKey, recordKeyText } from '../statements/values.js';
import { readOptions, type Write, type WriteContext, type WriteItem } from '../statements/write-context.js';
import { requireTag } from './row-tag.js';
import { getTable } from '../database/links.js';
import type { Column, Connection, Entity } from '../database/database.js';

/** Kinds of columns whose equal values have equal texts. */
const EXACT: ReadonlySet<string> = new Set(['integer', 'bigint', 'uuid']);

/** A record that a write acts on. */
export interface Target {
  readonly item: WriteItem;
  /** Undefined for a new record whose key is not known yet. */
  readonly key: Key | undefined;
  /** Whether there is no such record yet. */
  readonly isNew: boolean;
}

/** A record that is there. */
export interface StoredTarget extends Target {
  readonly key: Key;
}

/**
 * The keys of a write's records. Call it before the transaction begins. Several records for one item are a 409, none is
 * a 404 unless the item may create one.
 *
 * @param maySkip Whether a single record that is missing is not looked for again.
 */
export async function findTargets(
  { verb, items }: Write,
  connection: Connection,
  maySkip: boolean,
): Promise<readonly Target[]> {
  if (verb === 'insert') return items.map((item) => ({ item, key: undefined, isNew: true }));

  const found: StoredTarget[] = [];
  for (const item of items)
    found.push({ item, key: item.key ?? (await findKey(item, connection, verb === 'recover')), isNew: false });

  const [only, ...others] = found;
  const isNew = maySkip && others.length === 0 && (await isMissing(only!, connection));

  return isNew ? [{ ...only!, isNew }] : found;
}

/** The path's key if it names all of it, else that of the one record in scope, else that of a record to create. */
async function findKey({ context, insert }: WriteItem, connection: Connection, withDeleted: boolean): Promise<Key> {
  const { request, catalog, notFound } = context;
  const known = readPathKey(request, catalog);
  if (known) return known;

  const scope = planScope(request, catalog, { withDeleted });
  const found = await read({ ...scope, limit: 2 }, connection, readOptions(request));
  if (found.length > 1) throw crudError('CRUD_CONFLICT', { message: `Several records of ${catalog.model} match` });
  const key = found[0] && readKey(getTable(catalog), found[0]);

  return key ?? (insert && findCreatableKey(context)) ?? notFound();
}

/**
 * Whether a record can be created and does not exist, soft-deleted or out of scope. Checked without a lock: on MySQL, a
 * lock of what is missing locks the gap, and concurrent creations would wait for each other.
 */
async function isMissing(target: StoredTarget, connection: Connection): Promise<boolean> {
  const { insert, context } = target.item;
  if (!insert || !findCreatableKey(context)) return false;

  return (await findByKeys([target], connection, false)).length === 0;
}

/** The key under which a record may be created; undefined if the database makes keys. */
function findCreatableKey({ catalog, request }: WriteContext): Key | undefined {
  return catalog.primary.some(({ autoIncrement }) => autoIncrement) ? undefined : keyToCreate(request, catalog);
}

/** Records with the keys of some targets, whether or not they are in scope. */
function findByKeys(targets: readonly StoredTarget[], connection: Connection, locked: boolean): Promise<Entity[]> {
  const table = getTable(targets[0]!.item.context.catalog);
  const where = keysPredicate(
    table,
    targets.map(({ key }) => key),
  );

  return findRecords(connection, table, table.primaryColumns, {
    where,
    locked,
    sorted: locked && targets.length > 1,
  });
}

/**
 * Locks a write's records in their current state for the rest of the transaction. One that is missing is new if it may
 * be created, else a 404. A record that is named twice is a 400, a version that is not the stored one a 409, a failed
 * precondition a 412.
 */
export async function lockTargets(
  write: Write,
  connection: Connection,
  found: readonly Target[],
): Promise<readonly Target[]> {
  const stored = found.filter((target): target is StoredTarget => !target.isNew);
  const keys = await lockKeys(
    write.context,
    connection,
    stored.map(({ key, item: { path, plan } }) => ({ key, path, expectedVersion: plan.expectedVersion })),
    write.verb === 'recover',
  );
  const locked = new Map<Target, Key | undefined>(stored.map((target, index) => [target, keys[index]]));
  const targets = found.flatMap((target): Target[] => {
    const { item } = target;
    const key = locked.get(target);
    if (target.isNew) return [target];
    if (key && item.replaceable !== false) return [{ ...target, key }];
    if (!key && item.insert && findCreatableKey(item.context)) return [{ ...target, isNew: true }];

    return write.skipsMissing ? [] : item.context.notFound();
  });
  await requireMissing(
    targets.filter((target): target is StoredTarget => target.isNew && !found.includes(target)),
    connection,
  );

  return targets;
}

/** Refuses to create records that exist, soft-deleted or out of scope (404). */
async function requireMissing(targets: readonly StoredTarget[], connection: Connection): Promise<void> {
  for (const some of batches(targets)) {
    if ((await findByKeys(some, connection, true)).length === 0) continue;

    // Texts of keys that the database considers equal may differ.
    for (const target of some)
      if ((await findByKeys([target], connection, false)).length > 0) target.item.context.notFound();
  }
}

/** A record that an item of a body names. */
interface NamedRecord {
  readonly key: Key;
  /** The item's path in the body. */
  readonly path: string;
  /** The version that the client expects to find. Default: any. */
  readonly expectedVersion?: number | undefined;
}

/**
 * Locks the records under some keys, as they are now, for the rest of the transaction. The answer is the stored key of
 * each; undefined if there is no record in scope.
 */
export async function lockKeys(
  context: WriteContext,
  connection: Connection,
  named: readonly NamedRecord[],
  withDeleted = false,
): Promise<(Key | undefined)[]> {
  if (named.length === 0) return [];

  const table = getTable(context.catalog);
  const { versionColumn } = table;
  const isVersioned = named.some(({ expectedVersion }) => expectedVersion !== undefined);
  const lock = makeLocker(context, connection, { withDeleted, isVersioned });
  const found = new Map<string, Entity>();

  for (const some of batches(named))
    for (const record of await lock(some.map(({ key }) => key))) found.set(recordKeyText(table, record), record);

  const isExact = context.catalog.primary.every(({ kind, transformed }) => EXACT.has(kind) && !transformed);
  const paths = new Map<string, string>();
  const keys: (Key | undefined)[] = [];

  for (const { key, path, expectedVersion } of named) {
    const text = keyText(keyValues(table, key));
    // Texts that the database considers equal may differ (`AB` and `ab`, `1.5` and `1.50`).
    const [only] = named.length === 1 ? found.values() : [];
    const record = only ?? found.get(text) ?? (isExact || named.length === 1 ? undefined : (await lock([key]))[0]);

    requireUnnamed(paths, record ? recordKeyText(table, record) : text, path);
    if (record && isConditional(context.request)) await requireTag(context, connection, table, key);
    if (record && versionColumn && expectedVersion !== undefined)
      refuseStale(context, versionColumn, { record, expectedVersion, path });

    keys.push(record && readKey(table, record));
  }

  return keys;
}

/** Finds and locks the records of some keys that are in scope; reads their versions if asked to. */
function makeLocker(
  { catalog, request }: WriteContext,
  connection: Connection,
  { withDeleted, isVersioned }: { readonly withDeleted: boolean; readonly isVersioned: boolean },
): (keys: readonly Key[]) => Promise<Entity[]> {
  const table = getTable(catalog);
  const { primaryColumns, versionColumn } = table;
  const scope = planScope(request, catalog, { withDeleted });
  const inScope = compileWhere(scope, connection, readOptions(request));

  return async (keys) => {
    const named = keysPredicate(table, keys);
    const options = { locked: true, sorted: keys.length > 1 };

    // A scope over relations is not evaluated again after waiting for a lock, so the lock is taken first.
    if (scope.root.joins.length > 0) await findRecords(connection, table, primaryColumns, { where: named, ...options });

    const columns = [...primaryColumns, ...(isVersioned && versionColumn ? [versionColumn] : [])];

    return findRecords(connection, table, columns, { where: joinAll([inScope, named]), ...options });
  };
}

/** A stored record and the version that the client expects. */
interface Expected {
  readonly record: Entity;
  readonly expectedVersion: number | undefined;
  /** The record's path in the body. */
  readonly path: string;
}

/** Refuses a version that is not the stored one: 409. */
export function refuseStale(
  { catalog }: Pick<WriteContext, 'catalog'>,
  version: Column,
  { record, expectedVersion, path }: Expected,
): void {
  if (Number(version.read(record)) === expectedVersion) return;

  const field = nameField(path, version.propertyPath);

  throw crudError('CRUD_STALE_VERSION', {
    field,
    message: [`${field} is not the stored one: the ${catalog.model} was changed in the meantime`],
  });
}
