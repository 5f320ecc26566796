/** What a body may say of relations, and which properties come from elsewhere: path, `persist`, database. */
import { listPathParams, type ResourceDefinition } from '../definition/resource-definition.js';
import { persistedNames, relatedOptions } from '../definition/auth-options.js';
import type { Catalog, CatalogColumn, CatalogRelation } from '../plan/catalog.js';
import { isSameRelation, type OwnedRelation, requireRelation } from '../plan/relation-scope.js';
import type { WriteMode } from '../plan/write-plan.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { BodyRules } from '../validation/body-rules.js';
import { columnSchema } from './value-schemas.js';
import { objectSchema, type SchemaObject } from './json-schema.js';

/** The ways to name a related record. */
export interface RelationForms {
  /** By its key alone. */
  readonly links: readonly SchemaObject[];
  /** Modes of nested records, those with which a client would begin first. */
  readonly nested: readonly ('insert' | 'update')[];
  /** Whether a nested record that is changed must name its key. */
  readonly needsKey: boolean;
  /** A value for a first try, where records would have to be there. Default: the first form. */
  readonly example?: unknown;
}

/** What a body of a mode may say of a relation; undefined: nothing, it is ignored. */
export function relationForms(relation: CatalogRelation, mode: WriteMode): RelationForms | undefined {
  const { kind, toMany, nullable, cascadeInsert, cascadeUpdate, target } = relation;
  const isInverse = kind === 'one-to-many' || kind === 'one-to-one-inverse';
  const isOneToOne = kind === 'one-to-one' || kind === 'one-to-one-inverse';
  if (isInverse && !cascadeInsert && !cascadeUpdate) return undefined;
  const changes = isInverse || (cascadeUpdate && mode !== 'insert');
  const nested = [...(cascadeInsert ? (['insert'] as const) : []), ...(changes ? (['update'] as const) : [])];
  const [key] = target.primary;
  const none = toMany ? { example: [] } : nullable ? { example: null } : key?.autoIncrement && { example: 1 };

  return {
    links: isInverse ? [] : keySchemas(target.primary, changes),
    nested,
    needsKey: !(isOneToOne && cascadeUpdate && mode !== 'insert'),
    ...(!cascadeInsert && none),
  };
}

function keySchemas(primary: readonly CatalogColumn[], isNested: boolean): SchemaObject[] {
  const parts = primary.map((column) => [column.path, columnSchema(column, undefined)] as const);
  const [first, ...others] = parts;
  if (!first) return [{ type: 'object' }];
  const record = objectSchema(Object.fromEntries(parts));

  return [...(others.length === 0 ? [first[1]] : []), ...(isNested ? [] : [record])];
}

/** An example of a foreign key: no record is certain to be there. */
export function foreignKeyExample(catalog: Catalog, { path, nullable, kind }: CatalogColumn): SchemaObject {
  const isReference = [...catalog.relations.values()].some(({ references }) =>
    references.some(({ column }) => column.path === path),
  );
  if (!isReference) return {};
  if (nullable) return { example: null };

  return kind === 'integer' ? { example: 1 } : {};
}

/** What the path or `persist` of `@CrudAuth()` sets; of a relation, its foreign keys too, and the other way round. */
export function filledProperties(
  definition: ResourceDefinition,
  route: BaseRouteName,
  { isModel }: BodyRules,
  catalog: Catalog | undefined,
): ReadonlySet<string> {
  const single = isModel && ROUTES[route].single;
  const persist = definition.auth?.persist;
  const params = listPathParams(definition.options.params, single);

  return withKeys([...params.map(({ field }) => field), ...(persist ? persistedNames(persist) : [])], catalog);
}

/** What `persist` of `@CrudAuth.relations` sets in the records of a relation, also by their own relations. */
export function filledInRelation(
  { auth }: ResourceDefinition,
  root: Catalog,
  relation: OwnedRelation,
): ReadonlySet<string> {
  const names = Object.entries(auth?.relations ?? {}).flatMap(([path, entry]) => {
    const { persist } = relatedOptions(entry);

    return persist && isSameRelation(requireRelation(root, path), relation) ? persistedNames(persist) : [];
  });

  return withKeys(names, relation.relation.target);
}

function withKeys(given: readonly string[], catalog: Catalog | undefined): ReadonlySet<string> {
  const names = new Set(given);
  for (const { path, references } of catalog?.relations.values() ?? []) {
    const keys = references.map(({ column }) => column.path);
    if (names.has(path)) for (const key of keys) names.add(key);
    else if (keys.length > 0 && keys.every((key) => names.has(key))) names.add(path);
  }

  return names;
}

/** Whether the database takes a new record without a property. */
export function isOmissibleInDatabase(path: string, catalog: Catalog, mode: WriteMode): boolean {
  const column = catalog.columns.get(path);
  const relation = catalog.relations.get(path);
  if (column) return omissible(column) || (column.primary && mode !== 'insert') || column.source === 'version';
  // A foreign key that is a property of its own is required in its place.
  if (relation)
    return relation.nullable || relation.references.every((reference) => catalog.columns.has(reference.column.path));

  // What is neither column nor relation is an embedded object, or nothing that is stored.
  return [...catalog.columns.values()].filter((inner) => inner.path.startsWith(`${path}.`)).every(omissible);
}

function omissible({ nullable, hasDefault, generated }: CatalogColumn): boolean {
  return nullable || hasDefault || generated;
}
