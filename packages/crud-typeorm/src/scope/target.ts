/**
 * The record that a write acts on, found by path and auth conditions and locked if the write depends on what is stored;
 * 404 if there is none, 409 if several match.
 */
import { crudError, isConditional, planScope } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { getEntityMetadata } from '../catalog/catalog.js';
import { nameField } from '../errors/blame.js';
import { compileWhere, joinAll, read, type Sql } from '../sql/index.js';
import { findRecords } from '../statements/find.js';
import { requireTag } from './row-tag.js';
import { type Key, keyPredicate, readKey } from '../statements/values.js';
import { readOptions, readPathKey, type WriteContext } from '../statements/write-context.js';

/** The record that a request acts on, and the condition that it is in scope. */
export interface Target {
  readonly metadata: EntityMetadata;
  readonly where: Sql;
  readonly key: Key;
}

interface TargetOptions {
  /** Whether a soft-deleted record is found too. Default: `false`. */
  readonly withDeleted?: boolean;
}

/**
 * The key of the record that a request acts on: the path's if it names all of it, else that of the one record in
 * scope. Call it before the transaction begins. Several records are a 409; none is the key of `otherwise`, or a 404.
 */
export async function findKey(
  { catalog, request, notFound }: WriteContext,
  runner: QueryRunner,
  { withDeleted = false, otherwise }: TargetOptions & { readonly otherwise?: Key } = {},
): Promise<Key> {
  const known = readPathKey(request, catalog);
  if (known) return known;

  const scope = planScope(request, catalog, { withDeleted });
  const found = await read({ ...scope, limit: 2 }, runner, readOptions(request));

  if (found.length > 1) throw crudError('CRUD_CONFLICT', { message: `Several records of ${catalog.model} match` });

  return (found[0] && readKey(getEntityMetadata(catalog), found[0])) ?? otherwise ?? notFound();
}

/** The condition for UPDATE and DELETE that a record has the key and is in scope. */
export async function prepareTarget(
  { catalog, request }: WriteContext,
  runner: QueryRunner,
  key: Key,
  { withDeleted = false }: TargetOptions = {},
): Promise<Target> {
  const metadata = getEntityMetadata(catalog);
  const scope = planScope(request, catalog, { withDeleted });

  // A scope over relations is not evaluated again after waiting for the record's lock, so the lock is taken first.
  if (scope.root.joins.length > 0)
    await findRecords(runner, metadata, metadata.primaryColumns, { where: keyPredicate(metadata, key), locked: true });

  return { metadata, key, where: compileWhere(scope, runner, readOptions(request)) };
}

/**
 * Locks the record for the rest of the transaction, in its current state rather than the snapshot's; `false` if it
 * does not exist or is out of scope. A stale version is a 409, a failed precondition a 412.
 */
export async function lockTarget(
  context: WriteContext,
  runner: QueryRunner,
  { metadata, key, where }: Target,
  expectedVersion?: number,
): Promise<boolean> {
  const version = expectedVersion === undefined ? undefined : metadata.versionColumn;
  const [stored] = await findRecords(runner, metadata, [...metadata.primaryColumns, ...(version ? [version] : [])], {
    where: joinAll([where, keyPredicate(metadata, key)]),
    locked: true,
  });

  if (stored && isConditional(context.request)) await requireTag(context, runner, metadata, key);

  if (stored && version) refuseStale(context, version, { record: stored, expectedVersion });

  return stored !== undefined;
}

/** A stored record and the version that the client expects. */
interface Expected {
  readonly record: ObjectLiteral;
  readonly expectedVersion: number | undefined;
  /** The record's path in the body. Default: it is the body. */
  readonly path?: string;
}

/** Refuses a version that is not the stored one: 409. */
export function refuseStale(
  { catalog }: Pick<WriteContext, 'catalog'>,
  version: ColumnMetadata,
  { record, expectedVersion, path }: Expected,
): void {
  if (Number(version.getEntityValue(record)) === expectedVersion) return;

  const field = nameField(path, version.propertyPath);

  throw crudError('CRUD_STALE_VERSION', {
    field,
    message: [`${field} is not the stored one: the ${catalog.model} was changed in the meantime`],
  });
}
