import type { Entity, Table } from '../database/database.js';

/** Context of a failed statement, by which the database's error is translated for the client. */
export interface StatementContext {
  readonly table: Table;
  /**
   * Whether rows were stored or removed: a foreign key fails for a missing record on one, for a referring record on the
   * other.
   */
  readonly operation: 'store' | 'remove';
  /** Paths of the rows in the body, one for each: `''`, `bulk.3`, `profile`. */
  readonly paths: readonly string[];
  /** What was stored in each row, as far as it is known: an entity, or the columns of an update. */
  readonly rows: readonly Entity[];
  /** The relation to blame whatever the database names: a junction's columns are no client's. */
  readonly field?: string;
}

export class StatementError extends Error {
  constructor(
    override readonly cause: unknown,
    readonly context: StatementContext,
  ) {
    super('A statement failed', { cause });
  }
}

/** Runs a statement and adds its context to its error. */
export async function attempt<T>(context: StatementContext, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof StatementError ? error : new StatementError(error, context);
  }
}
