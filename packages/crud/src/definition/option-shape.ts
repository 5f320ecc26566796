/** Checks names and kinds of options, at any depth. Whether fields and relations exist is checked elsewhere. */
import { isPlainObject } from './plain-objects.js';
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
  OBJECT_OR_FALSE,
  FUNCTION_OR_FALSE,
  oneOf,
  IDENTIFIER,
  type Kind,
} from './option-kinds.js';
import type {
  AggregateOptions,
  BodyRouteOptions,
  BulkRouteOptions,
  ByConditionRouteOptions,
  ConditionalRouteOptions,
  CreateOneRouteOptions,
  CrudGlobalConfig,
  CrudOptions,
  CrudRoutesOptions,
  CsvOptions,
  DeleteOneRouteOptions,
  DtoOptions,
  ExportOptions,
  JoinOption,
  OpenApiNaming,
  OpenApiOptions,
  QueryOptions,
  RecoverOneRouteOptions,
  ReplaceOneRouteOptions,
  SerializeOptions,
  UpdateOneRouteOptions,
  UpsertRouteOptions,
} from './options.js';
import type { AuthOptions } from './auth-options.js';
import {
  DEFAULT_LIMITS,
  type ParamOption,
  type QueryLanguageOptions,
  type QueryLimits,
  type QuerySort,
} from '@nestwright/crud-request';

type Shape =
  | Kind
  | { readonly keys: Readonly<Record<string, Shape>> }
  /** An object whose names are the application's own. */
  | { readonly each: Shape }
  | { readonly items: Shape };

/** Every key of a type, so that an option that is added to the type is missed here by the compiler. */
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
const BODY_ROUTE = { ...ROUTE, validation: OBJECT_OR_FALSE } satisfies Keys<BodyRouteOptions>;

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
  enum: { must: 'be an enumeration', holds: (value) => typeof value === 'object' && value !== null },
  primary: BOOLEAN,
  disabled: BOOLEAN,
} satisfies Keys<ParamOption>;

const OPERATORS = { keys: { custom: OBJECT } };

const NAMING = {
  operationIds: oneOf('long', 'short'),
  schemas: oneOf('long', 'short'),
} satisfies Keys<OpenApiNaming>;

const OPENAPI = { ...NAMING, singular: IDENTIFIER, plural: IDENTIFIER } satisfies Keys<OpenApiOptions>;

const OPTIONS: Shape = {
  keys: {
    model: { keys: { type: CLASS } },
    dto: { keys: { create: BODY, update: BODY, replace: BODY } satisfies Keys<DtoOptions> },
    serialize: { keys: SERIALIZE },
    query: { keys: QUERY },
    routes: { keys: ROUTE_OPTIONS },
    routesFactory: CLASS,
    params: { each: { keys: PARAM } },
    validation: OBJECT_OR_FALSE,
    operators: OPERATORS,
    openapi: { keys: OPENAPI },
  } satisfies Keys<CrudOptions>,
};

const AUTH = {
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

// Relations are those of one entity.
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

const GLOBAL: Shape = {
  keys: {
    query: { keys: GLOBAL_QUERY },
    routes: { keys: ROUTE_OPTIONS },
    params: { each: { keys: PARAM } },
    auth: { keys: GLOBAL_AUTH },
    serialize: { keys: SERIALIZE },
    validation: OBJECT_OR_FALSE,
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

/** What is wrong with the options of `@Crud()`, those of the global configuration filled in. */
export function shapeMistakes(options: CrudOptions): string[] {
  const { auth: _auth, ...own } = options as CrudOptions & { auth?: unknown };

  return [...mistakesIn(own, OPTIONS, '')];
}

/** What is wrong with the options of `@CrudAuth()`. */
export function authMistakes(auth: object): string[] {
  return [...mistakesIn(auth, AUTH, '')].map((mistake) => `@CrudAuth: ${mistake}`);
}

/** What is wrong with the global configuration. */
export function globalMistakes(config: CrudGlobalConfig): string[] {
  return [...mistakesIn(config, GLOBAL, '')];
}

/** Every option by its path (`query.join.*.alias`), those of `@CrudAuth()` under `auth`, and the global ones under `global`, for the tests that must not miss one. */
export function optionPaths(): string[] {
  return [
    ...pathsIn(OPTIONS, ''),
    ...pathsIn(AUTH, 'auth'),
    // Below their first names, the global options are those of a resource.
    ...('keys' in GLOBAL ? Object.keys(GLOBAL.keys).map((name) => join('global', name)) : []),
  ];
}

function* pathsIn(shape: Shape, path: string): Generator<string> {
  if ('holds' in shape) yield path;
  else if ('each' in shape) yield* pathsIn(shape.each, join(path, '*'));
  else if ('items' in shape) yield* pathsIn(shape.items, join(path, '*'));
  else for (const [key, inner] of Object.entries(shape.keys)) yield* pathsIn(inner, join(path, key));
}

function* mistakesIn(value: unknown, shape: Shape, path: string): Generator<string> {
  if (value === undefined) return;

  if ('holds' in shape) {
    if (!shape.holds(value)) yield `${path} is ${show(value)}, but must ${shape.must}`;
  } else if ('items' in shape) {
    if (!Array.isArray(value)) yield `${path} is ${show(value)}, but must be a list`;
    else for (const [index, item] of value.entries()) yield* mistakesIn(item, shape.items, `${path}[${index}]`);
  } else if (!isPlainObject(value)) {
    yield `${path || 'the options'} is ${show(value)}, but must be an object`;
  } else if ('each' in shape) {
    for (const [key, item] of Object.entries(value)) yield* mistakesIn(item, shape.each, join(path, key));
  } else {
    for (const [key, item] of Object.entries(value)) {
      const inner = Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;

      if (inner) yield* mistakesIn(item, inner, join(path, key));
      else
        yield `${join(path, key)} is ${show(item)}, but there is no such option; known are ${Object.keys(shape.keys).join(', ')}`;
    }
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** A value as a message shows it. */
export function show(value: unknown): string {
  if (typeof value === 'function') return value.name || 'a function';
  if (typeof value === 'bigint' || typeof value === 'symbol' || value === undefined) return String(value);

  try {
    return JSON.stringify(value);
  } catch {
    return typeof value;
  }
}
