/** The verbs that write all records which a client's condition matches. */
import type { AffectedResponse } from '@nestwright/crud';
import { crudError, manyOptions, planScope, type WritePlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral, QueryRunner } from 'typeorm';
import { type BulkWrite, makeKeyRequest, refuseEmpty } from './bulk-writes.js';
import { getEntityMetadata } from './catalog/catalog.js';
import { removeMatching, updateMatching } from './persist/matching.js';
import { makeReadOptions, runRead } from './read-requests.js';
import { read } from './sql/index.js';
import { withoutTransaction } from './statements/transaction.js';
import { type Key, readKey } from './statements/values.js';
import { isShown, readsByHook } from './writes-under-hooks.js';

/** Most records that one condition may match, unless the options say otherwise. */
const MAX_AFFECTED = 1000;

/** `PATCH /bulk` by a condition. */
export async function setMatching<T extends ObjectLiteral>(
  write: BulkWrite<T>,
  body: unknown,
): Promise<AffectedResponse> {
  const { service, context } = write;
  const { allowParamsOverride, maxAffected } = manyOptions(context.request.options?.routes, 'updateManyBase');
  const set = (body as { set?: unknown } | undefined)?.set;

  if (typeof set !== 'object' || set === null) return refuseEmpty(service);

  const plan = ownColumns(write.plan(set, 'update', { path: 'set', request: context.request, allowParamsOverride }));
  const keys = await findMatchingKeys(write, maxAffected);

  return { affected: await updateMatching(context, keys, plan) };
}

/** `DELETE /bulk` by a condition. */
export async function deleteMatching<T extends ObjectLiteral>(write: BulkWrite<T>): Promise<AffectedResponse> {
  const { query, routes } = write.context.request.options ?? {};
  const keys = await findMatchingKeys(write, manyOptions(routes, 'deleteManyBase').maxAffected);

  return { affected: await removeMatching(write.context, keys, query?.softDelete ?? false) };
}

/** Values set on many records cannot include a version or nested records, only columns and links. */
function ownColumns(plan: WritePlan): WritePlan {
  const { version } = plan.catalog;

  if (version && plan.expectedVersion !== undefined) {
    const field = `set.${version.path}`;
    throw crudError('CRUD_INVALID_BODY', { field, message: [`${field} is the version of one record`] });
  }

  return { ...plan, links: [], cascades: [] };
}

/**
 * The keys of the records that a request's condition matches and that the service's read hooks show; too many are a
 * 400.
 */
async function findMatchingKeys<T extends ObjectLiteral>(
  { service, context: { request, catalog } }: BulkWrite<T>,
  most = MAX_AFFECTED,
): Promise<Key[]> {
  const repository = service['repo'];
  const plan = { ...planScope(request, catalog), limit: most + 1 };
  const { manager } = repository;
  const findMatches = (runner: QueryRunner) => read(plan, runner, makeReadOptions(request));
  // Read from the primary: a replica may lag behind.
  const found = await runRead(repository, () =>
    manager.queryRunner ? findMatches(manager.queryRunner) : withoutTransaction(manager, findMatches),
  );

  if (found.length > most) {
    throw crudError('CRUD_LIMIT_EXCEEDED', {
      field: 'filter',
      message: `The condition matches more than ${most} records`,
    });
  }

  const metadata = getEntityMetadata(catalog);
  const keys = found.map((record) => readKey(metadata, record)).filter((key) => key !== undefined);
  if (!readsByHook(service)) return keys;

  const shown: Key[] = [];
  for (const key of keys) if (await isShown(service, makeKeyRequest(request, key))) shown.push(key);

  return shown;
}
