/** Where a fault becomes an exception with a status and a code: a unique violation is a 409. */
import type { CrudErrorCode } from '@nestwright/crud';
import { crudError, ERRORS, publish } from '@nestwright/crud/adapter';
import { HttpException } from '@nestjs/common';
import { blamedColumns, nameField, nameProperty, referringRelation } from './blame.js';
import { readErrorCode, readFault } from './fault.js';
import { logFault } from './fault-log.js';
import type { DataFaultKind, Fault, FaultKind } from './fault-types.js';
import { findOperationalFault } from './operational.js';
import { StatementError, type StatementContext } from './statement-error.js';
import type { Column, Table } from '../database/database.js';

interface FaultText {
  readonly code: CrudErrorCode;
  /** The text after the property path. */
  readonly text: string;
}

/** How faults in what is written are answered. */
const TEXTS = {
  unique: { code: 'CRUD_UNIQUE_VIOLATION', text: 'already exists' },
  foreignKey: { code: 'CRUD_FOREIGN_KEY_VIOLATION', text: 'does not exist' },
  notNull: { code: 'CRUD_NOT_NULL_VIOLATION', text: 'should not be null or undefined' },
  check: { code: 'CRUD_CHECK_VIOLATION', text: 'has a value that is not allowed' },
  tooLong: { code: 'CRUD_VALUE_OUT_OF_RANGE', text: 'is too long' },
  outOfRange: { code: 'CRUD_VALUE_OUT_OF_RANGE', text: 'is out of range' },
  invalidText: { code: 'CRUD_INVALID_VALUE', text: 'has an invalid value' },
} as const satisfies Record<DataFaultKind, FaultText>;

/**
 * Turns an error of the database into the exception that clients get: its status and code by the table of errors,
 * `field` and message by property paths. Errors of the library or of Nest pass through, and so do unknown ones, which
 * Nest answers with a plain 500.
 *
 * @param operation What failed. A read is never answered as a conflict.
 * @param given Properties that the path or `persist` sets, which are the last to be blamed. Default: none.
 * @param joins The resource's `query.join`: clients may know the relations in it. Default: none.
 */
export function toCrudError(
  error: unknown,
  table?: Table,
  operation: 'read' | 'write' = 'write',
  given: ReadonlySet<string> = NONE,
  joins: object = NONE,
): unknown {
  if (error instanceof HttpException) return error;

  const cause = error instanceof StatementError ? error.cause : error;
  const fault = readFault(cause);

  if (!fault) return cause;

  const context =
    error instanceof StatementError
      ? error.context
      : table && { table, operation: 'store' as const, paths: [''], rows: [] };

  const row = findOperationalFault(fault.kind);
  const { code }: { readonly code: CrudErrorCode } = row ?? TEXTS[fault.kind as DataFaultKind];
  const answer = (operation === 'read' ? row?.readCode : undefined) ?? code;
  publish('nestwright:fault', () => ({ kind: fault.kind, code: readErrorCode(cause), answer }));

  return row
    ? refuseOperation(fault.kind, answer, row.retryAfter, cause, context?.table.database)
    : refuseData(fault as DataFault, context, cause, { given, joins });
}

/**
 * The exception for a fault that no property is to blame for. Logged here, since Nest only logs 500s, and an outage
 * would otherwise be silent.
 */
function refuseOperation(
  kind: FaultKind,
  answer: CrudErrorCode,
  retryAfter: number | undefined,
  cause: unknown,
  source: object = NO_SOURCE,
): HttpException {
  const { status, message } = ERRORS[answer];
  const isOutage = status === 503;

  logFault(source, {
    kind,
    code: readErrorCode(cause),
    summary: message,
    message: readMessage(cause),
    level: isOutage ? 'error' : 'warn',
  });

  return crudError(answer, { cause, ...(isOutage && retryAfter && { retryAfter }) });
}

/** Placeholder for an unknown database. */
const NO_SOURCE = {};
const NONE: ReadonlySet<string> = new Set();

type DataFault = Fault & { readonly kind: DataFaultKind };

function refuseData(
  fault: DataFault,
  context: StatementContext | undefined,
  cause: unknown,
  { given, joins }: { readonly given: ReadonlySet<string>; readonly joins: object },
): HttpException {
  if (!context) return crudError(TEXTS[fault.kind].code, { cause });

  return isReferenced(fault, context)
    ? refuseRemoval(fault, context.table, cause, joins)
    : blame(fault, context, cause, given);
}

/** Whether another record refers to the one that was to be removed; no property of this one is to blame. */
function isReferenced({ kind }: Fault, { operation }: StatementContext): boolean {
  return kind === 'foreignKey' && operation === 'remove';
}

function refuseRemoval(fault: Fault, table: Table, cause: unknown, joins: object): HttpException {
  const path = referringRelation(fault, table);
  const field = path !== undefined && Object.hasOwn(joins, path) ? path : undefined;

  return crudError(TEXTS.foreignKey.code, {
    message: `${field ? `Records in ${field}` : 'Other records'} still refer to this one: delete or change them first`,
    field,
    cause,
  });
}

function blame(fault: DataFault, context: StatementContext, cause: unknown, given: ReadonlySet<string>): HttpException {
  const { code, text } = TEXTS[fault.kind];
  const path = context.paths[context.paths.length === 1 ? 0 : (fault.row ?? -1)];
  const names =
    context.field === undefined ? [...new Set(blamedColumns(fault, context.table).map(nameProperty))] : [context.field];

  if (names[0] === undefined) return crudError(code, { message: [ERRORS[code].message], cause });
  if (fault.kind === 'unique') return takenNames(names, path, given, cause);

  const field = nameField(path, names[0]);

  return crudError(code, { field, message: [`${field} ${text}`], cause });
}

/** The error for a record whose unique values another record has. */
export function uniqueConflict(columns: readonly Column[], path: string, given: ReadonlySet<string>): HttpException {
  return takenNames([...new Set(columns.map(nameProperty))], path, given);
}

// A client can change what it has sent, so that is named first.
function takenNames(
  names: readonly string[],
  path: string | undefined,
  given: ReadonlySet<string>,
  cause?: unknown,
): HttpException {
  const [name = '', ...others] = names.toSorted((one, other) => Number(given.has(one)) - Number(given.has(other)));
  const { code, text } = TEXTS.unique;
  const field = nameField(path, name);
  const together = others.length > 0 ? ` together with ${others.join(', ')}` : '';

  return crudError(code, { field, message: [`${field} ${text}${together}`], cause });
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
