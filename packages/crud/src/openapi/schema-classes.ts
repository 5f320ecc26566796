/** Makes classes that @nestjs/swagger turns into schemas. */
import type { Type } from '@nestjs/common';
import { ERRORS } from '../errors/errors.js';
import { getOrInsert } from '../get-or-insert.js';
import type { Swagger } from '../nest/optional-peers.js';
import { propertiesOf, requireSwagger } from './class-properties.js';
import { metadataKey } from '../nest/swagger-metadata.js';
import { type ModelShape, signatureOf } from './model-shape.js';
import { provisionalName } from './schema-names.js';
import { relatedName } from './shape-names.js';

const shaped = new WeakMap<object, Map<string, Type<unknown>>>();

/** The class that a shape describes, under the name given; one class for equal shapes and names. */
export function classOf(shape: ModelShape, name: string): Type<unknown> {
  const { base, omit, optional, related, inherited, renamed, sent } = shape;
  if (shape.name === undefined) return base;

  return memoizedClass(base, `${name} ${signatureOf(shape)}`, () => {
    const { ApiProperty, OmitType } = requireSwagger();
    const made = OmitType(base, [...omit] as never[]) as Type<unknown>;

    for (const [property, owner] of inherited)
      ApiProperty(propertiesOf(owner).get(property) as PropertyOptions)(made.prototype as object, property);
    for (const [property, name] of renamed) ApiProperty({ name })(made.prototype as object, property);
    for (const property of optional) ApiProperty({ required: false })(made.prototype as object, property);
    for (const property of sent) ApiProperty({ required: true, readOnly: false })(made.prototype as object, property);
    for (const [property, { shape: inner, toMany }] of related) {
      // The name follows the outer one, which is unique in a document.
      const type = classOf(inner, relatedName(name, property));
      const required = optional.has(property) ? { required: false } : {};
      ApiProperty({ ...required, type: () => type, isArray: toMany })(made.prototype as object, property);
    }
    // A schema's own rules (additionalProperties …) are in the metadata of the class, not in its properties.
    inheritSchema(base, made, name);

    return made;
  });
}

/** Gives a derived class its name, and the extra models of its base; a name that the application gave its class by @ApiSchema() belongs to that class alone. */
export function inheritSchema(base: Type<unknown>, made: Type<unknown>, name: string): void {
  const { ApiExtraModels } = requireSwagger();
  const key = metadataKey('extraModels');
  const models = (Reflect.getMetadata(key, base) ?? []) as Type<unknown>[];

  Object.defineProperty(made, 'name', { value: provisionalName(name), configurable: true });
  if (models.length > 0) ApiExtraModels(...models)(made);
}

/** The class of an envelope of items. */
export function pageClass(item: Type<unknown>, name: string): Type<unknown> {
  return documentedClass(item, name, {
    data: { type: item, isArray: true, description: 'Records of this page' },
    count: { type: 'integer', description: 'Records in this response', example: 1 },
    total: { type: 'integer', description: 'Records that match, on all pages', example: 1 },
    page: { type: 'integer', description: 'Number of this page, from 1', example: 1 },
    pageCount: { type: 'integer', description: 'Pages in all', example: 1 },
  });
}

/** The class of a page that is read by a cursor. */
export function cursorPageClass(item: Type<unknown>, name: string): Type<unknown> {
  const cursor = (description: string): PropertyOptions => ({ type: 'string', nullable: true, description });

  return documentedClass(item, name, {
    data: { type: item, isArray: true, description: 'Records of this page' },
    count: { type: 'integer', description: 'Records in this response', example: 1 },
    total: { type: 'integer', required: false, description: 'Records that match, on all pages' },
    next: cursor('`cursor` of the page after this one; null where nothing followed'),
    previous: cursor('`cursor` of the page before this one; null for the first one'),
  });
}

/** The class of a bulk body of items. */
export function bulkClass(item: Type<unknown>, name: string, description: string): Type<unknown> {
  return documentedClass(item, name, { bulk: { type: item, isArray: true, minItems: 1, description } });
}

/** The class of the body of every error. */
export function errorClass(): Type<unknown> {
  return documentedClass(ERRORS, 'CrudErrorDto', {
    statusCode: { type: 'integer' },
    message: {
      type: 'string',
      oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      description: 'What is wrong: one text, or a text for each property',
    },
    error: { type: 'string', required: false, description: 'Name of the status' },
    code: { type: 'string', required: false, enum: Object.keys(ERRORS), description: 'Which error it is' },
    field: { type: 'string', required: false, description: 'Property or parameter that is to blame' },
  });
}

/** Makes a class from another once for each key. */
export function memoizedClass(owner: object, key: string, make: () => Type<unknown>): Type<unknown> {
  return getOrInsert(
    getOrInsert(shaped, owner, () => new Map<string, Type<unknown>>()),
    key,
    make,
  );
}

type PropertyOptions = NonNullable<Parameters<Swagger['ApiProperty']>[0]>;

/** A class with these properties alone; one class for an owner and a name. */
function documentedClass(
  owner: object,
  name: string,
  properties: Readonly<Record<string, PropertyOptions>>,
): Type<unknown> {
  return memoizedClass(owner, name, () => {
    const made = class {};
    Object.defineProperty(made, 'name', { value: provisionalName(name), configurable: true });
    for (const [property, options] of Object.entries(properties))
      requireSwagger().ApiProperty(options)(made.prototype, property);

    return made;
  });
}
