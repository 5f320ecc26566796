import type { Type } from '@nestjs/common';
import { useSwagger } from '../nest/optional-peers.js';
import type { Handler } from './declared-metadata.js';
import { type Description, setDescription } from './descriptions.js';
import { watchDocuments } from './document-hook.js';

/**
 * Describes a method that handles a route, in every document that is made of it. It may be called again for the same method: the later description takes the earlier one's
 * place. Without @nestjs/swagger nothing happens.
 *
 * What the application declares on the method by `@ApiOperation()`, `@ApiQuery()`, `@ApiParam()`, `@ApiBody()`, `@ApiResponse()` or `@HttpCode()` wins, operation property by
 * property, parameter by parameter, status by status.
 *
 * @example
 * applyOpenApi(UsersController, 'findUser', { definition, route: 'getOneBase', catalogOf: () => service[CATALOG] });
 */
export function applyOpenApi(controller: Type<unknown>, method: string, description: Description): void {
  const handler = (controller.prototype as Record<string, Handler | undefined>)[method];

  if (handler && useSwagger(watchDocuments)) setDescription(controller, handler, description);
}
