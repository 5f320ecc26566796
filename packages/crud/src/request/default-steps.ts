/** The steps of parsing a request as `CrudRequestInterceptor` takes them, which subclasses override. */
import {
  convertFilterToSearch,
  type QueryFilter,
  type RequestQueryParser,
  type SCondition,
} from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import type { MergedCrudOptions } from '../definition/merge-options.js';
import { isSameValue } from '../definition/plain-objects.js';
import { giveOwnOptions } from '../plan/changed-options.js';
import { markServerCondition, sentValue } from '../plan/condition-origins.js';
import { isNotEmpty } from '../plan/condition.js';
import { getNames } from '../plan/resolve-names.js';
import { findActionRoute, isOfList } from '../routes/handlers.js';
import type { CrudActions } from '../routes/route-table.js';
import { readPath } from './path-values.js';
import type { RequestInput } from './request-route.js';

/** The merged options, possibly incomplete. */
export type Options = Partial<MergedCrudOptions>;

/** Whether a path condition is on the key or on other parameters. */
type PathPart = 'key' | 'other';

/** What is known of a request while it goes through the steps. */
export interface StepContext {
  readonly input: RequestInput;
  /** The options that the steps were called with; a step refuses to run with others. */
  readonly options: Options;
  /** The client's conditions, by its filters. */
  readonly clients: ReadonlyMap<QueryFilter, ClientCondition>;
  /** Conditions of the path; undefined for those of an override. */
  readonly path: Map<SCondition, PathPart | undefined>;
  /** Asynchronous conditions, awaited before the request is built. */
  readonly pending: Promise<unknown>[];
}

/** A condition of the client's, with the filter that it was made from. */
export interface ClientCondition {
  readonly condition: SCondition;
  readonly filter: QueryFilter;
}

// By parser, which is passed from step to step; the interceptor itself is shared by all requests.
export const contexts = new WeakMap<RequestQueryParser, StepContext>();

/** The result of the step `getAuth`. */
export interface StepAuth {
  // As wide as nestjsx/crud's: overrides take conditions from wherever their guards put them.
  filter?: any;
  // As above.
  or?: any;
  /** What the handler finds as `req.auth`. */
  // The application's own user type.
  auth?: any;
}

/** `getSearch` of the class itself. */
export function searchStep(
  parser: RequestQueryParser,
  { query = {} }: Options,
  action: CrudActions,
  path: SCondition[],
): SCondition[] {
  const context = contexts.get(parser);
  // Conditions that an override of `getParamsSearch` has made are not known yet.
  for (const condition of path) if (context && !context.path.has(condition)) context.path.set(condition, undefined);

  const { filter } = query;
  const client = clientCondition(parser, context?.clients);
  if (typeof filter === 'function') {
    const replaced: unknown = filter(client, isOfList(findActionRoute(action)), context?.input.http);

    return [
      ...path,
      replaced instanceof Promise ? pendingCondition(replaced, context) : asServerCondition(replaced, context),
    ];
  }

  const conditions = Array.isArray(filter) ? filter.map(convertFilterToSearch) : [filter as SCondition | undefined];

  return [
    ...path,
    ...conditions.filter(isNotEmpty).map((condition) => asServerCondition(condition, context)),
    ...(client ? [client] : []),
  ];
}

/** `getParamsSearch` of the class itself. */
export function paramsSearchStep(
  parser: RequestQueryParser,
  { params: options = {}, query = {} }: Options,
  params: object | undefined,
): SCondition[] {
  if (!params) return [];

  const context = contexts.get(parser);
  const catalog = context?.input.route.catalog;
  const { all, key } = readPath(params as Record<string, string>, options, catalog && getNames(catalog, query));
  parser.paramsFilter = all;

  return all.map((filter) => {
    const condition = convertFilterToSearch(filter);
    context?.path.set(condition, key.includes(filter) ? 'key' : 'other');

    return condition;
  });
}

/** `getAuth` of the class itself. The functions of `@CrudAuth` were called before, since they may be asynchronous. */
export function authStep(parser: RequestQueryParser, options: Options, http: unknown): StepAuth {
  const context = contexts.get(parser);
  if (!context) return {};
  if (options.auth !== context.options.auth || http !== context.input.http)
    throw new Error('super.getAuth() takes the options and the request that getAuth was given: change what it returns');

  const { persist, filter, or, user } = context.input.auth ?? {};
  if (persist) parser.setAuthPersist(persist);

  return { ...(filter !== undefined && { filter }), ...(or && { or }), ...(user !== undefined && { auth: user }) };
}

/**
 * `getCrudRequest` of the class itself. Its options are a copy, which the calling override may change for this request.
 */
export function requestStep(parser: RequestQueryParser, options: Options, auth: unknown): CrudRequest {
  const { query = {}, routes = {}, params = {}, operators = {} } = options;
  const context = contexts.get(parser);
  const own = context && context.options === options ? context.input.route.definition.options : undefined;

  return giveOwnOptions({
    parsed: parser.getParsed(),
    options: own ?? Object.freeze({ query, routes, params, operators }),
    ...(auth !== undefined && auth !== null && { auth }),
  });
}

/** What the client asks for, with what steps have added to it. */
function clientCondition(
  { search, filter, or }: RequestQueryParser,
  clients: StepContext['clients'] = new Map(),
): SCondition | undefined {
  if (search !== undefined) return search;
  const convertFilter = (one: QueryFilter): SCondition => {
    const known = clients.get(one);

    return known && isUnchanged(one, known.filter) ? known.condition : convertFilterToSearch(one);
  };
  const [all, any] = [filter.map(convertFilter), or.map(convertFilter)];
  if (any.length === 0) return all.length > 0 ? { $and: all } : undefined;

  return all.length > 0 ? { $or: [{ $and: all }, { $and: any }] } : { $or: any };
}

function isUnchanged(filter: QueryFilter, { field, operator, value }: QueryFilter): boolean {
  return filter.field === field && filter.operator === operator && isSameValue(sentValue(filter, 'value'), value);
}

function asServerCondition(condition: unknown, context: StepContext | undefined): SCondition {
  markServerCondition(condition, context?.input.route.definition.modelName ?? '');

  return (condition ?? {}) as SCondition;
}

/** A condition that is filled in when a promise resolves, before the steps end. */
function pendingCondition(promise: Promise<unknown>, context: StepContext | undefined): SCondition {
  const condition: { $and: SCondition[] } = { $and: [] };
  asServerCondition(condition, context);
  const filled = promise.then((result) => {
    const found = asServerCondition(result, context);
    if (isNotEmpty(found)) condition.$and.push(found);
  });
  // Without a context nobody would wait for the condition, which would stay empty and match everything.
  if (context) context.pending.push(filled);
  else throw new Error('query.filter is asynchronous, and needs a parser that the library has made');

  return condition;
}
