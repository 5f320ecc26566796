/** Bodies by Standard Schemas: what refers to itself in their JSON schemas becomes a component, the rest is inlined. */
import { isPlainObject } from '../definition/plain-objects.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { StandardSchema } from '../definition/standard-schema.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { BodyRules } from '../validation/body-rules.js';
import { bodyName } from './body-shapes.js';
import { mapValues, objectSchema, omitDefaults, type SchemaObject } from './json-schema.js';
import { relatedName } from './names.js';
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
  readonly model: string;
  /** `Users`, for `UsersController`: before a name that something else has. */
  readonly controller: string;
  /** Whether it is for a body of PATCH, whose parts lack defaults that they have elsewhere. */
  readonly partial: boolean;
}

/** The schema of a route's body; `undefined` if a class describes it. */
export function standardBody(
  definition: ResourceDefinition,
  route: BaseRouteName,
  rules: BodyRules,
  schemas: Schemas,
): SchemaObject | undefined {
  if (!rules.schema) return undefined;

  const described = readSchema(rules.schema, {
    schemas,
    body: bodyName(definition, route, rules.mode),
    model: definition.modelName,
    controller: definition.controller.replace(/Controller$/, ''),
    partial: rules.mode === 'update',
  });
  // A class may be documented by decorators.
  if (!described && rules.type !== Object) return undefined;

  const record = described ?? { type: 'object' };
  if (!rules.bulk || rules.wholeBulk) return record;

  return objectSchema({ bulk: { type: 'array', items: record, minItems: 1 } });
}

function readSchema({ '~standard': standard }: StandardSchema, owner: Omit<Source, 'root'>): SchemaObject | undefined {
  try {
    const schema = (standard as JsonSchemaSource).jsonSchema?.input?.(WANTED);
    if (!isPlainObject(schema)) return undefined;
    const source = { ...owner, root: owner.partial ? omitDefaults(schema) : schema };
    const { root } = source;

    return (reaches(root, root, root) ? component('#', root, [], source) : inline(root, [], source)) as SchemaObject;
  } catch {
    // A library may not support OpenAPI's dialect, or throw for parts of a schema.
    return undefined;
  }
}

/** What only the root of a JSON schema has, and what 3.0 and 3.1 write differently. */
const OMITTED: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$defs', 'definitions']);
const isOmitted = (key: string, value: unknown): boolean =>
  OMITTED.has(key) || (key.startsWith('exclusiveM') && typeof value === 'boolean');

/** @param path The properties from the root to the node. */
function inline(node: unknown, path: readonly string[], source: Source): unknown {
  if (Array.isArray(node)) return node.map((item) => inline(item, path, source));
  if (!isPlainObject(node)) return node;

  const { $ref, ...beside } = node;
  if (typeof $ref !== 'string') return inlineParts(node, path, source);

  const target = findTarget($ref, source.root);
  if (!target) return {};
  const own = inlineParts(beside, path, source);

  if (!reaches(target, target, source.root)) return { ...(inline(target, path, source) as Node), ...own };

  const reference = component($ref, target, path, source);

  return Object.keys(own).length === 0 ? reference : { ...own, allOf: [reference] };
}

function inlineParts(node: Node, path: readonly string[], source: Source): Node {
  const parts = Object.fromEntries(Object.entries(node).filter(([key, value]) => !isOmitted(key, value)));

  return mapValues(parts, (value, key) =>
    // Names of properties are the application's own, also `id` and `definitions`.
    key === 'properties' && isPlainObject(value)
      ? mapValues(value, (part, name) => inline(part, [...path, name], source))
      : inline(value, path, source),
  );
}

function component(reference: string, target: Node, path: readonly string[], source: Source): SchemaObject {
  const { root, partial, controller, model, body, schemas } = source;
  const given = givenName(reference, target);
  const name = given ?? namePart(path, body);
  const names = [name, ...(partial ? [`${name}Patch`] : []), `${controller}${name}`];
  const key = JSON.stringify([given ?? model, target, root['$defs'], root['definitions']]);

  return schemas.addRecursive(names, key, () => inlineParts(target, path, source));
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

/** Whether a node refers to the target, directly or through other references. */
function reaches(node: unknown, target: Node, root: Node, seen = new Set<unknown>()): boolean {
  if (Array.isArray(node)) return node.some((item) => reaches(item, target, root, seen));
  if (!isPlainObject(node) || seen.has(node)) return false;
  seen.add(node);

  const next = typeof node['$ref'] === 'string' ? findTarget(node['$ref'], root) : undefined;
  if (next && (next === target || reaches(next, target, root, seen))) return true;

  return Object.entries(node).some(
    ([key, value]) => !(node === root && OMITTED.has(key)) && reaches(value, target, root, seen),
  );
}

function findTarget(reference: string, root: Node): Node | undefined {
  const target = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (isPlainObject(at) ? at[decodeURIComponent(key)] : undefined), root);

  return isPlainObject(target) ? target : undefined;
}
