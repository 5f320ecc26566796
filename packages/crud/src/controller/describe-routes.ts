import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { catalogBeforeStart } from '../startup/application-state.js';
import { ownControllerPath } from '../nest/metadata.js';
import { hostsOf, parametersIn } from '../nest/paths.js';
import { applyOpenApi } from '../openapi/apply.js';
import { ownHandlerPaths } from '../routes/own-handler-paths.js';
import type { BaseRouteName } from '../routes/route-table.js';

/** A route as it is installed. */
interface InstalledRoute {
  readonly name: BaseRouteName;
  /** Path below the controller's. */
  readonly path: string;
  /** Name of the method that handles it. */
  readonly handler: string;
  /** Class of the body parameter of an overriding handler. */
  readonly body: unknown;
}

/** Adds the OpenAPI description to each route. */
export function describeRoutes(
  definition: ResourceDefinition,
  controller: Type<object>,
  routes: readonly InstalledRoute[],
): void {
  const prefix = ownControllerPath(controller);
  const routeOf = (name: BaseRouteName) => routes.find((route) => route.name === name);

  applyOpenApi(
    withParamsOfRoutes(definition, controller, routes),
    controller,
    Object.fromEntries(routes.map(({ name, handler }) => [name, handler])),
    (application) => catalogBeforeStart(application, controller),
    {
      elsewhere: [...hostsOf(controller), ...ownHandlerPaths(controller)].flatMap(parametersIn),
      bodyOf: (name) => routeOf(name)?.body,
      pathOf: (name) => {
        const path = routeOf(name)?.path;

        return prefix === undefined || path === undefined ? undefined : `/${prefix}/${path}`.replace(/\/{2,}/g, '/');
      },
    },
  );
}

/** The definition without parameters that stand in the paths of own handlers alone: no route has their values to fill in. */
function withParamsOfRoutes(
  definition: ResourceDefinition,
  controller: Type<object>,
  routes: readonly InstalledRoute[],
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
