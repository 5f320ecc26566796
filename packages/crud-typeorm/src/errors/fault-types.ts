/** What the rooms about driver errors share: kinds of faults, and the properties of errors; types alone. */

/**
 * What a database can complain of. `conflict` is a deadlock, a serialization failure or a lock that was waited for too long, `unavailable` a connection that is lost or cannot be had.
 */
export type FaultKind =
  'unique' | 'foreignKey' | 'notNull' | 'check' | 'tooLong' | 'outOfRange' | 'invalidText' | 'conflict' | 'unavailable';

/** A database's complaint, in the database's own names. Nothing of it may reach a client but through entity metadata. */
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

/** The properties by which the drivers' errors are told apart; none is there for certain. */
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
}
