/** A definition and a route in, the operation's id and summary out; nothing is refused. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { OperationObject } from './document-types.js';

/** `getManyBaseUsersControllerUser`: unique as long as no two controllers of one name serve models of one name. */
export function describeOperation(
  { controller, modelName }: ResourceDefinition,
  route: BaseRouteName,
): OperationObject {
  return { operationId: `${route}${controller}${modelName}`, summary: ROUTES[route].summary(modelName) };
}
