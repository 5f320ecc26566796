import { evaluateAuth } from '../evaluate-auth.js';
import { PARSED_CRUD_REQUEST_KEY } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import {
  definitionOf,
  NO_OPTIONS,
  readDeclaredOptions,
  type ResourceDefinition,
} from '../definition/resource-definition.js';
import { crudError } from '../errors.js';
import type { Exchange } from './exchange.js';
import { ensureState, HttpClient, type HttpRequest } from '../response/request-state.js';
import { setPreconditions } from '../conditional/preconditions.js';
import { varyByAccept } from './send.js';
import { buildCrudRequest } from '../request/build-request.js';
import type { RequestHooks } from '../request/request-steps.js';
import { whenSettled } from '../when-settled.js';

/**
 * Reads the request of an exchange: checks its headers, evaluates `@CrudAuth`, parses and authorizes the query, merges
 * the scope around it. A request that is there already is left alone. Synchronous if no function of the options is
 * asynchronous: interceptors that were written for nestjsx/crud expect it as soon as `super.intercept()` has returned.
 */
export function readRequest(exchange: Exchange, hooks?: RequestHooks): CrudRequest | Promise<CrudRequest> {
  const { http, request: known } = exchange;
  if (exchange.route.exports) varyByAccept(exchange);
  if (known) return known;
  const given = hooks && findOwnDefinition(exchange, hooks.info);
  if (given) exchange.redefine(given);

  const { route } = exchange;
  // Shorter query strings are parsed whole, and Express parses the query on each access.
  if (http.url && http.url.length > MAX_PARAMETERS) refuseTruncatedQuery(http, http.url);
  for (const refuse of route.refusals) refuse(http);

  const { auth: options } = route.definition;

  return whenSettled(options && evaluateAuth(options, http), (auth) => {
    const params = http.hosts ? { ...http.hosts, ...http.params } : (http.params ?? {});
    const built = buildCrudRequest({ route, query: http.query, params, auth, http }, hooks);

    return whenSettled(built, (request) => {
      ensureState(request).client = new HttpClient(http);
      if (route.definition.options.query.etag === true) setPreconditions(request, http, route.action);
      http[PARSED_CRUD_REQUEST_KEY] = request;

      return request;
    });
  });
}

/** The resource with other options than its own, if an override of `getCrudInfo` gives others. */
function findOwnDefinition(
  { context, route }: Exchange,
  { crudOptions }: RequestHooks['info'],
): ResourceDefinition | undefined {
  const controller = context.getClass();
  const declared: RequestHooks['info']['crudOptions'] = definitionOf(controller)
    ? readDeclaredOptions(controller)
    : NO_OPTIONS;
  const isSame = (['query', 'routes', 'params', 'operators'] as const).every(
    (name) => crudOptions[name] === declared[name],
  );
  if (isSame) return undefined;

  const { query = {}, routes = {}, params = {}, operators = {}, auth } = crudOptions;
  const { auth: _, ...rest } = route.definition;
  const { columns } = rest.options;

  // Frozen, so that the request gets a copy, which overrides may change.
  return {
    ...rest,
    options: Object.freeze({ query, routes, params, operators, ...(columns && { columns }) }),
    ...(auth && { auth }),
  };
}

/** Node's own parser and qs silently stop after this many parameters. */
const MAX_PARAMETERS = 1000;

/** Refuses a query string that its parser has truncated: a condition may be among the lost parameters. */
function refuseTruncatedQuery({ query }: HttpRequest, url: string): void {
  const sent = url
    .replace(/^[^?]*\??/, '')
    .split('&')
    .filter(Boolean).length;
  if (sent > MAX_PARAMETERS && countValues(query) < sent)
    throw crudError('CRUD_LIMIT_EXCEEDED', { message: `Invalid query. At most ${MAX_PARAMETERS} parameters expected` });
}

function countValues(query: unknown): number {
  if (typeof query !== 'object' || query === null) return 1;

  return Object.values(query).reduce((sum: number, value) => sum + countValues(value), 0);
}
