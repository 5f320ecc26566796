/** Updates one row with the application's hooks around it, which are not called for an unchanged row. */
import { emptyPlan } from '@nestwright/crud/adapter';
import type { Reach } from '../scope/reach.js';
import { type Changes, isWritten, RESET, type StoredRow } from '../statements/changes.js';
import type { WriteHooks } from '../statements/write-context.js';
import { changeRow } from './change-row.js';
import { callBeforeChange, makeChange, withValues } from './hooked-rows.js';
import { copyRow, loadChanged, type LoadedRow, loadRow } from './loaded-row.js';
import { getCatalog, getCatalogColumn } from '../database/links.js';
import { setColumnValue } from '../database/records.js';
import type { Column, Connection, Entity } from '../database/database.js';

/** What an update of a row needs besides its changes. */
interface HookedChange {
  readonly hooks: WriteHooks;
  readonly reach: Reach;
  /** Whether links of the record in other tables change. */
  readonly changesLinks: () => Promise<boolean>;
  /** Stored keys and foreign keys, to check the reach of links that a hook changes. */
  readonly stored: () => Promise<Entity | undefined>;
}

interface Updated {
  readonly affected: number;
  /** Calls `afterChange` for a change of links only, once they are stored. */
  readonly afterLinks?: () => Promise<void>;
}

/** Updates a row whose key is known; the hooks may add to the changes. */
export async function updateHooked(
  connection: Connection,
  row: StoredRow,
  changes: Map<Column, unknown>,
  { hooks, reach, changesLinks, stored }: HookedChange,
): Promise<Updated> {
  const { table, key = {}, path, always } = row;
  const loaded = decideInMemory(row, changes) ?? (await loadChanged(connection, row, key, changes));
  if (!loaded) return { affected: 0 };

  const linksChange = await changesLinks();
  if (!always && loaded.changed.size === 0 && !linksChange) return { affected: 0 };

  const kind = always ? 'replace' : 'update';
  // Subscribers are given the keys of related records, hooks are not.
  const before = hooks.needsBefore(kind) ? copyRow(table, loaded.before) : undefined;
  for (const [column, value] of changes) setColumnValue(column, loaded.entity, value === RESET ? undefined : value);
  const hookChanges = await callBeforeChange(connection, hooks, makeChange(kind, table, loaded.entity, before), {
    table,
    path,
    persisted: row.persisted,
    mode: 'update',
  });
  await addHookChanges(hookChanges, changes, { reach, row, stored });

  const isWrite = always || hookChanges.size > 0 || loaded.changed.size > 0;
  const affected = isWrite ? await changeRow(connection, row, changes) : 0;
  const callAfterHook = async (): Promise<void> => {
    if (!hooks.callsAfter) return;
    const record = (await loadRow(connection, table, key)) ?? loaded.entity;
    await hooks.after(makeChange(kind, table, record, before), connection);
  };

  // A replacement counts as a change even if no column had to be written.
  if (affected > 0 || (always && affected < 0)) await callAfterHook();
  else if (linksChange) return { affected, afterLinks: callAfterHook };

  return { affected };
}

/** Adds what a hook changed to the changes; refuses links to records out of reach. */
async function addHookChanges(
  hookChanges: ReadonlyMap<Column, unknown>,
  changes: Map<Column, unknown>,
  { reach, row: { table, path }, stored }: Pick<HookedChange, 'reach' | 'stored'> & { readonly row: StoredRow },
): Promise<void> {
  if (hookChanges.size === 0) return;

  for (const [column, value] of hookChanges) {
    if (value === undefined) changes.delete(column);
    else changes.set(column, value);
  }

  const plan = withValues(emptyPlan(getCatalog(table)), hookChanges);
  if (reach.concerns(plan)) await reach.requireChanges({ plan, path }, (await stored()) ?? {}, changes);
}

/** The row, with the columns that change, if that can be decided without the database. */
function decideInMemory({ table, known }: StoredRow, changes: Changes): LoadedRow | undefined {
  if (!known) return undefined;

  const changed = new Set<Column>();
  for (const [column, value] of changes) {
    if (!isWritten(column)) continue;
    if (!isExact(column, value) || value === RESET) return undefined;
    if (stored(column, value) !== stored(column, column.read(known))) changed.add(column);
  }

  return { entity: known, before: copyRow(table, known), changed };
}

/** Whether equal values of a column, and no others, have one text. */
function isExact(column: Column, value: unknown): boolean {
  // A column whose type was only assumed may round.
  if (column.isAssumed && value !== null && !Number.isInteger(value)) return false;
  if (column.isVirtual || column.isTransformed || column.type === 'char' || column.type === 'character') return false;

  return EXACT.has(getCatalogColumn(column).kind);
}

const EXACT: ReadonlySet<string> = new Set(['text', 'integer', 'bigint', 'uuid', 'boolean']);

function stored(column: Column, value: unknown): string {
  const prepared: unknown = column.encode(value);

  return JSON.stringify(typeof prepared === 'bigint' ? String(prepared) : (prepared ?? null));
}
