/** The hooks of services around rows in memory. */
import type { Change, ChangeKind } from '@nestwright/crud';
import { planWrite } from '@nestwright/crud/adapter';
import type { MemoryHooks, MemoryTransaction } from './memory-database.js';
import { getPath, setPath } from './reads.js';
import type { MemoryTable } from './tables.js';
import { given, isSame, type Row, stored } from './values.js';
import type { MemoryWriteContext } from './write-context.js';

/** A row as a record, with all its columns. */
export function recordOf(table: MemoryTable, row: Row): object {
  const record = new (table.definition.model as new () => object)();
  for (const path of table.columns.keys()) if (row[path] !== undefined) setPath(record, path, given(row[path]));

  return record;
}

export function changeOf(kind: ChangeKind, table: MemoryTable, row: Row, before?: Row): Change {
  return {
    kind,
    model: table.catalog.model,
    record: recordOf(table, row),
    ...(before && { before: recordOf(table, before) }),
  } as Change;
}

/** Calls `beforeChange` with a row; the columns that it has set, validated as those of a body. */
export async function callBefore(
  hooks: MemoryHooks,
  table: MemoryTable,
  change: Change,
  {
    mode,
    path,
    persisted = [],
  }: { mode: 'insert' | 'update'; path: string; persisted?: readonly string[] | undefined },
  transaction: MemoryTransaction,
): Promise<Map<string, unknown>> {
  const { record } = change as { record: object };
  const columns = [...table.catalog.columns.values()];
  const before = new Map(columns.map(({ path: own }) => [own, given(getPath(record, own))]));
  await hooks.before(change, transaction);

  const scoped = [...hooks.scope.values.filter(({ forced }) => forced).map(({ field }) => field), ...persisted];
  const body: object = {};
  for (const column of columns) {
    const [old, now] = [before.get(column.path), getPath(record, column.path)];
    const isScoped = scoped.some((field) => column.path === field || column.path.startsWith(`${field}.`));
    if (now !== undefined && !isScoped && !isSame(column, old ?? null, now)) setPath(body, column.path, now);
  }

  const { values } = planWrite(table.catalog, body, mode, { path });

  return new Map(values.map(({ column, value }) => [column.path, stored(column, value)]));
}

/** Deletes or recovers rows, with the hooks before and after. */
export async function withRowHooks(
  { hooks }: Pick<MemoryWriteContext, 'hooks'>,
  table: MemoryTable,
  kind: 'delete' | 'recover',
  rows: readonly Row[],
  transaction: MemoryTransaction,
  work: (row: Row) => Row,
): Promise<void> {
  const deleted = table.filled('deleteDate');
  const changes: Change[] = [];
  for (const row of hooks ? rows : []) {
    const shown = kind === 'recover' && deleted !== undefined ? { ...row, [deleted]: null } : row;
    const change = changeOf(kind, table, shown, hooks!.needsBefore(kind) ? row : undefined);
    await hooks!.before(change, transaction);
    changes.push(change);
  }
  const done = rows.map(work);

  for (const [at, change] of hooks?.callsAfter ? changes.entries() : []) {
    await hooks!.after(
      { ...change, record: recordOf(table, kind === 'recover' ? done[at]! : rows[at]!) } as Change,
      transaction,
    );
  }
}
