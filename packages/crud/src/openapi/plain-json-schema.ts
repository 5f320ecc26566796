/** Makes a JSON schema with internal references a part of an OpenAPI document: what refers to itself becomes a component, the rest is inlined. */
import { isPlainObject } from '../definition/plain-objects.js';
import { referenceToComponent } from './body-components.js';
import type { SchemaObject } from './document-types.js';
import { relatedName } from './shape-names.js';

/** Names that the unnamed parts of a schema are derived from. */
export interface SchemaOwner {
  /** Name of the body: `CreateUserBodyDto`. */
  readonly body: string;
  readonly model: string;
  /** `Users`, for `UsersController`: before a name that something else has. */
  readonly controller: string;
  /** Whether it is for a body of PATCH, whose parts lack defaults that they have elsewhere. */
  readonly partial: boolean;
}

type Node = Record<string, unknown>;

interface Source {
  readonly root: Node;
  readonly owner: SchemaOwner;
}

/** The schema without what only a document of its own may hold. */
export function plainJsonSchema(root: Node, owner: SchemaOwner): SchemaObject {
  const source = { root, owner };

  return (refersTo(root, root, root) ? component('#', root, [], source) : contentOf(root, [], source)) as SchemaObject;
}

/** What only the root of a JSON schema has, and what 3.0 and 3.1 write differently. */
const OMITTED: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$defs', 'definitions']);
const isOmitted = (key: string, value: unknown): boolean =>
  OMITTED.has(key) || (key.startsWith('exclusiveM') && typeof value === 'boolean');

/** @param path The properties from the root to the node. */
function contentOf(node: unknown, path: readonly string[], source: Source): unknown {
  if (Array.isArray(node)) return node.map((item) => contentOf(item, path, source));
  if (!isPlainObject(node)) return node;

  const { $ref, ...beside } = node;
  if (typeof $ref !== 'string') return partsOf(node, path, source);

  const target = targetOf($ref, source.root);
  if (!target) return {};
  const own = partsOf(beside, path, source);

  if (!refersTo(target, target, source.root)) return { ...(contentOf(target, path, source) as Node), ...own };

  const reference = component($ref, target, path, source);

  return Object.keys(own).length === 0 ? reference : { ...own, allOf: [reference] };
}

function partsOf(node: Node, path: readonly string[], source: Source): Node {
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isOmitted(key, value))
      .map(([key, value]) => [
        key,
        // Names of properties are the application's own, also `id` and `definitions`.
        key === 'properties' && isPlainObject(value)
          ? Object.fromEntries(
              Object.entries(value).map(([name, part]) => [name, contentOf(part, [...path, name], source)]),
            )
          : contentOf(value, path, source),
      ]),
  );
}

function component(reference: string, target: Node, path: readonly string[], source: Source): SchemaObject {
  const { root, owner } = source;
  const given = givenName(reference, target);
  const name = given ?? nameAt(path, owner.body);

  return referenceToComponent(
    {
      names: [name, ...(owner.partial ? [`${name}Patch`] : []), `${owner.controller}${name}`],
      key: JSON.stringify([given ?? owner.model, target, root['$defs'], root['definitions']]),
    },
    () => partsOf(target, path, source),
  );
}

/** The name that the application gave a schema; libraries count those that have none. */
function givenName(reference: string, { id, $id }: Node): string | undefined {
  const name = reference === '#' ? (id ?? $id) : reference.split('/').at(-1);

  return typeof name === 'string' && /^[\w.-]+$/.test(name) && !/^(__schema)?\d+$/.test(name) ? name : undefined;
}

/** `CreateUserBodyDto` and `tree` make `CreateUserBodyTreeDto`. */
function nameAt(path: readonly string[], body: string): string {
  return path.reduce((name, property) => relatedName(name, property.replace(/[^\w.-]/g, '_')), body);
}

/** Whether a node refers to the target, directly or through other references. */
function refersTo(node: unknown, target: Node, root: Node, seen = new Set<unknown>()): boolean {
  if (Array.isArray(node)) return node.some((item) => refersTo(item, target, root, seen));
  if (!isPlainObject(node) || seen.has(node)) return false;
  seen.add(node);

  const next = typeof node['$ref'] === 'string' ? targetOf(node['$ref'], root) : undefined;
  if (next && (next === target || refersTo(next, target, root, seen))) return true;

  return Object.entries(node).some(
    ([key, value]) => !(node === root && OMITTED.has(key)) && refersTo(value, target, root, seen),
  );
}

function targetOf(reference: string, root: Node): Node | undefined {
  const target = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (isPlainObject(at) ? at[decodeURIComponent(key)] : undefined), root);

  return isPlainObject(target) ? target : undefined;
}
