/** Planned bodies of POST go in, the stored records come out; refuses a key that is there already, and a new one that the database is to count. */
import { crudError, type PlannedValue, type WritePlan } from '@nestwright/crud';
import type { EntityMetadata, QueryRunner } from 'typeorm';
import { entityMetadataOf, metadataOf } from '../catalog/catalog.js';
import { insertReturning } from '../returning/index.js';
import { findRecords } from './find.js';
import { insertGraph } from './relations.js';
import { reread, rereadAll } from './reread.js';
import { keyOf } from './values.js';
import { type Key, type WriteContext, type Written, written } from './write-context.js';

/** How POST was configured. */
export interface InsertOptions {
  /** Whether the answer leaves joined relations out. */
  readonly shallow?: boolean;
  /** Whether a body may carry a new key that the database otherwise counts. */
  readonly allowGeneratedKey?: boolean;
}

/**
 * Inserts one record: never an update, whatever key the body carries.
 *
 * @example
 * return insertRecord(context, planWrite(catalog, body, 'insert'), { shallow: false });
 */
export async function insertRecord(
  context: WriteContext,
  plan: WritePlan,
  { shallow = false, allowGeneratedKey = false }: InsertOptions = {},
): Promise<Written> {
  const [direct] = (await insertReturning(context, [{ plan, path: '' }], { shallow })) ?? [];

  if (direct) {
    return direct;
  }

  return written(context, async (runner) => {
    const [key = {}] = await insertAll(context, runner, [{ plan, path: '' }], allowGeneratedKey);

    return { record: await reread(context, runner, key, { shallow }), key };
  });
}

/** Inserts all records or none; the answer has their order. */
export async function insertRecords(
  context: WriteContext,
  plans: readonly WritePlan[],
  { allowGeneratedKey = false }: InsertOptions = {},
): Promise<readonly Pick<Written, 'record' | 'json'>[]> {
  const records = plans.map((plan, index) => ({ plan, path: `bulk.${index}` }));
  const direct = await insertReturning(context, records, { shallow: true });

  if (direct) {
    return direct;
  }

  const stored = await written(context, async (runner) =>
    rereadAll(context, runner, await insertAll(context, runner, records, allowGeneratedKey)),
  );

  return stored.map((record) => ({ record }));
}

interface Sent {
  readonly plan: WritePlan;
  readonly path: string;
}

async function insertAll(
  { catalog }: WriteContext,
  runner: QueryRunner,
  records: readonly Sent[],
  allowGeneratedKey: boolean,
): Promise<Key[]> {
  const metadata = entityMetadataOf(catalog);

  if (!allowGeneratedKey) {
    for (const record of records) {
      await refuseCountedKey(runner, metadata, record);
    }
  }

  const entities = await insertGraph(runner, records);

  return entities.map((entity) => keyOf(metadata, entity) ?? {});
}

/** A key that the database counts is no client's to choose: 409 where a record has it, else 400. */
async function refuseCountedKey(runner: QueryRunner, metadata: EntityMetadata, { plan, path }: Sent): Promise<void> {
  const counted = plan.values.find(({ column, value }) => column.counted && column.primary && value !== null);

  if (!counted) {
    return;
  }

  const key = plan.values.filter(({ column }) => column.primary);
  const columns = key.map(({ column }) => metadataOf(column));
  const [stored] = await findRecords(runner, metadata, columns, {
    columns,
    values: key.map(({ value }: PlannedValue) => value),
  });
  const field = path ? `${path}.${counted.column.path}` : counted.column.path;

  throw stored
    ? crudError('CRUD_UNIQUE_VIOLATION', { field, message: [`${field} already exists`] })
    : crudError('CRUD_INVALID_BODY', { field, message: [`${field} is counted by the database and cannot be chosen`] });
}
