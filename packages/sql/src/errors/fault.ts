import type { DriverError, Fault } from './fault-types.js';
import { fromMysql } from './mysql-fault.js';
import { fromPostgres } from './postgres-fault.js';
import { fromSqlite } from './sqlite-fault.js';
import { StatementError } from './statement-error.js';

/** Codes of Node and the drivers for a missing connection. */
const DISCONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'PROTOCOL_ENQUEUE_AFTER_QUIT',
  'POOL_CLOSED',
  'POOL_ENQUEUELIMIT',
]);

/** Messages of the drivers for a lost connection without a code. */
const DISCONNECTION =
  /^(?:Connection terminated|Client was closed|Client has encountered a connection error|timeout exceeded when trying to connect|Query runner already released|Pool is closed|Queue limit reached|Can't add new command when connection is in closed state|Connection lost|Connection is not established|timeout expired|Cannot use a pool after calling end|No connections available|Driver not Connected|server closed the connection)/i;

/** Reads an error of a driver, bare or wrapped by an ORM. */
export function readFault(error: unknown): Fault | undefined {
  const source = findDriverError(error);

  return source && (fromMysql(source) ?? fromPostgres(source) ?? fromConnection(source) ?? fromSqlite(source));
}

/** The code under which the database or its driver knows an error, for logs. */
export function readErrorCode(error: unknown): string | undefined {
  const { code, errno } = findDriverError(error) ?? {};

  // MySQL's documentation goes by number, and so does the table of its faults.
  return typeof errno === 'number' && errno > 0 ? String(errno) : typeof code === 'string' ? code : undefined;
}

/** The driver's error under the ORM's and our own. */
function findDriverError(error: unknown): DriverError | undefined {
  let source = error;

  // Bounded, since a cause may be its own cause.
  for (let depth = 0; depth < 10; depth += 1) {
    if (typeof source !== 'object' || source === null) return undefined;

    const { driverError, errors } = source as DriverError;
    const inner = driverError ?? (Array.isArray(errors) ? errors[0] : undefined) ?? failureCause(source);

    if (inner === undefined || inner === source) return source;

    source = inner;
  }

  return undefined;
}

/** The cause of our own wrapping, or of an ORM's; other errors' causes are not theirs to report. */
function failureCause(error: object): unknown {
  const { query, params, cause } = error as {
    readonly query?: unknown;
    readonly params?: unknown;
    readonly cause?: unknown;
  };
  // Drizzle's error of a statement.
  const isOfStatement = typeof query === 'string' && Array.isArray(params);

  return error instanceof StatementError || isOfStatement ? cause : undefined;
}

/** Messages of the drivers for a client-side timeout. */
const UNANSWERED = /^Query (?:read|inactivity) timeout/;

/** A socket in the file system that is not there is a server that is not there. */
function fromConnection({ code, message, syscall }: DriverError): Fault | undefined {
  const text = String(message);
  if (UNANSWERED.test(text)) return { kind: 'unanswered' };

  return syscall === 'connect' || DISCONNECTED.has(code) || DISCONNECTION.test(text)
    ? { kind: 'unavailable' }
    : undefined;
}
