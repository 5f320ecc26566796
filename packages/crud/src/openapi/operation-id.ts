import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { pluralOf, singularOf } from './resource-names.js';

/** Who chose an operation's id: the options of the resource, the document's `operationIdFactory`, or nobody. */
export type OperationIdStyle = 'short' | 'long' | 'factory' | 'default';

/** How the ids of a resource are chosen in a document that has an `operationIdFactory`, or none. */
export function idStyleOf({ openapi }: ResourceDefinition, hasFactory: boolean): OperationIdStyle {
  return openapi?.operationIds ?? (hasFactory ? 'factory' : 'default');
}

/** `getManyBaseUsersControllerUser`, or `getManyUsers`: the same on whatever path the handler is; undefined if the document's factory makes it. */
export function operationIdOf(
  definition: ResourceDefinition,
  route: BaseRouteName,
  style: OperationIdStyle,
): string | undefined {
  if (style === 'factory') return undefined;
  if (style !== 'short') return `${route}${definition.controller}${definition.modelName}`;

  return route.replace(/Base$/, '') + (route.endsWith('OneBase') ? singularOf(definition) : pluralOf(definition));
}
