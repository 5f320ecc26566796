/** The options that `@Crud()` and the global configuration take: types alone; their values are checked at start-up. */
import type {
  CustomOperators,
  ParamsOptions,
  QueryLimits,
  RequestQueryBuilderOptions,
  SCondition,
} from '@nestwright/crud-request';
import type { NestInterceptor, Type, ValidationPipeOptions } from '@nestjs/common';
import type { AuthOptions } from '../auth/auth-options.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { StandardSchema } from './standard-schema.js';
import type {
  ConditionOf,
  FieldNames,
  FilterOption,
  JoinsOf,
  OwnFieldNames,
  ParamsOf,
  SortOption,
  Unchecked,
} from './typed-names.js';

// Types take an entity, by which the compiler checks names. Their default is `any`, to which options of any entity and of none are assignable, as they were
// before there were types.

/** TypeORM's `EntitySchema`, as far as it is looked at. */
export interface EntitySchemaLike {
  readonly options: { readonly name: string; readonly target?: unknown };
}

/** An entity: a class, an abstract one too, what is only known to be a `Function`, or an `EntitySchema`, whose names of fields are checked at start-up alone. */
export type ModelType<T = unknown> =
  | Type<T>
  // A constructor's parameters are its own.
  | (abstract new (...parameters: any[]) => T)
  // What upstream's option takes: metadata of Nest and TypeORM give classes as a `Function`.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  | (Pick<Function, keyof Function> & { readonly prototype: NoInfer<T> })
  | EntitySchemaLike;

/** The record type that a resource serves. */
export interface ModelOptions<T = unknown> {
  type: ModelType<T>;
}

/** What describes and validates a body: a class with decorators of class-validator, or a Standard Schema (zod, valibot …), which a class may carry as its static property `~standard`. */
export type BodyDescription = Type<unknown> | StandardSchema;

/** Classes or Standard Schemas that describe and validate bodies, where they differ from the model. */
export interface DtoOptions {
  create?: BodyDescription;
  update?: BodyDescription;
  /** Body of PUT. Default: `create`, then the model. */
  replace?: BodyDescription;
}

/** Classes that shape responses, per route; `false` turns the class-transformer step off, never the query's own exclusion. Default: the model. */
export interface SerializeOptions {
  getMany?: Type<unknown> | false;
  get?: Type<unknown> | false;
  create?: Type<unknown> | false;
  createMany?: Type<unknown> | false;
  update?: Type<unknown> | false;
  replace?: Type<unknown> | false;
  delete?: Type<unknown> | false;
  recover?: Type<unknown> | false;
}

/** How one relation may be joined; the key in {@link QueryOptions.join} is its path (`company`, `company.projects`). `T` is the entity it leads to. */
export interface JoinOption<T = any> {
  /** Alias in SQL and second name for clients. Default: the last segment of the path, or the path joined by `_` where that is taken. */
  alias?: string;
  /** Fields that may be selected, filtered and sorted. Default: all. */
  allow?: OwnFieldNames<T>;
  /** Fields that are hidden. Default: none. */
  exclude?: OwnFieldNames<T>;
  /** Fields that are always returned. */
  persist?: OwnFieldNames<T>;
  /** Whether the relation is joined without being asked for. Default: `false`. */
  eager?: boolean;
  /** Whether its fields are returned; `false` joins it for conditions only. Default: `true`. */
  select?: boolean;
  /** Whether a joined relation drops records without it (inner join). Default: `false`. */
  required?: boolean;
}

/** Relations that may be joined, by path. */
export type JoinOptions<T = any> = JoinsOf<T>;

/** Computes the condition of a request; the result replaces the client's, which it is given permission-checked. */
export type QueryFilterFunction<T = any> = (
  search: SCondition | undefined,
  getMany: boolean,
  // Express's and Fastify's requests have no common type, and an application annotates its own.
  request?: any,
) => ConditionOf<T> | void | Promise<ConditionOf<T> | void>;

/** Condition of a resource beside the client's. */
export type QueryFilterOption<T = any, Other extends string = Unchecked<T>> =
  readonly FilterOption<T, Other>[] | ConditionOf<T> | QueryFilterFunction<T>;

/**
 * What clients may ask of a resource, and what they get when they do not ask. `T` is the entity, by which the compiler checks names of fields and relations;
 * `Other` are further texts that pass for names. Without an entity any text is a name, until the start of the application.
 */
export interface QueryOptions<T = any, Other extends string = Unchecked<T>> {
  /** Fields that may be queried or selected. Default: all. */
  allow?: OwnFieldNames<T>;
  /** Fields that can be neither queried nor selected, and are never returned. */
  exclude?: OwnFieldNames<T>;
  /** Fields returned whatever was selected. */
  persist?: OwnFieldNames<T>;
  /**
   * Fields that clients may filter and sort by although no answer shows them (`companyId`, `company.taxNumber`): hidden by `exclude`, `allow`, `select: false`, `@Exclude()` or a class in
   * `serialize`. Fields of relations need the relation in `join`. Whoever may filter by a field can find its values out. Default: none.
   *
   * @throws At start-up where a name is no field.
   *
   * @example
   * query: { conditions: ['companyId'] }, serialize: { get: UserResponse } // GET /users?filter=companyId||eq||1
   */
  conditions?: FieldNames<T, Other>;
  /** Condition of every request of the resource. */
  filter?: QueryFilterOption<T, Other>;
  join?: JoinOptions<T>;
  /** Order of lists whose request names none. */
  sort?: readonly SortOption<T, Other>[];
  /** Page size of lists whose request names none. */
  limit?: number;
  /** Largest page size; a larger `limit` is capped. Default: 1000, or `limit` where that is larger; `false`: no ceiling. */
  maxLimit?: number | false;
  /** How long reads are cached, in milliseconds. Default: `false`. */
  cache?: number | false;
  /** Whether lists are always enveloped. Default: `false`. */
  alwaysPaginate?: boolean;
  /** Whether DELETE marks records as deleted, with `includeDeleted` and the recover route. Default: `false`. */
  softDelete?: boolean;
  /** What becomes of unknown or forbidden names in `fields` and `join`. Default: `error`. */
  unknown?: 'error' | 'ignore';
  /** Bounds of a request's size. */
  limits?: Partial<QueryLimits>;
}

/** What every route may be given. */
export interface BaseRouteOptions {
  interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[];
  decorators?: readonly (PropertyDecorator | MethodDecorator)[];
}

/** What a route may be given whose requests have a body. */
export interface BodyRouteOptions extends BaseRouteOptions {
  /** Options of the validation of this route's bodies, over those of the resource, option by option; `false` turns it off. Default: those of the resource. */
  validation?: ValidationPipeOptions | false;
}

export interface GetManyRouteOptions extends BaseRouteOptions {}

export interface GetOneRouteOptions extends BaseRouteOptions {}

export interface CreateOneRouteOptions extends BodyRouteOptions {
  /** Whether the response is the record as saved, not as read again. Default: `false`. */
  returnShallow?: boolean;
  /**
   * Whether a body may carry a new key that the database otherwise counts. Default: `false`. Danger: it desynchronises the counter on PostgreSQL (the next
   * insert may fail) and can exhaust it on MySQL and MariaDB.
   */
  allowGeneratedKey?: boolean;
}

export interface CreateManyRouteOptions extends BodyRouteOptions {}

export interface ReplaceOneRouteOptions extends BodyRouteOptions {
  /** Whether a body may override path values other than the key's. Default: `false`. */
  allowParamsOverride?: boolean;
  returnShallow?: boolean;
  /** Whether PUT merges into the record found, validated as an update, in place of replacing it. Default: `false`. */
  merge?: boolean;
}

export interface UpdateOneRouteOptions extends BodyRouteOptions {
  /** Whether a body may override path values other than the key's. Default: `false`. */
  allowParamsOverride?: boolean;
  returnShallow?: boolean;
}

export interface DeleteOneRouteOptions extends BaseRouteOptions {
  /** Whether the response is the deleted record. Default: `false` (empty). */
  returnDeleted?: boolean;
}

export interface RecoverOneRouteOptions extends BaseRouteOptions {
  /** Whether the response is the recovered record. Default: `true`. */
  returnRecovered?: boolean;
}

/** Which routes exist, and the options of each. */
export interface CrudRoutesOptions {
  exclude?: readonly BaseRouteName[];
  only?: readonly BaseRouteName[];
  getManyBase?: GetManyRouteOptions;
  getOneBase?: GetOneRouteOptions;
  createOneBase?: CreateOneRouteOptions;
  createManyBase?: CreateManyRouteOptions;
  updateOneBase?: UpdateOneRouteOptions;
  replaceOneBase?: ReplaceOneRouteOptions;
  deleteOneBase?: DeleteOneRouteOptions;
  recoverOneBase?: RecoverOneRouteOptions;
}

/** Operators of the application's own, usable like the built-in ones: `filter=name||sounds||Meyer`. */
export interface OperatorsOptions {
  custom?: CustomOperators;
}

/** How operations and schemas are named in OpenAPI documents. */
export interface OpenApiNaming {
  /**
   * Ids of operations: `long` is `getManyBaseUsersControllerUser`, `short` is `getManyUsers`. An `operationId` of `@ApiOperation()` stays in any case.
   * Default: what the document's `operationIdFactory` makes, else `long`.
   *
   * @throws While the document is made, where two operations would have the same short id.
   */
  operationIds?: 'long' | 'short';
  /** Names of schemas that are no classes of the application: `long` is `GetManyUserResponseDto`, `CreateUserBodyDto`, `short` is `UserPage`, `CreateUser`. Default: `long`. */
  schemas?: 'long' | 'short';
}

/** How one resource is named in OpenAPI documents. */
export interface OpenApiOptions extends OpenApiNaming {
  /** One record, in short names: `Person` for `getOnePerson`. Default: the name of the model. */
  singular?: string;
  /** Several records, in short names: `People` for `getManyPeople`. Default: the regular English plural of `singular`. */
  plural?: string;
}

/** The options of `@Crud()`. `T` and `Other` are those of {@link QueryOptions}. */
export interface CrudOptions<T = any, Other extends string = Unchecked<T>> {
  model: ModelOptions<T>;
  dto?: DtoOptions;
  serialize?: SerializeOptions;
  query?: QueryOptions<NoInfer<T>, Other>;
  routes?: CrudRoutesOptions;
  /** Replaces the default route generator. */
  routesFactory?: new (target: Type<object>, options: CrudOptions) => unknown;
  params?: ParamsOf<NoInfer<T>, Other>;
  /**
   * Options of Nest's `ValidationPipe` for bodies, over those of the global configuration, option by option; `false` turns the library's validation off.
   * What they leave out, the `ValidationPipe`s of the application decide.
   */
  validation?: ValidationPipeOptions | false;
  operators?: OperatorsOptions;
  /** Names in OpenAPI documents. */
  openapi?: OpenApiOptions;
}

/** Defaults of all resources, for `CrudConfigService.load` and `CrudModule.forRoot`. */
export interface CrudGlobalConfig {
  query?: Omit<QueryOptions, 'allow' | 'exclude' | 'persist' | 'conditions' | 'join' | 'filter' | 'sort'>;
  routes?: CrudRoutesOptions;
  params?: ParamsOptions;
  auth?: Omit<AuthOptions, 'relations'>;
  serialize?: SerializeOptions;
  /** Options of Nest's `ValidationPipe` for the bodies of all resources; `false` turns the library's validation off. Default: those of the application's pipes. */
  validation?: ValidationPipeOptions | false;
  /** Delimiters and parameter names of the query language. */
  queryParser?: RequestQueryBuilderOptions;
  operators?: OperatorsOptions;
  openapi?: OpenApiNaming;
}

/** The part of the options that a request carries, for adapters and overrides; what a hand-made request leaves out counts as not configured. */
export interface CrudRequestOptions {
  query?: QueryOptions;
  routes?: CrudRoutesOptions;
  params?: ParamsOptions;
  operators?: OperatorsOptions;
}
