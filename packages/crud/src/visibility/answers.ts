import type { ResourceDefinition } from '../definition/resource-definition.js';
import { behaviourOf } from '../definition/route-behaviour.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { responseShape, shapeRecord, serializeResponse } from '../serialization/index.js';

/** A record as a client sees it; `options` are class-transformer's. Throws what the application's classes throw. */
export type Answer = (record: object, options: object | undefined) => unknown;

const READS: readonly BaseRouteName[] = ['getManyBase', 'getOneBase'];

/**
 * The answers of a resource. If there are reading routes, only those count: a value that creation shows once is not
 * open to conditions forever.
 */
export function answersOf(definition: ResourceDefinition): readonly Answer[] {
  const { routes } = definition;
  const reading = READS.filter((route) => routes.has(route));
  const answering = reading.length > 0 ? reading : [...routes].filter((route) => showsRecords(definition, route));

  return answering.length > 0
    ? answering.flatMap((route) => answersOfRoute(definition, route))
    : [serializedByOwnClass];
}

/** The record as its own class shows it. */
export const serializedByOwnClass: Answer = (record, options) => shapeRecord(record, undefined, options);

function showsRecords({ options: { routes } }: ResourceDefinition, route: BaseRouteName): boolean {
  const { returnDeleted, returnRecovered } = behaviourOf(routes, route);
  const { serialize } = ROUTES[route];
  if (serialize === 'delete') return returnDeleted === true;
  if (serialize === 'recover') return returnRecovered !== false;

  return serialize !== 'none';
}

function answersOfRoute(definition: ResourceDefinition, route: BaseRouteName): Answer[] {
  if (ROUTES[route].single || !responseShape(definition, route).envelope) return [itemAnswer(definition, route)];

  const page = pageAnswer(definition);

  return definition.options.query.alwaysPaginate ? [page] : [page, itemAnswer(definition, route)];
}

/** A record by itself, or in a plain list. */
export function itemAnswer(definition: ResourceDefinition, route: BaseRouteName): Answer {
  return (record, options) => (serializeResponse([record], definition, route, options) as unknown[])[0];
}

/** A record in the envelope. */
export function pageAnswer(definition: ResourceDefinition): Answer {
  return (record, options) => {
    const envelope = { data: [record], count: 1, total: 1, page: 1, pageCount: 1 };
    const shown = serializeResponse(envelope, definition, 'getManyBase', options) as { data?: unknown };

    return Array.isArray(shown.data) ? shown.data[0] : shown;
  };
}
