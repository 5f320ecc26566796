/** The steps of parsing a request that interceptors may override. What they add is trusted, and scope stays outermost. */
import { type ParsedQuery, type QueryFilter, RequestQueryParser, type SCondition } from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../auth/evaluate.js';
import { isPlainObject } from '../definition/plain-objects.js';
import type { MergedCrudOptions } from '../definition/merge-options.js';
import { crudError } from '../errors/errors.js';
import { authorAt, claimForClient, claimForServer } from '../plan/condition-authors.js';
import { filterCondition } from '../plan/filter-condition.js';
import { namesOf } from '../plan/resolve-names.js';
import { isSame, sentValue, typeConditions, typeSearch } from '../plan/typed-values.js';
import { isOfList, routeOfAction } from '../routes/route-of.js';
import { type CrudActions, ROUTES } from '../routes/route-table.js';
import { allOf, whenSettled } from '../when-settled.js';
import { type AuthorizedQuery, authorize, requireShownSort } from './authorize.js';
import {
  overridesPath,
  parsedQueryOf,
  permissionsFor,
  type RequestInput,
  transformOptionsOf,
} from './build-request.js';
import type { CrudRequest } from '../crud-request.js';
import { exportFormatOf } from './export-format.js';
import { holdsAlways } from './holds-always.js';
import { typeJsonFilter } from './json-keys.js';
import { narrowToStated, statedCondition } from './client-condition.js';
import { isStated, mergeConditions, mergeLinkScope, mergeScope } from './merge.js';
import { readPath } from './path-values.js';
import type { Permissions } from './permissions.js';

/** What the step `getAuth` says of a request. */
export interface StepAuth {
  // As wide as nestjsx/crud's: overrides take conditions from wherever their guards put them.
  filter?: any;
  // As above.
  or?: any;
  /** What the handler finds as `req.auth`. */
  // The application's own user type.
  auth?: any;
}

type Options = Partial<MergedCrudOptions>;

type Awaitable<T> = T | Promise<T>;

/** The steps of `CrudRequestInterceptor`, as a subclass overrides them; each may be asynchronous. */
export interface RequestSteps {
  getSearch(
    parser: RequestQueryParser,
    options: Options,
    action: CrudActions,
    params?: object,
  ): Awaitable<SCondition[]>;
  getAuth(parser: RequestQueryParser, options: Options, http: unknown): Awaitable<StepAuth>;
  getCrudRequest(parser: RequestQueryParser, options: Options, auth?: unknown): Awaitable<CrudRequest>;
}

/** Of which parameters a condition of the path is. */
type PathPart = 'key' | 'other';

/** What is known of a request while it goes through the steps. */
interface StepContext {
  readonly input: RequestInput;
  /** The options that the steps are given; with others, a step cannot tell what they mean. */
  readonly options: Options;
  /** Conditions of the client by its filters, with what these said. */
  readonly clients: ReadonlyMap<QueryFilter, ClientCondition>;
  /** Conditions of the path; undefined for those of an override. */
  readonly path: Map<SCondition, PathPart | undefined>;
  /** Conditions that are waited for. */
  readonly pending: Promise<unknown>[];
}

interface ClientCondition {
  readonly condition: SCondition;
  readonly filter: QueryFilter;
}

// By parser, which goes from step to step, while subclasses are shared by all requests.
const contexts = new WeakMap<RequestQueryParser, StepContext>();

/** Builds a request by the steps of an interceptor. */
export function buildBySteps(
  input: RequestInput,
  steps: RequestSteps,
  info: { readonly ctrlOptions: unknown; readonly crudOptions: Options; readonly action: CrudActions },
): Awaitable<CrudRequest> {
  const { definition, params, http } = input;
  const { crudOptions, action, ctrlOptions } = info;
  const parsed = parsedQueryOf(input);
  const permissions = permissionsFor(input);
  const authorized = authorize(parsed, permissions, definition.options.query.unknown);
  requireShownSort(parsed, definition.options.query, permissions);
  const parser = parserOf(
    { ...parsed, format: exportFormatOf(input, parsed) },
    authorized,
    transformOptionsOf(input.auth),
  );
  const clients = conditionsOf(parsed, permissions);
  const stated = statedCondition(input, parsed, authorized.condition);
  claimForClient(authorized.condition);
  typeConditions(parser);
  clients.forEach(({ condition }) => typeSearch(condition));
  const context: StepContext = { input, options: crudOptions, clients, path: new Map(), pending: [] };
  contexts.set(parser, context);

  return whenSettled(steps.getSearch(parser, crudOptions, action, ctrlOptions ? params : undefined), (search) =>
    whenSettled(ctrlOptions ? steps.getAuth(parser, crudOptions, http) : {}, (auth) =>
      whenSettled(allOf(context.pending), () => {
        const scope = mergeSteps(parser, context, search, auth);

        return whenSettled(steps.getCrudRequest(parser, crudOptions, auth?.auth), (request) => {
          narrowToStated(request, stated, input);

          return withScope(request, context, scope);
        });
      }),
    ),
  );
}

/** What a request made by steps is scoped by. */
interface StepScope {
  readonly auth: EvaluatedAuth;
  /** Conditions of the path. */
  readonly outer: readonly SCondition[];
}

/** Puts what the steps say into the parser's search: the path and `getAuth` around everything else. */
function mergeSteps(
  parser: RequestQueryParser,
  { input, path }: StepContext,
  search: readonly SCondition[],
  auth: StepAuth | undefined,
): StepScope {
  const { filter, or } = (auth ?? {}) as { filter?: SCondition; or?: SCondition };
  for (const condition of [filter, or]) claimForServer(condition, input.definition.modelName);
  const outer = search.filter((condition) => path.has(condition));
  const inner = search.filter((condition) => isStated(condition) && !path.has(condition));
  const evaluated = { ...input.auth, checkWrites: input.auth?.checkWrites ?? true, filter, or } as EvaluatedAuth;

  const own = or ? [] : inner.filter(isOfOverride);
  requireKey(input, [...outer.filter((one) => path.get(one) !== 'other'), ...own, filter]);
  parser.search = mergeConditions(evaluated, outer, inner);

  return { auth: evaluated, outer };
}

/** Adds the scope to a request, unless a step has given it another. */
function withScope(request: CrudRequest, { input, path }: StepContext, { auth, outer }: StepScope): CrudRequest {
  const { options } = input.definition;
  const linkScope = mergeLinkScope(auth, options.params);
  const stored = overridesPath(input.route, options) ? outer.filter((one) => path.get(one) !== 'other') : [...outer];
  request.scope ??= mergeScope(auth, stored);
  if (linkScope) request.linkScope ??= linkScope;
  if (auth.relations) request.parsed.authRelations ??= auth.relations;

  return request;
}

/** `getSearch` of the class itself. */
export function searchStep(
  parser: RequestQueryParser,
  { query = {} }: Options,
  action: CrudActions,
  path: SCondition[],
): SCondition[] {
  const context = contexts.get(parser);
  // An override of `getParamsSearch` may have made them.
  for (const condition of path) {
    if (context && !context.path.has(condition)) context.path.set(condition, undefined);
  }

  const { filter } = query;
  const client = clientCondition(parser, context?.clients);
  if (typeof filter === 'function') {
    const replaced: unknown = filter(client, isOfList(routeOfAction(action)), context?.input.http);

    return [...path, replaced instanceof Promise ? later(replaced, context) : claimed(replaced, context)];
  }

  const conditions = Array.isArray(filter) ? filter.map(filterCondition) : [filter as SCondition | undefined];

  return [
    ...path,
    ...conditions.filter(isStated).map((condition) => claimed(condition, context)),
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
  const catalog = context?.input.catalog;
  const { all, key } = readPath(params as Record<string, string>, options, catalog && namesOf(catalog, query));
  parser.paramsFilter = all;

  return all.map((filter) => {
    const condition = filterCondition(filter);
    context?.path.set(condition, key.includes(filter) ? 'key' : 'other');

    return condition;
  });
}

/** `getAuth` of the class itself. The functions of `@CrudAuth`, which may be asynchronous, have been asked before. */
export function authStep(parser: RequestQueryParser, options: Options, http: unknown): StepAuth {
  const context = contexts.get(parser);
  if (!context) return {};
  if (options.auth !== context.options.auth || http !== context.input.http) {
    throw new Error('super.getAuth() takes the options and the request that getAuth was given: change what it returns');
  }

  const { persist, filter, or, user } = context.input.auth ?? {};
  if (persist) parser.setAuthPersist(persist);

  return { ...(filter !== undefined && { filter }), ...(or && { or }), ...(user !== undefined && { auth: user }) };
}

/** `getCrudRequest` of the class itself. */
export function requestStep(parser: RequestQueryParser, options: Options, auth: unknown): CrudRequest {
  const { query = {}, routes = {}, params = {}, operators = {} } = options;
  const context = contexts.get(parser);
  const own = context && context.options === options ? context.input.definition.options : undefined;

  return {
    parsed: parser.getParsed(),
    options: own ?? { query, routes, params, operators },
    ...(auth !== undefined && auth !== null && { auth }),
  };
}

function parserOf(
  parsed: ParsedQuery,
  { fields, join, condition }: AuthorizedQuery,
  transformOptions: object | undefined,
): RequestQueryParser {
  const { condition: _, ...rest } = parsed;
  const parser = Object.assign(RequestQueryParser.create(), rest, { fields, join });
  // Typed as always there, as nestjsx/crud has it.
  parser.search = (parsed.search === undefined ? undefined : condition) as SCondition;
  if (transformOptions) parser.setClassTransformOptions(transformOptions);

  return parser;
}

/** The client's conditions by its filters, claimed as its own. */
function conditionsOf(parsed: ParsedQuery, permissions: Permissions): Map<QueryFilter, ClientCondition> {
  return new Map(
    [...parsed.filter, ...parsed.or].map((filter) => {
      const condition = filterCondition(typeJsonFilter(filter, (field) => permissions.isJsonKey(field)));
      claimForClient(condition);

      return [filter, { condition, filter: { ...filter } }];
    }),
  );
}

/** What the client asks for, with what steps have added to it. */
function clientCondition(
  { search, filter, or }: RequestQueryParser,
  clients: StepContext['clients'] = new Map(),
): SCondition | undefined {
  if (search !== undefined) return search;
  const conditionOf = (one: QueryFilter): SCondition => {
    const known = clients.get(one);

    return known && isUnchanged(one, known.filter) ? known.condition : filterCondition(one);
  };
  const [all, any] = [filter, or].map((filters) => filters.map(conditionOf));
  if (!any?.length) return all?.length ? { $and: all } : undefined;

  return all?.length ? { $or: [{ $and: all }, { $and: any }] } : { $or: any };
}

function isUnchanged(filter: QueryFilter, { field, operator, value }: QueryFilter): boolean {
  return filter.field === field && filter.operator === operator && isSame(sentValue(filter, 'value'), value);
}

function claimed(condition: unknown, context: StepContext | undefined): SCondition {
  claimForServer(condition, context?.input.definition.modelName ?? '');

  return (condition ?? {}) as SCondition;
}

/** A condition that says what a promise will, once the steps are done. */
function later(promise: Promise<unknown>, context: StepContext | undefined): SCondition {
  const condition: { $and: SCondition[] } = { $and: [] };
  claimed(condition, context);
  const filled = promise.then((result) => {
    const found = claimed(result, context);
    if (isStated(found)) condition.$and.push(found);
  });
  // Where nobody waits, whoever reads the condition finds one that holds for nothing.
  if (context) context.pending.push(filled);
  else throw new Error('query.filter is asynchronous, and needs a parser that the library has made');

  return condition;
}

/** Whether a condition says something that neither the client nor an option has said. */
function isOfOverride(condition: unknown): boolean {
  if (!isPlainObject(condition) || authorAt(condition, []) !== undefined) return false;

  return Object.entries(condition).some(([key, value]) => {
    if (key === '$and' && Array.isArray(value)) return value.some(isOfOverride);
    if (key === '$or' && Array.isArray(value)) return value.length > 0 && value.every(isOfOverride);

    return authorAt(value, []) === undefined;
  });
}

/** A single-record route acts on the record that path, `@CrudAuth` or a step leaves; where they leave every record, there is none. */
function requireKey(
  { route, definition, catalog }: RequestInput,
  conditions: readonly (SCondition | undefined)[],
): void {
  if (route === undefined || !ROUTES[route].single) return;

  const customOperators = definition.options.operators.custom;
  const narrows = (condition: SCondition | undefined) =>
    isStated(condition) && !holdsAlways(condition, { catalog, customOperators });
  if (!conditions.some(narrows)) throw crudError('CRUD_NOT_FOUND', { message: `${definition.modelName} not found` });
}
