/** An HTTP request and an interceptor that overrides steps of its parsing in, the `CrudRequest` that the steps make on it out; refuses what parsing without them refuses. */
import type { ExecutionContext } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { evaluateAuth } from '../auth/evaluate.js';
import { bareDefinition } from '../definition/bare-definition.js';
import { declaredOptionsOf, definitionOf } from '../definition/definitions.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { catalogOfStarted } from '../module/application-state.js';
import { atOnce, settled, type Work } from '../request/at-once.js';
import { buildBySteps, type RequestSteps } from '../request/request-steps.js';
import { noteClient } from '../response/client.js';
import { routeOf } from '../routes/route-of.js';
import { shownPaths } from '../visibility/index.js';
import type { CrudInfo } from './crud-base.interceptor.js';
import { refuseCutQuery } from './cut-query.js';
import { httpRequestOf, requestOf, setContext } from './request-context.js';

/** Parses a request by the steps, unless it was parsed before; at once where none of them is asynchronous. */
export function parseByHooks(
  context: ExecutionContext,
  modules: ModulesContainer | undefined,
  steps: RequestSteps,
  info: CrudInfo,
): void | Promise<void> {
  return atOnce(parse(context, modules, steps, info));
}

function* parse(
  context: ExecutionContext,
  modules: ModulesContainer | undefined,
  steps: RequestSteps,
  info: CrudInfo,
): Work<void> {
  const http = httpRequestOf(context);
  if (requestOf(http)) return;

  refuseCutQuery(http);
  const controller = context.getClass();
  const definition = definitionFor(controller, info);
  const route = routeOf(context.getHandler());
  const catalog = catalogOfStarted(modules, controller);
  const auth = definition.auth && (yield* settled(evaluateAuth(definition.auth, http)));
  const input = {
    query: http.query,
    params: http.hosts ? { ...http.hosts, ...http.params } : (http.params ?? {}),
    route,
    definition,
    catalog,
    auth,
    http,
    ...(catalog && { showsTo: (options: object | undefined) => shownPaths(definition, catalog, options) }),
  };
  const request = yield* buildBySteps(input, steps, info);

  noteClient(request, http);
  setContext(http, request, { definition, route, catalog });
}

/** The resource's definition; with other options where an override of `getCrudInfo` gives others. */
function definitionFor(controller: object, { crudOptions, ctrlOptions }: CrudInfo): ResourceDefinition {
  const known = definitionOf(controller);
  const declared = declaredOptionsOf(controller);
  const isOwn = known ? crudOptions === declared || isCopy(crudOptions, declared) : ctrlOptions === undefined;
  if (isOwn) return known ?? bareDefinition();

  const { query = {}, routes = {}, params = {}, operators = {}, auth } = crudOptions;
  const { auth: _, ...rest } = known ?? bareDefinition();

  return { ...rest, options: { query, routes, params, operators }, ...(auth && { auth }) };
}

/** Whether options are a resource's own, with its scope in another object. */
function isCopy(options: CrudInfo['crudOptions'], declared: CrudInfo['crudOptions']): boolean {
  return (['query', 'routes', 'params', 'operators'] as const).every((name) => options[name] === declared[name]);
}
