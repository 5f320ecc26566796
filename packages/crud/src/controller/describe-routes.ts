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
    definition,
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
