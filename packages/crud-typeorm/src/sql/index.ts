/** What other rooms may ask of this one: reading plans, counting them, and their predicate for writes. */
export { buildQuery } from './builder.js';
export { count, read, readPage, type ReadOptions, type ReadPage } from './read.js';
export { compileReturned, ownPieces, type Returned, shapeOfPlan } from './returned.js';
export { listSize } from './list-size.js';
export { type ParameterSource, type Pieces, piecesBytes } from './parameters.js';
export { NeedsRecords } from '../json/record-plan.js';
export { textReader, type TextReader } from './read-text.js';
export { trimRecords } from './surplus.js';
export { type NamedPredicate, whereOf } from './where.js';
export { tableSql } from './writing.js';
