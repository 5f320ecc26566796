/** SQL for adapters: what an ORM tells of its tables and connections, and what reads and writes on them. */

// What an ORM must tell.
export type {
  CacheOptions,
  Column,
  Connection,
  Constraint,
  Database,
  DatabaseOptions,
  Embedded,
  Entity,
  Executor,
  ForeignKey,
  Isolation,
  Junction,
  Listeners,
  Observed,
  Relation,
  Result,
  RunRows,
  Table,
  Target,
  TextQuery,
  Waiting,
  WriteEvent,
  WriteHooks,
} from './database/database.js';
export { isConnection } from './database/database.js';
export { DEFAULT_OPTIONS } from './database/default-options.js';
export { NO_LISTENERS } from './database/no-listeners.js';
export { getColumn, getTable, linkColumn, linkRelation, linkTable } from './database/links.js';
export { setOwnProperty } from './database/records.js';
export type { Row, StatementRows } from './database/rows.js';

// Databases.
export type { ColumnType, Dialect, Server } from './database/dialect.js';
export { MYSQL } from './dialect/mysql.js';
export { cancelRequest } from './dialect/postgres-cancel.js';
export { POSTGRES } from './dialect/postgres.js';
export { BIGINT_TYPES } from './dialect/shared.js';
export { SQLITE } from './dialect/sqlite.js';
export { cachedBytes } from './lru-cache.js';

// Reads and writes.
export { SqlStore } from './sql-store.js';
export { runRead } from './run-read.js';
export { type BeginOptions, inTransaction, withoutTransaction } from './statements/transaction.js';
export { uniqueColumns } from './statements/unique-columns.js';

// Work in turns on a shared connection, and what is published of statements.
export { enqueue, findOwnUse } from './connections/queue.js';
export { publishedQuery } from './connections/published-query.js';

// Clauses, for a query builder of the ORM.
export { type Sql, VALUE } from './select/fragment.js';
export { existsSql, ownConditions } from './select/join.js';
export { Parameters } from './select/parameters.js';
export { predicateParts, toManyConditions } from './select/predicate.js';
export { makeDraft, type ReadOptions } from './select/read.js';
export { isToOne, listDescendants, listPaths, listSourceChain, namedSources } from './select/sources.js';
export { outerScope, type Writing } from './select/writing.js';

// Rows of PostgreSQL's own texts.
export type { PgTypes } from './rows/default-parsers.js';
export type { PgClient, PgModule, PgQuery } from './rows/text-query.js';
export { queryForTexts, queryForTextsOn, type TextSource } from './rows/text-source.js';
