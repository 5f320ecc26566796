/** What the headers of a request say of it: `If-Match` and `If-None-Match` of writes, the type of a body. */
import { RequestMethod } from '@nestjs/common';
import type { CrudRequest, Preconditions } from '../crud-request.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { isManyRoute } from '../definition/route-behaviour.js';
import { crudError } from '../errors.js';
import { namedTags } from './entity-tag.js';
import { type BaseRouteName, CrudActions, ROUTES } from '../routes/route-table.js';
import { type HttpRequest, readHeader } from '../response/request-state.js';

const JSON_TYPE = 'application/json';

/** The checks of a route's headers, in their order. */
export function listRefusals(
  { options: { routes } }: ResourceDefinition,
  route: BaseRouteName | undefined,
): ((http: HttpRequest) => void)[] {
  if (!route) return [];
  const { requireMatch } = (routes[route] ?? {}) as { readonly requireMatch?: boolean };
  const isMany = isManyRoute(route);

  return [
    ...(ROUTES[route].also ? [(http: HttpRequest) => refuseOtherMediaTypes(http, route)] : []),
    // Records of a bulk carry their version in the body.
    ...(requireMatch && !isMany ? [(http: HttpRequest) => refuseUnconditional(http, route)] : []),
    ...(isMany ? [refuseBulkPrecondition] : []),
  ];
}

/**
 * Refuses a POST to the second path of a route if its body is not JSON: browsers send forms and plain text to another
 * origin without asking it first.
 */
function refuseOtherMediaTypes(http: HttpRequest, route: BaseRouteName): void {
  if (http.method !== RequestMethod[ROUTES[route].also!.method]) return;
  const [type = ''] = (readHeader(http, 'content-type') ?? '').split(';');
  if (type.trim().toLowerCase() === JSON_TYPE) return;

  throw crudError('CRUD_UNSUPPORTED_MEDIA_TYPE', { field: 'Content-Type' });
}

/** Refuses a request without preconditions if its route requires them (`requireMatch`). */
function refuseUnconditional(http: HttpRequest, route: BaseRouteName): void {
  if (readHeader(http, 'if-match') !== undefined) return;
  // A creation overwrites nothing.
  if (route === 'replaceOneBase' && createsOnly(http)) return;

  throw crudError('CRUD_PRECONDITION_REQUIRED', { field: 'If-Match' });
}

/** Refuses an entity tag on a request that writes many records: a tag identifies the state of one. */
function refuseBulkPrecondition(http: HttpRequest): void {
  if (http.headers?.['if-match'] === undefined) return;

  throw crudError('CRUD_INVALID_QUERY', { message: 'If-Match cannot be sent for many records', field: 'If-Match' });
}

/** Puts what the client expects of the stored record on its request. */
export function setPreconditions(request: CrudRequest, http: HttpRequest, action: string | undefined): void {
  const ifMatch = readHeader(http, 'if-match');
  const preconditions: Preconditions = {
    ...(ifMatch !== undefined && { ifMatch }),
    ...(action === CrudActions.ReplaceOne && createsOnly(http) && { ifNoneMatch: '*' }),
  };

  if (Object.keys(preconditions).length > 0) request.preconditions = preconditions;
}

function createsOnly(http: HttpRequest): boolean {
  const header = readHeader(http, 'if-none-match');

  return header !== undefined && namedTags(header) === '*';
}
