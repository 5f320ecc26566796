/** What parsing takes beside the query, and what it makes of it: types alone. */
import type { ConditionNode } from '../ast/nodes.js';
import type { QueryLimits } from '../limits.js';
import type { CustomOperatorNames } from '../syntax/custom-operators.js';
import type { ParameterName } from '../syntax/usual.js';
import type { ParsedRequestParams } from '../types/parsed-request.js';
import type { QueryFilter, SCondition } from '../types/conditions.js';
import type { QueryLanguageOptions } from '../types/language-options.js';

/** How a query is read. */
export interface ParseOptions {
  /**
   * Delimiters and names. Read once per object: do not change it afterwards. Default: those of
   * `RequestQueryBuilder.setOptions`.
   */
  readonly language?: QueryLanguageOptions;
  /** Bounds of a request's size. Default: `DEFAULT_LIMITS`. */
  readonly limits?: Partial<QueryLimits>;
  /** Operators of the application's own. Default: none. */
  readonly customOperators?: CustomOperatorNames;
  /** Parameters that are read; others are not even decoded. Default: all. */
  readonly parameters?: ReadonlySet<ParameterName>;
}

/** A query as a syntax tree: values are texts still, names are not resolved, nothing is permitted yet. */
export interface ParsedQuery extends Pick<ParsedRequestParams, 'join' | 'sort' | 'groupBy' | 'aggregate'> {
  /** Fields of the root; empty if none are named. */
  fields: string[];
  /** The value of `s` as sent, found to be a search condition. */
  search?: SCondition | undefined;
  /** The items of `filter`; values are texts. */
  filter: QueryFilter[];
  /** The items of `or`; values are texts. */
  or: QueryFilter[];
  /** Page size, from 1. */
  limit?: number | undefined;
  /** Records to skip, from 0. */
  offset?: number | undefined;
  /** Page number, from 1. */
  page?: number | undefined;
  /** 0 ignores a cached result and replaces it. */
  cache?: number | undefined;
  /** 1 includes soft-deleted records. */
  includeDeleted?: number | undefined;
  /** The position that a list goes on from, as the server has sent it; empty for the first page. */
  cursor?: string | undefined;
  /** 1 counts the records of a list that is read by a cursor. */
  total?: number | undefined;
  /** The format that a whole list is asked for in. */
  format?: string | undefined;
  /**
   * Conditions on the rows of the answer; values are texts, fields the keys of the rows. Undefined if nothing is said.
   */
  having?: QueryFilter[];
  /** Parameters that start with `extra.`, nested by their dots; values are what their texts say, see `typeValue`. */
  extra: Record<string, unknown>;
  /** The client's whole condition: `s`, or else `filter` and `or` combined. */
  condition?: ConditionNode | undefined;
}
