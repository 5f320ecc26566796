/** Settles the names of generated schemas in a finished document. A short name that a class of the application has is refused. */
import { isDeepStrictEqual } from 'node:util';
import { SCHEMAS, withReferences } from './json-schema.js';
import { firstFree } from './shape-names.js';

/** In front of the name of every generated class until the document is finished, so that a class of the application may have the name. */
const MARK = '~';

/** The name of a generated class until its document is finished. */
export function provisionalName(name: string): string {
  return name.startsWith(MARK) ? name : MARK + name;
}

/** What a name is, provisional or not. */
export function plainName(name: string): string {
  return name.startsWith(MARK) ? name.slice(MARK.length) : name;
}

/**
 * Gives the generated schemas of a document their names. If a class of the application has one, with another schema, the generated one is numbered.
 *
 * @param short Whether resources of the document have short names, which are not numbered, since clients refer to them.
 */
export function settleSchemaNames(document: { components?: object }, { short }: { readonly short: boolean }): void {
  const { schemas = {} } = (document.components ?? {}) as { schemas?: Record<string, unknown> };
  const provisional = Object.keys(schemas).filter((name) => name.startsWith(MARK));
  if (provisional.length === 0) return;

  const finalNames = new Map<string, string>();
  const settle = (node: unknown) => withReferences(node, (reference) => finalNames.get(reference) ?? reference);
  for (const name of provisional) finalNames.set(SCHEMAS + name, SCHEMAS + plainName(name));

  for (const name of provisional) {
    const wanted = plainName(name);
    const own = schemas[wanted];
    if (own === undefined || isDeepStrictEqual(settle(own), settle(schemas[name]))) continue;
    if (short) {
      throw new Error(
        `The schema ${wanted} would be both a class of the application and a generated one. Name the resource differently by @Crud({ openapi: { singular, plural } }), or the class by @ApiSchema({ name })`,
      );
    }

    const free = firstFree(
      (number) => `${wanted}${number}`,
      (candidate) => !Object.hasOwn(schemas, candidate) && !Object.hasOwn(schemas, MARK + candidate),
    );
    finalNames.set(SCHEMAS + name, SCHEMAS + free);
  }

  const nameOf = (name: string) => finalNames.get(SCHEMAS + name)?.slice(SCHEMAS.length) ?? name;
  const { components, ...rest } = document;
  const settled = settle(components) as { schemas: Record<string, unknown> };
  settled.schemas = Object.fromEntries(Object.entries(settled.schemas).map(([name, schema]) => [nameOf(name), schema]));
  Object.assign(document, settle(rest), { components: settled });
}
