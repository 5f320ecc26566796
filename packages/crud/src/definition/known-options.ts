/** Every option there is, and what values it takes. */
import {
  ANY,
  BOOLEAN,
  TEXT,
  TEXTS,
  LIST,
  OBJECT,
  FUNCTION,
  CLASS,
  BODY,
  CLASS_OR_FALSE,
  POSITIVE,
  POSITIVE_OR_FALSE,
  FORMATS,
  DURATION,
  ROUTE_NAMES,
  FUNCTIONS,
  FILTER,
  PIPE_OPTIONS_OR_FALSE,
  FUNCTION_OR_FALSE,
  oneOf,
  IDENTIFIER,
  type Shape,
} from './option-kinds.js';
import { isObject } from './plain-objects.js';
import type { AggregateOptions, CsvOptions, ExportOptions, JoinOption, QueryOptions } from './query-options.js';
import type {
  BodyRouteOptions,
  BulkRouteOptions,
  ByConditionRouteOptions,
  ConditionalRouteOptions,
  CreateOneRouteOptions,
  CrudRoutesOptions,
  DeleteOneRouteOptions,
  RecoverOneRouteOptions,
  ReplaceOneRouteOptions,
  UpdateOneRouteOptions,
  UpsertRouteOptions,
} from './route-options.js';
import type { CrudGlobalConfig, CrudOptions, OpenApiNaming, OpenApiOptions } from './options.js';
import type { DtoOptions, SerializeOptions } from './class-options.js';
import type { AuthOptions } from './auth-options.js';
import {
  DEFAULT_LIMITS,
  type ParamOption,
  type QueryLanguageOptions,
  type QueryLimits,
  type QuerySort,
} from '@nestwright/crud-request';

/** Every key of a type: an option that is added to the type but not here does not compile. */
type Keys<T> = Readonly<Record<keyof Required<T>, Shape>>;

const JOIN = {
  alias: TEXT,
  allow: TEXTS,
  exclude: TEXTS,
  persist: TEXTS,
  eager: BOOLEAN,
  select: BOOLEAN,
  required: BOOLEAN,
} satisfies Keys<JoinOption>;

const LIMITS = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, POSITIVE])) as Record<
  keyof QueryLimits,
  Shape
>;

const EXPORT = {
  formats: FORMATS,
  maxRows: POSITIVE,
  concurrent: POSITIVE,
  timeout: POSITIVE_OR_FALSE,
  csv: { keys: { formulas: BOOLEAN } satisfies Keys<CsvOptions> },
} satisfies Keys<ExportOptions>;

const AGGREGATE = {
  groupBy: TEXTS,
  functions: { each: FUNCTIONS },
} satisfies Keys<AggregateOptions>;

const QUERY = {
  allow: TEXTS,
  exclude: TEXTS,
  persist: TEXTS,
  conditions: TEXTS,
  filter: FILTER,
  join: { each: { keys: JOIN } },
  sort: { items: { keys: { field: TEXT, order: oneOf('ASC', 'DESC') } satisfies Keys<QuerySort> } },
  limit: POSITIVE,
  maxLimit: POSITIVE_OR_FALSE,
  cache: DURATION,
  alwaysPaginate: BOOLEAN,
  cursor: BOOLEAN,
  links: BOOLEAN,
  export: { keys: EXPORT },
  softDelete: BOOLEAN,
  etag: BOOLEAN,
  aggregate: { keys: AGGREGATE },
  unknown: oneOf('error', 'ignore'),
  limits: { keys: LIMITS },
} satisfies Keys<QueryOptions>;

const ROUTE = { interceptors: LIST, decorators: LIST };
const CONDITIONAL = { requireMatch: BOOLEAN } satisfies Keys<ConditionalRouteOptions>;
const BODY_ROUTE = { ...ROUTE, validation: PIPE_OPTIONS_OR_FALSE } satisfies Keys<BodyRouteOptions>;

const UPSERT = { onConflict: TEXTS } satisfies Keys<UpsertRouteOptions>;
const BULK = { maxBulk: POSITIVE_OR_FALSE } satisfies Keys<BulkRouteOptions>;
const BY_CONDITION = { byCondition: BOOLEAN, maxAffected: POSITIVE } satisfies Keys<ByConditionRouteOptions>;
const UPDATE = {
  ...BODY_ROUTE,
  ...CONDITIONAL,
  allowParamsOverride: BOOLEAN,
  returnShallow: BOOLEAN,
} satisfies Keys<UpdateOneRouteOptions>;
const REPLACE = { ...UPDATE, merge: BOOLEAN } satisfies Keys<ReplaceOneRouteOptions>;
const DELETE = { ...ROUTE, ...CONDITIONAL, returnDeleted: BOOLEAN } satisfies Keys<DeleteOneRouteOptions>;
const RECOVER = { ...ROUTE, ...CONDITIONAL, returnRecovered: BOOLEAN } satisfies Keys<RecoverOneRouteOptions>;

const ROUTE_OPTIONS = {
  exclude: ROUTE_NAMES,
  only: ROUTE_NAMES,
  getManyBase: { keys: ROUTE },
  getOneBase: { keys: ROUTE },
  createOneBase: {
    keys: {
      ...BODY_ROUTE,
      ...UPSERT,
      returnShallow: BOOLEAN,
      allowGeneratedKey: BOOLEAN,
    } satisfies Keys<CreateOneRouteOptions>,
  },
  createManyBase: { keys: { ...BODY_ROUTE, ...BULK, ...UPSERT } },
  updateOneBase: { keys: UPDATE },
  replaceOneBase: { keys: REPLACE },
  deleteOneBase: { keys: DELETE },
  recoverOneBase: { keys: RECOVER },
  updateManyBase: { keys: { ...UPDATE, ...BULK, ...BY_CONDITION } },
  replaceManyBase: { keys: { ...REPLACE, ...BULK } },
  deleteManyBase: { keys: { ...DELETE, ...BULK, ...BY_CONDITION } },
  recoverManyBase: { keys: { ...RECOVER, ...BULK } },
  countBase: { keys: ROUTE },
  aggregateBase: { keys: ROUTE },
} satisfies Keys<CrudRoutesOptions>;

const SERIALIZE = {
  getMany: CLASS_OR_FALSE,
  get: CLASS_OR_FALSE,
  create: CLASS_OR_FALSE,
  createMany: CLASS_OR_FALSE,
  update: CLASS_OR_FALSE,
  replace: CLASS_OR_FALSE,
  delete: CLASS_OR_FALSE,
  recover: CLASS_OR_FALSE,
} satisfies Keys<SerializeOptions>;

const PARAM = {
  field: TEXT,
  type: oneOf('number', 'string', 'uuid'),
  enum: { must: 'be an enumeration', holds: isObject },
  primary: BOOLEAN,
  disabled: BOOLEAN,
} satisfies Keys<ParamOption>;

const OPERATORS = { keys: { custom: OBJECT } };

const NAMING = {
  operationIds: oneOf('long', 'short'),
  schemas: oneOf('long', 'short'),
} satisfies Keys<OpenApiNaming>;

const OPENAPI = { ...NAMING, singular: IDENTIFIER, plural: IDENTIFIER } satisfies Keys<OpenApiOptions>;

/** The options of `@Crud()`. */
export const OPTIONS: Shape = {
  keys: {
    model: { keys: { type: CLASS } },
    dto: { keys: { create: BODY, update: BODY, replace: BODY } satisfies Keys<DtoOptions> },
    serialize: { keys: SERIALIZE },
    query: { keys: QUERY },
    routes: { keys: ROUTE_OPTIONS },
    routesFactory: CLASS,
    params: { each: { keys: PARAM } },
    validation: PIPE_OPTIONS_OR_FALSE,
    operators: OPERATORS,
    openapi: { keys: OPENAPI },
  } satisfies Keys<CrudOptions>,
};

/** The options of `@CrudAuth()`. */
export const AUTH = {
  keys: {
    property: TEXT,
    filter: FUNCTION,
    or: FUNCTION,
    relations: { each: FUNCTION_OR_FALSE },
    persist: FUNCTION,
    groups: FUNCTION,
    classTransformOptions: FUNCTION,
    checkWrites: BOOLEAN,
  } satisfies Keys<AuthOptions>,
};

// Relation paths belong to one entity, so there are no global ones.
const { relations: _relations, ...GLOBAL_AUTH } = AUTH.keys;

const {
  allow: _allow,
  exclude: _exclude,
  persist: _persist,
  conditions: _conditions,
  join: _join,
  filter: _filter,
  sort: _sort,
  aggregate: _aggregate,
  ...GLOBAL_QUERY
} = QUERY;

/** The options of the global configuration. */
export const GLOBAL: { readonly keys: Readonly<Record<string, Shape>> } = {
  keys: {
    query: { keys: GLOBAL_QUERY },
    routes: { keys: ROUTE_OPTIONS },
    params: { each: { keys: PARAM } },
    auth: { keys: GLOBAL_AUTH },
    serialize: { keys: SERIALIZE },
    validation: PIPE_OPTIONS_OR_FALSE,
    queryParser: {
      keys: {
        delim: TEXT,
        delimStr: TEXT,
        arrayFormat: oneOf('repeat', 'indices'),
        paramNamesMap: ANY,
      } satisfies Keys<QueryLanguageOptions>,
    },
    operators: OPERATORS,
    openapi: { keys: NAMING },
    etagSecret: TEXT,
    events: BOOLEAN,
  } satisfies Keys<CrudGlobalConfig>,
};
