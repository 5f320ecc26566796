/** Shapes what a service returns by class-transformer's rules. Values that are no records pass untouched. */
import { StreamableFile, type Type } from '@nestjs/common';
import { isObject, isPlainObject } from '../definition/plain-objects.js';
import { classToPlainFromExist, plainToInstance } from 'class-transformer';
import { convertToPlain } from './to-plain.js';
import { getClassPlan } from './class-transformer.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { writesByCondition } from '../definition/route-behaviour.js';
import { oncePerObject } from '../get-or-insert.js';
import { type BaseRouteName, type RouteDescriptor, ROUTES } from '../routes/route-table.js';

/** What shapes a response: a class, `false` for nothing at all, `undefined` for the class of each record itself. */
export type SerializationTarget = Type<unknown> | false | undefined;

/** Turns one result into what is sent. */
export type Serializer = (value: unknown) => unknown;

/**
 * Shapes a record, a list of records, or the records of an envelope (`{data, count, total, page, pageCount}`) for the
 * response.
 *
 * - A record that is an instance of the class goes through class-transformer's `instanceToPlain`; any other is first
 *   copied onto a new instance of it.
 * - `false` returns the value as it is; `undefined` shapes class instances by their own class and leaves plain objects
 *   alone.
 * - Texts, numbers, `null`, buffers, streams and `StreamableFile`s pass untouched.
 *
 * @param options Options of class-transformer (`groups`, `version` …). Default: none.
 *
 * @example
 * serialize(user, UserResponse); // { id: 1, name: 'Ada' }
 * serialize([user], UserResponse, { groups: ['admin'] });
 */
export function serialize(value: unknown, target: SerializationTarget, options?: object): unknown {
  if (target === false) return value;
  const shape = makeRecordSerializer(target, options);

  if (Array.isArray(value)) return value.map(shape);
  if (isEnvelope(value)) return { ...value, data: value.data.map(shape) };

  return shape(value);
}

/**
 * {@link serialize} for single records, prepared for one class and set of options: lists and envelopes are not looked
 * for.
 */
export function makeRecordSerializer(target: SerializationTarget, options?: object): Serializer {
  return target === false ? (record) => record : (record) => shapeRecord(record, target, options);
}

interface Envelope {
  readonly data: readonly unknown[];
}

/**
 * Whether a value is a page of records rather than a record: a plain object with a list `data` and a number `total`.
 */
export function isEnvelope(value: unknown): value is Envelope {
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return false;
  const { data, total } = value as Record<string, unknown>;

  return Array.isArray(data) && (typeof total === 'number' || isCursorPage(value));
}

const CURSOR_PAGE = ['count', 'data', 'next', 'previous'].join();

/** Whether a value is a page that was read by a cursor: it has the properties of one and no others. */
export function isCursorPage(value: unknown): boolean {
  if (!isObject(value) || !('previous' in value)) return false;
  const { count, data, next, previous } = value as Record<string, unknown>;
  const names = Object.keys(value).filter((name) => name !== 'total');

  return (
    names.sort().join() === CURSOR_PAGE &&
    Array.isArray(data) &&
    typeof count === 'number' &&
    [next, previous].every((cursor) => cursor === null || typeof cursor === 'string')
  );
}

/** Shapes one value, never looking for lists or envelopes in it. */
function shapeRecord(record: unknown, target: Type<unknown> | undefined, options?: object): unknown {
  if (!isObject(record) || isOpaque(record)) return record;
  if (!target) return isPlainObject(record) ? record : convertToPlain(record, options);

  return convertToPlain(record instanceof target ? record : copyOnto(new target() as object, record, options), options);
}

// What the record's own class hides stays hidden, whatever the class of the response says.
function copyOnto(instance: object, record: object, options: object | undefined): object {
  if (Object.values(instance).some(isObject)) {
    // Only class-transformer itself can merge into nested initialisers of the class.
    return classToPlainFromExist(record, instance as Record<string, unknown>, options) as object;
  }

  for (const [name, value] of Object.entries(convertToPlain(record, options) as object))
    if (isAssignable(instance, name)) (instance as Record<string, unknown>)[name] = value;

  return instance;
}

/** A getter without a setter computes its value from others and takes none. */
function isAssignable(instance: object, name: string): boolean {
  for (let owner: object | null = instance; owner; owner = Object.getPrototypeOf(owner) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);

    if (descriptor) return descriptor.get === undefined || descriptor.set !== undefined;
  }

  return true;
}

/** Bodies that are no records. */
function isOpaque(value: object): boolean {
  return value instanceof StreamableFile || Buffer.isBuffer(value) || 'pipe' in value;
}

/** How the properties of a class are printed as JSON, for adapters that print it without records. */
export interface JsonRules {
  /** Whether a property is printed. */
  leaves(property: string): boolean;
  /** The printed properties in order; undefined: in the record's own order. */
  readonly order?: readonly string[];
  /** The class that `@Type()` gives a property; undefined without one. */
  typeOf(property: string): unknown;
}

/**
 * The rules of a class whose instances have some properties of their own, or why there are none.
 *
 * @param own Properties that the records can have.
 */
export function jsonRulesOf(target: unknown, own: ReadonlySet<string>): JsonRules | string {
  if (typeof target !== 'function') return 'records without a class';

  const plan = getClassPlan(target);
  if (typeof plan === 'string') return plan;

  const prototype = target.prototype as object;
  const { exposesAll, hidden, exposed, names, types } = plan;
  if (names.size > 0) return 'properties under other names (@Expose({ name }))';

  const foreign = exposed.find((property) => !own.has(property) && (exposesAll || property in prototype));
  if (foreign !== undefined) return `${foreign}, which only a record can compute (@Expose())`;
  if (
    prototype.constructor !== target ||
    ['then', 'pipe'].some((name) => name in prototype) ||
    SPECIAL.some((name) => own.has(name))
  )
    return 'a property that class-transformer or Nest treats specially';

  const accessor = [...own].find((property) => property in prototype);
  if (accessor !== undefined) return `the accessor ${accessor}`;
  const leaving = new Set(exposed);

  return {
    leaves: (property) => (exposesAll ? !hidden.has(property) : leaving.has(property)),
    ...(!exposesAll && { order: exposed }),
    typeOf: (property) => types.get(property)?.(),
  };
}

/** Names by which class-transformer, `JSON.stringify` or Nest recognize special objects. */
const SPECIAL = ['then', 'pipe', 'toJSON', 'constructor', '__proto__'];

/**
 * One property's value as JSON text, by way of class-transformer and `JSON.stringify` themselves; undefined if JSON
 * leaves the property out.
 */
export function jsonProperty(name: string, value: unknown): string | undefined {
  const text = JSON.stringify(convertToPlain({ [name]: value }));

  return text === '{}' ? undefined : text.slice(JSON.stringify(name).length + 2, -1);
}

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
    const { data } = plainToInstance(target, { data: [{}] }) as { data: [object] };

    return data[0].constructor !== Object;
  } catch {
    return false;
  }
});
