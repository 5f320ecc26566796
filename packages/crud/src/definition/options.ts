/** The options that `@Crud()` and the global configuration take: types alone; their values are checked at start-up. */
import type {
  AggregateFunction,
  CustomOperators,
  DateUnit,
  ParamsOptions,
  QueryLimits,
  RequestQueryBuilderOptions,
  SCondition,
} from '@nestwright/crud-request';
import type { NestInterceptor, Type, ValidationPipeOptions } from '@nestjs/common';
import type { AuthOptions } from './auth-options.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { StandardSchema } from './standard-schema.js';
import type {
  ConditionOf,
  FieldName,
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
  /** Name of the entity, and its class where it has one. */
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
  /** The entity; its fields are what clients may name. */
  type: ModelType<T>;
}

/** What describes and validates a body: a class with decorators of class-validator, or a Standard Schema (zod, valibot …), which a class may carry as its static property `~standard`. */
export type BodyDescription = Type<unknown> | StandardSchema;

/** Classes or Standard Schemas that describe and validate bodies, where they differ from the model. */
export interface DtoOptions {
  /** Body of POST and of each record of a bulk insert. Default: the model. */
  create?: BodyDescription;
  /** Body of PATCH. Default: the model. */
  update?: BodyDescription;
  /** Body of PUT. Default: `create`, or `update` with `merge`, then the model. */
  replace?: BodyDescription;
}

/** Classes that shape responses, per route; `false` turns the class-transformer step off, never the query's own exclusion. Default: the model. */
export interface SerializeOptions {
  /** Records of `GET /`, or, where the class has a property `data`, their envelope. Default: `get`, then the model. */
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

/** How one relation may be joined; the key in {@link QueryOptions.join} is its path (`company`, `company.projects`). `T` is the entity it leads to. */
export interface JoinOption<T = any> {
  /** Alias in SQL and second name for clients. Default: the last segment of the path, or the path joined by `_` where that is taken. */
  alias?: string;
  /** Fields that may be selected, filtered and sorted. Default: all. */
  allow?: OwnFieldNames<T>;
  /** Fields that are hidden. Default: none. */
  exclude?: OwnFieldNames<T>;
  /** Fields that are always returned. Default: none. */
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

/** A format that whole lists are answered in: a JSON text per line, or a table of comma-separated values. */
export type ExportFormat = 'ndjson' | 'csv';

/** How CSV is written. */
export interface CsvOptions {
  /**
   * Whether texts that spreadsheets would take for formulas (they begin with `=`, `+`, `-`, `@`, a tab or a carriage return) are written as they are. Default: `false`, an apostrophe stands
   * before them, which spreadsheets show. Danger: a spreadsheet that opens the file may run what somebody has stored.
   */
  formulas?: boolean;
}

/** Which formats whole lists are answered in, and what that may take. */
export interface ExportOptions {
  /**
   * The formats that clients may ask for, by `format=` or by the header `Accept` (`application/x-ndjson`, `text/csv`).
   *
   * @throws At start-up where `csv` is among them and the package csv-stringify is not installed.
   */
  formats: readonly ExportFormat[];
  /** Most records of one export; a list with more is refused with a 400 before anything of it is sent. Default: no bound. */
  maxRows?: number;
  /** Most exports that may run in the process when another one begins, those of other resources included; more are refused with a 503. Default: 2. */
  concurrent?: number;
  /** How long an export may take, in milliseconds, however slowly its client reads; then its connection breaks. Default: 600000 (ten minutes); `false`: no bound. */
  timeout?: number | false;
  /** How CSV is written. Default: formulas are defused. */
  csv?: CsvOptions;
}

/**
 * What clients may ask of a resource, and what they get when they do not ask. `T` is the entity, by which the compiler checks names of fields and relations;
 * `Other` are further texts that pass for names. Without an entity any text is a name, until the start of the application.
 */
export interface QueryOptions<T = any, Other extends string = Unchecked<T>> {
  /** Fields that may be queried or selected. Default: all. */
  allow?: OwnFieldNames<T>;
  /** Fields that can be neither queried nor selected, and are never returned. Default: none. */
  exclude?: OwnFieldNames<T>;
  /** Fields returned whatever was selected. Default: none. */
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
  /**
   * Condition of every record that is read or changed, beside the client's. A function is given that one, and its result replaces it. Default: none.
   *
   * @example
   * filter: { isActive: true }
   */
  filter?: QueryFilterOption<T, Other>;
  /**
   * Relations that clients may join, by path. Default: none.
   *
   * @example
   * join: { company: { eager: true }, 'company.projects': { allow: ['name'] } }
   */
  join?: JoinOptions<T>;
  /** Order of lists whose request names none. Default: by primary key. */
  sort?: readonly SortOption<T, Other>[];
  /** Page size, in records, of lists whose request names none. Default: none; {@link maxLimit} bounds it. */
  limit?: number;
  /** Largest page size, in records; a larger `limit` is capped. Default: 1000, or `limit` where that is larger; `false`: no ceiling. */
  maxLimit?: number | false;
  /** How long reads are cached, in milliseconds. Default: `false`. */
  cache?: number | false;
  /** Whether lists are always enveloped. Default: `false`, only those that name a `page` or `offset`. */
  alwaysPaginate?: boolean;
  /**
   * Whether clients may read lists by cursors (`cursor=`, then `cursor=<next>`): pages that neither repeat nor leave out a record, and cost the same however far the list is
   * read. Default: `false`.
   *
   * @throws At start-up where the entity has no primary key, where answers hide the key or a field of `sort`, or where the service overrides `createBuilder` or `doGetMany`.
   *
   * @example
   * query: { cursor: true, sort: [{ field: 'createdAt', order: 'DESC' }], limit: 50 } // GET /users?cursor=
   */
  cursor?: boolean;
  /**
   * Whether lists that are read by `page` or by `cursor` have a `Link` header (RFC 8288) with the addresses of the first, previous and next page, and of the last where the total is known.
   * Default: `false`.
   *
   * @example
   * query: { links: true, limit: 20 } // GET /users?page=2 → Link: </users?page=1>; rel="first", </users?page=1>; rel="prev", …
   */
  links?: boolean;
  /**
   * Formats in which clients may ask for whole lists, without a page size or a ceiling: `GET /users?format=csv`. Records are read and sent bit by bit. Default: none.
   *
   * @throws At start-up where the service overrides `createBuilder` or `doGetMany`.
   *
   * @example
   * query: { export: { formats: ['ndjson', 'csv'], maxRows: 1_000_000 } } // GET /users?format=csv&fields=id,name
   */
  export?: ExportOptions;
  /** Whether DELETE marks records as deleted, with `includeDeleted` and the recover route. Default: `false`. */
  softDelete?: boolean;
  /**
   * Whether answers have an `ETag`, and requests may depend on it: `If-None-Match` answers 304 to reads of what the client has, `If-Match` refuses writes to a record that was changed in
   * the meantime (412). Default: `false`.
   *
   * @example
   * query: { etag: true } // PATCH /users/1 with If-Match: "nZz…" → 200, or 412 CRUD_PRECONDITION_FAILED
   */
  etag?: boolean;
  /**
   * By which fields clients may group records, and what they may compute of a group: `GET /aggregate`. Names reach relations to one record that are in {@link join}; a moment or date may be
   * grouped by its `day`, `week`, `month`, `quarter` and `year` in UTC. Default: none, and no such route.
   *
   * @throws At start-up where a name is no field or is hidden, where a function does not fit its field, and where the moments of a field are stored in a time zone that is not known.
   *
   * @example
   * aggregate: { groupBy: ['role', 'createdAt'], functions: { '*': ['count'], age: ['avg', 'max'] } }
   * // GET /users/aggregate?groupBy=role&aggregate=avg||age → [{ "role": "admin", "avg_age": 41.5 }]
   */
  aggregate?: AggregateOptions<T, Other>;
  /** What becomes of unknown or forbidden names in `fields` and `join`. Default: `error`. */
  unknown?: 'error' | 'ignore';
  /** Bounds of a request's size. Default: `DEFAULT_LIMITS` of `@nestwright/crud-request`. */
  limits?: Partial<QueryLimits>;
}

/** What clients may ask of `GET /aggregate`. `T` and `Other` are those of {@link QueryOptions}. */
export interface AggregateOptions<T = any, Other extends string = Unchecked<T>> {
  /** Fields by which records may be grouped; `createdAt:month` allows one part of the calendar alone. Default: none, all records are one group. */
  groupBy?: readonly (FieldName<T, Other> | `${FieldName<T, Other>}:${DateUnit}`)[];
  /** Functions by the field that they may be applied to; `*` is for the records themselves, which can be counted. Default: none, groups can be listed alone. */
  functions?: { readonly [Field in FieldName<T, Other> | '*']?: readonly AggregateFunction[] };
}

/** What every route may be given. */
export interface BaseRouteOptions {
  /** Interceptors of the route, around the handler. Default: none. */
  interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[];
  /** Decorators of the handler, guards included. Default: none. */
  decorators?: readonly (PropertyDecorator | MethodDecorator)[];
}

/** What a route may be given whose requests have a body. */
export interface BodyRouteOptions extends BaseRouteOptions {
  /** Options of the validation of this route's bodies, over those of the resource, option by option; `false` turns it off. Default: those of the resource. */
  validation?: ValidationPipeOptions | false;
}

/** What a route may be given that changes one stored record. */
export interface ConditionalRouteOptions {
  /**
   * Whether requests must say by `If-Match` which state of the record they mean (428 without); PUT takes `If-None-Match: *` in its place. Default: `false`.
   *
   * @throws At start-up without `query.etag`.
   *
   * @example
   * query: { etag: true }, routes: { updateOneBase: { requireMatch: true } }
   */
  requireMatch?: boolean;
}

/** Options of `GET /`. */
export interface GetManyRouteOptions extends BaseRouteOptions {}

/** @deprecated nestjsx/crud's spelling: use {@link GetManyRouteOptions}. */
export type GetMayRouteOptions = GetManyRouteOptions;

/** Options of `GET /:id`. */
export interface GetOneRouteOptions extends BaseRouteOptions {}

/** What becomes of a new record where another has its unique values. */
export interface UpsertRouteOptions {
  /**
   * Names of the columns and links of one unique constraint: where a record in scope has their values already, it is changed as PATCH would do it, and the answer is a 200. Whoever may create
   * may then change such records, too. Default: none; it is a 409.
   *
   * @throws At start-up where no unique constraint, unique index or key of the entity is over exactly these.
   *
   * @example
   * routes: { createOneBase: { onConflict: ['email'] } }
   */
  onConflict?: readonly string[];
}

/** Options of `POST /`. */
export interface CreateOneRouteOptions extends BodyRouteOptions, UpsertRouteOptions {
  /** Whether the response is the record as saved, not as read again. Default: `false`. */
  returnShallow?: boolean;
  /**
   * Whether a body may carry a new key that the database otherwise generates. Default: `false`. Danger: it leaves the sequence behind on PostgreSQL (the next
   * insert may fail) and can exhaust it on MySQL and MariaDB.
   */
  allowGeneratedKey?: boolean;
}

/** How many records one request may write. */
export interface BulkRouteOptions {
  /** Most records of one request; more are refused with a 400. Default: 1000; `false`: no bound. */
  maxBulk?: number | false;
}

/** Whether a route of many records also takes those that a condition names. */
export interface ByConditionRouteOptions {
  /**
   * Whether the route also writes all records that the client's condition matches (`?filter=state||eq||open`), in scope and each as the route of one record would: PATCH with
   * `{"set": {…}}`, DELETE without a body. They answer `{"affected": n}`. A condition that leaves out no record is refused, as none is. Default: `false`.
   *
   * @example
   * routes: { updateManyBase: { byCondition: true } } // PATCH /tasks/bulk?filter=state||eq||open {"set": {"state": "done"}}
   */
  byCondition?: boolean;
  /** Most records that one condition may match; where there are more, nothing is written, and the request is refused with a 400. Default: 1000. */
  maxAffected?: number;
}

/** Options of `POST /bulk`. */
export interface CreateManyRouteOptions extends BodyRouteOptions, BulkRouteOptions, UpsertRouteOptions {}

/** Options of `PUT /:id`. */
export interface ReplaceOneRouteOptions extends BodyRouteOptions, ConditionalRouteOptions {
  /** Whether a body may override path values other than the key's. Default: `false`. */
  allowParamsOverride?: boolean;
  /** Whether the response is the record as saved, not as read again. Default: `false`. */
  returnShallow?: boolean;
  /** Whether PUT merges into the record found, validated as an update, in place of replacing it. Default: `false`. */
  merge?: boolean;
}

/** Options of `PATCH /:id`. */
export interface UpdateOneRouteOptions extends BodyRouteOptions, ConditionalRouteOptions {
  /** Whether a body may override path values other than the key's. Default: `false`. */
  allowParamsOverride?: boolean;
  /** Whether the response is the record as saved, not as read again. Default: `false`. */
  returnShallow?: boolean;
}

/** Options of `DELETE /:id`. */
export interface DeleteOneRouteOptions extends BaseRouteOptions, ConditionalRouteOptions {
  /** Whether the response is the deleted record. Default: `false` (empty). */
  returnDeleted?: boolean;
}

/** Options of `PATCH /:id/recover`. */
export interface RecoverOneRouteOptions extends BaseRouteOptions, ConditionalRouteOptions {
  /** Whether the response is the recovered record. Default: `true`. */
  returnRecovered?: boolean;
}

/** Options of `GET /count`. */
export interface CountRouteOptions extends BaseRouteOptions {}

/** Options of `GET /aggregate`. */
export interface AggregateRouteOptions extends BaseRouteOptions {}

/** Options of `PATCH /bulk`; what they leave out is as in those of `PATCH /:id`, interceptors and decorators excepted. */
export interface UpdateManyRouteOptions extends UpdateOneRouteOptions, BulkRouteOptions, ByConditionRouteOptions {}

/** Options of `PUT /bulk`; what they leave out is as in those of `PUT /:id`, interceptors and decorators excepted. */
export interface ReplaceManyRouteOptions extends ReplaceOneRouteOptions, BulkRouteOptions {}

/** Options of `DELETE /bulk`; what they leave out is as in those of `DELETE /:id`, interceptors and decorators excepted. */
export interface DeleteManyRouteOptions extends DeleteOneRouteOptions, BulkRouteOptions, ByConditionRouteOptions {}

/** Options of `PATCH /bulk/recover`; what they leave out is as in those of `PATCH /:id/recover`, interceptors and decorators excepted. */
export interface RecoverManyRouteOptions extends RecoverOneRouteOptions, BulkRouteOptions {}

/** Which routes exist, and the options of each. */
export interface CrudRoutesOptions {
  /** Routes that do not exist, where `only` names none. Default: none. */
  exclude?: readonly BaseRouteName[];
  /** The only routes that exist. Default: all but optional ones, which other options name; `recoverOneBase` needs `query.softDelete`. */
  only?: readonly BaseRouteName[];
  /** Options of `GET /`. Default: none. */
  getManyBase?: GetManyRouteOptions;
  /** Options of `GET /:id`. Default: none. */
  getOneBase?: GetOneRouteOptions;
  /** Options of `POST /`. Default: none. */
  createOneBase?: CreateOneRouteOptions;
  /** Options of `POST /bulk`. Default: none. */
  createManyBase?: CreateManyRouteOptions;
  /** Options of `PATCH /:id`. Default: none. */
  updateOneBase?: UpdateOneRouteOptions;
  /** Options of `PUT /:id`. Default: none. */
  replaceOneBase?: ReplaceOneRouteOptions;
  /** Options of `DELETE /:id`. Default: none. */
  deleteOneBase?: DeleteOneRouteOptions;
  /** Options of `PATCH /:id/recover`. Default: none. */
  recoverOneBase?: RecoverOneRouteOptions;
  /** Options of `GET /count`, or `true`: the route is there where this, or `only`, names it. Default: it is not there. */
  countBase?: true | CountRouteOptions;
  /** Options of `GET /aggregate`, or `true`. Default: the route is there where `query.aggregate` is. */
  aggregateBase?: true | AggregateRouteOptions;
  /** `PATCH /bulk`, which is there where this is set: `true`, or its options. Default: no such route. */
  updateManyBase?: UpdateManyRouteOptions | true;
  /** `PUT /bulk`, which is there where this is set: `true`, or its options. Default: no such route. */
  replaceManyBase?: ReplaceManyRouteOptions | true;
  /** `DELETE /bulk` and `POST /bulk/delete`, which are there where this is set: `true`, or its options. Default: no such routes. */
  deleteManyBase?: DeleteManyRouteOptions | true;
  /** `PATCH /bulk/recover`, which is there where this is set: `true`, or its options. Default: no such route. It needs `query.softDelete`. */
  recoverManyBase?: RecoverManyRouteOptions | true;
}

/** The options of routes as requests carry them: an optional route that `true` names has options that say nothing. */
export type SettledRoutesOptions = {
  [Name in keyof CrudRoutesOptions]: Exclude<CrudRoutesOptions[Name], true>;
};

/** Operators of the application's own, usable like the built-in ones: `filter=name||sounds||Meyer`. */
export interface OperatorsOptions {
  /** Operators by the name that clients use; names of built-in ones are refused at start-up. Default: none. */
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
  /** The record type that the resource serves. */
  model: ModelOptions<T>;
  /** What describes and validates bodies. Default: the model. */
  dto?: DtoOptions;
  /** Classes that shape responses. Default: the model. */
  serialize?: SerializeOptions;
  /** What clients may ask, and what they get when they do not ask. Default: `{}`. */
  query?: QueryOptions<NoInfer<T>, Other>;
  /** Which routes exist, and the options of each. Default: all routes. */
  routes?: CrudRoutesOptions;
  /** Replaces the route generator. Default: `CrudRoutesFactory`. */
  routesFactory?: new (target: Type<object>, options: CrudOptions) => unknown;
  /** Path parameters by name, and the fields that they equal. Default: `{ id: { field: 'id', type: 'number', primary: true } }`. */
  params?: ParamsOf<NoInfer<T>, Other>;
  /**
   * Options of Nest's `ValidationPipe` for bodies, over those of the global configuration, option by option; `false` turns the library's validation off.
   * What they leave out, the `ValidationPipe`s of the application decide. Default: those of the global configuration.
   */
  validation?: ValidationPipeOptions | false;
  /** Operators of the application's own. Default: none. */
  operators?: OperatorsOptions;
  /** Names in OpenAPI documents. Default: those of the global configuration. */
  openapi?: OpenApiOptions;
}

/** Defaults of all resources, for `CrudConfigService.load` and `CrudModule.forRoot`. */
export interface CrudGlobalConfig {
  /** As in {@link CrudOptions}, but for what names fields. Default: `{}`. */
  query?: Omit<QueryOptions, 'allow' | 'exclude' | 'persist' | 'conditions' | 'join' | 'filter' | 'sort' | 'aggregate'>;
  /** As in {@link CrudOptions}; options of a resource win key by key. Default: all routes. */
  routes?: CrudRoutesOptions;
  /** Path parameters of resources that name none. Default: as in {@link CrudOptions}. */
  params?: ParamsOptions;
  /** Scope of all resources; `@CrudAuth()` wins key by key. Default: none. */
  auth?: Omit<AuthOptions, 'relations'>;
  /** As in {@link CrudOptions}. Default: the model. */
  serialize?: SerializeOptions;
  /** Options of Nest's `ValidationPipe` for the bodies of all resources; `false` turns the library's validation off. Default: those of the application's pipes. */
  validation?: ValidationPipeOptions | false;
  /** Delimiters and parameter names of the query language. Default: those of `RequestQueryBuilderOptions`. */
  queryParser?: RequestQueryBuilderOptions;
  /** Operators of the application's own, for all resources. Default: none. */
  operators?: OperatorsOptions;
  /** Names in OpenAPI documents. Default: `long`. */
  openapi?: OpenApiNaming;
  /**
   * Secret of the entity tags of `query.etag`: the same in all processes that answer for one application, or a tag of one means nothing to the others. Default: one of the process.
   *
   * @example
   * CrudModule.forRoot({ etagSecret: process.env.ETAG_SECRET });
   */
  etagSecret?: string;
  /**
   * Whether each committed change is told as `crud.<Model>.<kind>` by the `EventEmitter2` of `@nestjs/event-emitter`, whose `EventEmitterModule` must be imported. Writes then take the
   * way of services with hooks. Default: `false`.
   *
   * @example
   * CrudModule.forRoot({ events: true });
   * `@OnEvent('crud.User.create') welcome({ record }: CreateChange<User>) {}`
   */
  events?: boolean;
}

/** The part of the options that a request carries, for adapters and overrides; what a hand-made request leaves out counts as not configured. */
export interface CrudRequestOptions {
  /** What clients may ask. Default: nothing is configured. */
  query?: QueryOptions;
  /** Options of the routes. Default: none. */
  routes?: SettledRoutesOptions;
  /** Path parameters by name. Default: none. */
  params?: ParamsOptions;
  /** Operators of the application's own. Default: none. */
  operators?: OperatorsOptions;
}
