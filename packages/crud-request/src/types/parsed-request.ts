/** A request once it is parsed. */
import type { QueryFilter, SCondition } from './conditions.js';
import type { QueryAggregate, QueryFields, QueryGroup, QueryJoin, QuerySort } from './query.js';

/** An object of whatever content. */
// The application's own values.
export type ObjectLiteral = { [key: string]: any };

/** A class that can be instantiated, whatever its constructor takes. */
// A constructor's parameters are its own.
export type ClassType<T> = { new (...parameters: any[]): T };

/** Parameters of the application's own, which start with `extra.`, as nested objects. */
// The application's own shape.
export type QueryExtra = any;

/**
 * Options of class-transformer: its `ClassTransformOptions`, which is not imported since class-transformer may be
 * missing.
 */
export interface ClassTransformOptions {
  /**
   * Which properties a response contains: `excludeAll`: those with `@Expose()`, `exposeAll`: those without
   * `@Exclude()`. Default: `exposeAll`.
   */
  strategy?: 'excludeAll' | 'exposeAll';
  /** Groups of `@Expose()` and `@Exclude()`. Default: none. */
  groups?: string[];
  /** Version for `since` and `until` of `@Expose()`. Default: none. */
  version?: number;
  /** Prefixes of properties that are left out. Default: none. */
  excludePrefixes?: string[];
  /** Whether decorators are ignored. Default: `false`. */
  ignoreDecorators?: boolean;
  /** Classes of nested objects by property. Default: those of `@Type()`. */
  // class-transformer's own declaration.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  targetMaps?: { target: Function; properties: { [name: string]: Function } }[];
  /** Whether circular references are left out. Default: `false`. */
  enableCircularCheck?: boolean;
  /** Whether values are converted to the declared type of their property. Default: `false`. */
  enableImplicitConversion?: boolean;
  /** Whether only properties with `@Expose()` or `@Exclude()` are taken. Default: `false`. */
  excludeExtraneousValues?: boolean;
  /** Whether properties that the input lacks keep the defaults of the class. Default: `false`. */
  exposeDefaultValues?: boolean;
  /** Whether properties of value undefined are taken. Default: `true`. */
  exposeUnsetFields?: boolean;
}

/**
 * A parsed request, as `@ParsedRequest()` hands it to handlers. The types are those of nestjsx/crud: what was not asked
 * for is undefined anyway (`limit`, `page`, `cache` …), so check before use.
 */
export interface ParsedRequestParams<EXTRA = QueryExtra> {
  /** Fields of the root; empty: all. */
  fields: QueryFields;
  /** Conditions of the path parameters. */
  paramsFilter: QueryFilter[];
  /** Values that are written into every record. */
  authPersist: ObjectLiteral;
  /**
   * Which related records are accessible, from `@CrudAuth.relations`: conditions by relation path from the root entity.
   * Each applies wherever that relation of that entity is used. `false` and `{}`: all related records are accessible;
   * undefined: none. Default: all of them are.
   */
  authRelations?: Readonly<Record<string, SCondition | false | undefined>>;
  /**
   * Values that are written into related records that cascades store, as `persist` of `@CrudAuth.relations` says for
   * this request, by relation path from the root entity. Default: none.
   */
  authRelationPersist?: Readonly<Record<string, ObjectLiteral>>;
  /** Options of class-transformer for the response. */
  classTransformOptions: ClassTransformOptions;
  /** The condition that is executed, with values typed as in `filter`; straight from the parser, the client's `s`. */
  search: SCondition;
  /** The client's `filter`, for information; values are what their texts say. */
  filter: QueryFilter[];
  /** The client's `or`, for information; values are what their texts say. */
  or: QueryFilter[];
  /** Relations that are joined. */
  join: QueryJoin[];
  /** Sort fields, the first one first; empty: the order of the options. */
  sort: QuerySort[];
  /** Page size, from 1. */
  limit: number;
  /** Records to skip, from 0. */
  offset: number;
  /** Page number, from 1. */
  page: number;
  /** 0 ignores a cached result and replaces it. */
  cache: number;
  /** 1 includes soft-deleted records. */
  includeDeleted: number;
  /**
   * If `query.cursor` is on: the position that the list goes on from, as a page has named it; empty for the first page.
   * Default: none, the list is not read by cursors.
   */
  cursor?: string;
  /** 1 counts the records of a list that is read by a cursor. */
  total?: number;
  /**
   * If `query.export` is on: the format that the whole list is answered in, as `format` or the header `Accept` asks.
   * Default: none, a list or page as JSON.
   */
  format?: string;
  /** Of a request for aggregates: what records are grouped by. Default: all records are one group. */
  groupBy?: QueryGroup[];
  /** Of a request for aggregates: what is computed of each group. Default: nothing, the groups alone are listed. */
  aggregate?: QueryAggregate[];
  /**
   * Of a request for aggregates: conditions on the rows of the answer, by their keys, which all hold; values are texts.
   * Default: none.
   */
  having?: QueryFilter[];
  /** What the application's clients send beside the query language. */
  extra?: EXTRA;
}
