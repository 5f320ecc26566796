/** What every write is given, the record that it acts on, and the way its errors come out: scoped by path and auth conditions, refused with 404 where nothing is found, 409 where several are. */
import { type Catalog, crudError, type CrudRequest, planScope, type ReadPlan } from '@nestwright/crud';
import type { EntityManager, EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { toCrudError } from '../errors/to-crud-error.js';
import type { NeedsRecords } from '../json/record-plan.js';
import { read, type ReadOptions, whereOf } from '../sql/index.js';
import { locate } from './locate.js';
import { findRecords } from './find.js';
import { inTransaction } from './transaction.js';
import { keyOf, type Predicate } from './values.js';

/** What a write needs beside its plan. */
export interface WriteContext {
  /** The repository's manager; one that is in a transaction is joined. */
  readonly manager: EntityManager;
  readonly catalog: Catalog;
  readonly request: CrudRequest;
  /** Refuses the request for want of a record: a 404. */
  readonly notFound: () => never;
}

/** A key by property path. */
export type Key = Readonly<Record<string, unknown>>;

/** A record just written, as the request wants to see it, and its key, which the request may not want to see. */
export interface Written<Record = ObjectLiteral> {
  readonly record: Record;
  readonly key: Key;
  /** The record as JSON text, or why there is none. Default: there is none. */
  readonly json?: string | NeedsRecords;
}

/** The record that a request acts on, and the condition that says so. */
export interface Target {
  readonly metadata: EntityMetadata;
  readonly scope: ReadPlan;
  readonly where: Predicate;
  readonly key: Key;
  /** Whether the database has been asked that the record is there. */
  readonly confirmed: boolean;
}

/**
 * Runs a write in a transaction; the database's complaints come out as exceptions with code and field.
 *
 * @example
 * return written(context, (runner) => insertAndRead(runner));
 */
export async function written<T>(
  { manager, catalog }: Pick<WriteContext, 'manager' | 'catalog'>,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(manager, work);
  } catch (error) {
    throw toCrudError(await locate(manager, error), entityMetadataOf(catalog));
  }
}

/**
 * Finds the record that the request acts on. Its key is taken from the path where it is there, and from the database otherwise, where exactly one record must match: several
 * are a 409. Undefined where nothing matches, which is known for certain only if the answer is to be `confirmed`.
 */
export async function findTarget(
  { catalog, request }: WriteContext,
  runner: QueryRunner,
  { confirm = false, withDeleted = false }: { readonly confirm?: boolean; readonly withDeleted?: boolean } = {},
): Promise<Target | undefined> {
  const metadata = entityMetadataOf(catalog);
  const scope = planScope(request, catalog, { withDeleted });
  const where = whereOf(scope, runner, readOptions(request));
  const known = keyOfPath(request, catalog);

  if (known && scope.root.joins.length > 0) {
    await lockRow(runner, metadata, known);
  }

  if (known && !confirm) {
    return { metadata, scope, where, key: known, confirmed: false };
  }

  const found = await read({ ...scope, limit: 2 }, runner, readOptions(request));

  if (found.length > 1) {
    throw crudError('CRUD_CONFLICT', { message: `Several records of ${catalog.model} match` });
  }

  const key = found[0] && keyOf(metadata, found[0]);

  return key && { metadata, scope, where, key, confirmed: true };
}

/** A scope over relations is looked up beside the record, and not again when the record changes while the statement waits for it: so wait first. */
async function lockRow(runner: QueryRunner, metadata: EntityMetadata, key: Key): Promise<void> {
  const values = metadata.primaryColumns.map(({ propertyPath }) => key[propertyPath]);

  await findRecords(runner, metadata, metadata.primaryColumns, {
    columns: metadata.primaryColumns,
    values,
    locked: true,
  });
}

/** Whether the record is there and in scope, asked of the database. */
export async function isThere({ request }: WriteContext, runner: QueryRunner, { scope }: Target): Promise<boolean> {
  return (await read({ ...scope, limit: 1 }, runner, readOptions(request))).length > 0;
}

/** What reading a request's plans needs beside them. */
export function readOptions({ options }: CrudRequest): ReadOptions {
  return { operators: options?.operators?.custom };
}

/** Refuses a version that is not the stored one: 409. */
export async function checkVersion(
  context: WriteContext,
  runner: QueryRunner,
  { metadata, key }: Target,
  expected: number | undefined,
): Promise<void> {
  const column = metadata.versionColumn;

  if (!column || expected === undefined) {
    return;
  }

  const [stored] = await findRecords(runner, metadata, [column], {
    columns: metadata.primaryColumns,
    values: metadata.primaryColumns.map((primary) => key[primary.propertyPath]),
  });

  if (Number(stored && column.getEntityValue(stored)) !== expected) {
    throw crudError('CRUD_STALE_VERSION', {
      field: column.propertyPath,
      message: [
        `${column.propertyPath} is not the stored one: the ${context.catalog.model} was changed in the meantime`,
      ],
    });
  }
}

/** The key that the path names; undefined where the path does not name all of it. */
export function keyOfPath({ parsed }: CrudRequest, { primary }: Catalog): Key | undefined {
  const given = new Map(
    (parsed.paramsFilter ?? [])
      .filter(({ operator }) => operator === '$eq' || operator === 'eq')
      .map(({ field, value }) => [field, value]),
  );

  return primary.length > 0 && primary.every(({ path }) => isPresent(given.get(path)))
    ? Object.fromEntries(primary.map(({ path }) => [path, given.get(path)]))
    : undefined;
}

/** The key that a record has in the fields named; undefined where it does not show all of them. */
export function keyIn(record: ObjectLiteral, fields: readonly string[]): Key | undefined {
  return fields.length > 0 && fields.every((field) => isPresent(record[field]))
    ? Object.fromEntries(fields.map((field) => [field, record[field] as unknown]))
    : undefined;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
