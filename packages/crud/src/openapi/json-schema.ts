/** Changes copies of JSON schemas: only schemas are walked, not property names, examples or defaults. */
import { isPlainObject } from '../definition/plain-objects.js';

/** Keys under which schemas stand by names of the application's own. */
const BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);
/** Keys under which one schema stands, or a list of them. */
const INNER: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'additionalItems', 'contains', 'unevaluatedItems'],
  ...['additionalProperties', 'propertyNames', 'unevaluatedProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
]);

/** A copy of a schema with every schema right inside it changed. */
export function changeInner(
  schema: Readonly<Record<string, unknown>>,
  change: (inner: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (BY_NAME.has(key) && isPlainObject(value)) return [key, changeEach(value, change)];
      if (!INNER.has(key)) return [key, value];

      return [key, Array.isArray(value) ? value.map(change) : change(value)];
    }),
  );
}

function changeEach(schemas: object, change: (inner: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));
}

/** A copy of a schema that names no defaults, at any depth. */
export function withoutDefaults<Schema>(schema: Schema): Schema {
  if (!isPlainObject(schema)) return schema;
  const { default: _, ...rest } = schema;

  return changeInner(rest, withoutDefaults) as Schema;
}
