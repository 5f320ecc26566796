/** The parts of an OpenAPI document that the library writes, the same for 3.0 and 3.1, and changed copies of them. */
import { isPlainObject } from '../definition/plain-objects.js';

/** A JSON schema as OpenAPI 3.0 and 3.1 both read it. */
export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly nullable?: boolean;
  readonly example?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly default?: unknown;
  readonly items?: SchemaObject;
  readonly oneOf?: readonly SchemaObject[];
  readonly anyOf?: readonly SchemaObject[];
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
}

/** One named example of a parameter or a body. */
export interface ExampleObject {
  readonly summary: string;
  readonly value: unknown;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly style?: 'form' | 'simple';
  readonly explode?: boolean;
  readonly schema: SchemaObject;
  readonly examples?: Readonly<Record<string, ExampleObject>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: SchemaObject }>>;
  /** By media type. Default: the body is empty. */
  readonly content?: Content;
}

export const JSON_TYPE = 'application/json';

/** Bodies by media type. */
export type Content = Readonly<
  Record<string, { readonly schema: SchemaObject; readonly examples?: Readonly<Record<string, ExampleObject>> }>
>;

/** The same body for several media types. */
export function describeContent(types: readonly string[], body: Content[string]): Content {
  return Object.fromEntries(types.map((type) => [type, body]));
}

/** An object of which all properties are required, unless a list says which. */
export function objectSchema(
  properties: NonNullable<SchemaObject['properties']>,
  { required = Object.keys(properties), ...more }: SchemaObject = {},
): SchemaObject {
  return { type: 'object', ...more, properties, required };
}

/** The path of the schemas of a document. */
export const SCHEMAS = '#/components/schemas/';

/** Keys whose values are schemas by names of the application's own. */
const BY_NAME: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas'],
  ...['$defs', 'definitions'],
]);
/** Keys whose values are no schemas, whatever they hold. */
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'example', 'examples']);

/** A copy of a document, or of a part of it, in which references are replaced. */
export function replaceReferences(node: unknown, replace: (reference: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => replaceReferences(item, replace));
  if (!isPlainObject(node)) return node;

  return mapValues(node, (value, key) =>
    key === '$ref' && typeof value === 'string' ? replace(value) : replaceReferences(value, replace),
  );
}

/** A copy of a schema that names no defaults, at any depth. */
export function omitDefaults<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map((item: unknown) => omitDefaults(item)) as Schema;
  if (!isPlainObject(schema)) return schema;
  const { default: _, ...rest } = schema;

  return mapValues(rest, (value, key) => {
    if (BY_NAME.has(key) && isPlainObject(value)) return mapValues(value, (inner) => omitDefaults(inner));

    return VALUES.has(key) ? value : omitDefaults(value);
  }) as Schema;
}

/** A copy of an object with other values. */
export function mapValues(object: object, change: (value: unknown, key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
