/**
 * POST that updates if a record has the values of a unique constraint already: inserted first, and if that fails looked
 * up, locked and changed as PATCH would; all or none.
 */
import { crudError, type WritePlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral, QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { uniqueConflict, toCrudError } from '../errors/to-crud-error.js';
import { isKeyPersisted, requirePersistedKey } from '../scope/persisted-key.js';
import { lockTargets } from '../scope/targets.js';
import { findRecords } from '../statements/find.js';
import { locate } from '../statements/locate.js';
import { newEntity } from '../statements/new-entity.js';
import { anyEqual, type Key, keyText, keyValues, readValues, recordKeyText } from '../statements/values.js';
import { givenNames, runWrite, type WriteContext } from '../statements/write-context.js';
import { insertAll } from './insert.js';
import { changeItem, groupWrites } from './many.js';
import { findByUniqueValues, readUniqueViolation, requireDistinct, UniqueViolation } from './unique-values.js';

/** How often to retry if records appear or disappear in the meantime. */
const MAX_ROUNDS = 10;

export interface UpsertItem {
  readonly insert: WritePlan;
  readonly path: string;
  /**
   * The update of an existing record, by a request for it alone; undefined if the service's read hooks do not show it.
   */
  readonly update: (key: Key) => Promise<Change | undefined>;
}

export interface Change {
  readonly plan: WritePlan;
  readonly context: WriteContext;
}

interface UpsertOptions {
  readonly columns: readonly ColumnMetadata[];
  readonly allowGeneratedKey?: boolean | undefined;
}

export interface Upserted {
  readonly key: Key;
  readonly created: boolean;
}

interface Existing {
  readonly item: UpsertItem;
  readonly entity: ObjectLiteral;
  readonly key: Key;
  readonly change: Change | undefined;
}

type ExistingItems = ReadonlyMap<UpsertItem, Existing>;

/**
 * Stores records: inserts each, or updates the one with its unique values.
 *
 * @param read Reads what is to be answered, in the same transaction.
 * @param firstViolation The unique violation of an attempt to insert them all. Default: there was no attempt.
 */
export async function upsert<T>(
  context: WriteContext,
  items: readonly UpsertItem[],
  options: UpsertOptions,
  read: (runner: QueryRunner, stored: readonly Upserted[]) => Promise<T>,
  firstViolation?: UniqueViolation,
): Promise<T> {
  const metadata = getEntityMetadata(context.catalog);
  const entities = new Map(items.map(({ insert, path }) => [path, newEntity(metadata, insert)]));
  requireDistinct(entities, options.columns);
  // Hooks see a new record only if it does not exist yet; a key in `persist` may only fit the existing one.
  const isLookedUp = context.hooks !== undefined || isKeyPersisted(context);
  let existing: ExistingItems = isLookedUp ? await findExisting(context, items, entities, options) : new Map();
  let violation = firstViolation;

  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    if (violation) {
      for (const [path, entity] of violation.entities) entities.set(path, entity);
      const found = await findExisting(context, items, entities, options);
      // Another constraint, or two equal records in the body.
      if (!violation.isConfirmed && found.size <= existing.size) break;
      if (found.size <= existing.size) requireDistinct(entities, options.columns, folded);
      existing = found;
    }

    const outcome = await attemptAll(context, items, existing, options, read);
    if (!(outcome instanceof UniqueViolation)) return outcome;
    violation = outcome;
  }

  throw violation?.cause === undefined
    ? crudError('CRUD_CONFLICT')
    : toCrudError(await locate(context.manager, violation.cause), metadata, 'write', givenNames(context.request));
}

async function findExisting(
  context: WriteContext,
  items: readonly UpsertItem[],
  entities: ReadonlyMap<string, ObjectLiteral>,
  { columns }: UpsertOptions,
): Promise<ExistingItems> {
  const keys = await findByUniqueValues(context, entities, columns);
  const existing = new Map<UpsertItem, Existing>();

  for (const item of items) {
    const key = keys.get(item.path);
    if (key) existing.set(item, { item, entity: entities.get(item.path)!, key, change: await item.update(key) });
  }

  return existing;
}

async function attemptAll<T>(
  context: WriteContext,
  items: readonly UpsertItem[],
  existing: ExistingItems,
  { columns, allowGeneratedKey = false }: UpsertOptions,
  read: (runner: QueryRunner, stored: readonly Upserted[]) => Promise<T>,
): Promise<T | UniqueViolation> {
  try {
    return await runWrite(context, async (runner) => {
      await lockExisting(context, runner, [...existing.values()], columns);
      const stored = new Map<UpsertItem, Upserted>();

      for (const some of groupWrites(context, items, (item) => existing.has(item))) {
        const found = some.flatMap((item) => existing.get(item) ?? []);
        for (const { item, key, change } of found) {
          await changeItem(change!.context, runner, { ...change!, path: item.path }, { key });
          stored.set(item, { key, created: false });
        }
        if (found.length > 0) continue;

        const records = some.map(({ insert, path }) => ({ plan: insert, path }));
        const keys = await insertAll(context, runner, records, allowGeneratedKey).catch((error: unknown) => {
          throw readUniqueViolation(error, getEntityMetadata(context.catalog), columns) ?? error;
        });
        some.forEach((item, index) => stored.set(item, { key: keys[index] ?? {}, created: true }));
      }

      return read(
        runner,
        items.map((item) => stored.get(item)!),
      );
    });
  } catch (error) {
    if (error instanceof UniqueViolation) return error;

    throw error;
  }
}

/** Locks existing records; one that is out of scope or deleted is a conflict. */
async function lockExisting(
  context: WriteContext,
  runner: QueryRunner,
  existing: readonly Existing[],
  columns: readonly ColumnMetadata[],
): Promise<void> {
  if (existing.length === 0) return;

  await lockByUniqueValues(context, runner, existing, columns);
  const targets = existing.map(({ key, item: { path }, change }) => ({
    key,
    path,
    expectedVersion: change?.plan.expectedVersion,
  }));
  const inScope = await lockTargets(context, runner, targets);
  const refused = existing.find(({ change }, index) => !change || !inScope[index]);
  if (refused) throw uniqueConflict(columns, refused.item.path, givenNames(context.request));

  await requirePersistedKey(
    context,
    runner,
    existing.map(({ key }) => key),
  );
}

/** Locks the records by their unique values, so that none is changed that has other values by now. */
async function lockByUniqueValues(
  { catalog }: WriteContext,
  runner: QueryRunner,
  existing: readonly Existing[],
  columns: readonly ColumnMetadata[],
): Promise<void> {
  const metadata = getEntityMetadata(catalog);
  const values = existing.map(({ entity }) => readValues(columns, entity));
  const where = anyEqual(columns, values);
  const locked = await findRecords(runner, metadata, metadata.primaryColumns, { where, locked: true, sorted: true });
  const keys = new Set(locked.map((record) => recordKeyText(metadata, record)));

  for (const { key } of existing)
    if (!keys.has(keyText(keyValues(metadata, key)))) throw new UniqueViolation(undefined, true);
}

/** Without case, accents and trailing blanks, which collations may ignore. */
function folded(text: string): string {
  const trimmed = text.split('"').map((part) => part.trimEnd());

  return trimmed.join('"').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}
