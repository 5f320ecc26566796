/** What the framework hands over and what the resource declares in, the request that services execute out; refuses what the query language, the path or the permissions refuse. */
import { parseQuery, type SCondition } from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../auth/evaluate.js';
import type { QueryFilterOption } from '../definition/options.js';
import type { ResourceDefinition, ResourceOptions } from '../definition/resource-definition.js';
import { crudError } from '../errors/errors.js';
import type { Catalog } from '../plan/catalog.js';
import { filterCondition } from '../plan/filter-condition.js';
import { namesOf } from '../plan/names.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { authorize } from './authorize.js';
import type { CrudRequest } from './crud-request.js';
import { holdsAlways } from './holds-always.js';
import { isStated, mergeScope, mergeSearch } from './merge.js';
import { parametersOf } from './parameters.js';
import { type PathConditions, readPath } from './path-values.js';
import { type IsHidden, permissionsOf } from './permissions.js';

/** What a request is made of. */
export interface RequestInput {
  /** The query as Express or Fastify parsed it. */
  readonly query: unknown;
  /** Path parameters. */
  readonly params: Record<string, string>;
  /** Undefined for handlers of the application's own. */
  readonly route: BaseRouteName | undefined;
  readonly definition: ResourceDefinition;
  /** Without one the options alone decide, and path values are typed by their options. */
  readonly catalog?: Catalog;
  readonly auth?: EvaluatedAuth;
  /** The framework's request, for filter functions. */
  readonly http: unknown;
  /** Properties that the response class hides; clients can then not compare them either. Default: none. */
  readonly isHidden?: IsHidden;
}

/**
 * Builds the request of a route: reads the parameters that the route has, checks every name that the client sent, and merges path, `@CrudAuth` and option conditions around what is left.
 *
 * @example
 * const request = await buildCrudRequest({ query: { filter: 'age||gte||18' }, params: {}, route: 'getManyBase', definition, catalog, http });
 * request.parsed.search; // { $and: [{ age: { $gte: '18' } }] }
 */
export async function buildCrudRequest(input: RequestInput): Promise<CrudRequest> {
  const { query, params, route, definition, catalog, auth, http, isHidden } = input;
  const { options } = definition;
  const parsed = parseQuery(query, {
    language: definition.language,
    limits: options.query.limits,
    customOperators: options.operators.custom,
    parameters: parametersOf(route, options.query),
  });
  const path = readPath(params, options.params, catalog && namesOf(catalog, options.query));
  const { fields, join, condition } = authorize(
    parsed,
    permissionsOf(options.query, catalog, isHidden),
    options.query.unknown,
  );
  requireKey(input, path);

  const { filter, or, sort, limit, offset, page, cache, includeDeleted, extra } = parsed;
  const scope = mergeScope(auth, overridesPath(route, options) ? path.key : path.all);

  return {
    parsed: {
      fields,
      paramsFilter: path.all,
      ...(auth?.persist && { authPersist: auth.persist }),
      ...(auth && {
        classTransformOptions: { ...auth.classTransformOptions, ...(auth.groups && { groups: auth.groups }) },
      }),
      search: mergeSearch({
        auth,
        path: path.all,
        ...(await filterParts(options.query.filter, condition, route, http)),
      }),
      filter,
      or,
      join,
      sort,
      limit,
      offset,
      page,
      cache,
      includeDeleted,
      extra,
    },
    options,
    ...(auth?.user !== undefined && { auth: auth.user }),
    scope,
  };
}

/** The conditions that `query.filter` and the client give; a function's result replaces the client's condition, which it was handed. */
async function filterParts(
  filter: QueryFilterOption | undefined,
  client: SCondition | undefined,
  route: BaseRouteName | undefined,
  http: unknown,
): Promise<{ option: SCondition[]; client?: SCondition }> {
  if (typeof filter === 'function')
    return { option: [], client: (await filter(client, route === 'getManyBase', http)) ?? undefined };
  if (Array.isArray(filter)) return { option: filter.map(filterCondition), client };

  return { option: isStated(filter as SCondition | undefined) ? [filter as SCondition] : [], client };
}

/** A single-record route without a key in its path acts on the record that `@CrudAuth` leaves; where that leaves every record, there is none. */
function requireKey({ route, definition, catalog, auth }: RequestInput, { key }: PathConditions): void {
  if (route === undefined || !ROUTES[route].single || key.length > 0) return;

  const customOperators = definition.options.operators.custom;
  if (isStated(auth?.filter) && !holdsAlways(auth.filter, { catalog, customOperators })) return;

  throw crudError('CRUD_NOT_FOUND', { message: `${definition.modelName} not found` });
}

/** Whether bodies of the route may move a record to other path values than the key's. */
function overridesPath(route: BaseRouteName | undefined, { routes }: ResourceOptions): boolean {
  return (route === 'updateOneBase' || route === 'replaceOneBase') && routes[route]?.allowParamsOverride === true;
}
