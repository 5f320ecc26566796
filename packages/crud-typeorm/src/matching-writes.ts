/** The verbs that write all records which a client's condition matches. */
import type { AffectedResponse } from '@nestwright/crud';
import { crudError, manyOptions, planScope, type WritePlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral, QueryRunner } from 'typeorm';
import { type BulkWrite, makeKeyRequest, refuseEmpty } from './bulk-writes.js';
import { getEntityMetadata } from './catalog/catalog.js';
import { write } from './persist/write.js';
import { makeReadOptions, runRead } from './read-requests.js';
import { read } from './sql/index.js';
import { withoutTransaction } from './statements/transaction.js';
import { emptyPlan } from './statements/changes.js';
import { type Key, readKey } from './statements/values.js';
import type { Write, WriteItem } from './statements/write-context.js';
import { isShown, readsByHook } from './writes-under-hooks.js';

/** Most records that one condition may match, unless the options say otherwise. */
const MAX_AFFECTED = 1000;

/** `PATCH /bulk` by a condition. */
export async function setMatching<T extends ObjectLiteral>(
  bulk: BulkWrite<T>,
  body: unknown,
): Promise<AffectedResponse> {
  const { service, context } = bulk;
  const { allowParamsOverride, maxAffected } = manyOptions(context.request.options?.routes, 'updateManyBase');
  const set = (body as { set?: unknown } | undefined)?.set;

  if (typeof set !== 'object' || set === null) return refuseEmpty(service);

  const plan = ownColumns(bulk.plan(set, 'update', { path: 'set', request: context.request, allowParamsOverride }));

  return writeMatching(bulk, { verb: 'update', plan, path: 'set' }, maxAffected);
}

/** `DELETE /bulk` by a condition. */
export function deleteMatching<T extends ObjectLiteral>(bulk: BulkWrite<T>): Promise<AffectedResponse> {
  const { request, catalog } = bulk.context;
  const { query, routes } = request.options ?? {};
  const removal = { verb: 'remove', plan: emptyPlan(catalog), path: '', soft: query?.softDelete } as const;

  return writeMatching(bulk, removal, manyOptions(routes, 'deleteManyBase').maxAffected);
}

/** Writes the records that still match once they are locked, each as the route of one record would; all or none. */
async function writeMatching<T extends ObjectLiteral>(
  bulk: BulkWrite<T>,
  { verb, soft, ...item }: Pick<Write, 'verb' | 'soft'> & Pick<WriteItem, 'plan' | 'path'>,
  most?: number,
): Promise<AffectedResponse> {
  const { context } = bulk;
  const keys = await findMatchingKeys(bulk, most);
  const items = keys.map((key) => ({ ...item, context, key }));
  if (items.length === 0) return { affected: 0 };

  const { affected } = await write({ verb, soft, context, items, answer: 'none', skipsMissing: true });

  return { affected };
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
