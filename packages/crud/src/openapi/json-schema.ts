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

/** A copy of a schema with each of its direct subschemas changed. */
function changeInner(
  schema: Readonly<Record<string, unknown>>,
  change: (inner: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (BY_NAME.has(key) && isPlainObject(value))
        return [key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner)]))];
      if (!INNER.has(key)) return [key, value];

      return [key, Array.isArray(value) ? value.map(change) : change(value)];
    }),
  );
}

/** Prefix of references to the schemas of a document. */
export const SCHEMAS = '#/components/schemas/';

/** A copy of a document, or of a part of it, in which all references are changed. */
export function withReferences(node: unknown, change: (reference: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => withReferences(item, change));
  if (!isPlainObject(node)) return node;

  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? change(value) : withReferences(value, change),
    ]),
  );
}

/** A copy of a schema that names no defaults, at any depth. */
export function withoutDefaults<Schema>(schema: Schema): Schema {
  if (!isPlainObject(schema)) return schema;
  const { default: _, ...rest } = schema;

  return changeInner(rest, withoutDefaults) as Schema;
}
