import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { readBehaviour } from '../definition/route-behaviour.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { responseShape } from '../serialization/response-shape.js';
import type { SerializationTarget } from '../serialization/serialize.js';

/** How a record comes into an answer. */
export interface Answer {
  /** The class that it is copied onto; `false`: sent as it is. Default: its own class. */
  readonly target?: SerializationTarget;
  /** The class of the envelope that it is a part of. */
  readonly envelope?: Type<unknown>;
}

/** The record as its own class shows it. */
export const OWN_ANSWER: Answer = {};

export const READS: readonly BaseRouteName[] = ['getManyBase', 'getOneBase'];

/**
 * The answers of a resource. If there are reading routes, only those count: a value that creation shows once is not
 * open to conditions forever.
 */
export function listAnswers(definition: ResourceDefinition): readonly Answer[] {
  const { routes } = definition;
  const reading = READS.filter((route) => routes.has(route));
  const answering = reading.length > 0 ? reading : writesWithAnswer(definition);

  return answering.length > 0 ? answering.flatMap((route) => listRouteAnswers(definition, route)) : [OWN_ANSWER];
}

/** The writing routes that answer with records. */
export function writesWithAnswer({ routes, options }: ResourceDefinition): readonly BaseRouteName[] {
  return [...routes].filter((route) => {
    const { returnDeleted, returnRecovered } = readBehaviour(options.routes, route);
    const { serialize } = ROUTES[route];
    if (READS.includes(route)) return false;
    if (serialize === 'delete') return returnDeleted === true;
    if (serialize === 'recover') return returnRecovered !== false;

    return serialize !== 'none';
  });
}

function listRouteAnswers(definition: ResourceDefinition, route: BaseRouteName): Answer[] {
  const { envelope } = responseShape(definition, route);
  const item = itemAnswer(definition, route);
  if (!envelope) return [item];

  return definition.options.query.alwaysPaginate ? [{ envelope }] : [{ envelope }, item];
}

/** A record by itself, or in a plain list. */
export function itemAnswer(definition: ResourceDefinition, route: BaseRouteName): Answer {
  return { target: responseShape(definition, route).record };
}
