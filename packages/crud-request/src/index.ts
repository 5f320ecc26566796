/** The public face of the query language. */
export { findOperator, OPERATORS, spellOperator } from './operators.js';
export type { FoundOperator, OperatorArity, OperatorDescriptor, OperatorName } from './operators.js';
export { OPERATOR_MEANINGS } from './operator-meanings.js';
export type { OperatorKind, OperatorMeaning } from './operator-meanings.js';
export { RequestQueryException, speakable } from './errors.js';
export type { QueryErrorCode, QueryErrorPlace } from './errors.js';
export { completeLimits, DEFAULT_LIMITS } from './limits.js';
export type { QueryLimits } from './limits.js';
export * from './types/operators.js';
export type * from './types/conditions.js';
export type * from './types/query.js';
export type * from './types/path-params.js';
export type * from './types/language-options.js';
export type * from './types/parsed-request.js';
export { group, visitComparisons } from './ast/nodes.js';
export type {
  AlwaysNode,
  ComparisonNode,
  ConditionAuthor,
  ConditionNode,
  CustomNode,
  GroupNode,
  LeafNode,
  NotNode,
  UnknownNode,
} from './ast/nodes.js';
export { parseSearch } from './ast/parse-search.js';
export type { ParseSearchOptions } from './ast/parse-search.js';
export { convertFilterToSearch, printSearch } from './ast/print-search.js';
export { QUERY_PARAMETERS } from './syntax/parameters.js';
export type { ParameterDescriptor } from './syntax/parameters.js';
export type { ParameterName } from './syntax/usual.js';
export type { CustomOperatorNames } from './syntax/custom-operators.js';
export type { ParsedQuery, ParseOptions } from './parse/parsed-query.js';
export { decodeQuery } from './syntax/decode-query.js';
export type { ParamMap } from './syntax/decode-query.js';
export { parseQuery } from './parse/parse-query.js';
export { parsePathParams } from './parse/path-params.js';
export { typeValue } from './parse/text-value.js';
export { RequestQueryParser } from './request-query.parser.js';
export { QueryBuilder } from './query-builder.js';
export { RequestQueryBuilder } from './request-query.builder.js';
export type { FieldsOf, FilterOf, JoinOf, OneOrMany, QueryParamsOf, SearchOf, SortOf } from './typed/query.js';
export type { AggregateOf, AggregateRow, GroupOf } from './typed/aggregate.js';
export type { FieldPath, MemberText, OwnField, RelationPath, RelationTarget } from './typed/paths.js';
