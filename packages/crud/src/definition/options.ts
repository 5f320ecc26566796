/** The options that `@Crud()` and the global configuration take: types alone; their values are checked at start-up. */
import type { CustomOperators, ParamsOptions, RequestQueryBuilderOptions } from '@nestwright/crud-request';
import type { Type, ValidationPipeOptions } from '@nestjs/common';
import type { AuthOptions } from './auth-options.js';
import type { EntitySchemaLike, TableLike } from './model-class.js';
import type { QueryOptions } from './query-options.js';
import type { CrudRoutesOptions, SettledRoutesOptions } from './route-options.js';
import type { StandardSchema } from './standard-schema.js';
import type { ParamsOf, Unchecked } from './typed-names.js';

/**
 * An entity: a class (also an abstract one, or one typed as `Function`), or an `EntitySchema` or a table of Drizzle,
 * whose field names are checked at start-up only.
 */
export type ModelType<T = unknown> =
  | Type<T>
  // A constructor's parameters are its own.
  | (abstract new (...parameters: any[]) => T)
  // What upstream's option takes: metadata of Nest and TypeORM give classes as a `Function`.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  | (Pick<Function, keyof Function> & { readonly prototype: NoInfer<T> })
  | EntitySchemaLike
  | TableLike;

/** The record type that a resource serves. */
export interface ModelOptions<T = unknown> {
  /** The entity. Clients may use the names of its fields. */
  type: ModelType<T>;
}

/**
 * What describes and validates a body: a class with decorators of class-validator, or a Standard Schema (zod, valibot
 * …), which a class may carry as its static property `~standard`.
 */
export type BodyDescription = Type<unknown> | StandardSchema;

/** Classes or Standard Schemas that describe and validate bodies, if they differ from the model. */
export interface DtoOptions {
  /** Body of POST and of each record of a bulk insert. Default: the model. */
  create?: BodyDescription;
  /** Body of PATCH. Default: the model. */
  update?: BodyDescription;
  /** Body of PUT. Default: `create`, or `update` with `merge`, then the model. */
  replace?: BodyDescription;
}

/**
 * Classes that serialize responses, for each route. `false` turns class-transformer off; fields that the query excludes
 * stay hidden. Default: the model.
 */
export interface SerializeOptions {
  /**
   * Records of `GET /`. A class with a property `data` serializes their envelope instead. Default: `get`, then the
   * model.
   */
  getMany?: Type<unknown> | false;
  /** Response of `GET /:id`. Default: the model. */
  get?: Type<unknown> | false;
  /** Response of `POST /`. Default: the model. */
  create?: Type<unknown> | false;
  /** Response of `POST /bulk`. Default: `create`, then the model. */
  createMany?: Type<unknown> | false;
  /** Response of `PATCH /:id`. Default: the model. */
  update?: Type<unknown> | false;
  /** Response of `PUT /:id`. Default: the model. */
  replace?: Type<unknown> | false;
  /** Response of `DELETE /:id` with `returnDeleted`. Default: the model. */
  delete?: Type<unknown> | false;
  /** Response of `PATCH /:id/recover`. Default: the model. */
  recover?: Type<unknown> | false;
}

/** Options of Nest's `ValidationPipe`, and what is checked of columns. */
interface CrudValidationOptions extends ValidationPipeOptions {
  /**
   * Which types and lengths of columns hold for bodies, conditions and keys: `declared` are those that `@Column()`
   * names, `all` also those that TypeORM assumes where it names none. Entities over existing tables often assume an
   * integer where the table has a DECIMAL. Default: `all`.
   */
  columns?: 'all' | 'declared';
}

/** Operators of the application's own, usable like the built-in ones: `filter=name||sounds||Meyer`. */
export interface OperatorsOptions {
  /** Operators by the name that clients use; names of built-in ones are refused at start-up. Default: none. */
  custom?: CustomOperators;
}

/** How operations and schemas are named in OpenAPI documents. */
export interface OpenApiNaming {
  /**
   * Ids of operations: `long` is `getManyBaseUsersControllerUser`, `short` is `getManyUsers`. An `operationId` in
   * `@ApiOperation()` takes precedence. Default: the result of the document's `operationIdFactory`, or else `long`.
   *
   * @throws While the document is made, if two operations would have the same short id.
   */
  operationIds?: 'long' | 'short';
  /**
   * Names of schemas that the library generates: `long` is `GetManyUserResponseDto`, `CreateUserBodyDto`, `short` is
   * `UserPage`, `CreateUser`. Default: `long`.
   */
  schemas?: 'long' | 'short';
}

/** How one resource is named in OpenAPI documents. */
export interface OpenApiOptions extends OpenApiNaming {
  /** One record, in short names: `Person` for `getOnePerson`. Default: the name of the model. */
  singular?: string;
  /**
   * Several records, in short names: `People` for `getManyPeople`. Default: the regular English plural of `singular`.
   */
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
  /**
   * Path parameters by name, each with the field that must equal it. Default: `{ id: { field: 'id', type: 'number',
   * primary: true } }`.
   */
  params?: ParamsOf<NoInfer<T>, Other>;
  /**
   * Options of Nest's `ValidationPipe` for bodies. Each takes precedence over the same option of the global
   * configuration, and that over the application's own `ValidationPipe`s.
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
  /**
   * Options of Nest's `ValidationPipe` for the bodies of all resources; `false` turns the library's validation off.
   * Default: those of the application's pipes.
   */
  validation?: CrudValidationOptions | false;
  /** Delimiters and parameter names of the query language. Default: those of `RequestQueryBuilderOptions`. */
  queryParser?: RequestQueryBuilderOptions;
  /** Operators of the application's own, for all resources. Default: none. */
  operators?: OperatorsOptions;
  /** Names in OpenAPI documents. Default: `long`. */
  openapi?: OpenApiNaming;
  /**
   * Secret for the entity tags of `query.etag`. All processes of an application need the same one, because a process
   * does not recognize tags created with another secret. Default: each process generates its own.
   *
   * @example
   * CrudModule.forRoot({ etagSecret: process.env.ETAG_SECRET });
   */
  etagSecret?: string;
  /**
   * Whether each committed change is emitted as `crud.<Model>.<kind>` by the `EventEmitter2` of
   * `@nestjs/event-emitter`, whose `EventEmitterModule` must be imported. Writes then cost as much as in services with
   * hooks. Default: `false`.
   *
   * @example
   * CrudModule.forRoot({ events: true });
   * `@OnEvent('crud.User.create') welcome({ record }: CreateChange<User>) {}`
   */
  events?: boolean;
}

/**
 * The options in a request, for adapters and overrides. An option that is missing from a request made in code counts as
 * not configured.
 */
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
