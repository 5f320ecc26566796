import { crudError, planScope } from '@nestwright/crud/adapter';
import type { ObjectLiteral, QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import { compileWhere, joinAll } from '../sql/index.js';
import { findRecords } from '../statements/find.js';
import { batches, type Key, keysPredicate, keyText, keyValues, readKey, recordKeyText } from '../statements/values.js';
import { readOptions, type WriteContext } from '../statements/write-context.js';
import { refuseStale } from './target.js';

/** Kinds of columns whose equal values have equal texts. */
const EXACT: ReadonlySet<string> = new Set(['integer', 'bigint', 'uuid']);

/** A record that an item of a bulk names. */
interface NamedTarget {
  readonly key: Key;
  /** The item's path in the body. */
  readonly path: string;
  /** The version that the client expects to find. Default: any. */
  readonly expectedVersion?: number | undefined;
}

/**
 * Locks the records under some keys, as they are now, for the rest of the transaction. The answer is the stored key of
 * each; undefined if there is no record in scope. A record that is named twice is a 400, a version that is not the
 * stored one a 409.
 */
export async function lockTargets(
  context: WriteContext,
  runner: QueryRunner,
  targets: readonly NamedTarget[],
  { withDeleted = false }: { readonly withDeleted?: boolean } = {},
): Promise<(Key | undefined)[]> {
  const metadata = getEntityMetadata(context.catalog);
  const { versionColumn } = metadata;
  const isVersioned = targets.some(({ expectedVersion }) => expectedVersion !== undefined);
  const lock = makeLocker(context, runner, { withDeleted, isVersioned });
  const found = new Map<string, ObjectLiteral>();

  for (const some of batches(targets))
    for (const record of await lock(some.map(({ key }) => key))) found.set(recordKeyText(metadata, record), record);

  const isExact = context.catalog.primary.every(({ kind, transformed }) => EXACT.has(kind) && !transformed);
  const named = new Map<string, string>();
  const keys: (Key | undefined)[] = [];

  for (const { key, path, expectedVersion } of targets) {
    const text = keyText(keyValues(metadata, key));
    // Texts that the database considers equal may differ (`AB` and `ab`, `1.5` and `1.50`).
    const record = found.get(text) ?? (isExact ? undefined : (await lock([key]))[0]);

    requireUnnamed(named, record ? recordKeyText(metadata, record) : text, path);
    if (record && versionColumn && expectedVersion !== undefined)
      refuseStale(context, versionColumn, { record, expectedVersion, path });

    keys.push(record && readKey(metadata, record));
  }

  return keys;
}

/** Refuses a record that an earlier item of the body names too: one would overwrite the other. */
export function requireUnnamed(named: Map<string, string>, text: string, path: string): void {
  const before = named.get(text);

  if (before !== undefined)
    throw crudError('CRUD_INVALID_BODY', { field: path, message: [`${path} names the same record as ${before}`] });

  named.set(text, path);
}

/**
 * Locks those of some records that still match the condition of the request, for the rest of the transaction, in the
 * order of their keys.
 *
 * @example
 * const keys = await lockMatching(context, runner, [{ id: 3 }, { id: 7 }]); // [{ id: 3 }]
 */
export async function lockMatching(context: WriteContext, runner: QueryRunner, keys: readonly Key[]): Promise<Key[]> {
  const metadata = getEntityMetadata(context.catalog);
  const lock = makeLocker(context, runner, {});
  const locked: Key[] = [];

  for (const some of batches(keys)) {
    const found = await lock(some);
    locked.push(...found.map((record) => readKey(metadata, record)).filter((key) => key !== undefined));
  }

  return locked;
}

/** Finds and locks the records of some keys that are in scope; reads their versions if asked to. */
function makeLocker(
  { catalog, request }: WriteContext,
  runner: QueryRunner,
  { withDeleted = false, isVersioned = false },
): (keys: readonly Key[]) => Promise<ObjectLiteral[]> {
  const metadata = getEntityMetadata(catalog);
  const { primaryColumns, versionColumn } = metadata;
  const scope = planScope(request, catalog, { withDeleted });
  const inScope = compileWhere(scope, runner, readOptions(request));

  return async (keys) => {
    const named = keysPredicate(metadata, keys);

    // As for one record: a scope over relations is not evaluated again after waiting, so lock first.
    if (scope.root.joins.length > 0)
      await findRecords(runner, metadata, primaryColumns, { where: named, locked: true, sorted: true });

    return findRecords(
      runner,
      metadata,
      [...primaryColumns, ...(isVersioned && versionColumn ? [versionColumn] : [])],
      {
        where: joinAll([inScope, named]),
        locked: true,
        sorted: true,
      },
    );
  };
}
