/** Reads `If-Match` and `If-None-Match` of writes. */
import type { CrudRequest, Preconditions } from '../crud-request.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { isManyRoute } from '../definition/route-behaviour.js';
import { crudError } from '../errors/errors.js';
import { namedTags } from '../response/entity-tag.js';
import { type BaseRouteName, CrudActions } from '../routes/route-table.js';
import type { HttpRequest } from './request-context.js';

type Resource = Pick<ResourceDefinition, 'options'>;

/** The text of a header; undefined if it was not sent. */
export function headerOf({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers?.[name];

  return typeof value === 'string' ? value : undefined;
}

/**
 * Refuses a request without preconditions if its route requires them (`requireMatch`).
 *
 * @throws HttpException 428 `CRUD_PRECONDITION_REQUIRED`.
 */
export function refuseUnconditional(
  { options: { routes } }: Resource,
  route: BaseRouteName | undefined,
  http: HttpRequest,
): void {
  const options = (route && routes[route]) as { readonly requireMatch?: boolean } | undefined;
  // Records of a bulk carry their version in the body.
  if (!options?.requireMatch || isManyRoute(route) || headerOf(http, 'if-match') !== undefined) return;
  // A creation overwrites nothing.
  if (route === 'replaceOneBase' && createsOnly(http)) return;

  throw crudError('CRUD_PRECONDITION_REQUIRED', { field: 'If-Match' });
}

/** Refuses an entity tag on a request that writes many records: a tag identifies the state of one. */
export function refuseBulkPrecondition(http: HttpRequest, route: BaseRouteName | undefined): void {
  if (!isManyRoute(route) || http.headers?.['if-match'] === undefined) return;

  throw crudError('CRUD_INVALID_QUERY', { message: 'If-Match cannot be sent for many records', field: 'If-Match' });
}

/** Puts what the client expects of the stored record on its request, if the resource has entity tags. */
export function setPreconditions(
  request: CrudRequest,
  { options: { query } }: Resource,
  action: string | undefined,
  http: HttpRequest,
): void {
  if (query.etag !== true) return;

  const ifMatch = headerOf(http, 'if-match');
  const preconditions: Preconditions = {
    ...(ifMatch !== undefined && { ifMatch }),
    ...(action === CrudActions.ReplaceOne && createsOnly(http) && { ifNoneMatch: '*' }),
  };

  if (Object.keys(preconditions).length > 0) request.preconditions = preconditions;
}

function createsOnly(http: HttpRequest): boolean {
  const header = headerOf(http, 'if-none-match');

  return header !== undefined && namedTags(header) === '*';
}
