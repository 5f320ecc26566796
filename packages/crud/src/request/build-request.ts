import {
  type ClassTransformOptions,
  convertFilterToSearch,
  type ParsedRequestParams,
  parseQuery,
  type SCondition,
} from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../evaluate-auth.js';
import type { CrudRequest } from '../crud-request.js';
import type { Catalog } from '../plan/catalog.js';
import { markClientCondition, markServerCondition, typeSearch } from '../plan/condition-origins.js';
import { isNotEmpty } from '../plan/condition.js';
import { ensureState } from '../response/request-state.js';
import { findActionRoute, isOfList } from '../routes/handlers.js';
import { type Awaitable, whenSettled } from '../when-settled.js';
import { authorize, requireShownSort } from './authorize.js';
import { mergeConditions, mergeLinkScope, mergeScope, narrowToSent, readSentCondition } from './merge.js';
import { readExportFormat } from '../export/format.js';
import { reportMisspeltParameters } from './parameters.js';
import { type PathConditions, readPath } from './path-values.js';
import type { Permissions } from './permissions.js';
import type { RequestInput, RequestRoute } from './request-route.js';
import { type CheckedQuery, type RequestHooks, runSteps, type ScopedRequest } from './request-steps.js';
import { requireRestriction } from './tautology.js';

/**
 * Builds the request of a route: reads the parameters that the route has, checks every name that the client sent, and
 * merges path, `@CrudAuth` and option conditions around what is left.
 *
 * @param hooks Steps that a subclass of `CrudRequestInterceptor` overrides, in place of the library's.
 * @example
 * const request = await buildCrudRequest({ query: { filter: 'age||gte||18' }, params: {}, route, http });
 * request.parsed.search; // { $and: [{ age: { $gte: '18' } }] }
 */
export function buildCrudRequest(input: RequestInput, hooks?: RequestHooks): Awaitable<CrudRequest> {
  const { route, auth } = input;
  const { definition, parsing, names } = route;
  const { query, params } = definition.options;
  if (route.reportsMisspelt) reportMisspeltParameters(input.query, definition, parsing.parameters);
  const sent = parseQuery(input.query, parsing);
  // Steps of their own read the path, too.
  const path = hooks ? undefined : readPath(input.params, params, names);
  const classTransformOptions = auth && readTransformOptions(auth);
  const permissions = classTransformOptions ? route.permit(classTransformOptions) : route.permissions;
  const authorized = authorize(sent, permissions, query.unknown);
  const narrowing = route.byCondition ? readSentCondition(sent, authorized.condition) : undefined;
  if (sent.cursor !== undefined) requireShownSort(sent, query, permissions);
  if (authorized.condition) markClientCondition(authorized.condition);
  const checked: CheckedQuery = {
    narrowing,
    sent: route.exports ? { ...sent, format: readExportFormat(route.definition, input.http, sent) } : sent,
    authorized,
    permissions,
    classTransformOptions,
  };
  const made = path ? makeRequest(input, checked, path) : runSteps(input, checked, hooks!);

  return whenSettled(made, (scoped) => {
    const { request } = scoped;
    request.scope ??= mergeScope(scoped.auth, scoped.stored);
    if (scoped.auth) addScope(request, scoped.auth, route, permissions);
    if (narrowing) narrowToSent(request, narrowing, route);

    return request;
  });
}

/** The request as the options alone make it. */
function makeRequest(input: RequestInput, checked: CheckedQuery, path: PathConditions): Awaitable<ScopedRequest> {
  const { route, auth, http } = input;
  const { options, modelName } = route.definition;
  const { condition } = checked.authorized;
  const { filter } = options.query;
  if (route.single && path.key.length === 0) requireRestriction(route, [auth?.filter]);
  if (auth) for (const one of [auth.filter, auth.or]) markServerCondition(one, modelName);
  if (typeof filter === 'function') {
    if (condition && checked.sent.search === undefined) typeSearch(condition);
    const isList = checked.narrowing !== undefined || isOfList(route.name ?? findActionRoute(route.action));

    return whenSettled(filter(condition, isList, http), (replaced) => {
      markServerCondition(replaced, modelName);

      return assembleRequest(input, checked, path, isNotEmpty(replaced) ? [replaced] : []);
    });
  }
  const conditions = Array.isArray(filter) ? filter.map(convertFilterToSearch) : [filter as SCondition | undefined];
  const inner = conditions.filter(isNotEmpty);
  for (const one of inner) markServerCondition(one, modelName);
  if (isNotEmpty(condition) && checked.narrowing === undefined) inner.push(condition);

  return assembleRequest(input, checked, path, inner);
}

/** @param inner The conditions of `query.filter` and of the client. */
function assembleRequest(
  { route, auth }: RequestInput,
  { sent, authorized: { condition, fields, join }, classTransformOptions }: CheckedQuery,
  path: PathConditions,
  inner: readonly SCondition[],
): ScopedRequest {
  const conditions = path.all.map(convertFilterToSearch);
  const request: CrudRequest = {
    parsed: {
      fields,
      paramsFilter: path.all,
      search: mergeConditions(auth, conditions, inner),
      filter: sent.filter,
      or: sent.or,
      join,
      sort: sent.sort,
      limit: sent.limit,
      offset: sent.offset,
      page: sent.page,
      cache: sent.cache,
      includeDeleted: sent.includeDeleted,
      extra: sent.extra,
      // Properties after a spread are slower to add.
      ...(auth?.persist && { authPersist: auth.persist }),
      ...(classTransformOptions && { classTransformOptions }),
      ...(sent.cursor !== undefined && { cursor: sent.cursor, total: sent.total }),
      ...(sent.format && { format: sent.format }),
      ...(sent.groupBy && { groupBy: sent.groupBy }),
      ...(sent.aggregate && { aggregate: sent.aggregate }),
      ...(sent.having && { having: sent.having }),
    } as ParsedRequestParams,
    options: route.definition.options,
    ...(auth?.user !== undefined && { auth: auth.user }),
  };
  const texts = sent.search === undefined ? condition : undefined;
  if (texts || join.length > 0) ensureState(request).texts = texts ?? {};

  return { request, auth, stored: route.overridesPath ? path.key.map(convertFilterToSearch) : conditions };
}

/** Adds what `@CrudAuth` says of related records, unless a step has said otherwise. */
function addScope(
  request: CrudRequest,
  auth: EvaluatedAuth,
  { definition, catalog }: RequestRoute,
  permissions: Permissions,
): void {
  const linkScope = mergeLinkScope(auth, definition.options.params);
  if (linkScope) request.linkScope ??= linkScope;
  if (auth.relations) request.parsed.authRelations ??= auth.relations;
  if (auth.relationPersist) request.parsed.authRelationPersist ??= auth.relationPersist;
  const hiddenKeys = linkScope || auth.relations ? listHiddenKeys(catalog, permissions) : [];
  if (hiddenKeys.length > 0) request.hiddenKeys ??= hiddenKeys;
}

/** The foreign keys that answers to the request do not show. */
function listHiddenKeys(catalog: Catalog | undefined, permissions: Permissions): readonly string[] {
  const keys = [...(catalog?.relations.values() ?? [])].flatMap(({ references }) =>
    references.map(({ column }) => column.path),
  );

  return keys.filter((path) => catalog!.columns.has(path) && !permissions.mayShow(path));
}

/** How class-transformer shapes the response to the request. */
function readTransformOptions({ classTransformOptions, groups }: EvaluatedAuth): ClassTransformOptions {
  return { ...classTransformOptions, ...(groups && { groups }) };
}
