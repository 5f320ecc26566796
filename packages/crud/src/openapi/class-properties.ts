/** The properties of a class as @nestjs/swagger's decorators and plugin describe them; classes made of properties. */
import type { Type } from '@nestjs/common';
import { ApiExtraModels, OmitType } from '@nestjs/swagger';
import { isDeepStrictEqual } from 'node:util';
import { oncePerObject } from '../get-or-insert.js';
import { type Constructor, listPrototypes, metadataKey, PLUGIN, propertyKeys } from '../nest/metadata.js';
import { initialisedProperties } from '../validation/settable-properties.js';
import { omitDefaults } from './json-schema.js';
import { markName, plainName } from './names.js';

/** What `@ApiProperty()` and the plugin say of a property. */
export type PropertyMetadata = Readonly<Record<string, unknown>>;

type ClassWithPlugin = Type<unknown> & { [PLUGIN]?: () => Readonly<Record<string, PropertyMetadata>> };

/** The properties that a document shows of a class, in order; what decorators say wins over the plugin. */
export const documentedProperties = oncePerObject((type: Type<unknown>): ReadonlyMap<string, PropertyMetadata> => {
  // A copy has the properties of base classes and of the plugin, too.
  const made: ClassWithPlugin = OmitType(type, [] as never[]);
  const prototype = made.prototype as object;
  const plugin = made[PLUGIN]?.() ?? {};
  const marked = (Reflect.getMetadata(propertyKeys().list, prototype) ?? []) as string[];

  return new Map(
    // @nestjs/swagger marks each name with a colon.
    marked
      .map((name) => name.replace(/^:/, ''))
      .map((name) => [
        name,
        { ...plugin[name], ...(Reflect.getMetadata(propertyKeys().one, prototype, name) as PropertyMetadata) },
      ]),
  );
});

/** What is made of the entries of a map, or of a list of names; without those of which nothing is. */
export function collectDefined<V, T>(
  entries: Iterable<readonly [string, V]>,
  make: (name: string, value: V) => T | undefined,
): ReadonlyMap<string, T> {
  const made = Array.from(entries, ([name, value]) => [name, make(name, value)] as const);

  return new Map(made.filter((entry): entry is readonly [string, T] => entry[1] !== undefined));
}

/** The models that `@ApiExtraModels()` adds to those that a class refers to. */
export function extraModels(type: Type<unknown>): readonly Type<unknown>[] {
  return (Reflect.getMetadata(metadataKey('extraModels'), type) ?? []) as Type<unknown>[];
}

/** A class with these properties alone, for @nestjs/swagger to make a schema of. */
export function makeClass(
  name: string,
  properties: ReadonlyMap<string, PropertyMetadata>,
  models: readonly Type<unknown>[],
): Type<unknown> {
  const made = class {};
  const prototype: object = made.prototype;
  const { list, one } = propertyKeys();

  Object.defineProperty(made, 'name', { value: name });
  Reflect.defineMetadata(
    list,
    Array.from(properties.keys(), (property) => `:${property}`),
    prototype,
  );
  for (const [property, metadata] of properties) Reflect.defineMetadata(one, metadata, prototype, property);
  ApiExtraModels(...models)(made);

  return made;
}

/** What an ORM or a decorator names as a class, if it is one. */
export function asClass(value: unknown): Type<unknown> | undefined {
  return typeof value === 'function' ? (value as Type<unknown>) : undefined;
}

const BUILT_IN: ReadonlySet<unknown> = new Set([String, Number, Boolean, Object, Array, Date, BigInt, Symbol, Buffer]);

/** The class of a property's value or of the items of its list, if it is one of the application's. */
export function valueClass({ type, isArray }: PropertyMetadata): [type: Type<unknown> | undefined, isList: boolean] {
  // @nestjs/swagger calls functions of that name to get the type.
  const resolved: unknown = typeof type === 'function' && type.name === 'type' ? (type as () => unknown)() : type;
  const [value, isList] = Array.isArray(resolved) ? [resolved[0] as unknown, true] : [resolved, isArray === true];

  return [BUILT_IN.has(value) ? undefined : asClass(value), isList];
}

/** The class of the application's that a property, or each item of its list, is documented to be of. */
export function propertyClass(type: Type<unknown>, property: string): Type<unknown> | undefined {
  return valueClass(documentedProperties(type).get(property) ?? {})[0];
}

/** Options by which an application describes a value itself. */
const DESCRIBING = ['properties', 'additionalProperties', 'oneOf', 'anyOf', 'allOf', '$ref', 'enum', 'items'];

/** Whether the application describes the values of a property by more than their type. */
export function hasSchema(metadata: PropertyMetadata): boolean {
  return DESCRIBING.some((key) => key in metadata);
}

/** Whether a property is documented as an object without a known class or schema. */
export function isUntypedObject(metadata: PropertyMetadata = {}): boolean {
  return (metadata['type'] ?? Object) === Object && !hasSchema(metadata);
}

/** Properties that a new instance has, or computes: they are there whatever is copied onto it. */
export const ownProperties = oncePerObject((type: Type<unknown>): ReadonlySet<string> => {
  const described = listPrototypes(type as Constructor).flatMap((prototype) =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype)),
  );

  return new Set([...initialisedProperties(type), ...described.flatMap(([name, { get }]) => (get ? name : []))]);
});

/** A property as PATCH shows it: in such a body a default would be written over what is stored. */
export function omitPropertyDefaults(metadata: PropertyMetadata): PropertyMetadata {
  const [inner, isArray] = valueClass(metadata);
  const plain = omitDefaults(metadata);

  // Asked late, since classes may hold each other.
  return inner && holdsDefault(inner) ? { ...plain, type: () => partClass(inner), isArray } : plain;
}

/** The class of a part of a body without defaults. */
const partClass: (type: Type<unknown>) => Type<unknown> = oncePerObject((type) =>
  makeClass(
    markName(`${plainName(type.name).replace(/Dto$/, '')}PatchDto`),
    collectDefined(documentedProperties(type), (_, metadata) => omitPropertyDefaults(metadata)),
    extraModels(type),
  ),
);

function holdsDefault(type: Type<unknown>, asked = new Set<unknown>()): boolean {
  if (asked.has(type)) return false;
  asked.add(type);

  return [...documentedProperties(type).values()].some((metadata) => {
    const [inner] = valueClass(metadata);

    return !isDeepStrictEqual(omitDefaults(metadata), metadata) || (inner !== undefined && holdsDefault(inner, asked));
  });
}
