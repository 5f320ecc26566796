/** The verbs that write all records which a client's condition matches. */
import { manyOptions } from '../definition/route-behaviour.js';
import { crudError } from '../errors.js';
import { planScope } from '../plan/read.js';
import type { WritePlan } from '../plan/write-plan.js';
import type { AffectedResponse } from '../service/crud.service.js';
import { emptyPlan, planBody, scopeBody } from './bodies.js';
import { makeKeyRequest, type ServiceWrite } from './write-context.js';
import { makeReadOptions } from './pages.js';
import { refuseEmpty } from './refusals.js';
import { isShown } from './shown.js';
import type { Key, Write, WriteItem } from './store.js';

/** Most records that one condition may match, unless the options say otherwise. */
const MAX_AFFECTED = 1000;

const { compare } = new Intl.Collator('en', { numeric: true });

/** `PATCH /bulk` by a condition. */
export async function setMatching<T, DTO, Manager>(
  bulk: ServiceWrite<T, DTO, Manager>,
  body: unknown,
): Promise<AffectedResponse> {
  const { service, context } = bulk;
  const { allowParamsOverride, maxAffected } = manyOptions(context.request.options?.routes, 'updateManyBase');
  const set = (body as { set?: unknown } | undefined)?.set;

  if (typeof set !== 'object' || set === null) return refuseEmpty(service);

  const scoped = scopeBody(service, set, context.request, allowParamsOverride);
  const plan = ownColumns(planBody(service, context.request, scoped, 'update', 'set'));

  return writeMatching(bulk, { verb: 'update', plan, path: 'set' }, maxAffected);
}

/** `DELETE /bulk` by a condition. */
export function deleteMatching<T, DTO, Manager>(bulk: ServiceWrite<T, DTO, Manager>): Promise<AffectedResponse> {
  const { request, catalog } = bulk.context;
  const { query, routes } = request.options ?? {};
  const removal = { verb: 'remove', plan: emptyPlan(catalog), path: '', soft: query?.softDelete } as const;

  return writeMatching(bulk, removal, manyOptions(routes, 'deleteManyBase').maxAffected);
}

/** Writes the records that still match once they are locked, each as the route of one record would; all or none. */
async function writeMatching<T, DTO, Manager>(
  bulk: ServiceWrite<T, DTO, Manager>,
  { verb, soft, ...item }: Pick<Write, 'verb' | 'soft'> & Pick<WriteItem, 'plan' | 'path'>,
  most?: number,
): Promise<AffectedResponse> {
  const { context } = bulk;
  const keys = await findMatchingKeys(bulk, most);
  const items = keys.map((key) => ({ ...item, context, key }));
  if (items.length === 0) return { affected: 0 };

  const { affected } = await context.store.write({ verb, soft, context, items, answer: 'none', skipsMissing: true });

  return { affected };
}

/** Values set on many records cannot include a version or nested records, only columns and links. */
function ownColumns(plan: WritePlan): WritePlan {
  if (plan.expectedVersion !== undefined) {
    const field = `set.${plan.catalog.version!.path}`;
    throw crudError('CRUD_INVALID_BODY', { field, message: [`${field} is the version of one record`] });
  }

  return { ...plan, links: [], cascades: [] };
}

/**
 * The keys of the records that a request's condition matches and that the service's read hooks show; too many are a
 * 400.
 */
async function findMatchingKeys<T, DTO, Manager>(
  { service, context: { store, request, catalog } }: ServiceWrite<T, DTO, Manager>,
  most = MAX_AFFECTED,
): Promise<Key[]> {
  const plan = { ...planScope(request, catalog), limit: most + 1 };
  const keys = await store.readKeys(plan, makeReadOptions(request));
  // Records are written, and hooks called, in this order, whatever order the database finds them in.
  keys.sort((one, other) => compare(String(Object.values(one)), String(Object.values(other))));

  if (keys.length > most) {
    throw crudError('CRUD_LIMIT_EXCEEDED', {
      field: 'filter',
      message: `The condition matches more than ${most} records`,
    });
  }

  const shown: Key[] = [];
  for (const key of keys) if (await isShown(service, makeKeyRequest(request, key))) shown.push(key);

  return shown;
}
