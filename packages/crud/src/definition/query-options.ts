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

// Types take an entity, by which the compiler checks names. Their default is `any`, to which options of any entity and of none are assignable, as they were
// before there were types.

/** How one relation may be joined; the key in {@link QueryOptions.join} is its path (`company`, `company.projects`). `T` is the related entity. */
export interface JoinOption<T = any> {
  /** Alias in SQL and second name for clients. Default: the last segment of the path, or the path joined by `_` if that is taken. */
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
export type JoinOptions<T = any> =
  Untyped<T> extends true
    ? Record<string, JoinOption>
    : { [R in RelationPath<T>]?: JoinOption<RelationTarget<T, R>> } & { [R in DeepPath]?: JoinOption };

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
   * @throws At start-up if `csv` is among them and the package csv-stringify is not installed.
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
   * @throws At start-up if a name is no field.
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
  /** Largest page size, in records; a larger `limit` is capped. Default: 1000, or `limit` if that is larger; `false`: no ceiling. */
  maxLimit?: number | false;
  /** How long reads are cached, in milliseconds. Default: `false`. */
  cache?: number | false;
  /** Whether lists are always enveloped. Default: `false`, only those that name a `page` or `offset`. */
  alwaysPaginate?: boolean;
  /**
   * Whether clients may read lists by cursors (`cursor=`, then `cursor=<next>`): pages that neither repeat nor leave out a record, and cost the same however far the list is
   * read. Default: `false`.
   *
   * @throws At start-up if the entity has no primary key, if answers hide the key or a field of `sort`, or if the service overrides `createBuilder` or `doGetMany`.
   *
   * @example
   * query: { cursor: true, sort: [{ field: 'createdAt', order: 'DESC' }], limit: 50 } // GET /users?cursor=
   */
  cursor?: boolean;
  /**
   * Whether lists that are read by `page` or by `cursor` have a `Link` header (RFC 8288) with the addresses of the first, previous and next page, and of the last if the total is known.
   * Default: `false`.
   *
   * @example
   * query: { links: true, limit: 20 } // GET /users?page=2 → Link: </users?page=1>; rel="first", </users?page=1>; rel="prev", …
   */
  links?: boolean;
  /**
   * Formats in which clients may ask for whole lists, without a page size or a ceiling: `GET /users?format=csv`. Records are read and sent bit by bit. Default: none.
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
   * @throws At start-up if a name is no field or is hidden, if a function does not fit its field, and if the moments of a field are stored in a time zone that is not known.
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
