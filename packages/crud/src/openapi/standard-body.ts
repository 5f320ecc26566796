/** Bodies by Standard Schemas: they and what their JSON schemas refer to become components. */
import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../definition/plain-objects.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { StandardSchema } from '../definition/standard-schema.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { BodyRules } from '../validation/body-rules.js';
import { bodyName } from './body-shapes.js';
import { mapValues, omitDefaults, type SchemaObject } from './json-schema.js';
import { relatedName, withController } from './names.js';
import type { Schemas } from './schemas.js';

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

type Node = Record<string, unknown>;

/** A schema, and the names that its unnamed parts are derived from. */
interface Source {
  readonly root: Node;
  readonly schemas: Schemas;
  /** Name of the body: `CreateUserBodyDto`. */
  readonly body: string;
  readonly definition: ResourceDefinition;
  /** Whether defaults were left out, so that its parts differ from those of other bodies. */
  readonly isPatch: boolean;
}

/** The schema of a record in a route's body; `undefined` if a class describes it. */
export function standardBody(
  definition: ResourceDefinition,
  route: BaseRouteName,
  { schema, type, mode }: BodyRules,
  schemas: Schemas,
): SchemaObject | undefined {
  const given = schema && readJsonSchema(schema);
  // A class may be documented by decorators.
  if (!given) return schema && type === Object ? { type: 'object' } : undefined;
  const root = mode === 'update' ? omitDefaults(given) : given;

  return addPart(typeof root['$ref'] === 'string' ? root['$ref'] : '#', [], {
    root,
    schemas,
    body: bodyName(definition, route, mode),
    definition,
    isPatch: !isDeepStrictEqual(root, given),
  });
}

function readJsonSchema({ '~standard': standard }: StandardSchema): Node | undefined {
  try {
    const schema = (standard as JsonSchemaSource).jsonSchema?.input?.(WANTED);

    return isPlainObject(schema) ? schema : undefined;
  } catch {
    // A library may not support OpenAPI's dialect, or throw for parts of a schema.
    return undefined;
  }
}

/** Adds what a reference refers to; undefined if that is nothing. */
function addPart(reference: string, path: readonly string[], source: Source): SchemaObject | undefined {
  const { root, isPatch, definition, body, schemas } = source;
  const target = findTarget(reference, root);
  if (!target) return undefined;
  const given = givenName(reference, target);
  const name = given ?? namePart(path, body);
  const [plain, prefixed] = withController(definition, (prefix) => prefix + name);
  const names = [plain, ...(isPatch ? [`${name}Patch`] : []), prefixed];
  const key = given ? [given, isPatch, target] : [definition.modelName, target, root['$defs'], root['definitions']];

  return schemas.addRecursive(names, JSON.stringify(key), () => convertParts(target, path, source));
}

/** @param path The properties from the root to the node. */
function convert(node: unknown, path: readonly string[], source: Source): unknown {
  if (Array.isArray(node)) return node.map((item) => convert(item, path, source));
  if (!isPlainObject(node)) return node;
  const { $ref, ...beside } = node;
  if (typeof $ref !== 'string') return convertParts(node, path, source);
  const reference = addPart($ref, path, source);
  if (!reference) return {};
  const own = convertParts(beside, path, source);

  return Object.keys(own).length === 0 ? reference : { ...own, allOf: [reference] };
}

/** What only the root of a JSON schema has, and what 3.0 and 3.1 write differently. */
const OMITTED: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$defs', 'definitions']);

function convertParts(node: Node, path: readonly string[], source: Source): Node {
  const parts = Object.entries(node).filter(
    ([key, value]) => !OMITTED.has(key) && !(key.startsWith('exclusiveM') && typeof value === 'boolean'),
  );

  return mapValues(Object.fromEntries(parts), (value, key) =>
    // Names of properties are the application's own, also `id` and `definitions`.
    key === 'properties' && isPlainObject(value)
      ? mapValues(value, (part, name) => convert(part, [...path, name], source))
      : convert(value, path, source),
  );
}

/** The name that the application gave a schema; libraries count those that have none. */
function givenName(reference: string, { id, $id }: Node): string | undefined {
  const name = reference === '#' ? (id ?? $id) : reference.split('/').at(-1);

  return typeof name === 'string' && /^[\w.-]+$/.test(name) && !/^(__schema)?\d+$/.test(name) ? name : undefined;
}

/** `CreateUserBodyDto` and `tree` make `CreateUserBodyTreeDto`. */
function namePart(path: readonly string[], body: string): string {
  return path.reduce((name, property) => relatedName(name, property.replace(/[^\w.-]/g, '_')), body);
}

function findTarget(reference: string, root: Node): Node | undefined {
  const keys = reference.split('/').slice(1);
  const target = keys.reduce<unknown>((at, key) => (isPlainObject(at) ? at[decodeURIComponent(key)] : undefined), root);

  return isPlainObject(target) ? target : undefined;
}
