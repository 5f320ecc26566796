/** What other rooms may use of this one. */
export { readAggregates } from './aggregate.js';
export { compiledRead, type CompiledRead } from './compile.js';
export type { Draft } from './compile-record.js';
export { runForNames, runOnConnection } from './run-statements.js';
export { joinConditions } from './join-conditions.js';
export { listSize } from './list-size.js';
export { bindValue, concatSql, joinAll, joinAny, type Sql, sql, VALUE, withPlaceholders } from './fragment.js';
export {
  bindStatement,
  type ParameterSource,
  type Statement,
  statementBytes,
  type StatementInput,
} from './parameters.js';
export {
  count,
  holdsAny,
  makeDraft,
  makeResult,
  observed,
  read,
  type ReadOptions,
  readPage,
  readRows,
} from './read.js';
export { compileReturned, ownCondition, printPlanShape, type Returned } from './returned.js';
export { RowsResult } from './rows-result.js';
export { withConnection } from './run.js';
export { compileWhere } from './where.js';
export { tableSql } from './writing.js';
