/** Statements that change several records at once; if one is refused, the records are written one by one. */
import type { WritePlan } from '@nestwright/crud/adapter';
import { readFault } from '../errors/fault.js';
import { findOperationalFault } from '../errors/operational.js';
import { makeLinkConditions } from '../scope/link-conditions.js';
import { hasRelations } from '../statements/changes.js';
import { updateRows } from '../statements/update.js';
import type { WriteContext } from '../statements/write-context.js';
import { getTable } from '../database/links.js';
import type { Connection } from '../database/database.js';

/** Thrown if a statement that changes several records was refused for a value of one of them. */
class BatchRefused extends Error {}

/**
 * Runs work that may write several records by one statement. If the database refuses a value, runs it again record by
 * record, so that the error names the record.
 */
export async function batchedOrSingly<T>(work: (batched: boolean) => Promise<T>): Promise<T> {
  try {
    return await work(true);
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error;

    return work(false);
  }
}

/** Updates several records by few statements; a refused value makes {@link batchedOrSingly} begin again. */
export async function updateBatch(
  { catalog }: WriteContext,
  connection: Connection,
  records: Parameters<typeof updateRows>[2],
  always: boolean,
): Promise<void> {
  await updateRows(connection, getTable(catalog), records, always).catch((error: unknown) => {
    const kind = readFault(error)?.kind;
    throw kind !== undefined && findOperationalFault(kind) === undefined ? new BatchRefused() : error;
  });
}

/**
 * Whether records may be written by one statement: there are no listeners, subscribers or hooks, and only own columns
 * are written.
 */
export function mayBatch(context: WriteContext, plans: readonly WritePlan[]): boolean {
  const table = getTable(context.catalog);
  const { treeType, discriminatorColumn } = table;
  if (
    context.hooks ||
    plans.length < 2 ||
    treeType ||
    discriminatorColumn ||
    table.database.listeners.observe(table, 'Update')
  )
    return false;

  const links = makeLinkConditions(context);

  return plans.every((plan) => !hasRelations(plan) && !links.concern(plan));
}
