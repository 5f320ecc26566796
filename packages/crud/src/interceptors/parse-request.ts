import type { ExecutionContext } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { evaluateAuth } from '../auth/evaluate.js';
import type { CrudRequest } from '../crud-request.js';
import { getAction } from '../decorators/feature-action.decorator.js';
import { bareDefinition } from '../definition/bare-definition.js';
import { definitionOf } from '../definition/definitions.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { buildCrudRequest, type RequestInput } from '../request/build-request.js';
import { noteClient } from '../response/client.js';
import { routeOf } from '../routes/route-of.js';
import { catalogOfStarted } from '../startup/application-state.js';
import { shownPaths } from '../visibility/index.js';
import { whenSettled } from '../when-settled.js';
import { refuseCutQuery } from './cut-query.js';
import { refuseBulkPrecondition, refuseUnconditional, setPreconditions } from './preconditions.js';
import { httpRequestOf, requestOf, setContext } from './request-context.js';

/** Parses a request as the options of its resource say. */
export function parseRequest(context: ExecutionContext, modules: ModulesContainer | undefined): void | Promise<void> {
  return parseOnce(context, modules, definitionOf(context.getClass()) ?? bareDefinition(), buildCrudRequest);
}

/**
 * Builds the `CrudRequest` of an HTTP request and stores it there, unless it has one; synchronously if no function of
 * the options is asynchronous.
 */
export function parseOnce(
  context: ExecutionContext,
  modules: ModulesContainer | undefined,
  definition: ResourceDefinition,
  build: (input: RequestInput) => CrudRequest | Promise<CrudRequest>,
): void | Promise<void> {
  const http = httpRequestOf(context);
  if (requestOf(http)) return;

  refuseCutQuery(http);
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
      ...(catalog && { showsTo: (options) => shownPaths(definition, catalog, options) }),
    });

    return whenSettled(request, (built) => {
      noteClient(built, http);
      setPreconditions(built, definition, action, http);
      setContext(http, built, { definition, route, catalog });
    });
  });
}
