import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { useSwagger } from '../nest/optional-peers.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { setDescription } from './descriptions.js';
import type { CatalogSource } from './document-types.js';
import type { Handler } from './declared-metadata.js';
import { watchDocuments } from './document-hook.js';

/** Options of {@link applyOpenApi}. */
export interface ApplyOpenApiOptions {
  /** Full path of a route (`/companies/:companyId/users/:id`), whose parameters are documented together with those of `params`. Default: those of `params` alone. */
  readonly pathOf?: (route: BaseRouteName) => string | undefined;
  /** Parameters of `params` that are in the host or in the paths of own handlers. Default: none. */
  readonly elsewhere?: readonly string[];
  /** Class of the body parameter in an overriding handler, where it is neither built in nor the model. Default: none. */
  readonly bodyOf?: (route: BaseRouteName) => unknown;
}

/**
 * Describes the handlers of a resource's routes, in every document that is made of them. It may be called again for the same handlers, with another definition: the later
 * description takes the earlier one's place. Without @nestjs/swagger nothing happens.
 *
 * What the application declares on a handler by `@ApiOperation()`, `@ApiQuery()`, `@ApiParam()`, `@ApiBody()`, `@ApiResponse()` or `@HttpCode()` wins, operation property by
 * property, parameter by parameter, status by status.
 *
 * @param handlers Name of the method that handles each route, overriding ones included.
 * @param catalogOf Asked whenever a document is made, for the names and columns that only the adapter knows.
 *
 * @example
 * applyOpenApi(definition, UsersController, { getManyBase: 'getManyBase', getOneBase: 'findUser' }, () => service[CATALOG]);
 */
export function applyOpenApi(
  definition: ResourceDefinition,
  controller: Type<unknown>,
  handlers: Partial<Record<BaseRouteName, string>>,
  catalogOf: CatalogSource,
  { pathOf, bodyOf, elsewhere = [] }: ApplyOpenApiOptions = {},
): void {
  if (!useSwagger(watchDocuments)) return;

  for (const [route, method] of Object.entries(handlers) as [BaseRouteName, string][]) {
    const handler = (controller.prototype as Record<string, Handler | undefined>)[method];

    if (handler) setDescription(controller, handler, { definition, route, catalogOf, pathOf, elsewhere, bodyOf });
  }
}
