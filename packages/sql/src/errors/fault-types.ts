/** Faults in the written data: a property of the body may be to blame. */
export type DataFaultKind = 'unique' | 'foreignKey' | 'notNull' | 'check' | 'tooLong' | 'outOfRange' | 'invalidText';

/**
 * Faults that no property is to blame for:
 *
 * - `conflict`: a deadlock, a serialization failure, a plan or a standby's row that is gone; the same work may succeed
 *   at once
 * - `lockWait`: a lock was waited for as long as is configured
 * - `timeout`: the database has ended a statement that took too long
 * - `unanswered`: the driver has given up waiting; the statement may still be carried out
 * - `unavailable`: the connection is lost or cannot be had
 * - `readOnly`: the server takes no writes, such as a primary that has become a standby
 * - `unable`: the server lacks room, memory or something else that the statement needs
 */
export type OperationalFaultKind =
  'conflict' | 'lockWait' | 'timeout' | 'unanswered' | 'unavailable' | 'readOnly' | 'unable';

export type FaultKind = DataFaultKind | OperationalFaultKind;

/** The kind of each code, of a table that lists codes by kind. */
export function kindsByCode<Code>(
  codes: Readonly<Partial<Record<FaultKind, readonly Code[]>>>,
): ReadonlyMap<Code, FaultKind> {
  return new Map(
    (Object.keys(codes) as FaultKind[]).flatMap((kind) => codes[kind]!.map((code) => [code, kind] as const)),
  );
}

/**
 * A database error with the database's own names, which must be translated by entity metadata before a client sees
 * them.
 */
export interface Fault {
  readonly kind: FaultKind;
  /** Name of the constraint or index; on SQLite a check's name or expression. */
  readonly constraint?: string;
  /** Names of the columns to blame. */
  readonly columns?: readonly string[];
  /** Table that the constraint belongs to, which is not always the one written. */
  readonly table?: string;
  /** Row of the statement, from 0. */
  readonly row?: number;
}

/** Properties that identify drivers' errors; each may be missing. */
export interface DriverError {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
  readonly errors?: unknown;
  readonly constraint?: unknown;
  readonly column?: unknown;
  readonly table?: unknown;
  readonly detail?: unknown;
  readonly sqlMessage?: unknown;
  readonly syscall?: unknown;
  readonly where?: unknown;
  readonly position?: unknown;
  readonly internalPosition?: unknown;
}
