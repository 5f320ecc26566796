/** Bodies as they are stored: with the values that the request's scope sets, and planned. */
import type { CrudRequest } from '../crud-request.js';
import { crudError } from '../errors.js';
import type { Catalog } from '../plan/catalog.js';
import { readPersistedKey } from '../plan/nested-scope.js';
import { isUnassignedKey } from '../plan/write-context.js';
import type { BodyScope } from '../plan/body-scope.js';
import { catalogFor } from '../plan/changed-options.js';
import { planWrite } from '../plan/write.js';
import type { WriteMode, WritePlan } from '../plan/write-plan.js';
import { HookedService } from './hooked.service.js';
import { refuseEmpty } from './refusals.js';
import { copyScoped, makeBodyScope } from './scoped-body.js';
import { STORE } from './store.js';

/** A copy of a body with path values and `persist` in it. */
export function scopeBody<T, DTO, Manager, B extends object>(
  service: HookedService<T, DTO, Manager>,
  body: B,
  request: CrudRequest,
  allowParamsOverride?: boolean,
): B {
  const scope = readBodyScope(service, request, allowParamsOverride);

  return copyScoped(service[STORE], body, scope, catalogFor(service, request));
}

/** What a request puts into the bodies of a service. */
export function readBodyScope<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  allowParamsOverride?: boolean,
): BodyScope {
  const { parsed } = request;

  return makeBodyScope(parsed, service['getParamFilters'](parsed), catalogFor(service, request), allowParamsOverride);
}

/**
 * The plan of a scoped body.
 *
 * @param path The body's path in the request's. Default: it is the body.
 */
export function planBody<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  body: object,
  mode: WriteMode,
  path?: string,
): WritePlan {
  const scope = readBodyScope(service, request);
  const plan = planWrite(catalogFor(service, request), body, mode, { path, scope });

  return mode === 'insert' ? plan : withoutPath(plan, request);
}

/** The record has the path's values already, or it would not be found, so they are not written again. */
function withoutPath(plan: WritePlan, { parsed }: CrudRequest): WritePlan {
  const path = new Map((parsed.paramsFilter ?? []).map(({ field, value }) => [field, value as unknown]));

  return { ...plan, values: plan.values.filter(({ column, value }) => path.get(column.path) !== value) };
}

/** A body of POST, as the service's hook prepares it. */
export function prepareBody<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  dto: DTO,
): object {
  const entity = (service['prepareEntityBeforeSave'](dto, request.parsed) ?? refuseEmpty(service)) as object;
  const own = service['prepareEntityBeforeSave'] !== HookedService.prototype['prepareEntityBeforeSave'];

  return own ? scopeBody(service, entity, request) : entity;
}

/** Refuses to create records if `persist` names a key that the column cannot store: 400. */
export function requireStorableKey(request: CrudRequest, catalog: Catalog): void {
  const persisted = readPersistedKey(request.parsed.authPersist as object | undefined, catalog);

  for (const [column, value] of persisted)
    if (value === undefined || isUnassignedKey(column, value)) throw crudError('CRUD_OUT_OF_SCOPE');
}

/** A plan that stores nothing. */
export function emptyPlan(catalog: Catalog): WritePlan {
  return { catalog, values: [], links: [], cascades: [] };
}
