import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { writesByCondition } from '../definition/route-behaviour.js';
import { oncePerObject } from '../get-or-insert.js';
import { plainToInstance } from 'class-transformer';
import { type BaseRouteName, type RouteDescriptor, ROUTES } from '../routes/route-table.js';
import { isCursorPage, isEnvelope, type SerializationTarget, serialize, shapeRecord } from './serialize.js';

/** What shapes the response of a route. */
export interface ResponseShape {
  /** Shapes each record. */
  readonly record: SerializationTarget;
  /** Shapes the envelope as a whole, records included, if `serialize.getMany` names a class with a `data` property. */
  readonly envelope?: Type<unknown>;
}

type Chooser = (serialize: ResourceDefinition['serialize']) => SerializationTarget;

/** Which option shapes the records of a route; `undefined` leaves them to the model. */
const CHOICES = {
  getMany: ({ getMany, get }) => getMany ?? get,
  get: ({ get }) => get,
  create: ({ create }) => create,
  createMany: ({ createMany, create }) => createMany ?? create,
  update: ({ update }) => update,
  replace: ({ replace }) => replace,
  delete: ({ delete: deleted }) => deleted,
  recover: ({ recover }) => recover,
  none: () => false,
} as const satisfies Record<RouteDescriptor['serialize'], Chooser>;

/**
 * The classes that shape the response of a route. Default: the model. A class in `serialize.getMany` that has a `data`
 * property describes the envelope; plain lists are then shaped by `serialize.get`.
 *
 * @example
 * responseShape(definition, 'getOneBase').record; // UserResponse
 */
export function responseShape(definition: ResourceDefinition, route: BaseRouteName): ResponseShape {
  const { serialize, model } = definition;
  const chosen = CHOICES[ROUTES[route].serialize](serialize);

  if (route === 'getManyBase' && chosen && chosen === serialize.getMany && describesEnvelope(chosen))
    return { record: serialize.get ?? model, envelope: chosen };

  return { record: chosen ?? model };
}

/**
 * Shapes what a service returned for a route: see {@link responseShape}.
 *
 * @param options Options of class-transformer for this request. Default: none.
 *
 * @example
 * serializeResponse(await service.getMany(request), definition, 'getManyBase', { groups: ['admin'] });
 */
export function serializeResponse(
  value: unknown,
  definition: ResourceDefinition,
  route: BaseRouteName,
  options?: object,
): unknown {
  if (isAffected(value, definition, route)) return value;

  const { record, envelope } = responseShape(definition, route);

  return envelope && isEnvelope(value) && !isCursorPage(value)
    ? shapeRecord(value, envelope, options)
    : serialize(value, record, options);
}

/**
 * Whether a value is the number of records that a condition has matched: other answers of the route are lists of
 * records.
 */
function isAffected(value: unknown, { options }: ResourceDefinition, route: BaseRouteName): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { affected } = value as Record<string, unknown>;

  return typeof affected === 'number' && Object.keys(value).length === 1 && writesByCondition(route, options.routes);
}

/** Whether a class describes the envelope: it declares `data`, by a decorator or an initialiser. */
export const describesEnvelope = oncePerObject((target: Type<unknown>): boolean => {
  if (Reflect.hasMetadata('design:type', target.prototype as object, 'data')) return true;

  try {
    if (Object.hasOwn(new target() as object, 'data')) return true;

    // Without TypeScript's metadata, @Type() still shows in what class-transformer makes of an item.
    const probe = plainToInstance(target, { data: [{}] }) as { data?: object[] };
    const [item] = probe.data ?? [];

    return item !== undefined && item.constructor !== Object;
  } catch {
    return false;
  }
});
