/** A definition and a route in, the operation's id and summary out; nothing is refused. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { OperationObject } from './document-types.js';

/** `getManyBaseUsersControllerUser`: the same wherever the handler stands; a document tells its paths apart. */
export function describeOperation(
  { controller, modelName }: ResourceDefinition,
  route: BaseRouteName,
): OperationObject {
  return { operationId: `${route}${controller}${modelName}`, summary: ROUTES[route].summary(modelName) };
}
