/** A route whose body is validated by a Standard Schema in, the JSON schema of that body out: the schema's own where it can tell it, else any object; nothing is refused. */
import { isPlainObject } from '../definition/freeze.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { bodyRulesOf } from '../validation/body-rules.js';
import type { StandardSchema } from '../definition/standard-schema.js';
import type { SchemaObject } from './document-types.js';
import { withoutDefaults } from './json-schema.js';

/** What the Standard JSON Schema interface adds to a schema. */
interface JsonSchemaSource {
  readonly jsonSchema?: { readonly input?: (options: { readonly target: 'openapi-3.0' }) => unknown };
}

/**
 * The schema of a route's body; `undefined` where a class describes it.
 *
 * @param declared Class of the body parameter in an overriding handler.
 */
export function standardBodyOf(
  definition: ResourceDefinition,
  route: BaseRouteName,
  declared?: unknown,
): SchemaObject | undefined {
  const rules = bodyRulesOf(definition, route, declared);
  if (!rules?.schema) return undefined;

  const described = jsonSchemaOf(rules.schema);
  // A class may be documented by decorators.
  if (!described && rules.type !== Object) return undefined;

  const record = ((rules.partial ? withoutDefaults(described) : described) ?? { type: 'object' }) as SchemaObject;
  if (!rules.bulk || rules.wholeBulk) return record;

  return {
    type: 'object',
    required: ['bulk'],
    properties: { bulk: { type: 'array', items: record, minItems: 1 } },
  };
}

function jsonSchemaOf({ '~standard': standard }: StandardSchema): SchemaObject | undefined {
  try {
    const schema = (standard as JsonSchemaSource).jsonSchema?.input?.({ target: 'openapi-3.0' });

    return isPlainObject(schema) ? (inlined(schema, schema, []) as SchemaObject) : undefined;
  } catch {
    // A date or a transform has no counterpart in JSON Schema.
    return undefined;
  }
}

/** What stands only at the head of a JSON schema, and what 3.0 and 3.1 write in different ways. */
const LEFT_OUT: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$defs', 'definitions']);
const isLeftOut = (key: string, value: unknown): boolean =>
  LEFT_OUT.has(key) || (key.startsWith('exclusiveM') && typeof value === 'boolean');

// References point into the schema itself, which is no document of its own here; one that comes back to itself is anything.
function inlined(node: unknown, root: unknown, open: readonly unknown[]): unknown {
  if (Array.isArray(node)) return node.map((item) => inlined(item, root, open));
  if (!isPlainObject(node)) return node;
  if (open.includes(node)) return {};

  const within = [...open, node];
  if (typeof node['$ref'] === 'string') return inlined(targetOf(node['$ref'], root) ?? {}, root, within);

  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isLeftOut(key, value))
      .map(([key, value]) => [
        key,
        key === 'properties' ? properties(value, root, within) : inlined(value, root, within),
      ]),
  );
}

// Names of properties are the application's own, also `id` and `definitions`.
function properties(node: unknown, root: unknown, open: readonly unknown[]): unknown {
  return Object.fromEntries(Object.entries(node as object).map(([name, value]) => [name, inlined(value, root, open)]));
}

function targetOf(reference: string, root: unknown): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (isPlainObject(at) ? at[decodeURIComponent(key)] : undefined), root);
}
