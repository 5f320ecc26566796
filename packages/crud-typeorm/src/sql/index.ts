/** What other rooms may use of this one. */
export { readAggregates } from './aggregate.js';
export { buildQuery } from './builder.js';
export { compiledRead, type CompiledRead } from './compile.js';
export type { Draft } from './compile-record.js';
export { runForNames, runOnConnection } from './run-statements.js';
export { listSize } from './list-size.js';
export {
  bindStatement,
  type ParameterSource,
  type Statement,
  statementBytes,
  VALUE,
  withPlaceholders,
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
export { type NamedPredicate, whereOf } from './where.js';
export { tableSql } from './writing.js';
