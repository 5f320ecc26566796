/** What an INSERT meets where a record has the values of a unique constraint already. */
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { blamedColumns } from '../errors/blame.js';
import { faultOf } from '../errors/fault.js';
import { StatementError } from '../errors/statement-error.js';

/** Says that a record with some values is there already, or was a moment ago. */
export class Taken extends Error {
  constructor(
    /** The error of the statement that met it. Default: none did. */
    override readonly cause: unknown,
    /** Whether the database says that it was this constraint: of several that are violated, it names one. */
    readonly isSure: boolean,
    /** Records as they were to be inserted, by their place in the body. */
    readonly entities: ReadonlyMap<string, ObjectLiteral> = new Map(),
  ) {
    super('A record is there already', { cause });
  }
}

/** Reads an error of an INSERT; undefined where no record of the entity is in its way. */
export function takenBy(
  error: unknown,
  metadata: EntityMetadata,
  columns: readonly ColumnMetadata[],
): Taken | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const fault = faultOf(cause);
  if (fault?.kind !== 'unique') return undefined;
  if (error instanceof StatementError && error.context.metadata !== metadata) return undefined;

  const blamed = new Set(blamedColumns(fault, metadata));
  const isSure = blamed.size === columns.length && columns.every((column) => blamed.has(column));
  const { paths, rows } = error instanceof StatementError ? error.context : { paths: [], rows: [] };

  return new Taken(error, isSure, new Map(paths.map((path, index) => [path, rows[index] ?? {}])));
}
