import { relatedOptions } from '../definition/related-options.js';
import { keyParams } from '../definition/path-params.js';
import { isOwnEntity, isSameRelation } from '../plan/relation-scope.js';
import type { Catalog, CatalogRelation } from '../plan/catalog.js';
import { type RelationStep, relationSteps } from '../plan/resolve-names.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { ROUTES } from '../routes/route-table.js';

/** A relation that requests reach. */
interface Reached {
  readonly path: string;
  readonly owner: Catalog;
  readonly relation: CatalogRelation;
}

/**
 * Paths of the relations that may be joined or linked under `@CrudAuth.filter` without an entry in
 * `@CrudAuth.relations` that says which are in reach.
 */
export function unscopedRelations({ auth, options, routes }: ResourceDefinition, catalog: Catalog): string[] {
  if (!auth?.filter) return [];

  const named = Object.entries(auth.relations ?? {}).flatMap(([path, entry]) =>
    relatedOptions(entry).filter === undefined ? [] : along(catalog, path).slice(-1),
  );
  const joined = Object.keys(options.query.join ?? {}).flatMap((path) => along(catalog, path));
  const hasKey = keyParams(options.params).length > 0;
  const storesBodies = [...routes].some((route) => (ROUTES[route].body ?? 'keys') !== 'keys');
  const linked = storesBodies
    ? // Links to the own entity have the filter, where the resource has a key.
      linkedFrom(catalog).filter(({ relation }) => !hasKey || !isOwnEntity(catalog, relation.target))
    : [];
  const unscoped: Reached[] = [];

  for (const reached of [...joined, ...linked]) {
    const isKnown = [...named, ...unscoped].some((known) => isSameRelation(known, reached));
    if (!isKnown) unscoped.push(reached);
  }

  return unscoped.map(({ path }) => path);
}

function along(root: Catalog, path: string): Reached[] {
  const steps: readonly RelationStep[] = relationSteps(root, path) ?? [];

  return steps.map((step, index) => ({ ...step, owner: steps[index - 1]?.relation.target ?? root }));
}

/** Relations that a body may link or cascade to, those of cascaded records among them. */
function linkedFrom(owner: Catalog, before = '', seen = new Set<CatalogRelation>()): Reached[] {
  return [...owner.relations.values()].flatMap((relation) => {
    const cascades = relation.cascadeInsert || relation.cascadeUpdate;
    const links = relation.references.length > 0 || relation.kind === 'many-to-many';
    if (seen.has(relation) || (!cascades && !links)) return [];

    seen.add(relation);
    const path = `${before}${relation.path}`;

    return [{ path, owner, relation }, ...(cascades ? linkedFrom(relation.target, `${path}.`, seen) : [])];
  });
}
