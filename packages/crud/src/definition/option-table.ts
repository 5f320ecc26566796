/**
 * Every option there is, once: what it may be, what holds without it, and how values of the global configuration and of
 * a resource become one.
 */
import {
  DEFAULT_LIMITS,
  type ParamOption,
  type QueryLanguageOptions,
  type QueryLimits,
  type QuerySort,
} from '@nestwright/crud-request';
import { withoutSwitches } from '../routes/optional-routes.js';
import type { AuthOptions, RelatedOptions } from './auth-options.js';
import type {
  CrudGlobalConfig,
  CrudOptions,
  DtoOptions,
  ModelOptions,
  OpenApiNaming,
  OpenApiOptions,
  SerializeOptions,
} from './options.js';
import { hasKeys, merged, mergedByKey, mergedValidation } from './plain-objects.js';
import * as kinds from './option-kinds.js';
import { BOOLEAN, FUNCTION, LIST, makeChoiceKind, option, type Option, POSITIVE, TEXT, TEXTS } from './option-kinds.js';
import type { AggregateOptions, CsvOptions, ExportOptions, JoinOption, QueryOptions } from './query-options.js';
import type * as routeTypes from './route-options.js';

/** A row for each option of a type: one that is added to the type but not here does not compile. */
type Rows<T> = { readonly [Name in keyof Required<T>]: Option<T[Name] | undefined> };

const JOIN = {
  alias: option(TEXT),
  allow: option(TEXTS),
  exclude: option(TEXTS),
  persist: option(TEXTS),
  eager: option(BOOLEAN, false),
  select: option(BOOLEAN, true),
  required: option(BOOLEAN, false),
} satisfies Rows<JoinOption>;

const SORT = { field: option(TEXT), order: option(makeChoiceKind('ASC', 'DESC')) } satisfies Rows<QuerySort>;

const CSV = { formulas: option(BOOLEAN, false) } satisfies Rows<CsvOptions>;

export const EXPORT = {
  formats: option(kinds.FORMATS),
  maxRows: option(POSITIVE),
  concurrent: option(POSITIVE, 2),
  timeout: option(kinds.POSITIVE_OR_FALSE, 600_000),
  csv: option({ keys: CSV }),
} satisfies Rows<ExportOptions>;

const AGGREGATE = {
  groupBy: option(TEXTS),
  functions: option({ each: kinds.FUNCTIONS }),
} satisfies Rows<AggregateOptions>;

const LIMITS = Object.fromEntries(
  Object.entries(DEFAULT_LIMITS).map(([name, most]) => [name, option(POSITIVE, most)]),
) as Rows<QueryLimits>;

/** Options of queries that name no fields, which may be global. */
const SHARED_QUERY = {
  limit: option(POSITIVE),
  // Or `limit`, if that is larger.
  maxLimit: option(kinds.POSITIVE_OR_FALSE, 1000),
  cache: option(kinds.DURATION, false),
  alwaysPaginate: option(BOOLEAN, false),
  cursor: option(BOOLEAN, false),
  links: option(BOOLEAN, false),
  export: option({ keys: EXPORT }),
  softDelete: option(BOOLEAN, false),
  etag: option(BOOLEAN, false),
  unknown: option(makeChoiceKind('error', 'ignore'), 'error'),
  limits: option({ keys: LIMITS }),
} satisfies Rows<NonNullable<CrudGlobalConfig['query']>>;

export const QUERY = {
  allow: option(TEXTS),
  exclude: option(TEXTS),
  persist: option(TEXTS),
  conditions: option(TEXTS),
  formats: option(TEXTS),
  filter: option(kinds.FILTER),
  join: option({ each: { keys: JOIN } }),
  sort: option({ items: { keys: SORT } }),
  aggregate: option({ keys: AGGREGATE }),
  ...SHARED_QUERY,
} satisfies Rows<QueryOptions>;

const ROUTE = { interceptors: option(LIST), decorators: option(LIST) } satisfies Rows<routeTypes.BaseRouteOptions>;
const BODY_RULES = { validation: option(kinds.PIPE_OPTIONS_OR_FALSE) };
const CONDITIONAL = { requireMatch: option(BOOLEAN, false) } satisfies Rows<routeTypes.ConditionalRouteOptions>;
const UPSERT = { onConflict: option(TEXTS) } satisfies Rows<routeTypes.UpsertRouteOptions>;
export const BULK = { maxBulk: option(kinds.POSITIVE_OR_FALSE, 1000) } satisfies Rows<routeTypes.BulkRouteOptions>;
const BY_CONDITION = {
  byCondition: option(BOOLEAN, false),
  maxAffected: option(POSITIVE, 1000),
} satisfies Rows<routeTypes.ByConditionRouteOptions>;

const UPDATE = {
  ...BODY_RULES,
  ...CONDITIONAL,
  allowParamsOverride: option(BOOLEAN, false),
  returnShallow: option(BOOLEAN, false),
};
const REPLACE = { ...UPDATE, merge: option(BOOLEAN, false) };
const DELETE = { ...CONDITIONAL, returnDeleted: option(BOOLEAN, false) };
const RECOVER = { ...CONDITIONAL, returnRecovered: option(BOOLEAN, true) };

/** Options of a route of many records that default to those of a route of one. */
function ofSingle<T extends Readonly<Record<string, Option>>>(single: T): T {
  return Object.fromEntries(Object.entries(single).map(([name, { shape }]) => [name, option(shape)])) as T;
}

type RouteRows = {
  readonly [Route in Exclude<keyof routeTypes.SettledRoutesOptions, 'exclude' | 'only'>]-?: Rows<
    NonNullable<routeTypes.SettledRoutesOptions[Route]>
  >;
};
const ROUTES = {
  getManyBase: ROUTE,
  getOneBase: ROUTE,
  createOneBase: {
    ...{ ...ROUTE, ...BODY_RULES, ...UPSERT },
    returnShallow: option(BOOLEAN, false),
    allowGeneratedKey: option(BOOLEAN, false),
  },
  createManyBase: { ...ROUTE, ...BODY_RULES, ...BULK, ...UPSERT },
  updateOneBase: { ...ROUTE, ...UPDATE },
  replaceOneBase: { ...ROUTE, ...REPLACE },
  deleteOneBase: { ...ROUTE, ...DELETE },
  recoverOneBase: { ...ROUTE, ...RECOVER },
  updateManyBase: { ...ROUTE, ...ofSingle(UPDATE), ...BULK, ...BY_CONDITION },
  replaceManyBase: { ...ROUTE, ...ofSingle(REPLACE), ...BULK },
  deleteManyBase: { ...ROUTE, ...ofSingle(DELETE), ...BULK, ...BY_CONDITION },
  recoverManyBase: { ...ROUTE, ...ofSingle(RECOVER), ...BULK },
  countBase: ROUTE,
  aggregateBase: ROUTE,
} satisfies RouteRows;

const ROUTES_OPTION = option({
  keys: {
    exclude: option(kinds.ROUTE_NAMES),
    only: option(kinds.ROUTE_NAMES),
    ...Object.fromEntries(Object.entries(ROUTES).map(([name, keys]) => [name, option({ keys })])),
  },
});

const ANSWER = option(kinds.CLASS_OR_FALSE);
const SERIALIZE = {
  ...{ getMany: ANSWER, get: ANSWER, create: ANSWER, createMany: ANSWER },
  ...{ update: ANSWER, replace: ANSWER, delete: ANSWER, recover: ANSWER },
} satisfies Rows<SerializeOptions>;

const BODY = option(kinds.BODY);
const DTO = { create: BODY, update: BODY, replace: BODY } satisfies Rows<DtoOptions>;

const MODEL = { type: option(kinds.CLASS) } satisfies Rows<ModelOptions>;

const PARAM = {
  field: option(TEXT),
  type: option(makeChoiceKind('number', 'string', 'uuid'), 'string'),
  enum: option(kinds.ENUMERATION),
  primary: option(BOOLEAN, false),
  disabled: option(BOOLEAN, false),
} satisfies Rows<ParamOption>;

const OPERATORS = { custom: option(kinds.OBJECT) };

const NAMING = {
  operationIds: option(makeChoiceKind('long', 'short')),
  schemas: option(makeChoiceKind('long', 'short'), 'long'),
} satisfies Rows<OpenApiNaming>;

const OPENAPI = {
  ...NAMING,
  singular: option(kinds.IDENTIFIER),
  plural: option(kinds.IDENTIFIER),
} satisfies Rows<OpenApiOptions>;

/** A row that also says which value a resource has. */
interface MergedOption extends Option {
  // Each row has values of its own types.
  readonly merge: (global: any, own: any) => unknown;
}

const ownAlone: MergedOption['merge'] = (_global, own) => own;
const deeply: MergedOption['merge'] = (global, own) => merged(global ?? {}, own);

/** The options of `@Crud()`. */
export const OPTIONS: { readonly [Name in keyof Required<CrudOptions>]: MergedOption } = {
  model: { ...option({ keys: MODEL }), merge: ownAlone },
  dto: { ...option({ keys: DTO }), merge: mergedByKey },
  serialize: { ...option({ keys: SERIALIZE }), merge: mergedByKey },
  query: { ...option({ keys: QUERY }), merge: mergedByKey },
  routes: { ...ROUTES_OPTION, merge: (global, own) => deeply(withoutSwitches(global), withoutSwitches(own)) },
  routesFactory: { ...option(kinds.CLASS), merge: ownAlone },
  params: { ...option({ each: { keys: PARAM } }), merge: (global, own) => (hasKeys(own) ? own : (global ?? {})) },
  validation: { ...option(kinds.VALIDATION_OR_FALSE), merge: mergedValidation },
  operators: { ...option({ keys: OPERATORS }), merge: deeply },
  openapi: { ...option({ keys: OPENAPI }), merge: mergedByKey },
};

const RELATED = {
  filter: option(kinds.FUNCTION_OR_FALSE),
  persist: option(FUNCTION),
} satisfies Rows<RelatedOptions>;

/** The options of `@CrudAuth()`. */
export const AUTH = {
  property: option(TEXT),
  filter: option(FUNCTION),
  or: option(FUNCTION),
  relations: option({ each: { or: kinds.FUNCTION_OR_FALSE, keys: RELATED } }),
  persist: option(FUNCTION),
  groups: option(FUNCTION),
  classTransformOptions: option(FUNCTION),
  checkWrites: option(BOOLEAN, true),
} satisfies Rows<AuthOptions>;

const LANGUAGE = {
  delim: option(TEXT),
  delimStr: option(TEXT),
  arrayFormat: option(makeChoiceKind('repeat', 'indices'), 'repeat'),
  paramNamesMap: option(kinds.ANY),
} satisfies Rows<QueryLanguageOptions>;

const { routes, params, serialize, validation, operators } = OPTIONS;
// Relation paths belong to one entity.
const { relations: _relations, ...GLOBAL_AUTH } = AUTH;

/** The options of the global configuration. */
export const GLOBAL: { readonly [Name in keyof Required<CrudGlobalConfig>]: Option } = {
  ...{ routes, params, serialize, validation, operators },
  query: option({ keys: SHARED_QUERY }),
  auth: option({ keys: GLOBAL_AUTH }),
  queryParser: option({ keys: LANGUAGE }),
  openapi: option({ keys: NAMING }),
  etagSecret: option(TEXT),
  events: option(BOOLEAN, false),
};
