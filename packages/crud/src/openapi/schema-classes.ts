/** Makes classes that @nestjs/swagger turns into schemas. */
import type { Type } from '@nestjs/common';
import { ERRORS } from '../errors/errors.js';
import { classValidator, type swagger } from '../nest/optional-peers.js';
import { classOfProperty, propertiesOf, requireSwagger } from './class-properties.js';
import { metadataKey } from '../nest/swagger-metadata.js';
import { rulesByProperty, KINDS, type Reason } from '../validation/applicable-rules.js';
import { CrudValidationGroups } from '../validation/validation-groups.js';
import type { ClassFacts, ModelShape } from './document-types.js';
import { provisionalName } from './schema-names.js';
import { relatedName, signatureOf } from './shape-names.js';

/** Group under which the bodies are validated that may lack properties. */
const GROUP = CrudValidationGroups.CREATE;

/** What @nestjs/swagger and class-validator know of classes. */
export const CLASS_FACTS: ClassFacts = {
  documented: (type) => [...propertiesOf(type).keys()],

  classOf: (type, property) => classOfProperty(propertiesOf(type).get(property) ?? {})[0],

  isVague: (type, property) => {
    const { type: noted = Object, ...more } = propertiesOf(type).get(property) ?? {};

    return noted === Object && !DESCRIBING.some((key) => key in more);
  },

  isReadOnly: (type, property) => propertiesOf(type).get(property)?.['readOnly'] === true,

  makes: (type) => {
    const names = made.get(type) ?? new Set([...initialised(type), ...computed(type.prototype as object)]);
    made.set(type, names);

    return names;
  },

  demanded: (type, property) => {
    if (!classValidator) return undefined;

    const rules = rulesByProperty(type, {}, GROUP).find(({ name }) => name === property)?.rules ?? [];
    const conditions = rules.filter(({ rule }) => rule.type === KINDS.condition);
    // A condition without a group releases rules without one alone.
    const releases = (reason: Reason) => conditions.some((by) => by.reason !== 'free' || reason === 'free');

    return rules.some(({ rule, reason }) => REQUIRING.has(rule.type) && !releases(reason));
  },
};

/** Kinds of rules that a missing value may break. */
const REQUIRING: ReadonlySet<string> = new Set([KINDS.check, KINDS.defined]);

/** Options of a property by which the application describes an object itself. */
const DESCRIBING = ['properties', 'additionalProperties', 'oneOf', 'anyOf', 'allOf', '$ref'];

const made = new WeakMap<Type<unknown>, ReadonlySet<string>>();

function initialised(type: Type<unknown>): string[] {
  try {
    return Object.entries(new type() as object).flatMap(([name, value]) => (value === undefined ? [] : name));
  } catch {
    // The constructor may require parameters.
    return [];
  }
}

function computed(prototype: object | null): string[] {
  if (!prototype || prototype === Object.prototype) return [];
  const getters = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(([, { get }]) => get);

  return [...getters.map(([name]) => name), ...computed(Object.getPrototypeOf(prototype) as object | null)];
}

const shaped = new WeakMap<object, Map<string, Type<unknown>>>();

/** The class that a shape describes, under the name given; one class for equal shapes and names. */
export function classOf(shape: ModelShape, name: string): Type<unknown> {
  const { base, omit, optional, related, inherited, renamed, sent } = shape;
  if (omit.size === 0 && optional.size === 0 && !related?.size && !inherited?.size && !renamed?.size && !sent?.size)
    return base;

  return remembered(base, `${name} ${signatureOf(shape)}`, () => {
    const { ApiProperty, OmitType } = requireSwagger();
    const made = OmitType(base, [...omit] as never[]) as Type<unknown>;

    for (const [property, owner] of inherited ?? [])
      ApiProperty(propertiesOf(owner).get(property) as PropertyOptions)(made.prototype as object, property);
    for (const [property, name] of renamed ?? []) ApiProperty({ name })(made.prototype as object, property);
    for (const property of optional) ApiProperty({ required: false })(made.prototype as object, property);
    for (const property of sent ?? [])
      ApiProperty({ required: true, readOnly: false })(made.prototype as object, property);
    for (const [property, { shape: inner, toMany }] of related ?? []) {
      // The name follows the outer one, which is unique in a document.
      const type = classOf(inner, relatedName(name, property));
      const required = optional.has(property) ? { required: false } : {};
      ApiProperty({ ...required, type: () => type, isArray: toMany })(made.prototype as object, property);
    }
    // Validation does not ask for a schema's own rules (additionalProperties …) of the class; they are in its metadata, not in its properties.
    inheritSchema(base, made, name);

    return made;
  });
}

/** Gives a derived class its name, and the models that its base brings along; a name that the application gave its class by @ApiSchema() belongs to that class alone. */
export function inheritSchema(base: Type<unknown>, made: Type<unknown>, name: string): void {
  const { ApiExtraModels } = requireSwagger();
  const key = metadataKey('extraModels');
  const models = (Reflect.getMetadata(key, base) ?? []) as Type<unknown>[];

  Object.defineProperty(made, 'name', { value: provisionalName(name), configurable: true });
  if (models.length > 0) ApiExtraModels(...models)(made);
}

/** The class of an envelope of items. */
export function pageClass(item: Type<unknown>, name: string): Type<unknown> {
  return remembered(item, name, () => {
    const made = emptyClass(name);

    document(made, 'data', { type: item, isArray: true, description: 'Records of this page' });
    document(made, 'count', { type: 'integer', description: 'Records in this response', example: 1 });
    document(made, 'total', { type: 'integer', description: 'Records that match, on all pages', example: 1 });
    document(made, 'page', { type: 'integer', description: 'Number of this page, from 1', example: 1 });
    document(made, 'pageCount', { type: 'integer', description: 'Pages in all', example: 1 });

    return made;
  });
}

/** The class of a page that is read by a cursor. */
export function cursorPageClass(item: Type<unknown>, name: string): Type<unknown> {
  return remembered(item, name, () => {
    const made = emptyClass(name);
    const cursor = (description: string): PropertyOptions => ({ type: 'string', nullable: true, description });

    document(made, 'data', { type: item, isArray: true, description: 'Records of this page' });
    document(made, 'count', { type: 'integer', description: 'Records in this response', example: 1 });
    document(made, 'total', { type: 'integer', required: false, description: 'Records that match, on all pages' });
    document(made, 'next', cursor('`cursor` of the page after this one; null where nothing followed'));
    document(made, 'previous', cursor('`cursor` of the page before this one; null for the first one'));

    return made;
  });
}

/** The class of a bulk body of items. */
export function bulkClass(item: Type<unknown>, name: string, description: string): Type<unknown> {
  return remembered(item, name, () => {
    const made = emptyClass(name);

    document(made, 'bulk', { type: item, isArray: true, minItems: 1, description });

    return made;
  });
}

/** The class of the body of every error. */
export function errorClass(): Type<unknown> {
  return remembered(ERRORS, 'CrudErrorDto', () => {
    const made = emptyClass('CrudErrorDto');

    document(made, 'statusCode', { type: 'integer' });
    document(made, 'message', {
      type: 'string',
      oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      description: 'What is wrong: one text, or a text for each property',
    });
    document(made, 'error', { type: 'string', required: false, description: 'Name of the status' });
    document(made, 'code', {
      type: 'string',
      required: false,
      enum: Object.keys(ERRORS),
      description: 'Which error it is',
    });
    document(made, 'field', { type: 'string', required: false, description: 'Property or parameter that is to blame' });

    return made;
  });
}

/** What is made of a class under a key, once. */
export function remembered(owner: object, key: string, make: () => Type<unknown>): Type<unknown> {
  const made = shaped.get(owner) ?? new Map<string, Type<unknown>>();
  const known = made.get(key) ?? make();

  made.set(key, known);
  shaped.set(owner, made);

  return known;
}

function emptyClass(name: string): Type<unknown> {
  const made = class {};

  Object.defineProperty(made, 'name', { value: provisionalName(name), configurable: true });

  return made;
}

type PropertyOptions = NonNullable<Parameters<NonNullable<typeof swagger>['ApiProperty']>[0]>;

function document(type: Type<unknown>, property: string, options: PropertyOptions): void {
  requireSwagger().ApiProperty(options)(type.prototype as object, property);
}
