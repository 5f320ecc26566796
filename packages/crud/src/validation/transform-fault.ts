/** Who is to blame when class-transformer cannot make an instance of a body: the client, or a property's decorator. */
import type { Type } from '@nestjs/common';
import { isPlainObject } from '../definition/plain-objects.js';
import { classTransformer } from '../nest/optional-peers.js';
import { propertiesDecoratedBy } from '../serialization/class-plan.js';
import { decoratorStorage } from '../serialization/decorator-storage.js';
import type { Body } from './plain-body.js';

type Class = Type<unknown>;

/**
 * Whether class-transformer itself throws for a body (a text expected, an object sent), regardless of any
 * `@Transform()`.
 */
export function isBeyondTypes(type: Class, body: Body, options: object | undefined): boolean {
  return throws(() => classTransformer?.plainToInstance(withoutTransforms(type), body, options));
}

/** The property whose `@Transform()` throws; `undefined` if none does by itself. */
export function throwingProperty(type: Class, body: Body, options: object | undefined): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    const only = { [name]: value };
    if (!throws(() => classTransformer?.plainToInstance(type, only, options))) continue;

    const inner = decoratorStorage()?.findTypeMetadata(type, name)?.typeFunction?.({ object: body, property: name });
    const item: unknown = Array.isArray(value) ? value.find(isPlainObject) : value;
    const below =
      typeof inner === 'function' && isPlainObject(item) ? throwingProperty(inner as Class, item, options) : undefined;

    return below === undefined ? name : `${name}.${below}`;
  }

  return undefined;
}

function throws(work: () => unknown): boolean {
  try {
    work();

    return false;
  } catch {
    return true;
  }
}

const bare = new WeakMap<Class, Class>();

/** A class with the `@Type()`s and names of another, but none of its `@Transform()`s. */
function withoutTransforms(type: Class): Class {
  const known = bare.get(type);
  if (known) return known;

  const made = class {} as Class;
  bare.set(type, made);
  // Types that the compiler emitted are found along the prototypes, @Transform()s along the classes.
  Object.setPrototypeOf(made.prototype, type.prototype as object);

  const storage = decoratorStorage();
  for (const name of storage ? propertiesDecoratedBy([storage._typeMetadatas], type) : []) {
    const metadata = name === undefined ? undefined : storage?.findTypeMetadata(type, name);
    if (!metadata?.typeFunction) continue;

    const { typeFunction, options } = metadata;
    const inner = (...asked: unknown[]) => replaced(typeFunction(...asked));
    classTransformer?.Type(inner as never, discriminated(options) as never)(made.prototype as object, name as string);
  }

  return made;
}

const BUILT_IN: ReadonlySet<unknown> = new Set([
  String,
  Number,
  Boolean,
  Date,
  Array,
  Object,
  Map,
  Set,
  Buffer,
  BigInt,
]);

function replaced(type: unknown): unknown {
  return typeof type === 'function' && !BUILT_IN.has(type) ? withoutTransforms(type as Class) : type;
}

function discriminated(options: { readonly discriminator?: unknown } | undefined): unknown {
  const { discriminator, ...rest } = options ?? {};
  if (!discriminator) return options;

  const { property, subTypes } = discriminator as { property: string; subTypes: { name: string; value: unknown }[] };

  return {
    ...rest,
    discriminator: { property, subTypes: subTypes.map(({ name, value }) => ({ name, value: replaced(value) })) },
  };
}
