/** What other rooms may use of this one. */
export { readAggregates } from './aggregate.js';
export { buildQuery } from './builder.js';
export { compiledRead, type CompiledRead } from './compile.js';
export type { Draft } from './compile-record.js';
export { runForNames, runOnConnection } from './run-statements.js';
export { joinConditions } from './join-conditions.js';
export { listSize } from './list-size.js';
export {
  bindValue,
  concatSql,
  joinAll,
  joinAny,
  nameValues,
  type Sql,
  sql,
  VALUE,
  withPlaceholders,
} from './fragment.js';
export {
  bindStatement,
  type ParameterSource,
  type Statement,
  statementBytes,
  type StatementInput,
} from './parameters.js';
export {
  count,
  draftOf,
  holdsAny,
  observed,
  read,
  type ReadOptions,
  readPage,
  readRows,
  resultOfRows,
} from './read.js';
export { compileReturned, ownCondition, type Returned, shapeOfPlan } from './returned.js';
export { RowsResult } from './rows-result.js';
export { withRunner } from './run.js';
export { trimRecords } from './surplus.js';
export { whereOf } from './where.js';
export { tableSql } from './writing.js';
