/** What a query asks for beside its conditions: fields, joins, order, page and groups. */
import type { QueryFilter, QueryFilterArr, SCondition } from './conditions.js';

/** Names of fields. */
export type QueryFields = string[];

/** A relation that is to be joined. */
export interface QueryJoin {
  /** Relation path: `company`, `company.projects`. */
  field: string;
  /** Fields of the relation that are returned. Default: all. */
  select?: QueryFields;
  /** Conditions of the ON clause. Default: none. */
  on?: QueryFilter[];
}

/** A {@link QueryJoin} as a tuple. */
export type QueryJoinArr = [field: string, select?: QueryFields, on?: QueryFilter[]];

/** Direction of a sort. */
export type QuerySortOperator = 'ASC' | 'DESC';

/** A field that records are sorted by. */
export interface QuerySort {
  /** Field path: `name`, `company.name`. */
  field: string;
  /** `ASC` or `DESC`. */
  order: QuerySortOperator;
}

/** A {@link QuerySort} as a tuple. */
export type QuerySortArr = [field: string, order: QuerySortOperator];

/** Parts of a calendar, in UTC, by which moments and dates are grouped; weeks are those of ISO 8601. */
export type DateUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** What is computed of the records of a group. */
export type AggregateFunction = 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max';

/** A field by which records are grouped. */
export interface QueryGroup {
  /** Field path: `role`, `company.name`. */
  field: string;
  /** Part of the calendar, of a moment or date. Default: the value itself. */
  unit?: DateUnit;
  /** Its key in the rows of the answer. */
  name: string;
}

/** What is computed of each group. */
export interface QueryAggregate {
  /** `count`, `countDistinct`, `sum`, `avg`, `min` or `max`. */
  function: AggregateFunction;
  /** Field path, or `*` for the records themselves, which can be counted. */
  field: string;
  /** Its key in the rows of the answer. */
  name: string;
}

/** A whole query, for `RequestQueryBuilder.create()`. */
export interface CreateQueryParams {
  /** Fields of the root. Default: all. */
  fields?: readonly string[];
  /** Condition for `s`; `filter` and `or` are not printed beside it. Default: none. */
  search?: SCondition;
  /** One condition or several. Default: none. */
  filter?: QueryFilter | QueryFilterArr | Array<QueryFilter | QueryFilterArr>;
  /** One alternative or several. Default: none. */
  or?: QueryFilter | QueryFilterArr | Array<QueryFilter | QueryFilterArr>;
  /** One relation or several. Default: none. */
  join?: QueryJoin | QueryJoinArr | Array<QueryJoin | QueryJoinArr>;
  /** One sort field or several. Default: none. */
  sort?: QuerySort | QuerySortArr | Array<QuerySort | QuerySortArr>;
  /** Page size, from 1. Default: none. */
  limit?: number;
  /** Records to skip, from 0. Default: none. */
  offset?: number;
  /** Page number, from 1. Default: none. */
  page?: number;
  /** Whether a cached result is ignored and replaced. Default: `false`. */
  resetCache?: boolean;
  /** 1 includes soft-deleted records. Default: 0. */
  includeDeleted?: number;
  /**
   * Position at which the page begins: `next` or `previous` of another page, or empty for the first page.
   * Default: none, the list is not read by cursors.
   */
  cursor?: string;
  /** 1 counts the records of a list that is read by a cursor. Default: 0. */
  total?: number;
  /** Format in which the whole list is requested: `ndjson` or `csv`. Default: none, a list or page as JSON. */
  format?: 'ndjson' | 'csv';
}
