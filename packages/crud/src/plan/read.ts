/** Plans reads: one record, a page, what a write acts on, a record just written. */
import { convertFilterToSearch, type SCondition } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import type { Catalog } from './catalog.js';
import { requestToPlan } from './changed-options.js';
import { planCondition } from './condition.js';
import { planJoins, planRoot } from './joins.js';
import { skipOf, takeOf } from './paging.js';
import { applyProjection, projectKey } from './projection.js';
import { valueAt } from './property-paths.js';
import type { PlannedCondition, ReadPlan } from './read-plan.js';
import { planSort } from './sort.js';
import { customOperatorsOf, queryOf, scopedTree } from './scoped-tree.js';
import type { SourceTree } from './sources.js';

/** Page size and offset that a service decided on; null for none. */
export interface PagingOverride {
  /** Page size. Default: none. */
  readonly take?: number | null;
  /** Records to skip. Default: none. */
  readonly skip?: number | null;
}

/**
 * Plans GET one and GET many: condition, columns, joins, order, page and cache as the request and the options say.
 *
 * @param paging What the service's `getTake` and `getSkip` answered, so that their overrides win. Default: the rules of
 * `limit`, `page` and `offset`.
 * @example
 * const plan = planRead(request, catalog, 'many');
 */
export function planRead(
  request: CrudRequest,
  catalog: Catalog,
  mode: 'one' | 'many',
  paging?: PagingOverride,
): ReadPlan {
  const own = requestToPlan(request, catalog);
  const query = queryOf(own);
  const cache =
    typeof query.cache === 'number' && query.cache > 0
      ? { duration: query.cache, replace: request.parsed.cache === 0 }
      : undefined;

  return plan(own, catalog, {
    search: own.parsed.search,
    honourRequired: true,
    cache,
    ...(mode === 'many' && { page: pageOf(own, paging) }),
  });
}

/**
 * Plans the re-read of a record that was written: by its key, within the request's scope (by default its path), shaped
 * as {@link planRead} shapes one. A `required` join does not hide it, and no cache is asked.
 *
 * @param key The key by property path, or as the record holds it.
 * @example
 * // WHERE id = 7 AND <scope>, with the request's fields and joins
 * const plan = planRecord(request, catalog, { id: 7 });
 */
export function planRecord(request: CrudRequest, catalog: Catalog, key: Readonly<Record<string, unknown>>): ReadPlan {
  return plan(requestToPlan(request, catalog), catalog, {
    search: { $and: [keyCondition(catalog, key), scopeOf(request)] },
    honourRequired: false,
  });
}

/**
 * {@link planRecord} for several records that were written.
 *
 * @example
 * const plan = planRecords(request, catalog, [{ id: 7 }, { id: 8 }]); // WHERE id IN (7, 8) AND <scope>
 */
export function planRecords(
  request: CrudRequest,
  catalog: Catalog,
  keys: readonly Readonly<Record<string, unknown>>[],
): ReadPlan {
  return plan(requestToPlan(request, catalog), catalog, {
    search: { $and: [anyOf(catalog, keys), scopeOf(request)] },
    honourRequired: false,
  });
}

/**
 * Plans which records a write acts on: `parsed.search` and nothing else, the primary key being all that is read.
 * Soft-deleted records are left out unless `withDeleted` says otherwise, whatever the client asks to include.
 *
 * @example
 * const plan = planScope(request, catalog, { withDeleted: true }); // for recover
 */
export function planScope(
  request: CrudRequest,
  catalog: Catalog,
  { withDeleted = false }: { withDeleted?: boolean } = {},
): ReadPlan {
  return planKeys(request, catalog, request.parsed.search, withDeleted);
}

/**
 * Plans whether a record with some key is among those that the request may know of, soft-deleted ones included; its key
 * alone is read.
 *
 * @example
 * const [known] = await read(planKnown(request, catalog, { id: 7 }));
 */
export function planKnown(request: CrudRequest, catalog: Catalog, key: Readonly<Record<string, unknown>>): ReadPlan {
  return planKeys(
    request,
    catalog,
    { $and: [keyCondition(catalog, key), scopeOf(request), ...(request.parsed.search ? [request.parsed.search] : [])] },
    true,
  );
}

/**
 * The condition that stored records must satisfy: the request's scope, by default its path parameters.
 *
 * @example
 * scopeOf(request); // { $and: [{ companyId: { $eq: 1 } }, { ownerId: 7 }] }
 */
export function scopeOf({ scope, parsed }: CrudRequest): SCondition {
  return scope ?? { $and: (parsed.paramsFilter ?? []).map(convertFilterToSearch) };
}

function keyCondition(catalog: Catalog, key: Readonly<Record<string, unknown>>): SCondition {
  return { $and: catalog.primary.map(({ path }) => ({ [path]: { $eq: keyValue(key, path) } })) } as SCondition;
}

/** One of several keys; a list if the key is one column. */
function anyOf(catalog: Catalog, keys: readonly Readonly<Record<string, unknown>>[]): SCondition {
  const [only, ...others] = catalog.primary;
  const condition =
    only !== undefined && others.length === 0
      ? { [only.path]: { $in: keys.map((key) => keyValue(key, only.path)) } }
      : { $or: keys.map((key) => keyCondition(catalog, key)) };

  return condition as SCondition;
}

/** A key may come flat by path or as a record, nested like it. */
function keyValue(key: Readonly<Record<string, unknown>>, path: string): unknown {
  return Object.hasOwn(key, path) ? key[path] : valueAt(key, path);
}

interface Wanted {
  readonly search: SCondition | undefined;
  readonly honourRequired: boolean;
  readonly page?: Pick<ReadPlan, 'limit' | 'offset'>;
  readonly cache?: ReadPlan['cache'];
}

function plan(request: CrudRequest, catalog: Catalog, { search, honourRequired, page, cache }: Wanted): ReadPlan {
  const { parsed } = request;
  const query = queryOf(request);
  const values: unknown[] = [];
  const tree = scopedTree(request, catalog, values);

  planRoot(tree, parsed.fields ?? [], query);
  const where = planWhere(tree, request, search, values);
  planJoins(tree, parsed.join ?? [], { values, customOperators: customOperatorsOf(request), honourRequired });
  const sort = page ? planSort(tree, parsed.sort?.length ? parsed.sort : (query.sort ?? [])) : [];
  tree.sort();

  return Object.freeze({
    root: tree.root,
    sort,
    withDeleted: parsed.includeDeleted === 1 && query.softDelete === true,
    values,
    ...(where && { where }),
    ...page,
    ...(cache && { cache }),
  });
}

function planKeys(
  request: CrudRequest,
  catalog: Catalog,
  search: SCondition | undefined,
  withDeleted: boolean,
): ReadPlan {
  const values: unknown[] = [];
  const own = requestToPlan(request, catalog);
  const tree = scopedTree(own, catalog, values);

  applyProjection(tree.root, projectKey(catalog));
  const where = planWhere(tree, own, search, values);
  tree.sort();

  return Object.freeze({ root: tree.root, sort: [], withDeleted, values, ...(where && { where }) });
}

/** Plans a condition of which a client may see less than the application. */
export function planWhere(
  tree: SourceTree,
  request: CrudRequest,
  search: SCondition | undefined,
  values: unknown[],
): PlannedCondition | undefined {
  return planCondition(search, {
    model: tree.root.catalog.model,
    values,
    customOperators: customOperatorsOf(request),
    resolve: (name, author) => (author === 'client' ? tree.resolve(name) : tree.resolveTrusted(name)),
  });
}

function pageOf(request: CrudRequest, { take, skip }: PagingOverride = {}): Pick<ReadPlan, 'limit' | 'offset'> {
  const { parsed } = request;
  const limit = take === undefined ? takeOf(parsed, queryOf(request)) : take;
  const offset = skip === undefined ? skipOf(parsed, limit) : skip;

  return { ...(limit !== null && { limit }), ...(offset && { offset }) };
}
