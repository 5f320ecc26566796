/** Draws the properties of a class: from catalog and class-validator's rules, refined by `@ApiProperty()`. */
import type { Type } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { oncePerObject } from '../get-or-insert.js';
import type { Catalog, CatalogRelation } from '../plan/catalog.js';
import { decoratorStorage } from '../serialization/class-transformer.js';
import { KINDS, type PropertyRules, rulesByProperty } from '../validation/applicable-rules.js';
import type { CrudValidationGroups } from '../validation/body-rules.js';
import {
  asClass,
  collectDefined,
  documentedProperties,
  extraModels,
  hasSchema,
  isUntypedObject,
  makeClass,
  type PropertyMetadata,
  valueClass,
} from './class-properties.js';
import { columnSchema, DESIGNED, isRequiredByRules, ruleSchema } from './value-schemas.js';
import type { SchemaObject } from './json-schema.js';
import { standInName } from './names.js';

/** A class, and what its properties are drawn from. */
export interface Drawing {
  readonly type: Type<unknown>;
  /** The entity that its properties are columns of. Default: none is known. */
  readonly catalog?: Catalog | undefined;
  /** Path of an embedded object in the entity, with a dot behind it. Default: it is the record itself. */
  readonly prefix?: string;
  /** Rules that bodies must satisfy: those of a group, or all of the class. Default: none. */
  readonly rules?: { readonly group: CrudValidationGroups | undefined } | undefined;
}

/** The metadata of a property, drawn and refined; undefined if nothing is known of it. */
export function drawProperty(drawing: Drawing, property: string): PropertyMetadata | undefined {
  const { type, catalog, prefix = '', rules } = drawing;
  const path = prefix + property;
  const column = catalog?.columns.get(path);
  const relation = catalog?.relations.get(path);
  const designed: unknown = Reflect.getMetadata('design:type', type.prototype as object, property);
  const declared = documentedProperties(type).get(property);
  const applicable = rules ? applicableRules(type, rules.group, property) : [];
  const stored = column
    ? narrowed(columnSchema(column, designed), ruleSchema(applicable))
    : relation
      ? relatedSchema(relation)
      : catalog && isEmbedded(catalog, path) && { type: Object };
  const drawn = stored || ruledSchema(drawing, property, applicable, designed);
  if (declared) return refined(drawn, declared, rules !== undefined);

  // Of a class other than the model, the rules alone say which columns it requires.
  const isOfModel = !rules || rules.group !== undefined;

  return drawn && { required: (stored && isOfModel) || isRequiredByRules(applicable), ...drawn };
}

/** The properties that a class declares, that have a rule other than one that only allows them, and that are held. */
export function drawProperties(drawing: Drawing, held: readonly string[] = []): ReadonlyMap<string, PropertyMetadata> {
  const { type, rules } = drawing;
  const ruled = rules ? rulesByProperty(type, {}, rules.group).map(({ name }) => name) : [];
  const names = new Set([...documentedProperties(type).keys(), ...held, ...ruled]);

  return collectDefined(names.entries(), (property) => drawProperty(drawing, property));
}

/** The names of columns, relations and embedded objects that a record of a class holds. */
export function heldProperties({ type, catalog, prefix = '' }: Drawing): readonly string[] {
  if (!catalog) return [];
  const record = catalog.recordClasses?.find(({ target }) => target === type);
  const paths = record?.paths ?? [...catalog.columns.keys(), ...catalog.relations.keys()];
  const below = [...paths].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));

  return [...new Set(below.map((path) => path.split('.')[0]!))];
}

/** The rules of one property. */
export function applicableRules(
  type: Type<unknown>,
  group: CrudValidationGroups | undefined,
  property: string,
): PropertyRules['rules'] {
  return rulesByProperty(type, {}, group).find(({ name }) => name === property)?.rules ?? [];
}

/** Whether a path is that of an embedded object. */
export function isEmbedded({ columns }: Catalog, path: string): boolean {
  return [...columns.keys()].some((column) => column.startsWith(`${path}.`));
}

/** A schema, or a class that makes one. */
type Drawn = SchemaObject | { readonly type: unknown; readonly isArray?: boolean; readonly nullable?: boolean };

/** A relation whose class another one takes the place of. */
function relatedSchema({ toMany, nullable }: CatalogRelation): Drawn {
  return { type: Object, ...(toMany ? { isArray: true } : nullable && { nullable }) };
}

/** A property that is no column, and that rules describe. */
function ruledSchema(
  { type }: Drawing,
  property: string,
  rules: PropertyRules['rules'],
  designed: unknown,
): Drawn | undefined {
  if (rules.length === 0) return undefined;
  const { items, ...own } = ruleSchema(rules) as SchemaObject & { items?: SchemaObject };
  const isList = own.type === 'array' || designed === Array;
  const nested = rules.some(({ rule }) => rule.type === KINDS.nested)
    ? nestedClass(type, property, designed)
    : undefined;
  // Asked late, since classes may hold each other.
  if (nested) return { type: () => standIn(nested), ...(isList && { isArray: true }) };
  if (isList) return { ...own, type: 'array', items: typed(items ?? {}) };

  return typed(narrowed(DESIGNED.get(designed) ?? {}, own));
}

/** A schema with a type, which @nestjs/swagger asks for. */
function typed(schema: SchemaObject): SchemaObject {
  const [member] = schema.enum ?? [];
  if (schema.type) return schema;
  if (member !== undefined) return { type: typeof member as 'string', ...schema };

  return 'minimum' in schema || 'maximum' in schema || 'multipleOf' in schema
    ? { type: 'number', ...schema }
    : { type: 'object', anyOf: [{}], ...schema };
}

/** The class of the objects in a property, as class-transformer or TypeScript has it. */
function nestedClass(type: Type<unknown>, property: string, designed: unknown): Type<unknown> | undefined {
  const named = decoratorStorage()?.findTypeMetadata(type, property)?.typeFunction?.();

  return valueClass({ type: named ?? designed })[0];
}

/** What rules say of a value that a schema describes already. A rule that wants another type knows better. */
function narrowed(schema: SchemaObject, rules: SchemaObject): SchemaObject {
  if (!rules.type || rules.type === schema.type) return { ...schema, ...rules };
  if (schema.type === 'integer' && rules.type === 'number') return { ...schema, ...rules, type: 'integer' };
  if (schema.type === 'number' && rules.type === 'integer') return { ...schema, ...rules };

  return { ...rules, ...(schema.nullable && { nullable: true }) };
}

/** What decorators say wins; a type that they cannot see (`string | null`) is none. */
function refined(drawn: Drawn | undefined, declared: PropertyMetadata, isBody: boolean): PropertyMetadata {
  const [inner, isList] = valueClass(declared);
  // Asked late, since classes may hold each other.
  if (inner && isBody && !drawn) return { ...declared, type: () => standIn(inner), ...(isList && { isArray: true }) };
  if (!drawn) return declared;

  const { type, ...rest } = declared;
  if (isUntypedObject(declared) && !declared['isArray']) return { ...drawn, ...rest };

  const name = DESIGNED.get(type)?.type ?? type;
  const isDescribed = isList || hasSchema(declared);
  if (!isDescribed && name === drawn.type) return { ...drawn, ...declared };
  if (!isDescribed && name === 'number' && drawn.type === 'integer') return { ...drawn, ...rest };

  return { ...(drawn.nullable && { nullable: true }), ...declared };
}

/**
 * The class that stands for one of a body's classes in a document, under its name, with what its rules say; the class
 * itself if they say nothing more.
 */
export const standIn: (type: Type<unknown>) => Type<unknown> = oncePerObject((type) => {
  const drawn = drawProperties({ type, rules: { group: undefined } });

  return isDeepStrictEqual(drawn, documentedProperties(type))
    ? type
    : makeClass(standInName(type.name), drawn, extraModels(type));
});

/** The class of an embedded object as the catalog has it: `Partial<X>` and the like leave no trace of X. */
export function embeddedClass({ recordClasses }: Catalog, path: string): Type<unknown> | undefined {
  return asClass(recordClasses?.find(({ embedded }) => embedded.has(path))?.embedded.get(path));
}
