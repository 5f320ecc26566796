import { types } from 'node:util';
import { isObservable, lastValueFrom } from 'rxjs';
import type { CrudRequest } from '../crud-request.js';
import { forApplication } from '../plan/changed-options.js';
import { isExport } from '../plan/paging.js';
import { type CrudResult, type ListExport, NeedsRecords } from '../response/result.js';
import { type BaseRouteName, type RouteDescriptor, routeNames, ROUTES } from '../routes/route-table.js';
import type { CrudService } from './crud.service.js';

/**
 * For adapters: name of the method by which a service answers with a result; see {@link ResultService}. No two copies
 * of this package share it.
 */
export const RESULT = Symbol('result');

/** For adapters: a service whose results may leave as JSON text. */
export interface ResultService {
  /**
   * Runs the verb. Returns `NeedsRecords` if the application overrides a method involved, and `undefined` if the verb
   * has no text; in both cases nothing was done.
   */
  [RESULT](verb: Verb, request: CrudRequest, body?: unknown): Promise<CrudResult> | NeedsRecords | undefined;
}

type Service = CrudService<object> & Partial<ResultService>;

/** Runs the verb of a route by the adapter's own way if it has one, else by the service's method. */
export function runVerb(
  service: Service,
  route: BaseRouteName,
  request: CrudRequest,
  body: unknown,
): Promise<CrudResult> {
  const { text, verb } = ROUTES[route];
  if (!text || asksForExport(route, request) || typeof service?.[RESULT] !== 'function')
    return runPlain(service, route, request, body);

  // A proxy may replace a verb without the service behind it noticing.
  const result = hasProxy(service)
    ? new NeedsRecords('a Proxy over the service')
    : service[RESULT](verb, request, body);

  return result instanceof Promise ? result : runPlain(service, route, request, body, result);
}

async function runPlain(
  service: Service,
  route: BaseRouteName,
  request: CrudRequest,
  body: unknown,
  obstacle?: NeedsRecords,
): Promise<CrudResult> {
  const returned = callVerb(service, route, request, body);
  // Nest takes the last value of an Observable, too.
  const value = isObservable(returned) ? await lastValueFrom(returned, { defaultValue: undefined }) : await returned;

  return { records: () => value, ...(obstacle && { text: () => obstacle }) };
}

/** What the method of a route's verb returns. An overriding method may change its request. */
export function callVerb(
  service: Service,
  route: BaseRouteName,
  request: CrudRequest,
  body: unknown,
): Promise<unknown> {
  const exported = asksForExport(route, request) && service ? makeListExport(service, request) : undefined;
  if (exported) return Promise.resolve(exported);

  const { verb, verbByCondition, body: kind } = ROUTES[route];
  const verbs = service as unknown as Record<string, (...parameters: unknown[]) => Promise<unknown>>;
  const name = isMatching(route, body) ? verbByCondition! : verb;
  const handed = isLibraryVerb(verbs[name]!) ? request : forApplication(request);

  return kind === undefined ? verbs[name]!(handed) : verbs[name]!(handed, body);
}

/** Whether a body names no keys, but says what becomes of all records that the condition matches. */
function isMatching(route: BaseRouteName, body: unknown): boolean {
  const { bulk, set, matching } = (body ?? {}) as { bulk?: unknown; set?: unknown; matching?: unknown };

  return ROUTES[route].verbByCondition !== undefined && bulk === undefined && (set !== undefined || matching === true);
}

/** Name of a method that a generated handler calls. */
export type Verb = RouteDescriptor['verb'] | NonNullable<RouteDescriptor['verbByCondition']>;

const libraryVerbs = new WeakSet<object>();

/**
 * For adapters: declares that the verbs of a class do not modify their requests, so that they can be given the
 * resource's own options.
 *
 * @example
 * noteVerbs(TypeOrmCrudService.prototype);
 */
export function noteVerbs(prototype: Readonly<Partial<Record<Verb, object>>>): void {
  for (const name of routeNames()) {
    const { verb, verbByCondition } = ROUTES[name];

    for (const method of [prototype[verb], verbByCondition && prototype[verbByCondition]])
      if (method) libraryVerbs.add(method);
  }
}

/** Whether a method is a verb of the library's. */
function isLibraryVerb(method: object): boolean {
  return libraryVerbs.has(method);
}

/**
 * For adapters: name of the method by which a service exports a list; see {@link ExportingService}. No two copies of
 * this package share it.
 */
export const EXPORT = Symbol('export');

/** For adapters: a service that reads whole lists part by part. */
export interface ExportingService {
  /** The requested list, not read yet; undefined if the application overrides how lists are read. */
  [EXPORT](request: CrudRequest): ListExport | undefined;
}

/** Whether a route answers a request with a whole list in another format than JSON. */
export function asksForExport(route: BaseRouteName | undefined, { parsed, options }: CrudRequest): boolean {
  return route === 'getManyBase' && isExport(parsed ?? {}, options?.query ?? {});
}

/** The export of a service that reads lists itself. */
function makeListExport(service: object, request: CrudRequest): ListExport | undefined {
  const { [EXPORT]: exporting } = service as Partial<ExportingService>;

  // A proxy may replace a verb without the service behind it noticing.
  return exporting && !hasProxy(service) ? exporting.call(service, request) : undefined;
}

/** Whether an object or one that it inherits from is a Proxy. */
function hasProxy(object: object): boolean {
  for (let one: object | null = object; one; one = Object.getPrototypeOf(one) as object | null)
    if (types.isProxy(one)) return true;

  return false;
}
