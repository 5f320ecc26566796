import type { CrudRequest } from '../crud-request.js';
import { catalogFor } from '../plan/changed-options.js';
import { requestOfItem } from '../plan/item-keys.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { HookedService } from './hooked.service.js';
import { findHooks } from './hooks.js';
import { refuseUnknown } from './refusals.js';
import { type Key, STORE, type WriteContext } from './store.js';

/** A service and one of its requests. */
export interface ServiceWrite<T, DTO, Manager> {
  readonly service: HookedService<T, DTO, Manager>;
  readonly context: WriteContext;
}

/** What the verbs that write need of the service. */
export function makeServiceWrite<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  route: BaseRouteName,
): ServiceWrite<T, DTO, Manager> {
  return { service, context: makeWriteContext(service, request, route) };
}

/** What one write is given, with the hooks of the service if it has any. */
export function makeWriteContext<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  route: BaseRouteName,
): WriteContext {
  const hooks = findHooks(service, request, route);

  return {
    store: service[STORE],
    ...(hooks && { hooks }),
    catalog: catalogFor(service, request),
    request,
    notFound: () => refuseUnknown(service),
  };
}

/** A request for the record of a key. */
export function makeKeyRequest(request: CrudRequest, key: Key): CrudRequest {
  const conditions = Object.entries(key).map(([field, value]) => ({ field, operator: '$eq', value }));

  return requestOfItem(request, conditions);
}
