import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { catalogBeforeStart } from '../startup/application-state.js';
import { ownControllerPath } from '../nest/metadata.js';
import { listHosts, listPathParameters } from '../nest/paths.js';
import { watchDocuments } from '../openapi/documents.js';
import { describeHandler } from '../openapi/handlers.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { ownHandlerPaths } from '../routes/handlers.js';
import { type BaseRoute, type RouteHandler, secondMethod } from './handlers.js';

/** Adds the OpenAPI description to each route. */
export function describeRoutes(
  definition: ResourceDefinition,
  controller: Type<object>,
  routes: readonly BaseRoute[],
  handlers: ReadonlyMap<BaseRouteName, RouteHandler>,
): void {
  watchDocuments();
  const described = withParamsOfRoutes(definition, controller, routes);

  for (const { name } of routes) {
    const { method, declaredBody } = handlers.get(name)!;
    const description = {
      definition: described,
      route: name,
      findCatalog: (application: ModulesContainer) => catalogBeforeStart(application, controller),
      declaredBody,
    };

    describeHandler(controller, method, description);
    if (ROUTES[name].also) describeHandler(controller, secondMethod(method), { ...description, isSecondPath: true });
  }
}

/**
 * The definition without parameters that stand in the paths of own handlers alone: no route has their values to fill
 * in.
 */
function withParamsOfRoutes(
  definition: ResourceDefinition,
  controller: Type<object>,
  routes: readonly BaseRoute[],
): ResourceDefinition {
  const prefix = ownControllerPath(controller);
  // A controller of several paths has its parameters in any of them.
  if (prefix === undefined) return definition;

  const ofRoutes = [prefix, ...listHosts(controller), ...routes.map(({ path }) => path)].flatMap(listPathParameters);
  const ofOwnHandlers = ownHandlerPaths(controller).flatMap(listPathParameters);
  const isMissing = (name: string) => ofOwnHandlers.includes(name) && !ofRoutes.includes(name);
  const { options } = definition;
  const params = Object.entries(options.params).filter(([name, { primary }]) => primary || !isMissing(name));

  return params.length === Object.keys(options.params).length
    ? definition
    : { ...definition, options: { ...options, params: Object.fromEntries(params) } };
}
