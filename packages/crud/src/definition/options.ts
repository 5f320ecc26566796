/** The options that `@Crud()` and the global configuration take: types alone; their values are checked at start-up. */
import type { CustomOperators, ParamsOptions, RequestQueryBuilderOptions } from '@nestwright/crud-request';
import type { Type } from '@nestjs/common';
import type { AuthOptions } from './auth-options.js';
import type { CrudValidationOptions } from './merge-validation.js';
import type { DtoOptions, ModelOptions, SerializeOptions } from './class-options.js';
import type { QueryOptions } from './query-options.js';
import type { CrudRoutesOptions, SettledRoutesOptions } from './route-options.js';
import type { ParamsOf, Unchecked } from './typed-names.js';

/** Operators of the application's own, usable like the built-in ones: `filter=name||sounds||Meyer`. */
export interface OperatorsOptions {
  /** Operators by the name that clients use; names of built-in ones are refused at start-up. Default: none. */
  custom?: CustomOperators;
}

/** How operations and schemas are named in OpenAPI documents. */
export interface OpenApiNaming {
  /**
   * Ids of operations: `long` is `getManyBaseUsersControllerUser`, `short` is `getManyUsers`. An `operationId` in `@ApiOperation()` takes precedence.
   * Default: the result of the document's `operationIdFactory`, or else `long`.
   *
   * @throws While the document is made, if two operations would have the same short id.
   */
  operationIds?: 'long' | 'short';
  /** Names of schemas that the library generates: `long` is `GetManyUserResponseDto`, `CreateUserBodyDto`, `short` is `UserPage`, `CreateUser`. Default: `long`. */
  schemas?: 'long' | 'short';
}

/** How one resource is named in OpenAPI documents. */
export interface OpenApiOptions extends OpenApiNaming {
  /** One record, in short names: `Person` for `getOnePerson`. Default: the name of the model. */
  singular?: string;
  /** Several records, in short names: `People` for `getManyPeople`. Default: the regular English plural of `singular`. */
  plural?: string;
}

// `T` defaults to `any`, as in `QueryOptions`: options of any entity and of none are assignable.

/** The options of `@Crud()`. `T` and `Other` are those of {@link QueryOptions}. */
export interface CrudOptions<T = any, Other extends string = Unchecked<T>> {
  /** The record type that the resource serves. */
  model: ModelOptions<T>;
  /** What describes and validates bodies. Default: the model. */
  dto?: DtoOptions;
  /** Classes that shape responses. Default: the model. */
  serialize?: SerializeOptions;
  /** What clients may request, and the defaults. Default: `{}`. */
  query?: QueryOptions<NoInfer<T>, Other>;
  /** Which routes exist, and the options of each. Default: all routes. */
  routes?: CrudRoutesOptions;
  /** Replaces the route generator. Default: `CrudRoutesFactory`. */
  routesFactory?: new (target: Type<object>, options: CrudOptions) => unknown;
  /** Path parameters by name, each with the field that must equal it. Default: `{ id: { field: 'id', type: 'number', primary: true } }`. */
  params?: ParamsOf<NoInfer<T>, Other>;
  /**
   * Options of Nest's `ValidationPipe` for bodies. Each takes precedence over the same option of the global configuration, and that over the application's own `ValidationPipe`s.
   * `false` turns the library's validation off. Default: those of the global configuration.
   */
  validation?: CrudValidationOptions | false;
  /** Operators of the application's own. Default: none. */
  operators?: OperatorsOptions;
  /** Names in OpenAPI documents. Default: those of the global configuration. */
  openapi?: OpenApiOptions;
}

/** Defaults of all resources, for `CrudConfigService.load` and `CrudModule.forRoot`. */
export interface CrudGlobalConfig {
  /** As in {@link CrudOptions}, without the options that contain names of fields. Default: `{}`. */
  query?: Omit<
    QueryOptions,
    'allow' | 'exclude' | 'persist' | 'conditions' | 'formats' | 'join' | 'filter' | 'sort' | 'aggregate'
  >;
  /** As in {@link CrudOptions}; options of a resource win key by key. Default: all routes. */
  routes?: CrudRoutesOptions;
  /** Path parameters of resources without the option `params`. Default: as in {@link CrudOptions}. */
  params?: ParamsOptions;
  /** Scope of all resources; `@CrudAuth()` wins key by key. Default: none. */
  auth?: Omit<AuthOptions, 'relations'>;
  /** As in {@link CrudOptions}. Default: the model. */
  serialize?: SerializeOptions;
  /** Options of Nest's `ValidationPipe` for the bodies of all resources; `false` turns the library's validation off. Default: those of the application's pipes. */
  validation?: CrudValidationOptions | false;
  /** Delimiters and parameter names of the query language. Default: those of `RequestQueryBuilderOptions`. */
  queryParser?: RequestQueryBuilderOptions;
  /** Operators of the application's own, for all resources. Default: none. */
  operators?: OperatorsOptions;
  /** Names in OpenAPI documents. Default: `long`. */
  openapi?: OpenApiNaming;
  /**
   * Secret for the entity tags of `query.etag`. All processes of an application need the same one, because a process does not recognize tags created with another secret.
   * Default: each process generates its own.
   *
   * @example
   * CrudModule.forRoot({ etagSecret: process.env.ETAG_SECRET });
   */
  etagSecret?: string;
  /**
   * Whether each committed change is emitted as `crud.<Model>.<kind>` by the `EventEmitter2` of `@nestjs/event-emitter`, whose `EventEmitterModule` must be imported. Writes then cost
   * as much as in services with hooks. Default: `false`.
   *
   * @example
   * CrudModule.forRoot({ events: true });
   * `@OnEvent('crud.User.create') welcome({ record }: CreateChange<User>) {}`
   */
  events?: boolean;
}

/** The options in a request, for adapters and overrides. An option that is missing from a request made in code counts as not configured. */
export interface CrudRequestOptions {
  /** What clients may request. Default: nothing is configured. */
  query?: QueryOptions;
  /** Options of the routes. Default: none. */
  routes?: SettledRoutesOptions;
  /** Path parameters by name. Default: none. */
  params?: ParamsOptions;
  /** Operators of the application's own. Default: none. */
  operators?: OperatorsOptions;
  /** `validation.columns` of the resource. Default: that of the global configuration. */
  columns?: 'all' | 'declared';
}
