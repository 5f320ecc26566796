/** What clients may ask of a resource. */
import type {
  AggregateFunction,
  DateUnit,
  QueryLimits,
  RelationPath,
  RelationTarget,
  SCondition,
} from '@nestwright/crud-request';
import type {
  ConditionOf,
  DeepPath,
  FieldName,
  FieldNames,
  FilterOption,
  OwnFieldNames,
  SortOption,
  Unchecked,
  Untyped,
} from './typed-names.js';

// Types take an entity, by which the compiler checks names. Their default is `any`, to which options of any entity and
// of none are assignable, as they were before there were types.

/**
 * How one relation may be joined; the key in {@link QueryOptions.join} is its path (`company`, `company.projects`). `T`
 * is the related entity.
 */
export interface JoinOption<T = any> {
  /**
   * Alias in SQL, and another name for clients. Default: no other name; in SQL the last segment of the path, or the
   * path joined by `_` if that is taken.
   */
  alias?: string;
  /** Fields that may be selected, filtered and sorted. Default: all. */
  allow?: OwnFieldNames<T>;
  /** Fields that are hidden. Default: none. */
  exclude?: OwnFieldNames<T>;
  /** Fields that are always returned. Default: none. */
  persist?: OwnFieldNames<T>;
  /** Whether the relation is always joined, even if the request does not ask for it. Default: `false`. */
  eager?: boolean;
  /** Whether its fields are returned; `false` joins it for conditions only. Default: `true`. */
  select?: boolean;
  /** Whether records without the relation are left out when it is joined (inner join). Default: `false`. */
  required?: boolean;
}

/** Relations that may be joined, by path. */
export type JoinOptions<T = any> =
  Untyped<T> extends true
    ? Record<string, JoinOption>
    : { [R in RelationPath<T>]?: JoinOption<RelationTarget<T, R>> } & { [R in DeepPath]?: JoinOption };

/**
 * Computes the condition of a request. It receives the client's condition after the permission check, and its result
 * replaces that condition.
 */
export type QueryFilterFunction<T = any> = (
  search: SCondition | undefined,
  getMany: boolean,
  // Express's and Fastify's requests have no common type, and an application annotates its own.
  request?: any,
) => ConditionOf<T> | void | Promise<ConditionOf<T> | void>;

/** Condition of a resource, in addition to the client's. */
export type QueryFilterOption<T = any, Other extends string = Unchecked<T>> =
  readonly FilterOption<T, Other>[] | ConditionOf<T> | QueryFilterFunction<T>;

/**
 * Format of an export: `ndjson` has the JSON of one record on each line, `csv` is a table of comma-separated values.
 */
export type ExportFormat = 'ndjson' | 'csv';

/** How CSV is written. */
export interface CsvOptions {
  /**
   * Whether to leave a text unchanged that a spreadsheet would interpret as a formula: one that begins with `=`, `+`,
   * `-`, `@`, a tab or a carriage return. Default: `false`, an apostrophe is put before it, which spreadsheets show.
   * Danger: with `true`, a spreadsheet that opens the file may execute a formula that somebody has stored.
   */
  formulas?: boolean;
}

/** The formats and limits of exports. */
export interface ExportOptions {
  /**
   * The formats that clients may request, by `format=` or by the header `Accept` (`application/x-ndjson`, `text/csv`).
   */
  formats: readonly ExportFormat[];
  /** Maximum number of records in an export. A longer list is a 400, before anything is sent. Default: no limit. */
  maxRows?: number;
  /**
   * Maximum number of exports that run at the same time in this process, across all resources. Another one is a 503.
   * Default: 2.
   */
  concurrent?: number;
  /**
   * Maximum duration of an export in milliseconds, including the time that the client takes to read it. After that, its
   * connection is closed. Default: 600000 (ten minutes); `false`: no limit.
   */
  timeout?: number | false;
  /** How CSV is written. Default: an apostrophe is put before texts that look like formulas. */
  csv?: CsvOptions;
}

/**
 * What clients may request from a resource, and the defaults. `T` is the entity: the compiler checks names of fields
 * and relations against it. `Other` is a union of further names that the compiler accepts. Without an entity, it
 * accepts any name. All names are checked at start-up.
 */
export interface QueryOptions<T = any, Other extends string = Unchecked<T>> {
  /** Fields that may be queried or selected. Default: all. */
  allow?: OwnFieldNames<T>;
  /** Fields that can be neither queried nor selected, and are never returned. Default: none. */
  exclude?: OwnFieldNames<T>;
  /** Fields returned whatever was selected. Default: none. */
  persist?: OwnFieldNames<T>;
  /**
   * Fields that clients may filter and sort by although no response contains their stored value: fields that `exclude`,
   * `allow`, `select: false`, `@Exclude()` or a class in `serialize` hides, and fields that a `@Transform()` changes.
   * For a field of a relation (`company.taxNumber`), the relation must be in `join`. A client that may filter by a
   * field can find out its values. Default: none.
   *
   * @throws At start-up if a name is no field.
   *
   * @example
   * query: { conditions: ['companyId'] }, serialize: { get: UserResponse } // GET /users?filter=companyId||eq||1
   */
  conditions?: FieldNames<T, Other>;
  /**
   * Fields whose `@Transform()` hides nothing and only formats the value (a decimal string as a number, a date in
   * another notation). Clients may use them in conditions, sorts, cursors and aggregates. They may not use other fields
   * that a `@Transform()` changes in responses. Default: none.
   *
   * @throws At start-up if there is no such field, or if no `@Transform()` changes it in responses.
   *
   * @example
   * query: { formats: ['price'] } // @Transform(({ value }) => Number(value)) price
   */
  formats?: FieldNames<T, Other>;
  /**
   * Condition that every record read or changed must satisfy, in addition to the client's. A function receives the
   * client's condition, and its result replaces that condition. Default: none.
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
  /** Order of a list if the request has no `sort`. Default: by primary key. */
  sort?: readonly SortOption<T, Other>[];
  /**
   * Number of records on a page if the request has no `limit`. Default: none, but at most {@link maxLimit} records are
   * returned.
   */
  limit?: number;
  /**
   * Maximum number of records on a page; a larger `limit` is reduced to it. Default: 1000, or the option `limit` if
   * that is larger; `false`: no maximum.
   */
  maxLimit?: number | false;
  /** How long reads are cached, in milliseconds. Default: `false`. */
  cache?: number | false;
  /**
   * Whether every list is returned in an envelope (`{ data, count, total, page, pageCount }`). Default: `false`, only
   * if the request has `page` or `offset`.
   */
  alwaysPaginate?: boolean;
  /**
   * Whether clients may read lists by cursors: `cursor=`, then `cursor=<next>`. No record is repeated or left out, and
   * the last page is as fast as the first. Default: `false`.
   *
   * @throws At start-up if the entity has no primary key, if answers hide the key or a field of `sort`, or if the
   * service overrides `createBuilder` or `doGetMany`.
   *
   * @example
   * query: { cursor: true, sort: [{ field: 'createdAt', order: 'DESC' }], limit: 50 } // GET /users?cursor=
   */
  cursor?: boolean;
  /**
   * Whether lists that are read by `page` or by `cursor` have a `Link` header (RFC 8288) with the addresses of the
   * first, previous and next page, and of the last if the total is known. Default: `false`.
   *
   * @example
   * query: { links: true, limit: 20 }
   * // GET /users?page=2 → Link: </users?page=1>; rel="first", </users?page=1>; rel="prev", …
   */
  links?: boolean;
  /**
   * Formats in which clients may request a whole list, regardless of `limit` and `maxLimit`: `GET /users?format=csv`.
   * Records are sent while they are read. Default: none.
   *
   * @throws At start-up if the service overrides `createBuilder` or `doGetMany`.
   *
   * @example
   * query: { export: { formats: ['ndjson', 'csv'], maxRows: 1_000_000 } } // GET /users?format=csv&fields=id,name
   */
  export?: ExportOptions;
  /** Whether DELETE marks records as deleted, with `includeDeleted` and the recover route. Default: `false`. */
  softDelete?: boolean;
  /**
   * Whether responses have an `ETag` and requests may be conditional: a read with `If-None-Match` is a 304 if nothing
   * has changed, a write with `If-Match` is a 412 if the record has changed. Default: `false`.
   *
   * @example
   * query: { etag: true } // PATCH /users/1 with If-Match: "nZz…" → 200, or 412 CRUD_PRECONDITION_FAILED
   */
  etag?: boolean;
  /**
   * By which fields clients may group records, and what they may compute for each group: `GET /aggregate`. Fields of
   * to-one relations in {@link join} may be used, too. Timestamps and dates may be grouped by `day`, `week`, `month`,
   * `quarter` and `year` in UTC. Default: none, the route does not exist.
   *
   * @throws At start-up if a field does not exist or is hidden, if a function does not support the type of its field,
   * or if the time zone of stored timestamps is unknown.
   *
   * @example
   * aggregate: { groupBy: ['role', 'createdAt'], functions: { '*': ['count'], age: ['avg', 'max'] } }
   * // GET /users/aggregate?groupBy=role&aggregate=avg||age → [{ "role": "admin", "avg_age": 41.5 }]
   */
  aggregate?: AggregateOptions<T, Other>;
  /** Whether an unknown or forbidden name in `fields` and `join` is a 400 or is ignored. Default: `error`. */
  unknown?: 'error' | 'ignore';
  /** Limits on the size of a request. Default: `DEFAULT_LIMITS` of `@nestwright/crud-request`. */
  limits?: Partial<QueryLimits>;
}

/** What clients may request from `GET /aggregate`. `T` and `Other` are those of {@link QueryOptions}. */
export interface AggregateOptions<T = any, Other extends string = Unchecked<T>> {
  /**
   * Fields by which records may be grouped; `createdAt:month` only permits grouping by month. Default: none, all
   * records form one group.
   */
  groupBy?: readonly (FieldName<T, Other> | `${FieldName<T, Other>}:${DateUnit}`)[];
  /**
   * The functions that each field permits; the key `*` stands for the records themselves, which can be counted.
   * Default: none, groups can only be listed.
   */
  functions?: { readonly [Field in FieldName<T, Other> | '*']?: readonly AggregateFunction[] };
}
