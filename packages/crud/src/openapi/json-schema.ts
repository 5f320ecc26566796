/** Changes copies of JSON schemas: only schemas are walked, not property names, examples or defaults. */
import { isPlainObject } from '../definition/plain-objects.js';

/** Keys whose values are schemas by names of the application's own. */
const BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);
/** Keys whose value is a schema, or a list of schemas. */
const INNER: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'additionalItems', 'contains', 'unevaluatedItems'],
  ...['additionalProperties', 'propertyNames', 'unevaluatedProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
]);

/** Prefix of references to the schemas of a document. */
export const SCHEMAS = '#/components/schemas/';

/** A copy of a document, or of a part of it, in which all references are changed. */
export function withReferences(node: unknown, change: (reference: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => withReferences(item, change));
  if (!isPlainObject(node)) return node;

  return mapValues(node, (value, key) =>
    key === '$ref' && typeof value === 'string' ? change(value) : withReferences(value, change),
  );
}

/** A copy of a schema that names no defaults, at any depth. */
export function withoutDefaults<Schema>(schema: Schema): Schema {
  if (!isPlainObject(schema)) return schema;
  const { default: _, ...rest } = schema;

  return mapValues(rest, (value, key) => {
    if (BY_NAME.has(key) && isPlainObject(value)) return mapValues(value, (inner) => withoutDefaults(inner));
    if (!INNER.has(key)) return value;

    return Array.isArray(value) ? value.map((item: unknown) => withoutDefaults(item)) : withoutDefaults(value);
  }) as Schema;
}

function mapValues(object: object, change: (value: unknown, key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
