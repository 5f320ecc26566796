/** The properties of a class, as the decorators and the plugin of @nestjs/swagger describe them. */
import type { Type } from '@nestjs/common';
import { getOrInsert } from '../get-or-insert.js';
import { swagger, type Swagger } from '../nest/optional-peers.js';
import { PLUGIN, propertyKeys } from '../nest/swagger-metadata.js';

/** @nestjs/swagger, for the parts of this room that run only where it is installed. */
export function requireSwagger(): Swagger {
  if (!swagger) throw new Error('@nestjs/swagger is not installed');

  return swagger;
}

/** What `@ApiProperty()` and the plugin say of a property. */
export type PropertyMetadata = Readonly<Record<string, unknown>>;

const known = new WeakMap<Type<unknown>, ReadonlyMap<string, PropertyMetadata>>();

/** The properties that the document shows of a class, in order; what decorators say wins over the plugin. */
export function propertiesOf(type: Type<unknown>): ReadonlyMap<string, PropertyMetadata> {
  return getOrInsert(known, type, () => collect(type));
}

/** A class of its own with the properties given, which must be those of a class or fewer of them; the plugin adds nothing to it. */
export function classOfProperties(
  base: Type<unknown>,
  properties: ReadonlyMap<string, PropertyMetadata>,
): Type<unknown> {
  const made: ClassWithPlugin = requireSwagger().OmitType(base, [] as never[]);

  for (const [name, metadata] of properties) {
    Reflect.defineMetadata(propertyKeys().one, metadata, made.prototype as object, name);
  }
  made[PLUGIN] = () => ({});

  return made;
}

type ClassWithPlugin = Type<unknown> & { [PLUGIN]?: () => Readonly<Record<string, PropertyMetadata>> };

function collect(type: Type<unknown>): ReadonlyMap<string, PropertyMetadata> {
  // A copy has the properties of base classes and of the plugin, too.
  const made: ClassWithPlugin = requireSwagger().OmitType(type, [] as never[]);
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
}

const BUILT_IN: ReadonlySet<unknown> = new Set([String, Number, Boolean, Object, Array, Date, BigInt, Symbol, Buffer]);

/** The class of a property's value or of the items of its list, where it is one of the application's. */
export function classOfProperty({
  type,
  isArray,
}: PropertyMetadata): [type: Type<unknown> | undefined, isList: boolean] {
  // @nestjs/swagger calls functions of that name to get the type.
  const resolved: unknown = typeof type === 'function' && type.name === 'type' ? (type as () => unknown)() : type;
  const [value, isList] = Array.isArray(resolved) ? [resolved[0] as unknown, true] : [resolved, isArray === true];

  return [typeof value === 'function' && !BUILT_IN.has(value) ? (value as Type<unknown>) : undefined, isList];
}
