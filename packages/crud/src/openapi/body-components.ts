/** Schemas that refer to themselves become components of finished documents, under names that nothing else has. */
import type { SchemaObject } from './document-types.js';
import { SCHEMAS, withReferences } from './json-schema.js';
import { firstFree } from './shape-names.js';

/** A schema that needs a name. */
export interface BodyComponent {
  /** Names that it may have, the preferred one first. */
  readonly names: readonly string[];
  /** Equal for schemas that are equal. */
  readonly key: string;
}

interface Component extends BodyComponent {
  schema: unknown;
}

const byReference = new Map<string, Component>();
const references = new Map<string, string>();

/**
 * A provisional reference to a schema, replaced when a document is finished: until then, classes of the application may take its name.
 *
 * @param schemaOf Called once for each key; its result may contain the reference.
 */
export function referenceToComponent({ names, key }: BodyComponent, schemaOf: () => unknown): SchemaObject {
  const known = references.get(key);
  if (known !== undefined) return { $ref: known };

  const $ref = `${SCHEMAS}~${references.size}`;
  const component: Component = { names, key, schema: {} };
  references.set(key, $ref);
  byReference.set($ref, component);
  component.schema = schemaOf();

  return { $ref };
}

/** What a document must have to be finished. */
interface Document {
  readonly paths: object;
  components?: { schemas?: Record<string, unknown> };
}

/** Puts the schemas that the bodies of a document refer to into it, under their names. */
export function addComponents(document: object): void {
  if (byReference.size === 0) return;

  const { paths, components = {} } = document as Document;
  const schemas = components.schemas ?? {};
  const named = new Map<string, string>();

  const nameOf = (reference: string, { names, schema }: Component): string => {
    const known = named.get(reference);
    if (known !== undefined) return known;

    const name = freeName(names, schemas);
    named.set(reference, name);
    // The name is reserved first, since the schema may refer to itself.
    schemas[name] = {};
    schemas[name] = withNames(schema);

    return name;
  };
  const withNames = (node: unknown): unknown =>
    withReferences(node, (reference) => {
      const component = byReference.get(reference);

      return component ? `${SCHEMAS}${nameOf(reference, component)}` : reference;
    });

  for (const operation of Object.values(paths).flatMap((item) => Object.values(item as object) as unknown[])) {
    const { content = {} } = (operation as { requestBody?: { content?: object } }).requestBody ?? {};

    for (const body of Object.values(content) as { schema?: unknown }[]) body.schema = withNames(body.schema);
  }
  if (named.size > 0) (document as Document).components = { ...components, schemas };
}

function freeName(names: readonly string[], taken: object): string {
  const isFree = (name: string) => !Object.hasOwn(taken, name);

  return names.find(isFree) ?? firstFree((number) => `${names[0]}${number}`, isFree);
}
