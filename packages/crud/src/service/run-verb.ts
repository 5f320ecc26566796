import { isObservable, lastValueFrom } from 'rxjs';
import type { CrudRequest } from '../crud-request.js';
import { forApplication } from '../plan/for-application.js';
import { type CrudResult, NeedsRecords } from '../response/result.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { CrudService } from './crud.service.js';
import { asksForExport, exportOf, hasProxy } from './list-export.js';
import { isLibraryVerb, type Verb } from './verbs.js';

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
  const isExport = request.parsed?.format !== undefined && asksForExport(route, request);
  if (!text || isExport || typeof service?.[RESULT] !== 'function') return runPlain(service, route, request, body);

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
  const exported = asksForExport(route, request) && service ? exportOf(service, request) : undefined;
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
