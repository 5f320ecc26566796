/** What parsing takes beside the query, and what it makes of it: types alone. */
import type { ConditionNode } from '../ast/nodes.js';
import type { QueryLimits } from '../limits.js';
import type { CustomOperatorNames } from '../syntax/custom-operators.js';
import type { ParameterName } from '../syntax/parameters.js';
import type { QueryFilter, QueryJoin, QueryLanguageOptions, QuerySort, SCondition } from '../types.js';

/** How a query is read. */
export interface ParseOptions {
  /** Delimiters and names that differ from those of `RequestQueryBuilder.setOptions`. Read once per object: do not change it afterwards. */
  readonly language?: QueryLanguageOptions;
  /** Bounds that differ from `DEFAULT_LIMITS`. */
  readonly limits?: Partial<QueryLimits>;
  /** Operators of the application's own. Default: none. */
  readonly customOperators?: CustomOperatorNames;
  /** Parameters that are read; others are not even decoded. Default: all. */
  readonly parameters?: ReadonlySet<ParameterName>;
}

/** A query as a syntax tree: values are texts still, names are not resolved, nothing is permitted yet. */
export interface ParsedQuery {
  fields: string[];
  /** The value of `s` as sent, found to be a search condition. */
  search?: SCondition | undefined;
  filter: QueryFilter[];
  or: QueryFilter[];
  join: QueryJoin[];
  sort: QuerySort[];
  limit?: number | undefined;
  offset?: number | undefined;
  page?: number | undefined;
  cache?: number | undefined;
  includeDeleted?: number | undefined;
  /** Parameters that start with `extra.`, nested by their dots; values are what their texts say, see `typeValue`. */
  extra: Record<string, unknown>;
  /** The client's whole condition: `s`, or else `filter` and `or` combined. */
  condition?: ConditionNode | undefined;
}
