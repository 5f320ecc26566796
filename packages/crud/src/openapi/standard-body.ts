import { isPlainObject } from '../definition/plain-objects.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { BodyRules } from '../validation/body-rules.js';
import type { StandardSchema } from '../definition/standard-schema.js';
import type { SchemaObject } from './document-types.js';
import { withoutDefaults } from './json-schema.js';
import { plainJsonSchema, type SchemaOwner } from './plain-json-schema.js';
import { bodyName } from './body-shapes.js';

/** What the Standard JSON Schema interface adds to a schema. */
interface JsonSchemaSource {
  readonly jsonSchema?: { readonly input?: (options: typeof WANTED) => unknown };
}

/**
 * Parts without a counterpart in JSON Schema (a date, a transform) become `any`: the options of zod, and of valibot.
 */
const WANTED = {
  target: 'openapi-3.0',
  libraryOptions: { unrepresentable: 'any', errorMode: 'ignore' },
} as const;

/** The schema of a route's body; `undefined` if a class describes it. */
export function standardBodyOf(
  definition: ResourceDefinition,
  route: BaseRouteName,
  rules: BodyRules,
): SchemaObject | undefined {
  if (!rules.schema) return undefined;

  const { modelName, controller } = definition;
  const described = jsonSchemaOf(rules.schema, {
    body: bodyName(definition, route, rules.mode),
    model: modelName,
    controller: controller.replace(/Controller$/, ''),
    partial: rules.mode === 'update',
  });
  // A class may be documented by decorators.
  if (!described && rules.type !== Object) return undefined;

  const record = described ?? { type: 'object' };
  if (!rules.bulk || rules.wholeBulk) return record;

  return {
    type: 'object',
    required: ['bulk'],
    properties: { bulk: { type: 'array', items: record, minItems: 1 } },
  };
}

function jsonSchemaOf({ '~standard': standard }: StandardSchema, owner: SchemaOwner): SchemaObject | undefined {
  try {
    const schema = (standard as JsonSchemaSource).jsonSchema?.input?.(WANTED);

    return isPlainObject(schema) ? plainJsonSchema(owner.partial ? withoutDefaults(schema) : schema, owner) : undefined;
  } catch {
    // A library may not support OpenAPI's dialect, or throw for parts of a schema.
    return undefined;
  }
}
