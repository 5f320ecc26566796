/**
 * POST that updates if a record has the values of a unique constraint already: inserted first, and if that fails looked
 * up, locked and changed as PATCH would; all or none.
 */
import { crudError, givenNames, type Upserted, type WritePlan } from '@nestwright/crud/adapter';
import { uniqueConflict, toCrudError } from '../errors/to-crud-error.js';
import { isKeyPersisted } from '../scope/persisted-key.js';
import { lockKeys, type Target } from '../scope/targets.js';
import { insertReturning } from '../returning/insert-returning.js';
import { findRecords } from '../statements/find.js';
import { locate } from '../statements/locate.js';
import { newEntity } from '../statements/new-entity.js';
import { uniqueColumns } from '../statements/unique-columns.js';
import { anyEqual, type Key, keyText, keyValues, readValues, recordKeyText } from '../statements/values.js';
import {
  runWrite,
  type Upsert,
  type UpsertItem,
  type WriteContext,
  type WriteItem,
  type Written,
} from '../statements/write-context.js';
import { readBack } from './read-back.js';
import { storeRecords } from './store-records.js';
import { findByUniqueValues, readUniqueViolation, requireDistinct, UniqueViolation } from './unique-values.js';
import { getColumn, getRelation, getTable } from '../database/links.js';
import type { Column, Connection, Entity } from '../database/database.js';

/** How often to retry if records appear or disappear in the meantime. */
const MAX_ROUNDS = 10;

/** An upsert, with the columns of its constraint. */
interface ResolvedUpsert extends Upsert {
  readonly columns: readonly Column[];
}

interface Existing {
  readonly item: UpsertItem;
  readonly entity: Entity;
  readonly key: Key;
  readonly change: Pick<WriteItem, 'context' | 'plan'> | undefined;
}

type ExistingItems = ReadonlyMap<UpsertItem, Existing>;

/** Stores records: inserts each, or updates the one with its unique values. */
export async function upsert(asked: Upsert): Promise<Upserted> {
  const write = { ...asked, columns: requireUniqueColumns(asked) };
  const direct = isKeyPersisted(write.context) ? undefined : await insertDirectly(write);

  return Array.isArray(direct) ? { written: direct, created: true } : upsertPlain(write, direct);
}

function requireUniqueColumns({ context, onConflict }: Upsert): readonly Column[] {
  const columns = uniqueColumns(getTable(context.catalog), onConflict);
  if (typeof columns === 'string') throw new Error(`onConflict names ${onConflict.join(', ')}, but ${columns}`);

  return columns;
}

/**
 * Tries to insert by RETURNING statements; returns the unique violation if a record exists already, undefined if that
 * path is not possible.
 */
async function insertDirectly({
  context,
  items,
  columns,
  answer,
}: ResolvedUpsert): Promise<Written[] | UniqueViolation | undefined> {
  try {
    return await insertReturning(context, items, { shallow: answer === 'shallow' });
  } catch (error) {
    const violation = readUniqueViolation(error, getTable(context.catalog), columns);
    if (violation) return violation;

    throw error;
  }
}

/** @param firstViolation The unique violation of an attempt to insert them all. Default: there was no attempt. */
async function upsertPlain(write: ResolvedUpsert, firstViolation: UniqueViolation | undefined): Promise<Upserted> {
  const { context, items, columns } = write;
  const table = getTable(context.catalog);
  const entities = new Map(items.map(({ plan, path }) => [path, newEntity(table, plan)]));
  requireDistinct(entities, columns);
  // Hooks see a new record only if it does not exist yet; a key in `persist` may only fit the existing one.
  const isLookedUp = context.hooks !== undefined || isKeyPersisted(context);
  let existing: ExistingItems = isLookedUp ? await findExisting(write, entities) : new Map();
  let violation = firstViolation;

  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    if (violation) {
      for (const [path, entity] of violation.entities) entities.set(path, entity);
      const found = await findExisting(write, entities);
      // Another constraint, or two equal records in the body.
      if (!violation.isConfirmed && found.size <= existing.size) break;
      if (found.size <= existing.size) requireDistinct(entities, columns, folded);
      existing = found;
    }

    const outcome = await attemptAll(write, existing);
    if (!(outcome instanceof UniqueViolation)) return outcome;
    violation = outcome;
  }

  throw violation?.cause === undefined
    ? crudError('CRUD_CONFLICT')
    : toCrudError(await locate(context.store.executor, violation.cause), table, 'write', givenNames(context.request));
}

async function findExisting(
  { context, items, columns }: ResolvedUpsert,
  entities: ReadonlyMap<string, Entity>,
): Promise<ExistingItems> {
  const keys = await findByUniqueValues(context, entities, columns);
  const existing = new Map<UpsertItem, Existing>();

  for (const item of items) {
    const key = keys.get(item.path);
    if (!key) continue;

    const change = await item.update(key);
    const entity = entities.get(item.path)!;
    existing.set(item, {
      item,
      entity,
      key,
      change: change && { ...change, plan: withoutConstraintColumns(change.plan, columns) },
    });
  }

  return existing;
}

async function attemptAll(write: ResolvedUpsert, existing: ExistingItems): Promise<Upserted | UniqueViolation> {
  const { context, items, columns } = write;

  try {
    return await runWrite(context, async (connection) => {
      await lockExisting(context, connection, [...existing.values()], columns);
      const targets = items.map((item): Target => {
        const { key, change } = existing.get(item) ?? {};

        return { item: { ...item, ...change }, key, isNew: key === undefined };
      });
      const keys = await storeRecords(write, connection, targets, false).catch((error: unknown) => {
        throw readUniqueViolation(error, getTable(context.catalog), columns) ?? error;
      });

      return { written: await readBack(write, connection, keys), created: targets.some(({ isNew }) => isNew) };
    });
  } catch (error) {
    if (error instanceof UniqueViolation) return error;

    throw error;
  }
}

/** Locks existing records; one that is out of scope or deleted is a conflict. */
async function lockExisting(
  context: WriteContext,
  connection: Connection,
  existing: readonly Existing[],
  columns: readonly Column[],
): Promise<void> {
  if (existing.length === 0) return;

  await lockByUniqueValues(context, connection, existing, columns);
  const targets = existing.map(({ key, item: { path }, change }) => ({
    key,
    path,
    expectedVersion: change?.plan.expectedVersion,
  }));
  const inScope = await lockKeys(context, connection, targets);
  const refused = existing.find(({ change }, index) => !change || !inScope[index]);
  if (refused) throw uniqueConflict(columns, refused.item.path, givenNames(context.request));
}

/** Locks the records by their unique values, so that none is changed that has other values by now. */
async function lockByUniqueValues(
  { catalog }: WriteContext,
  connection: Connection,
  existing: readonly Existing[],
  columns: readonly Column[],
): Promise<void> {
  const table = getTable(catalog);
  const values = existing.map(({ entity }) => readValues(columns, entity));
  const where = anyEqual(columns, values);
  const locked = await findRecords(connection, table, table.primaryColumns, { where, locked: true, sorted: true });
  const keys = new Set(locked.map((record) => recordKeyText(table, record)));

  for (const { key } of existing)
    if (!keys.has(keyText(keyValues(table, key)))) throw new UniqueViolation(undefined, true);
}

/** Without case, accents and trailing blanks, which collations may ignore. */
function folded(text: string): string {
  const trimmed = text.split('"').map((part) => part.trimEnd());

  return trimmed.join('"').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}

/** The columns of the constraint are not written, nor is a record that they link to. */
function withoutConstraintColumns(plan: WritePlan, columns: readonly Column[]): WritePlan {
  const named = new Set(columns);

  return {
    ...plan,
    values: plan.values.filter(({ column }) => !named.has(getColumn(column))),
    cascades: plan.cascades.filter(
      ({ relation }) => !getRelation(relation).joinColumns.some((column) => named.has(column)),
    ),
  };
}
