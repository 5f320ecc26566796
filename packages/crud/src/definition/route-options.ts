/** Which routes exist, and how each behaves. */
import type { NestInterceptor, Type, ValidationPipeOptions } from '@nestjs/common';
import type { BaseRouteName } from '../routes/route-table.js';

/** Options of every route. */
export interface BaseRouteOptions {
  /** Interceptors of the route, around the handler. Default: none. */
  interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[];
  /** Decorators of the handler, guards included. Default: none. */
  decorators?: readonly (PropertyDecorator | MethodDecorator)[];
}

/** Options of routes whose requests have a body. */
export interface BodyRouteOptions extends BaseRouteOptions {
  /**
   * Options of validation for this route's bodies. Each takes precedence over the same option of the resource; `false`
   * turns validation off. Default: those of the resource.
   */
  validation?: ValidationPipeOptions | false;
}

/** Options of routes that change one stored record. */
export interface ConditionalRouteOptions {
  /**
   * Whether requests must have an `If-Match` header with the record's current tag (428 without it). PUT also accepts
   * `If-None-Match: *`. Default: `false`.
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
   * Columns and links that form a unique constraint. If a record that the user may access already has the same values
   * in them, it is updated as by a PATCH, and the response is a 200. So a user who may create records may also update
   * these. Default: none, the response is a 409.
   *
   * @throws At start-up if the entity has no unique constraint, unique index or key that consists of exactly these.
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
   * Whether a body may contain a key that the database otherwise generates. Default: `false`. Danger: PostgreSQL does
   * not advance its sequence, so that a later insert may fail. On MySQL and MariaDB, a body with the largest key leaves
   * none for later records.
   */
  allowGeneratedKey?: boolean;
}

/** How many records one request may write. */
export interface BulkRouteOptions {
  /** Maximum number of records in one request; more are a 400. Default: 1000; `false`: no limit. */
  maxBulk?: number | false;
}

/** Whether a route of many records also takes those that a condition names. */
export interface ByConditionRouteOptions {
  /**
   * Whether the route also writes all accessible records that match the client's condition (`?filter=state||eq||open`),
   * each as the route of one record does: PATCH with
   * `{"set": {…}}`, DELETE without a body. The response is `{"affected": n}`. A request without a condition, or with
   * one that every record satisfies, is a 400. Default: `false`.
   *
   * @example
   * routes: { updateManyBase: { byCondition: true } }
   * // PATCH /tasks/bulk?filter=state||eq||open {"set": {"state": "done"}}
   */
  byCondition?: boolean;
  /**
   * Maximum number of records that a condition may match. If more match, nothing is written, and the response is a 400.
   * Default: 1000.
   */
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
  /**
   * Whether PUT only changes the properties in the body, which is validated as an update, instead of replacing the
   * record. Default: `false`.
   */
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

/**
 * Options of `PATCH /bulk`. One that is not set has the value of the same option of `PATCH /:id`, except for
 * interceptors and decorators.
 */
export interface UpdateManyRouteOptions extends UpdateOneRouteOptions, BulkRouteOptions, ByConditionRouteOptions {}

/**
 * Options of `PUT /bulk`. One that is not set has the value of the same option of `PUT /:id`, except for interceptors
 * and decorators.
 */
export interface ReplaceManyRouteOptions extends ReplaceOneRouteOptions, BulkRouteOptions {}

/**
 * Options of `DELETE /bulk`. One that is not set has the value of the same option of `DELETE /:id`, except for
 * interceptors and decorators.
 */
export interface DeleteManyRouteOptions extends DeleteOneRouteOptions, BulkRouteOptions, ByConditionRouteOptions {}

/**
 * Options of `PATCH /bulk/recover`. One that is not set has the value of the same option of `PATCH /:id/recover`,
 * except for interceptors and decorators.
 */
export interface RecoverManyRouteOptions extends RecoverOneRouteOptions, BulkRouteOptions {}

/** Which routes exist, and the options of each. */
export interface CrudRoutesOptions {
  /** Routes to leave out; without effect if `only` contains any. Default: none. */
  exclude?: readonly BaseRouteName[];
  /**
   * The routes that exist; there are no others. Default: all except those whose own option below says that they do not
   * exist; `recoverOneBase` needs `query.softDelete`.
   */
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
  /**
   * Options of `GET /count`, or `true`. The route exists if this is set, or if `only` contains it. Default: it does not
   * exist.
   */
  countBase?: true | CountRouteOptions;
  /** Options of `GET /aggregate`, or `true`. Default: the route exists if `query.aggregate` is set. */
  aggregateBase?: true | AggregateRouteOptions;
  /** Options of `PATCH /bulk`, or `true`. The route exists if this is set. Default: it does not exist. */
  updateManyBase?: UpdateManyRouteOptions | true;
  /** Options of `PUT /bulk`, or `true`. The route exists if this is set. Default: it does not exist. */
  replaceManyBase?: ReplaceManyRouteOptions | true;
  /**
   * Options of `DELETE /bulk` and `POST /bulk/delete`, or `true`. The routes exist if this is set. Default: they do not
   * exist.
   */
  deleteManyBase?: DeleteManyRouteOptions | true;
  /**
   * Options of `PATCH /bulk/recover`, or `true`. The route exists if this is set; it needs `query.softDelete`. Default:
   * it does not exist.
   */
  recoverManyBase?: RecoverManyRouteOptions | true;
}

/** The options of routes as requests carry them: `true` for an optional route has become `{}`. */
export type SettledRoutesOptions = {
  [Name in keyof CrudRoutesOptions]: Exclude<CrudRoutesOptions[Name], true>;
};
