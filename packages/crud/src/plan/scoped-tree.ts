import type { CustomOperators } from '@nestwright/crud-request';
import type { QueryOptions } from '../definition/query-options.js';
import type { CrudRequest } from '../crud-request.js';
import type { Catalog } from './catalog.js';
import { planCondition } from './condition.js';
import { findRelation, type Names, namesOf, NO_QUERY } from './resolve-names.js';
import { relationScopes } from './relation-scope.js';
import { SourceTree } from './sources.js';

const NONE: ReadonlySet<string> = new Set();

/**
 * Makes the tree of a plan; values of conditions on its sources are appended to `values`. A condition on a relation
 * becomes part of the ON clause of its join.
 *
 * @example
 * const tree = scopedTree(request, tasks, values);
 * tree.resolve('assignee.name'); // a column of the assignees in reach
 * tree.resolveTrusted('assignee.name'); // of all assignees
 */
export function scopedTree(request: CrudRequest, catalog: Catalog, values: unknown[]): SourceTree {
  const names = namesOf(catalog, queryOf(request));
  const filtered = filteredJoins(request, names);
  if (!request.parsed.authRelations && filtered === NONE) return new SourceTree(names);

  const scopes = relationScopes(request, catalog);

  return new SourceTree(names, {
    narrows: ({ path, catalog: owner }, relation) =>
      scopes.reading(owner, relation) !== undefined ||
      filtered.has(path === '' ? relation.path : `${path}.${relation.path}`),
    narrow: (source, tree) => {
      const condition = scopes.reading(source.parent!.catalog, source.relation!);
      if (condition === undefined) return;

      source.on = planCondition(condition, {
        model: source.catalog.model,
        values,
        customOperators: customOperatorsOf(request),
        resolve: (name) => tree.resolveWithin(source, name),
      });
    },
  });
}

/** Paths of the relations that a client filters by conditions of its own (`join=company||…||on…`). */
function filteredJoins({ parsed: { join } }: CrudRequest, names: Names): ReadonlySet<string> {
  const filtered = join?.filter(({ on }) => on && on.length > 0) ?? [];
  if (filtered.length === 0) return NONE;

  return new Set(filtered.flatMap(({ field }) => findRelation(names, field)?.at(-1)?.path ?? []));
}

/** The query options of a request; none if it was made without. */
export function queryOf({ options }: CrudRequest): QueryOptions {
  return options?.query ?? NO_QUERY;
}

export function customOperatorsOf({ options }: CrudRequest): CustomOperators | undefined {
  return options?.operators?.custom;
}
