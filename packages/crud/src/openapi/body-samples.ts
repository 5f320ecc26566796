/** Adds an example that can be sent as it is to each body of a finished document. */
import { paramsOfPath } from '../definition/path-params.js';
import { isManyRoute } from '../definition/route-behaviour.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert } from '../get-or-insert.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { type RouteDescriptor, ROUTES } from '../routes/route-table.js';
import type { BodyRules } from '../validation/body-rules.js';
import { columnFacets, ruleFacets } from './body-facets.js';
import type { DescribedHandler, DocumentOperation } from './document-operations.js';
import { type Facets, type Member, sampleOf } from './sample-value.js';

type BodyKind = NonNullable<RouteDescriptor['body']>;

/** Each body of a resource has its own number, so that all can be sent although a column is unique. */
const NUMBERS = {
  create: 1,
  bulk: 2,
  update: 4,
  replace: 5,
  bulkUpdate: 6,
  bulkReplace: 8,
  keys: 1,
} as const satisfies Record<BodyKind, number>;
/** Records in the example of a bulk body. */
const BULK = 2;
/** Distance between the numbers of resources over one model. */
const NUMBERS_PER_RESOURCE = 10;

/** Puts an example into each body of a document that the library describes and that has none. */
export function addSamples(document: { components?: object }, operations: readonly DocumentOperation[]): void {
  const { schemas = {} } = (document.components ?? {}) as { schemas?: Record<string, unknown> };

  const resources = new Map<unknown, string[]>();

  for (const { operation, handler } of operations) {
    if (!handler || handler.ownBody) continue;
    const first = NUMBERS_PER_RESOURCE * rankOf(handler.description.definition, resources);
    const { bodyRules } = handler;
    if (!bodyRules) continue;

    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      if ('example' in media || 'examples' in media) continue;
      const sample = bodySample(handler, bodyRules, media.schema, schemas, first);
      if (sample !== undefined) media.example = sample;
    }
  }
}

/** How many other resources over its model a resource comes after. */
function rankOf({ model, controller }: ResourceDefinition, resources: Map<unknown, string[]>): number {
  const controllers = getOrInsert(resources, model, () => []);

  return controllers.includes(controller) ? controllers.indexOf(controller) : controllers.push(controller) - 1;
}

function bodySample(
  handler: DescribedHandler,
  rules: BodyRules,
  schema: unknown,
  schemas: Readonly<Record<string, unknown>>,
  first: number,
): unknown {
  const number = first + NUMBERS[ROUTES[handler.description.route].body!];
  const record = { ...handler, ...rules };
  const sample = (of: unknown, index = 0) =>
    sampleOf(of, { schemas, number: number + index, member: (path) => memberOf(record, path) });
  const items = rules.bulk && !rules.wholeBulk ? itemsOf(schema, schemas) : undefined;

  return items ? { bulk: Array.from({ length: BULK }, (_, index) => sample(items, index)) } : sample(schema);
}

/** The schema of one record of a bulk body. */
function itemsOf(schema: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  const { $ref, oneOf: [first] = [] } = schema as { $ref?: string; oneOf?: readonly object[] };
  if (first) return itemsOf(first, schemas);

  const body = $ref === undefined ? schema : schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  const { properties } = (body ?? {}) as { properties?: { bulk?: { items?: unknown } } };

  return properties?.bulk?.items;
}

type Body = DescribedHandler & Pick<BodyRules, 'type' | 'mode' | 'needsVersion'>;

/** What is known of a property of a body beside its schema. */
function memberOf({ description, catalog, type, mode, needsVersion = false }: Body, path: string): Member {
  const column = catalog?.columns.get(path);
  const relation = catalog?.relations.get(path);
  const isKey = column?.primary === true;
  const isReference = column !== undefined && isForeignKey(catalog, column);
  const { params } = description.definition.options;
  // In a bulk, each item carries the key that a path would, and the version that a header would.
  if ((isKey || (needsVersion && column?.source === 'version')) && isManyRoute(description.route))
    return { facets: columnFacets(column), isKey, isOmitted: false, isOmittedIfOptional: false };

  const isScoped = paramsOfPath(params, true).some(({ field }) => field === path);
  const isFilledIn = column !== undefined && column.source !== 'client';
  const isOmissible = isScoped || column?.nullable || column?.hasDefault;
  const facets: Facets = {
    ...(column && columnFacets(column)),
    ...(!path.includes('.') && ruleFacets(type, path)),
  };

  return {
    facets,
    isKey,
    // Changing these requires an existing related record, or the stored version.
    isOmitted:
      isFilledIn ||
      (mode === 'update' && (isReference || isKey || relation !== undefined)) ||
      (isKey && isScoped && ROUTES[description.route].single),
    isOmittedIfOptional: relation
      ? relation.nullable ||
        relation.toMany ||
        relation.references.some(({ column: { path: at } }) => catalog?.columns.has(at))
      : (isReference && isOmissible === true) || isKey || isScoped || column?.kind === 'binary',
    ...(relation && { keyOf: relation.target.primary.map((key) => ({ path: key.path, facets: columnFacets(key) })) }),
  };
}

function isForeignKey(catalog: Catalog | undefined, column: CatalogColumn): boolean {
  return [...(catalog?.relations.values() ?? [])].some(({ references }) =>
    references.some((reference) => reference.column.path === column.path),
  );
}
