/** Whatever a read or a write threw goes in, what the client is to get comes out: a Nest exception for a fault that has a code, else the error itself. */
import { crudError, ERRORS, type CrudErrorCode } from '@nestwright/crud';
import { HttpException, Logger } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';
import { blamedColumns, propertyOf } from './blame.js';
import { faultOf } from './fault.js';
import type { Fault, FaultKind } from './fault-types.js';
import { StatementError, type StatementContext } from './statement-error.js';

interface FaultText {
  readonly code: CrudErrorCode;
  /** What is said after the property path. */
  readonly text: string;
}

/** How each kind of fault is answered. */
const TEXTS = {
  unique: { code: 'CRUD_UNIQUE_VIOLATION', text: 'already exists' },
  foreignKey: { code: 'CRUD_FOREIGN_KEY_VIOLATION', text: 'does not exist' },
  notNull: { code: 'CRUD_NOT_NULL_VIOLATION', text: 'should not be null or undefined' },
  check: { code: 'CRUD_CHECK_VIOLATION', text: 'has a value that is not allowed' },
  tooLong: { code: 'CRUD_VALUE_OUT_OF_RANGE', text: 'is too long' },
  outOfRange: { code: 'CRUD_VALUE_OUT_OF_RANGE', text: 'is out of range' },
  invalidText: { code: 'CRUD_INVALID_VALUE', text: 'has an invalid value' },
  conflict: { code: 'CRUD_CONFLICT', text: '' },
  unavailable: { code: 'CRUD_UNAVAILABLE', text: '' },
} as const satisfies Record<FaultKind, FaultText>;

/** Kinds for which no property of the body is to blame. */
const NAMELESS: ReadonlySet<FaultKind> = new Set(['conflict', 'unavailable']);

/**
 * Turns an error of the database into the exception that clients get: its status and code by the table of errors, `field` and message by property paths.
 * An error of the library or of Nest passes through, and so does one that is not known: Nest answers it with a 500 that says nothing.
 *
 * @example
 * try { await statement(); } catch (error) { throw toCrudError(error, metadata); }
 */
export function toCrudError(error: unknown, metadata?: EntityMetadata): unknown {
  if (error instanceof HttpException) {
    return error;
  }

  const cause = error instanceof StatementError ? error.cause : error;
  const fault = faultOf(cause);

  if (!fault) {
    return cause;
  }

  // Nest logs what it answers with a 500; an outage would otherwise be silent.
  if (fault.kind === 'unavailable') {
    new Logger('CrudDatabase').error(`The database is not available: ${messageOf(cause)}`);
  }

  const context =
    error instanceof StatementError
      ? error.context
      : metadata && { metadata, operation: 'store' as const, paths: [''], rows: [] };

  return NAMELESS.has(fault.kind) || !context || isReferred(fault, context)
    ? crudError(TEXTS[fault.kind].code, { cause })
    : blame(fault, context, cause);
}

/** Whether another record refers to the one that was to be removed; no property of this one is to blame. */
function isReferred({ kind }: Fault, { operation }: StatementContext): boolean {
  return kind === 'foreignKey' && operation === 'remove';
}

function blame(fault: Fault, context: StatementContext, cause: unknown): HttpException {
  const { code, text } = TEXTS[fault.kind];
  const path =
    context.paths.length === 1 ? context.paths[0] : fault.row === undefined ? undefined : context.paths[fault.row];
  const names =
    context.field === undefined
      ? [...new Set(blamedColumns(fault, context.metadata).map(propertyOf))]
      : [context.field];

  if (names[0] === undefined) {
    return crudError(code, { message: [ERRORS[code].message], cause });
  }

  const [field = '', ...others] = names.map((name) => join(path, name));
  const together = others.length > 0 && fault.kind === 'unique' ? ` together with ${names.slice(1).join(', ')}` : '';

  return crudError(code, { field, message: [`${field} ${text}${together}`], cause });
}

function join(path: string | undefined, name: string): string {
  return path ? `${path}.${name}` : name;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
