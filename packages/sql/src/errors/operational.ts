/**
 * Faults that no property of a body is to blame for: how they are answered, whether a retry helps, and what they mean
 * for the connection.
 */
import { HttpException } from '@nestjs/common';
import type { CrudErrorCode } from '@nestwright/crud';
import { readFault } from './fault.js';
import type { FaultKind, OperationalFaultKind } from './fault-types.js';

interface OperationalFault {
  /** How a write is answered, and a read that has no code of its own. */
  readonly code: CrudErrorCode;
  /** How a read is answered: it has no conflict that a client could resolve. */
  readonly readCode?: CrudErrorCode;
  /** Value of `Retry-After`, in seconds. Default: no header. */
  readonly retryAfter?: number;
  /** Whether the same work may succeed at once. */
  readonly retryable: boolean;
  /** Whether the connection is unusable or in an unknown state. */
  readonly endsConnection: boolean;
}

const OPERATIONAL: Readonly<Record<OperationalFaultKind, OperationalFault>> = {
  conflict: {
    code: 'CRUD_CONFLICT',
    readCode: 'CRUD_UNAVAILABLE',
    retryAfter: 1,
    retryable: true,
    endsConnection: false,
  },
  lockWait: {
    code: 'CRUD_CONFLICT',
    readCode: 'CRUD_TIMEOUT',
    retryAfter: 1,
    retryable: false,
    endsConnection: false,
  },
  timeout: { code: 'CRUD_TIMEOUT', retryable: false, endsConnection: false },
  unanswered: { code: 'CRUD_TIMEOUT', retryable: false, endsConnection: true },
  unavailable: { code: 'CRUD_UNAVAILABLE', retryAfter: 1, retryable: false, endsConnection: true },
  // The next connection may lead to the new primary.
  readOnly: { code: 'CRUD_UNAVAILABLE', retryAfter: 1, retryable: false, endsConnection: true },
  unable: { code: 'CRUD_UNAVAILABLE', retryable: false, endsConnection: false },
};

/** The row of an operational fault; undefined for a fault in what is written. */
export function findOperationalFault(kind: FaultKind): OperationalFault | undefined {
  return Object.hasOwn(OPERATIONAL, kind) ? OPERATIONAL[kind as OperationalFaultKind] : undefined;
}

/**
 * Whether the work that failed may succeed when it is retried at once. An exception of a verb that was called in its
 * transaction counts, too.
 */
export function isRetryable(error: unknown): boolean {
  return readOperationalFault(readCause(error))?.retryable === true;
}

/** The error of the database under an exception of a verb. */
export function readCause(error: unknown): unknown {
  return error instanceof HttpException ? error.cause : error;
}

/** Messages of a pool that is used up, on a server that may be well. */
const EXHAUSTED = /^(?:timeout exceeded when trying to connect|Queue limit reached)/;

/** Whether a server is away, so that the same read may succeed on another replica. */
export function isServerAway(error: unknown): boolean {
  return readOperationalFault(error) === OPERATIONAL.unavailable && !EXHAUSTED.test((error as Error).message);
}

/** Whether the connection on which an error came must not be used again. */
export function endsConnection(error: unknown): boolean {
  return readOperationalFault(error)?.endsConnection === true;
}

function readOperationalFault(error: unknown): OperationalFault | undefined {
  const fault = readFault(error);

  return fault && findOperationalFault(fault.kind);
}
