/** PATCH as one UPDATE that returns its row; undefined if a transaction and a read are needed. */
import { planScope, readPathKey, type ReadPlan, type WritePlan } from '@nestwright/crud/adapter';
import type { StatementContext } from '../errors/statement-error.js';
import { getObjectNumber } from '../number-of.js';
import { LruCache } from '../lru-cache.js';
import { type Changes, makeChangedRow, readChanges, RESET } from '../statements/changes.js';
import { columnName } from '../statements/column-sql.js';
import { differencePredicate } from '../statements/difference.js';
import { findWritten, writeAssignments, writeUpdate } from '../statements/update.js';
import type { Key } from '../statements/values.js';
import { readOptions, type WriteContext, type Written } from '../statements/write-context.js';
import {
  bindValue,
  joinAll,
  ownCondition,
  type ParameterSource,
  printPlanShape,
  type Sql,
  sql,
  type StatementInput,
  tableSql,
  withPlaceholders,
} from '../select/index.js';
import { makeReturningClause, type ReturningClause } from './returning-clause.js';
import { findObstacle, isOwnRead, logReason } from './reasons-against.js';
import { runReturning } from './run-returning.js';
import { PARAMETER_BYTES, textBytes } from '../weight.js';
import { getTable } from '../database/links.js';
import { type Column, type Database, getDatabase, type Table } from '../database/database.js';

const statements = new LruCache<{ readonly statement: UpdateStatement | undefined }>();

/**
 * Updates one record and returns it, also if it has all the values already; `unmatched` if no such record is in scope,
 * or it has another version.
 */
export async function updateReturning(
  context: WriteContext,
  plan: WritePlan,
  { shallow }: { readonly shallow: boolean },
): Promise<Written[] | 'unmatched' | undefined> {
  const { catalog, request } = context;
  const table = getTable(catalog);
  const obstacle = findObstacle(context, 'update', [plan]);
  if (obstacle !== undefined) return logReason(table, obstacle);

  const key = readPathKey(request, catalog)!;
  const scope = planScope(request, catalog);
  const answer = isOwnRead(scope) ? makeReturningClause(context, { shallow, key, target: scope }) : undefined;

  if (!answer) return logReason(table, 'the scope or the answer has joined records');

  const changes = readChanges(plan);

  // Whether the record exists is checked separately.
  if (findWritten(changes).length === 0) return undefined;

  const change = { changes, scope, answer, versioned: plan.expectedVersion !== undefined };
  const statement = findStatement(context, change);
  if (!statement) return logReason(table, 'the statement cannot be bound to other values');

  const input = makeInput(statement, change, key, plan.expectedVersion);
  const errors = describe(table, changes);
  const run = ({ text, values }: Sql<Source>) =>
    runReturning(context, [{ sql: text, parameters: values.map((read) => read(input)), context: errors }], answer);
  const updated = await run(statement.update);
  if (updated.length > 0) return updated;

  const unchanged = statement.unchanged ? await run(statement.unchanged) : [];

  return unchanged.length > 0 ? unchanged : 'unmatched';
}

/** The context of a statement's error; its rows are only made if it fails. */
function describe(table: Table, changes: Changes): StatementContext {
  return {
    table,
    operation: 'store',
    paths: [''],
    get rows() {
      return [makeChangedRow(changes)];
    },
  };
}

/** The cached statements of a change's shape. */
function findStatement(context: WriteContext, change: Change): UpdateStatement | undefined {
  const { changes, scope, answer, versioned } = change;
  const database = getDatabase(context.store.executor);
  const columns = findWritten(changes).map(
    (column) => (changes.get(column) === RESET ? '-' : '+') + column.databaseName,
  );
  const scopeShape = printPlanShape(scope, database, readOptions(context.request));
  const table = getObjectNumber(getTable(context.catalog));
  // Each part has its length, so that different lists of parts never give the same key.
  const shape = `${table}${JSON.stringify(columns)}${versioned}${scopeShape.length}:${scopeShape}${answer.shape}`;

  return statements.get(database, shape, (weigh) => {
    const statement = compileUpdate(context, change);

    for (const { text, values } of [statement?.update, statement?.unchanged].filter((one) => one !== undefined))
      weigh(textBytes(text) + values.length * PARAMETER_BYTES);

    return { statement };
  }).statement;
}

function makeInput(
  { columns }: UpdateStatement,
  { changes, scope, answer }: Change,
  key: Key,
  version: number | undefined,
): UpdateInput {
  const stored = columns.map((column) => {
    const { bound } = column.table.database.dialect;

    return [column, bound(column.encode(changes.get(column)))] as const;
  });

  return { stored: new Map(stored), key, version, scope: { plan: scope }, answer: answer.parameters };
}

/** What the values of a cached statement come from. */
interface UpdateInput {
  /** What is stored in the columns sent. */
  readonly stored: ReadonlyMap<Column, unknown>;
  readonly key: Key;
  readonly version: number | undefined;
  readonly scope: StatementInput;
  /** The values of the RETURNING list. */
  readonly answer: readonly unknown[];
}

/** Takes one value of a statement from its input. */
type Source = (input: UpdateInput) => unknown;

// These functions are cached with statements, so they are at the top level: closures would retain the request.

function readStored(column: Column): Source {
  return ({ stored }) => stored.get(column);
}

function readKeyPart(column: Column): Source {
  return ({ key }) => column.encode(key[column.propertyPath]);
}

function readVersion(column: Column): Source {
  return ({ version }) => column.encode(version);
}

function readScope(read: ParameterSource): Source {
  return ({ scope }) => read(scope);
}

function readAnswer(index: number): Source {
  return ({ answer }) => answer[index];
}

/** The statements of an update, with their placeholders. */
interface UpdateStatement {
  readonly update: Sql<Source>;
  /** Reads the record if it has all values already; undefined if the database cannot tell. */
  readonly unchanged: Sql<Source> | undefined;
  /** The columns sent that the statement has values of. */
  readonly columns: readonly Column[];
}

interface Change {
  readonly changes: Changes;
  readonly scope: ReadPlan;
  readonly answer: ReturningClause;
  readonly versioned: boolean;
}

/** Undefined if the text would contain SQL of the application. */
function compileUpdate(
  { store, catalog, request }: WriteContext,
  { changes, scope, answer, versioned }: Change,
): UpdateStatement | undefined {
  const database = getDatabase(store.executor);
  const table = getTable(catalog);
  const columns = findWritten(changes).filter((column) => changes.get(column) !== RESET);
  const set = writeAssignments(table, changes);
  if (set.values.length !== columns.length) return undefined;

  const stored = columns.map(readStored);
  const own = ownCondition(scope, database, readOptions(request));
  const version = versioned ? table.versionColumn : undefined;
  const matching = joinAll([
    { text: own.text, values: own.values.map(readScope) },
    ...table.primaryColumns.map((column) => sql`${columnName(column)} = ${bindValue(readKeyPart(column))}`),
    version && sql`${columnName(version)} = ${bindValue(readVersion(version))}`,
  ]);
  const difference = differencePredicate(changes);
  const different = difference && { text: `(${difference.text})`, values: stored };
  const list = { text: answer.sql, values: answer.parameters.map((_, index) => readAnswer(index)) };
  const update = writeUpdate(table, { text: set.text, values: stored }, joinAll([matching, different]));

  return {
    update: placed(database, sql`${update} RETURNING ${list}`),
    unchanged:
      different && placed(database, sql`SELECT ${list} FROM ${tableSql(table)} WHERE ${matching} AND NOT ${different}`),
    columns,
  };
}

function placed(database: Database, { text, values }: Sql): Sql<Source> {
  return { text: withPlaceholders(database, text), values: values as readonly Source[] };
}
