/** The properties of a class: as the decorators and the plugin of @nestjs/swagger describe them, and as class-validator requires them. */
import type { Type } from '@nestjs/common';
import { oncePerObject } from '../get-or-insert.js';
import { type Constructor, prototypesOf } from '../nest/metadata.js';
import { classValidator, swagger, type Swagger } from '../nest/optional-peers.js';
import { PLUGIN, propertyKeys } from '../nest/swagger-metadata.js';
import { KINDS, type Reason, rulesByProperty } from '../validation/applicable-rules.js';
import { initialisedProperties } from '../validation/initialised-properties.js';
import { CrudValidationGroups } from '../validation/validation-groups.js';

/** @nestjs/swagger, for the parts of this room that run only if it is installed. */
export function requireSwagger(): Swagger {
  if (!swagger) throw new Error('@nestjs/swagger is not installed');

  return swagger;
}

/** What `@ApiProperty()` and the plugin say of a property. */
export type PropertyMetadata = Readonly<Record<string, unknown>>;

/** A class of its own with the properties given, which must be those of a class or fewer of them; the plugin adds nothing to it. */
export function classOfProperties(
  base: Type<unknown>,
  properties: ReadonlyMap<string, PropertyMetadata>,
): Type<unknown> {
  const made: ClassWithPlugin = requireSwagger().OmitType(base, [] as never[]);

  for (const [name, metadata] of properties)
    Reflect.defineMetadata(propertyKeys().one, metadata, made.prototype as object, name);

  made[PLUGIN] = () => ({});

  return made;
}

type ClassWithPlugin = Type<unknown> & { [PLUGIN]?: () => Readonly<Record<string, PropertyMetadata>> };

/** The properties that the document shows of a class, in order; what decorators say wins over the plugin. */
export const propertiesOf = oncePerObject((type: Type<unknown>): ReadonlyMap<string, PropertyMetadata> => {
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
});

const BUILT_IN: ReadonlySet<unknown> = new Set([String, Number, Boolean, Object, Array, Date, BigInt, Symbol, Buffer]);

/** The class of a property's value or of the items of its list, if it is one of the application's. */
export function valueClassOf({ type, isArray }: PropertyMetadata): [type: Type<unknown> | undefined, isList: boolean] {
  // @nestjs/swagger calls functions of that name to get the type.
  const resolved: unknown = typeof type === 'function' && type.name === 'type' ? (type as () => unknown)() : type;
  const [value, isList] = Array.isArray(resolved) ? [resolved[0] as unknown, true] : [resolved, isArray === true];

  return [typeof value === 'function' && !BUILT_IN.has(value) ? (value as Type<unknown>) : undefined, isList];
}

/** Names of the properties that the document shows of a class. */
export function documentedProperties(type: Type<unknown>): readonly string[] {
  return [...propertiesOf(type).keys()];
}

function metadataOf(type: Type<unknown>, property: string): PropertyMetadata {
  return propertiesOf(type).get(property) ?? {};
}

/** The class of the application's that a property, or each item of its list, is documented to be of. */
export function classOfProperty(type: Type<unknown>, property: string): Type<unknown> | undefined {
  return valueClassOf(metadataOf(type, property))[0];
}

/** Options of a property by which the application describes an object itself. */
const DESCRIBING = ['properties', 'additionalProperties', 'oneOf', 'anyOf', 'allOf', '$ref'];

/** Whether a property is documented as an object without a known class or schema. */
export function isUntypedObject(type: Type<unknown>, property: string): boolean {
  const { type: documented = Object, ...more } = metadataOf(type, property);

  return documented === Object && !DESCRIBING.some((key) => key in more);
}

/** Whether a property is documented as one that only answers have. */
export function isReadOnly(type: Type<unknown>, property: string): boolean {
  return metadataOf(type, property)['readOnly'] === true;
}

/** Whether a property is documented as one that must be there. */
export function isDocumentedAsRequired(type: Type<unknown>, property: string): boolean {
  return (metadataOf(type, property)['required'] ?? true) === true;
}

/** Properties that a new instance has, or computes: they are there whatever is copied onto it. */
export const ownProperties = oncePerObject(
  (type: Type<unknown>): ReadonlySet<string> => new Set([...initialisedProperties(type), ...gettersOf(type)]),
);

function gettersOf(type: Type<unknown>): string[] {
  return prototypesOf(type as Constructor)
    .flatMap((prototype) => Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    .flatMap(([name, { get }]) => (get ? [name] : []));
}

/** Kinds of rules that a missing value may break. */
const REQUIRING: ReadonlySet<string> = new Set([KINDS.check, KINDS.defined]);

/** Whether validation refuses the body of a new record without the property; `undefined` if unknown. */
export function isRequiredByRules(type: Type<unknown>, property: string): boolean | undefined {
  if (!classValidator) return undefined;

  const rules =
    rulesByProperty(type, {}, CrudValidationGroups.CREATE).find(({ name }) => name === property)?.rules ?? [];
  const conditions = rules.filter(({ rule }) => rule.type === KINDS.condition);
  // A condition without a group releases rules without one alone.
  const releases = (reason: Reason) => conditions.some((by) => by.reason !== 'free' || reason === 'free');

  return rules.some(({ rule, reason }) => REQUIRING.has(rule.type) && !releases(reason));
}
