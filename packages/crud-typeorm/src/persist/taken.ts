/** Unique violations of INSERTs that an upsert turns into updates. */
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { blamedColumns } from '../errors/blame.js';
import { faultOf } from '../errors/fault.js';
import { StatementError } from '../errors/statement-error.js';

/** A record with the unique values exists already, or did a moment ago. */
export class Taken extends Error {
  constructor(
    /** The error of the statement that failed. Default: none. */
    override readonly cause: unknown,
    /** Whether the database named this constraint; of several violated ones it names one. */
    readonly isSure: boolean,
    /** Records as they were to be inserted, by their place in the body. */
    readonly entities: ReadonlyMap<string, ObjectLiteral> = new Map(),
  ) {
    super('A record is there already', { cause });
  }
}

/** Reads an error of an INSERT; undefined if it is no unique violation of the entity. */
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
