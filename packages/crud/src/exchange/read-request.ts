import { PARSED_CRUD_REQUEST_KEY } from '../constants.js';
import { evaluateAuth } from '../auth/evaluate.js';
import type { CrudRequest } from '../crud-request.js';
import { NO_OPTIONS } from '../definition/bare-definition.js';
import { declaredOptionsOf, definitionOf } from '../definition/definitions.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { buildCrudRequest } from '../request/build-request.js';
import type { RequestHooks } from '../request/request-steps.js';
import { attachClient } from '../response/client.js';
import { whenSettled } from '../when-settled.js';
import type { Exchange } from './exchange.js';
import { setPreconditions } from './preconditions.js';
import { varyByAccept } from './send.js';
import { refuseTruncatedQuery } from './truncated-query.js';

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
  refuseTruncatedQuery(http);
  for (const refuse of route.refusals) refuse(http);

  const { auth: options } = route.definition;

  return whenSettled(options && evaluateAuth(options, http), (auth) => {
    const params = http.hosts ? { ...http.hosts, ...http.params } : (http.params ?? {});
    const built = buildCrudRequest({ route, query: http.query, params, auth, http }, hooks);

    return whenSettled(built, (request) => {
      attachClient(request, http);
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
    ? declaredOptionsOf(controller)
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
