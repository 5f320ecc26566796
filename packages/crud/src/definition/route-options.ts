/** Which routes exist, and how each behaves. */
import type { NestInterceptor, Type, ValidationPipeOptions } from '@nestjs/common';
import type { BaseRouteName } from '../routes/route-table.js';

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

/** What happens to a new record when another one has its unique values. */
export interface UpsertRouteOptions {
  /**
   * Names of the columns and links of one unique constraint: if a record in scope has their values already, it is changed as PATCH would do it, and the answer is a 200. Whoever may create
   * may then change such records, too. Default: none; it is a 409.
   *
   * @throws At start-up if no unique constraint, unique index or key of the entity is over exactly these.
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
  /** Most records that one condition may match; if there are more, nothing is written, and the request is refused with a 400. Default: 1000. */
  maxAffected?: number;
}

/** Options of `POST /bulk`. */
export interface CreateManyRouteOptions extends BodyRouteOptions, BulkRouteOptions, UpsertRouteOptions {}

/** Options of `PATCH /:id`. */
export interface UpdateOneRouteOptions extends BodyRouteOptions, ConditionalRouteOptions {
  /** Whether a body may override path values other than the key's. Default: `false`. */
  allowParamsOverride?: boolean;
  /** Whether the response is the record as saved, not as read again. Default: `false`. */
  returnShallow?: boolean;
}

/** Options of `PUT /:id`. */
export interface ReplaceOneRouteOptions extends UpdateOneRouteOptions {
  /** Whether PUT merges into the record found, validated as an update, in place of replacing it. Default: `false`. */
  merge?: boolean;
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
  /** Routes that do not exist, if `only` names none. Default: none. */
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
  /** Options of `GET /count`, or `true`: the route is there if this, or `only`, names it. Default: it is not there. */
  countBase?: true | CountRouteOptions;
  /** Options of `GET /aggregate`, or `true`. Default: the route is there if `query.aggregate` is. */
  aggregateBase?: true | AggregateRouteOptions;
  /** `PATCH /bulk`, which is there if this is set: `true`, or its options. Default: no such route. */
  updateManyBase?: UpdateManyRouteOptions | true;
  /** `PUT /bulk`, which is there if this is set: `true`, or its options. Default: no such route. */
  replaceManyBase?: ReplaceManyRouteOptions | true;
  /** `DELETE /bulk` and `POST /bulk/delete`, which are there if this is set: `true`, or its options. Default: no such routes. */
  deleteManyBase?: DeleteManyRouteOptions | true;
  /** `PATCH /bulk/recover`, which is there if this is set: `true`, or its options. Default: no such route. It needs `query.softDelete`. */
  recoverManyBase?: RecoverManyRouteOptions | true;
}

/** The options of routes as requests carry them: `true` for an optional route has become `{}`. */
export type SettledRoutesOptions = {
  [Name in keyof CrudRoutesOptions]: Exclude<CrudRoutesOptions[Name], true>;
};
