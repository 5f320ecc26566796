/** An update of one row with the hooks of the application around it: not for a row that stays as it is. */
import type { WritePlan } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { catalogOf, columnOf } from '../catalog/catalog.js';
import { type ColumnMetadata, setColumnValue } from '../column-metadata.js';
import type { Reach } from '../scope/reach.js';
import { type Changes, isWritten, RESET, type StoredRow } from '../statements/changes.js';
import type { WriteHooks } from '../statements/write-hooks.js';
import { changeRow } from './change-row.js';
import { askBefore, changeOf, withValues } from './hooked-rows.js';
import { copyOfRow, loadChanged, type LoadedRow, loadRow } from './loaded-row.js';

/** What an update of a row needs beside its changes. */
export interface HookedChange {
  readonly hooks: WriteHooks;
  readonly reach: Reach;
  /** Whether links of the record change, which stand in other tables. Default: none do. */
  readonly changesLinks?: () => Promise<boolean>;
  /** Keys and foreign keys as they are stored, for the reach of what a hook changes. */
  readonly stored: () => Promise<ObjectLiteral | undefined>;
}

/** What became of a row. */
interface Updated {
  readonly affected: number;
  /** Tells of a change that is one of links alone, once these are stored. */
  readonly afterLinks?: () => Promise<void>;
}

/** Updates a row whose key is known; the hooks may add to the changes. */
export async function updateHooked(
  runner: QueryRunner,
  row: StoredRow,
  changes: Map<ColumnMetadata, unknown>,
  { hooks, reach, changesLinks, stored }: HookedChange,
): Promise<Updated> {
  const { metadata, key = {}, path, always = false } = row;
  const loaded = decided(row, changes) ?? (await loadChanged(runner, row, key, changes));
  if (!loaded) return { affected: 0 };

  const linksChange = (await changesLinks?.()) ?? false;
  if (!always && loaded.changed.size === 0 && !linksChange) return { affected: 0 };

  const kind = always ? 'replace' : 'update';
  const before = hooks.needsBefore(kind) ? loaded.before : undefined;
  for (const [column, value] of changes) setColumnValue(column, loaded.entity, value === RESET ? undefined : value);
  const made = await askBefore(runner, hooks, changeOf(kind, metadata, loaded.entity, before), {
    metadata,
    path,
    mode: 'update',
  });
  await take(made, changes, { reach, row, stored });

  const isWrite = always || made.size > 0 || loaded.changed.size > 0;
  const affected = isWrite ? await changeRow(runner, row, changes) : 0;
  const tell = async (): Promise<void> => {
    if (!hooks.hearsAfter) return;
    const record = (await loadRow(runner, metadata, key)) ?? loaded.entity;
    await hooks.after(changeOf(kind, metadata, record, before), runner);
  };

  // Where no column was to be written, a replacement has taken place all the same.
  if (affected > 0 || (always && affected < 0)) await tell();
  else if (linksChange) return { affected, afterLinks: tell };

  return { affected };
}

/** Takes what a hook changed into the changes, where it leads to nothing out of reach. */
async function take(
  made: ReadonlyMap<ColumnMetadata, unknown>,
  changes: Map<ColumnMetadata, unknown>,
  { reach, row: { metadata, path }, stored }: Pick<HookedChange, 'reach' | 'stored'> & { readonly row: StoredRow },
): Promise<void> {
  if (made.size === 0) return;

  for (const [column, value] of made) {
    if (value === undefined) changes.delete(column);
    else changes.set(column, value);
  }

  const plan: WritePlan = withValues({ catalog: catalogOf(metadata), values: [], links: [], cascades: [] }, made);
  if (reach.concerns(plan)) await reach.requireChanges({ plan, path }, (await stored()) ?? {}, changes);
}

/** What of a row changes, by what is known of it; undefined where only the database can tell. */
function decided({ metadata, known }: StoredRow, changes: Changes): LoadedRow | undefined {
  if (!known) return undefined;

  const changed = new Set<ColumnMetadata>();
  for (const [column, value] of changes) {
    if (!isWritten(column)) continue;
    if (!isExact(column) || value === RESET) return undefined;
    if (stored(metadata, column, value) !== stored(metadata, column, column.getEntityValue(known))) changed.add(column);
  }

  return { entity: known, before: copyOfRow(metadata, known), changed };
}

/** Whether equal values of a column, and no others, have one text. */
function isExact(column: ColumnMetadata): boolean {
  if (column.isVirtual || column.transformer || column.type === 'char' || column.type === 'character') return false;

  return EXACT.has(columnOf(column).kind);
}

const EXACT: ReadonlySet<string> = new Set(['text', 'integer', 'bigint', 'uuid', 'boolean']);

function stored({ connection }: EntityMetadata, column: ColumnMetadata, value: unknown): string {
  const prepared: unknown = connection.driver.preparePersistentValue(value, column);

  return JSON.stringify(typeof prepared === 'bigint' ? String(prepared) : (prepared ?? null));
}
