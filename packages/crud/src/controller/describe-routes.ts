import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { catalogBeforeStart } from '../startup/application-state.js';
import { ownControllerPath } from '../nest/metadata.js';
import { hostsOf, parametersIn } from '../nest/paths.js';
import { applyOpenApi } from '../openapi/apply.js';
import { ownHandlerPaths } from '../routes/own-handler-paths.js';
import type { BaseRoute } from './base-route.js';
import type { RouteHandlers } from './overriding-handlers.js';

/** Adds the OpenAPI description to each route. */
export function describeRoutes(
  definition: ResourceDefinition,
  controller: Type<object>,
  routes: readonly BaseRoute[],
  { methods, declaredBodies }: RouteHandlers,
): void {
  const prefix = ownControllerPath(controller);
  const elsewhere = [...hostsOf(controller), ...ownHandlerPaths(controller)].flatMap(parametersIn);
  const described = withParamsOfRoutes(definition, controller, routes);

  for (const { name, path } of routes) {
    applyOpenApi(controller, methods.get(name) ?? name, {
      definition: described,
      route: name,
      catalogOf: (application) => catalogBeforeStart(application, controller),
      path: prefix === undefined ? undefined : `/${prefix}/${path}`.replace(/\/{2,}/g, '/'),
      elsewhere,
      declaredBody: declaredBodies.get(name),
    });
  }
}

/** The definition without parameters that stand in the paths of own handlers alone: no route has their values to fill in. */
function withParamsOfRoutes(
  definition: ResourceDefinition,
  controller: Type<object>,
  routes: readonly BaseRoute[],
): ResourceDefinition {
  const prefix = ownControllerPath(controller);
  // A controller of several paths has its parameters in any of them.
  if (prefix === undefined) return definition;

  const ofRoutes = [prefix, ...hostsOf(controller), ...routes.map(({ path }) => path)].flatMap(parametersIn);
  const ofOwnHandlers = ownHandlerPaths(controller).flatMap(parametersIn);
  const isMissing = (name: string) => ofOwnHandlers.includes(name) && !ofRoutes.includes(name);
  const { options } = definition;
  const params = Object.entries(options.params).filter(([name, { primary }]) => primary || !isMissing(name));

  return params.length === Object.keys(options.params).length
    ? definition
    : { ...definition, options: { ...options, params: Object.fromEntries(params) } };
}
