/** An HTTP request to a handler in, a parsed, permission-checked `CrudRequest` on it out; refuses what the query language, the path or the resource's options do not allow. */
import type { ExecutionContext } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { evaluateAuth } from '../auth/evaluate.js';
import { getAction } from '../decorators/feature-action.decorator.js';
import { bareDefinition } from '../definition/bare-definition.js';
import { definitionOf } from '../definition/definitions.js';
import { catalogOfStarted } from '../module/application-state.js';
import { atOnce, settled, type Work } from '../request/at-once.js';
import { buildCrudRequest } from '../request/build-request.js';
import { noteClient } from '../response/client.js';
import { routeOf } from '../routes/route-of.js';
import { shownPaths } from '../visibility/index.js';
import { refuseCutQuery } from './cut-query.js';
import { httpRequestOf, requestOf, setContext } from './request-context.js';

/** Parses a request unless that was done before; at once where no function of the resource's options is asynchronous. */
export function parseRequest(context: ExecutionContext, modules: ModulesContainer | undefined): void | Promise<void> {
  return atOnce(parse(context, modules));
}

function* parse(context: ExecutionContext, modules: ModulesContainer | undefined): Work<void> {
  const http = httpRequestOf(context);
  if (requestOf(http)) return;

  refuseCutQuery(http);
  const controller = context.getClass();
  const definition = definitionOf(controller) ?? bareDefinition();
  const route = routeOf(context.getHandler());
  const catalog = catalogOfStarted(modules, controller);
  const auth = definition.auth && (yield* settled(evaluateAuth(definition.auth, http)));
  const request = yield* settled(
    buildCrudRequest({
      query: http.query,
      params: http.hosts ? { ...http.hosts, ...http.params } : (http.params ?? {}),
      route,
      action: getAction(context.getHandler()),
      definition,
      catalog,
      auth,
      http,
      ...(catalog && { showsTo: (options) => shownPaths(definition, catalog, options) }),
    }),
  );

  noteClient(request, http);
  setContext(http, request, { definition, route, catalog });
}
