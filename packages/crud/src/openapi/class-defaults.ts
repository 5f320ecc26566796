/** A class in, one whose properties name no defaults out, nor those of the classes in it; a class without any is handed back; throws where @nestjs/swagger is not installed. */
import type { Type } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { withoutDefaults } from './json-schema.js';
import { propertyKeys } from './metadata-keys.js';
import { inheritSchema, remembered, requireSwagger } from './schema-classes.js';

type Property = Readonly<Record<string, unknown>>;

/** Under which the plugin of @nestjs/swagger puts what it learns of a class into the compiled class. */
const PLUGIN = '_OPENAPI_METADATA_FACTORY';

/** The class that PATCH shows: on such a body a default would be written over what is stored. */
export function classWithoutDefaults(type: Type<unknown>, nameOf: () => string): Type<unknown> {
  return holdsDefault(type) ? derive(type, nameOf()) : type;
}

function derive(type: Type<unknown>, name: string): Type<unknown> {
  return remembered(type, `${name} without defaults`, () => {
    const made = requireSwagger().OmitType(type, [] as never[]) as Type<unknown> & { [PLUGIN]?: () => object };

    for (const [property, metadata] of knownOf(type).properties) {
      const [inner, isList] = classOfProperty(metadata);
      const nested = inner && holdsDefault(inner) ? inner : undefined;

      Reflect.defineMetadata(
        propertyKeys().one,
        { ...(withoutDefaults(metadata) as object), ...(nested && { type: partOf(nested), isArray: isList }) },
        made.prototype as object,
        property,
      );
    }
    made[PLUGIN] = () => ({});
    inheritSchema(type, made, name);

    return made;
  });
}

/** Asked late, since classes may hold each other. */
function partOf(type: Type<unknown>): () => Type<unknown> {
  return { type: () => derive(type, `${type.name.replace(/Dto$/, '')}PatchDto`) }.type;
}

function holdsDefault(type: Type<unknown>, asked = new Set<unknown>()): boolean {
  if (asked.has(type)) return false;
  asked.add(type);
  const { properties, hasOwn } = knownOf(type);

  return (
    hasOwn ||
    [...properties.values()].some((metadata) => {
      const [inner] = classOfProperty(metadata);

      return inner && holdsDefault(inner, asked);
    })
  );
}

/** What is known of a class. */
interface Known {
  /** What decorators and the plugin note of each property, the decorators before the plugin. */
  readonly properties: ReadonlyMap<string, Property>;
  /** Whether one of them names a default. */
  readonly hasOwn: boolean;
}

const known = new WeakMap<Type<unknown>, Known>();

function knownOf(type: Type<unknown>): Known {
  const answer = known.get(type) ?? askedOf(propertiesOf(type));
  known.set(type, answer);

  return answer;
}

function askedOf(properties: Known['properties']): Known {
  const hasOwn = [...properties.values()].some((metadata) => !isDeepStrictEqual(withoutDefaults(metadata), metadata));

  return { properties, hasOwn };
}

function propertiesOf(type: Type<unknown>): ReadonlyMap<string, Property> {
  const made = requireSwagger().OmitType(type, [] as never[]) as Type<unknown> & { [PLUGIN]?: () => object };
  const prototype = made.prototype as object;
  const noted = (made[PLUGIN]?.() ?? {}) as Record<string, Property>;
  const names = (Reflect.getMetadata(propertyKeys().list, prototype) ?? []) as string[];

  return new Map(
    names.map((marked) => {
      const name = marked.replace(/^:/, '');

      return [name, { ...noted[name], ...(Reflect.getMetadata(propertyKeys().one, prototype, name) as Property) }];
    }),
  );
}

const BUILT_IN: ReadonlySet<unknown> = new Set([String, Number, Boolean, Object, Array, Date, BigInt, Symbol, Buffer]);

/** The class of a property's value or of the items of its list, where it is one of the application's. */
function classOfProperty({ type, isArray }: Property): [type: Type<unknown> | undefined, isList: boolean] {
  // @nestjs/swagger takes functions of that name for ones that tell the type.
  const told: unknown = typeof type === 'function' && type.name === 'type' ? (type as () => unknown)() : type;
  const [value, isList] = Array.isArray(told) ? [told[0] as unknown, true] : [told, isArray === true];

  return [typeof value === 'function' && !BUILT_IN.has(value) ? (value as Type<unknown>) : undefined, isList];
}
