/** The conditions that related records must satisfy, wherever their relation is reached. */
import { parseSearch, type SCondition, visitComparisons } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import { markServerCondition } from './condition-origins.js';
import type { Catalog, CatalogRelation } from './catalog.js';
import { isNotEmpty, planCondition } from './condition.js';
import { findRelation, getNames, relationSteps } from './resolve-names.js';
import { reportMissingScope } from './server-mistakes.js';
import { SourceTree } from './sources.js';

/**
 * Which related records are in reach of a request. Conditions are trusted, and name fields of the relation's target.
 */
export interface RelationScopes {
  /**
   * What related records satisfy if a relation of an entity is joined, or named by a client's condition or sort;
   * undefined if all are in reach.
   */
  reading(owner: Catalog, relation: CatalogRelation): SCondition | undefined;
  /** What related records satisfy if a body links or cascades to them; undefined if all are in reach. */
  linking(owner: Catalog, relation: CatalogRelation): SCondition | undefined;
}

/** A relation and the entity whose property it is. */
export interface OwnedRelation {
  readonly owner: Catalog;
  readonly relation: CatalogRelation;
}

/** A condition and the relation that it is on. */
interface KeyedScope extends OwnedRelation {
  readonly path: string;
  readonly condition: SCondition | false | undefined;
}

const OPEN: RelationScopes = Object.freeze({ reading: () => undefined, linking: () => undefined });

/**
 * Which related records are in reach, as `parsed.authRelations` and `linkScope` of a request say.
 *
 * @example
 * const scopes = relationScopes(request, tasks);
 * scopes.reading(projects, projects.relations.get('members')); // { tenant: 'acme' }
 */
export function relationScopes(
  { parsed: { authRelations: relations }, linkScope }: Pick<CrudRequest, 'parsed' | 'linkScope'>,
  root: Catalog,
): RelationScopes {
  if (!relations && linkScope === undefined) return OPEN;

  const keyed = Object.entries(relations ?? {}).map(([path, condition]): KeyedScope => ({
    path,
    ...requireRelation(root, path),
    condition,
  }));
  const findKeyedScopes = (owner: Catalog, relation: CatalogRelation) =>
    keyed.filter((scope) => isSameRelation(scope, { owner, relation }));
  const readings = new Map<CatalogRelation, SCondition | undefined>();
  let own: SCondition | undefined | null = null;

  return {
    reading: (owner, relation) => {
      if (!readings.has(relation)) readings.set(relation, combineScopes(findKeyedScopes(owner, relation)));

      return readings.get(relation);
    },
    linking: (owner, relation) => {
      const scopes = findKeyedScopes(owner, relation);
      if (scopes.length > 0) return combineScopes(scopes);
      if (!isOwnEntity(root, relation.target)) return undefined;
      if (own === null) own = linkScope !== undefined && !isOnKeyAlone(linkScope, root) ? linkScope : undefined;

      return own;
    },
  };
}

/**
 * Makes the tree of a plan. A condition on a relation becomes part of the ON clause of its join.
 *
 * @example
 * const tree = scopedTree(request, tasks);
 * tree.resolve('assignee.name'); // a column of the assignees in reach
 * tree.resolveTrusted('assignee.name'); // of all assignees
 */
export function scopedTree(request: CrudRequest, catalog: Catalog): SourceTree {
  const { options, parsed } = request;
  const names = getNames(catalog, options?.query);
  const customOperators = options?.operators?.custom;
  // Relations that a client filters by conditions of its own (`join=company||…||on…`).
  const filtered = new Set(
    (parsed.join ?? []).flatMap(({ field, on }) =>
      on?.length ? (findRelation(names, field)?.at(-1)?.path ?? []) : [],
    ),
  );
  if (!parsed.authRelations && filtered.size === 0) return new SourceTree(names, customOperators);

  const scopes = relationScopes(request, catalog);

  return new SourceTree(names, customOperators, {
    narrows: ({ path, catalog: owner }, relation) =>
      scopes.reading(owner, relation) !== undefined ||
      filtered.has(path === '' ? relation.path : `${path}.${relation.path}`),
    narrow: (source, tree) => {
      const condition = scopes.reading(source.parent!.catalog, source.relation!);
      if (condition !== undefined)
        source.on = planCondition(condition, tree, (name) => tree.resolveOnSource(source, name), source.catalog);
    },
  });
}

/**
 * Whether an entity is a resource's own: the same, or one that shares its table by inheritance, so that its records may
 * be the resource's.
 *
 * @example
 * isOwnEntity(tasks, tasks.relations.get('parent').target); // true
 */
export function isOwnEntity(root: Catalog, entity: Catalog): boolean {
  return root === entity || root.target === entity.target || mayHold(root, entity) || mayHold(entity, root);
}

/** Whether records of an entity may be records of one that inherits its table. */
function mayHold({ recordClasses = [] }: Catalog, { target }: Catalog): boolean {
  return recordClasses.some((recordClass) => recordClass.target === target);
}

/** The relation at the end of a path that `@CrudAuth.relations` names. */
export function requireRelation(root: Catalog, path: string): OwnedRelation {
  const steps = relationSteps(root, path);
  const last = steps?.at(-1);
  if (!last)
    throw new Error(`@CrudAuth.relations names ${JSON.stringify(path)}, but ${root.model} has no such relation`);

  return { owner: steps!.at(-2)?.relation.target ?? root, relation: last.relation };
}

/** Whether two are the same property; an entity and one that inherits from it share their relations. */
export function isSameRelation(one: OwnedRelation, other: OwnedRelation): boolean {
  if (one.relation === other.relation) return true;
  if (one.relation.path !== other.relation.path || one.relation.target.target !== other.relation.target.target)
    return false;
  const [first, second] = [one.owner.target, other.owner.target];

  return first === second || inherits(first, second) || inherits(second, first);
}

function inherits(entity: unknown, from: unknown): boolean {
  return typeof entity === 'function' && typeof from === 'function' && entity.prototype instanceof from;
}

function combineScopes(scopes: readonly KeyedScope[]): SCondition | undefined {
  const conditions = scopes.map(readScopeCondition).filter((condition) => condition !== undefined);

  return conditions.length > 1 ? { $and: conditions } : conditions[0];
}

function readScopeCondition({ path, relation, condition }: KeyedScope): SCondition | undefined {
  if (condition === undefined || condition === null) {
    reportMissingScope(path);

    return { $or: [] };
  }

  if (condition === false) return undefined;

  markServerCondition(condition, relation.target.model);

  return isNotEmpty(condition) ? condition : undefined;
}

/**
 * Whether a condition is on the whole primary key and nothing else: such a condition cannot be applied to other
 * records.
 */
function isOnKeyAlone(condition: SCondition, { primary }: Catalog): boolean {
  const named = new Set<string>();
  try {
    visitComparisons(parseSearch(condition, { source: 'trusted', customOperators: [] }), ({ field }) =>
      named.add(field),
    );
  } catch {
    // What cannot be read is refused when it is planned.
    return false;
  }

  return named.size > 0 && named.size === primary.length && primary.every(({ path }) => named.has(path));
}
