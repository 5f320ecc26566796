import type { ExecutionContext } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { evaluateAuth } from '../auth/evaluate.js';
import type { CrudRequest } from '../crud-request.js';
import { getAction } from '../decorators/feature-action.decorator.js';
import { bareDefinition, NO_OPTIONS } from '../definition/bare-definition.js';
import { declaredOptionsOf, definitionOf } from '../definition/definitions.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { buildCrudRequest } from '../request/build-request.js';
import type { RequestInput } from '../request/request-input.js';
import { buildBySteps, type RequestSteps } from '../request/request-steps.js';
import { attachClient } from '../response/client.js';
import { routeOf } from '../routes/route-of.js';
import { catalogOfStarted } from '../startup/application-state.js';
import { shownPaths } from '../visibility/index.js';
import { whenSettled } from '../when-settled.js';
import type { CrudInfo } from './crud-base.interceptor.js';
import { refuseTruncatedQuery } from './truncated-query.js';
import { refuseBulkPrecondition, refuseUnconditional, setPreconditions } from './preconditions.js';
import { httpRequestOf, requestOf, setContext } from './request-context.js';

/** Parses a request as the options of its resource say. */
export function parseRequest(context: ExecutionContext, modules: ModulesContainer | undefined): void | Promise<void> {
  return parseOnce(context, modules, definitionOf(context.getClass()) ?? bareDefinition(), buildCrudRequest);
}

/** Parses a request by the steps of an interceptor that overrides some. */
export function parseByHooks(
  context: ExecutionContext,
  modules: ModulesContainer | undefined,
  steps: RequestSteps,
  info: CrudInfo,
): void | Promise<void> {
  return parseOnce(context, modules, definitionFor(context.getClass(), info), (input) =>
    buildBySteps(input, steps, info),
  );
}

/**
 * Builds the `CrudRequest` of an HTTP request and stores it there, unless it has one; synchronously if no function of
 * the options is asynchronous.
 */
function parseOnce(
  context: ExecutionContext,
  modules: ModulesContainer | undefined,
  definition: ResourceDefinition,
  build: (input: RequestInput) => CrudRequest | Promise<CrudRequest>,
): void | Promise<void> {
  const http = httpRequestOf(context);
  if (requestOf(http)) return;

  refuseTruncatedQuery(http);
  const controller = context.getClass();
  const route = routeOf(context.getHandler());
  refuseUnconditional(definition, route, http);
  const action = getAction(context.getHandler());
  refuseBulkPrecondition(http, route);
  const catalog = catalogOfStarted(modules, controller);

  return whenSettled(evaluateAuth(definition.auth, http), (auth) => {
    const request = build({
      query: http.query,
      params: http.hosts ? { ...http.hosts, ...http.params } : (http.params ?? {}),
      route,
      action,
      definition,
      catalog,
      auth,
      http,
      showsTo: catalog && ((options) => shownPaths(definition, catalog, options)),
    });

    return whenSettled(request, (built) => {
      attachClient(built, http);
      setPreconditions(built, definition, action, http);
      setContext(http, built, { definition, route, catalog });
    });
  });
}

/** The resource's definition; with other options if an override of `getCrudInfo` gives others. */
function definitionFor(controller: object, { crudOptions }: CrudInfo): ResourceDefinition {
  const known = definitionOf(controller);
  const declared = declaredOptionsOf(controller);
  const isOwn = known ? crudOptions === declared || isCopy(crudOptions, declared) : crudOptions === NO_OPTIONS;
  if (isOwn) return known ?? bareDefinition();

  const { query = {}, routes = {}, params = {}, operators = {}, auth } = crudOptions;
  const { auth: _, ...rest } = known ?? bareDefinition();

  // Frozen, so that the request gets a copy, which overrides may change.
  return { ...rest, options: Object.freeze({ query, routes, params, operators }), ...(auth && { auth }) };
}

/** Whether options are the resource's own, apart from a copied scope. */
function isCopy(options: CrudInfo['crudOptions'], declared: CrudInfo['crudOptions']): boolean {
  return (['query', 'routes', 'params', 'operators'] as const).every((name) => options[name] === declared[name]);
}
