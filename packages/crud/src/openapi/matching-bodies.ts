/** Bodies of routes that take records by their keys, or write all that a condition matches. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { writesByCondition } from '../definition/route-behaviour.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { SchemaObject } from './document-types.js';

/** Whether a request must have a body: a deletion by condition has none. */
export function needsBody({ options }: Pick<ResourceDefinition, 'options'>, route: BaseRouteName): boolean {
  return !(route === 'deleteManyBase' && writesByCondition(route, options.routes));
}

/**
 * The schema of a body: what it is with keys, or, beside a condition, what to set.
 *
 * @param set Schema of what is set. Default: an object.
 */
export function matchingBodySchema(
  { options }: Pick<ResourceDefinition, 'options'>,
  route: BaseRouteName,
  keyed: SchemaObject,
  set: SchemaObject = { type: 'object' },
): SchemaObject {
  if (route !== 'updateManyBase' || !writesByCondition(route, options.routes)) return keyed;

  return { oneOf: [keyed, { type: 'object', required: ['set'], properties: { set } }] };
}
