import {
  type ClassTransformOptions,
  convertFilterToSearch,
  type ParsedQuery,
  type ParsedRequestParams,
  parseQuery,
  type SCondition,
} from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../auth/evaluate.js';
import type { ResourceOptions } from '../definition/resource-definition.js';
import { manyOptions, writesByCondition } from '../definition/route-behaviour.js';
import { crudError } from '../errors/errors.js';
import { markClientCondition, markServerCondition } from '../plan/condition-authors.js';
import { isNotEmpty } from '../plan/condition.js';
import { namesOf } from '../plan/resolve-names.js';
import { typeSearch } from '../plan/typed-values.js';
import { ensureState } from '../response/request-state.js';
import { isOfList, routeOfAction } from '../routes/route-of.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { whenSettled } from '../when-settled.js';
import { authorize, requireShownSort } from './authorize.js';
import { narrowToSent, sentCondition } from './client-condition.js';
import type { CrudRequest } from '../crud-request.js';
import { exportFormatOf } from './export-format.js';
import { mergeLinkScope, mergeScope, mergeSearch } from './merge.js';
import { matchingParameters, parametersOf } from './parameters.js';
import { readPath } from './path-values.js';
import { type Permissions, permissionsOf } from './permissions.js';
import type { RequestInput } from './request-input.js';
import { restricts } from './tautology.js';

/**
 * Builds the request of a route: reads the parameters that the route has, checks every name that the client sent, and merges path, `@CrudAuth` and option conditions around what is left.
 *
 * @example
 * const request = await buildCrudRequest({ query: { filter: 'age||gte||18' }, params: {}, route: 'getManyBase', definition, catalog, http });
 * request.parsed.search; // { $and: [{ age: { $gte: '18' } }] }
 */
export function buildCrudRequest(input: RequestInput): CrudRequest | Promise<CrudRequest> {
  const { params, route, definition, catalog, auth } = input;
  const { options } = definition;
  const parsed = parsedQueryOf(input);
  const path = readPath(params, options.params, catalog && namesOf(catalog, options.query));
  const classTransformOptions = transformOptionsOf(auth);
  const permissions = permissionsFor(input);
  const { fields, join, condition } = authorize(parsed, permissions, options.query.unknown);
  const sent = sentCondition(input, parsed, condition);
  requireShownSort(parsed, options.query, permissions);
  const format = exportFormatOf(input, parsed);
  if (path.key.length === 0) requireRestriction(input, [auth?.filter]);

  const { filter, or, sort, limit, offset, page, cache, includeDeleted, cursor, total, extra } = parsed;
  const { groupBy, aggregate, having } = parsed;
  markServerCondition(auth?.filter, definition.modelName);
  markServerCondition(auth?.or, definition.modelName);
  const linkScope = mergeLinkScope(auth, options.params);
  const scope = mergeScope(auth, (overridesPath(route, options) ? path.key : path.all).map(convertFilterToSearch));
  const texts = parsed.search === undefined ? condition : undefined;
  if (texts && typeof options.query.filter === 'function') typeSearch(texts);

  return whenSettled(filterParts(input, condition, sent !== undefined), (parts) => {
    const request: CrudRequest = {
      parsed: {
        fields,
        paramsFilter: path.all,
        search: mergeSearch({ auth, path: path.all, ...parts }),
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
        // Properties after a spread are slower to add.
        ...(auth?.persist && { authPersist: auth.persist }),
        ...(auth?.relations && { authRelations: auth.relations }),
        ...(classTransformOptions && { classTransformOptions }),
        ...(cursor !== undefined && { cursor, total }),
        ...(format && { format }),
        ...(groupBy && { groupBy }),
        ...(aggregate && { aggregate }),
        ...(having && { having }),
      } as ParsedRequestParams,
      options,
      scope,
      ...(auth?.user !== undefined && { auth: auth.user }),
      ...(linkScope && { linkScope }),
    };
    if (texts || join.length > 0) ensureState(request).texts = texts ?? {};
    narrowToSent(request, sent, input);

    return request;
  });
}

/** Reads the parameters that the route has. */
export function parsedQueryOf({ query, route, definition }: RequestInput): ParsedQuery {
  const { options, language } = definition;

  return parseQuery(query, {
    language,
    limits: options.query.limits,
    customOperators: options.operators.custom,
    parameters: writesByCondition(route, options.routes)
      ? matchingParameters(options.query)
      : parametersOf(route, options.query),
  });
}

/** What the client of the request may name. */
export function permissionsFor({ definition, catalog, auth, showsTo }: RequestInput): Permissions {
  return permissionsOf(definition.options.query, catalog, showsTo?.(transformOptionsOf(auth)));
}

/** How class-transformer shapes the response to the request. */
export function transformOptionsOf(auth: EvaluatedAuth | undefined): ClassTransformOptions | undefined {
  return auth && { ...auth.classTransformOptions, ...(auth.groups && { groups: auth.groups }) };
}

interface FilterParts {
  readonly option: SCondition[];
  readonly client: SCondition | undefined;
}

/** The conditions that `query.filter` and the client give; a function's result replaces the client's condition, which it was handed. */
function filterParts(
  { definition: { options, modelName }, route, action, http }: RequestInput,
  client: SCondition | undefined,
  byCondition = false,
): FilterParts | Promise<FilterParts> {
  const { filter } = options.query;
  markClientCondition(client);
  if (typeof filter === 'function') {
    const isList = byCondition || isOfList(route ?? routeOfAction(action));

    return whenSettled(filter(client, isList, http), (replaced) => {
      markServerCondition(replaced, modelName);

      return { option: [], client: replaced ?? undefined };
    });
  }

  const conditions = Array.isArray(filter) ? filter.map(convertFilterToSearch) : [filter as SCondition | undefined];
  const option = conditions.filter(isNotEmpty);
  option.forEach((condition) => markServerCondition(condition, modelName));

  return { option, client: byCondition ? undefined : client };
}

/** A single-record route without a key in its path acts on the record that conditions leave; if they leave every record, there is none. */
export function requireRestriction(input: RequestInput, conditions: readonly (SCondition | undefined)[]): void {
  const { route, definition } = input;
  if (route === undefined || !ROUTES[route].single || conditions.some((one) => restricts(one, input))) return;

  throw crudError('CRUD_NOT_FOUND', { message: `${definition.modelName} not found` });
}

/** Whether bodies of the route may move a record to other path values than the key's. */
export function overridesPath(route: BaseRouteName | undefined, { routes }: ResourceOptions): boolean {
  if (route === 'updateManyBase' || route === 'replaceManyBase')
    return manyOptions(routes, route).allowParamsOverride === true;

  return (route === 'updateOneBase' || route === 'replaceOneBase') && routes[route]?.allowParamsOverride === true;
}
