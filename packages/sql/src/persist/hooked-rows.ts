import type { Change, ChangeKind } from '@nestwright/crud';
import { planWrite, type WriteMode, type WritePlan } from '@nestwright/crud/adapter';
import { newEntity, type PreparedRecord } from '../statements/new-entity.js';
import { readKey, setPath } from '../statements/values.js';
import type { WriteHooks } from '../statements/write-context.js';
import { copyRow, loadRows } from './loaded-row.js';
import { getCatalog, getCatalogColumn, getColumn, getTable } from '../database/links.js';
import { setColumnValue } from '../database/records.js';
import type { Column, Connection, Entity, Table } from '../database/database.js';

/** A row that is passed to hooks. */
interface HookedRow {
  readonly table: Table;
  readonly path: string;
  /** Of a nested record: the fields that the application sets. */
  readonly persisted?: readonly string[] | undefined;
}

/**
 * Calls `beforeChange` for new records, each with the keys of records stored before it; returns the records to store.
 */
export async function beforeInserts(
  connection: Connection,
  hooks: WriteHooks,
  records: readonly PreparedRecord[],
): Promise<PreparedRecord[]> {
  const prepared: PreparedRecord[] = [];

  for (const record of records) {
    const { plan, path, entity } = record;
    const table = getTable(plan.catalog);
    const held = readColumnValues(table, entity);
    const change = makeChange('create', table, entity);
    const hookChanges = await callBeforeChange(connection, hooks, change, {
      table,
      path,
      persisted: plan.persisted,
      mode: 'insert',
    });

    prepared.push({
      ...record,
      plan: hookChanges.size > 0 ? withValues(plan, hookChanges) : plan,
      entity: newEntity(table, { ...plan, values: [] }, new Map([...held, ...hookChanges])),
    });
  }

  return prepared;
}

/** Calls `afterChange` for new records, as stored. */
export async function afterInserts(
  connection: Connection,
  hooks: WriteHooks,
  table: Table,
  entities: readonly Entity[],
): Promise<void> {
  if (!hooks.callsAfter) return;

  const keys = entities.map((entity) => readKey(table, entity) ?? {});
  const stored = table.primaryColumns.length > 0 ? await loadRows(connection, table, keys) : entities;

  for (const [index, entity] of entities.entries())
    await hooks.after(makeChange('create', table, stored[index] ?? entity), connection);
}

/** Rows that are deleted or recovered. */
interface ChangedRows {
  readonly kind: 'delete' | 'recover';
  readonly table: Table;
  readonly rows: readonly (Entity | undefined)[];
}

/** Deletes or recovers rows; the hooks, if the service has any, are called before and after. */
export async function withHooks(
  connection: Connection,
  hooks: WriteHooks | undefined,
  { kind, table, rows }: ChangedRows,
  work: () => Promise<unknown>,
): Promise<void> {
  const changes: Change<Entity>[] = [];

  for (const row of hooks ? rows : []) {
    if (!row) continue;
    const before = hooks!.needsBefore(kind) ? copyRow(table, row) : undefined;
    if (kind === 'recover' && table.deleteDateColumn) setColumnValue(table.deleteDateColumn, row, null);
    const change = makeChange(kind, table, row, before);
    await hooks!.before(change, connection);
    changes.push(change);
  }

  await work();
  if (!hooks?.callsAfter) return;

  const keys = changes.map(({ record }) => readKey(table, record) ?? {});
  const stored = kind === 'recover' ? await loadRows(connection, table, keys) : [];

  for (const [index, change] of changes.entries())
    await hooks.after({ ...change, record: stored[index] ?? change.record }, connection);
}

export function makeChange(kind: ChangeKind, table: Table, record: Entity, before?: Entity): Change<Entity> {
  const { model } = getCatalog(table);

  return { kind, model, record, ...(before && { before }) } as Change<Entity>;
}

/**
 * Calls `beforeChange` with a record. Returns the columns that it changed, validated like values of a body; undefined
 * for those that it deleted. Scoped values and columns that no body may set keep their values.
 */
export async function callBeforeChange(
  connection: Connection,
  hooks: WriteHooks,
  change: Change<Entity>,
  { table, path, persisted, mode }: HookedRow & { readonly mode: WriteMode },
): Promise<Map<Column, unknown>> {
  const { record } = change;
  const columns = table.columns.filter((column) => !column.query && !isLazy(column));
  const before = new Map(columns.map((column) => [column, printed(column.read(record))]));

  await hooks.before(change, connection);

  const changed = columns.filter(
    (column) =>
      !Object.is(before.get(column), printed(column.read(record))) &&
      !isScoped(hooks, column, { table, path, persisted, isNew: mode === 'insert' }),
  );
  const body: Entity = {};
  const hookChanges = new Map<Column, unknown>();

  for (const column of changed) {
    const value: unknown = column.read(record);
    if (value === undefined) hookChanges.set(column, undefined);
    else if (column.isVirtual && column.relation)
      setPath(body, column.relation.propertyPath, column.relation.read(record));
    else setPath(body, column.propertyPath, value);
  }

  for (const { column, value } of planWrite(getCatalog(table, hooks.scope.catalog), body, mode, { path }).values)
    hookChanges.set(getColumn(column), value);

  return hookChanges;
}

/** A foreign key that only a getter of the ORM shows, which would load the record. */
function isLazy({ isVirtual, relation }: Column): boolean {
  return isVirtual && relation?.isLazy === true;
}

/** One value for equal ones. Documents are changed in place, too. */
function printed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;

  try {
    return JSON.stringify(value);
  } catch {
    return value;
  }
}

/** Whether path or `persist` decide a column. */
function isScoped(
  { scope: { values, catalog } }: WriteHooks,
  { propertyPath, relation }: Column,
  { table, path, persisted = [], isNew }: HookedRow & { readonly isNew: boolean },
): boolean {
  const isRoot = path === '' || /^(?:set|bulk\.\d+)$/.test(path);
  const isOwn = catalog !== undefined && getTable(catalog) === table;
  const own = values.filter(({ origin, forced }) => isOwn && forced && (origin === 'persist' || isRoot || isNew));

  return [...own.map(({ field }) => field), ...persisted].some(
    (field) =>
      propertyPath === field || propertyPath.startsWith(`${field}.`) || relation?.propertyPath === field.split('.')[0],
  );
}

function readColumnValues(table: Table, entity: Entity): Map<Column, unknown> {
  const values = new Map<Column, unknown>();

  for (const column of table.columns) {
    const value: unknown = column.query ? undefined : column.read(entity);
    if (value !== undefined) values.set(column, value);
  }

  return values;
}

/** The same plan with other values of some columns. */
export function withValues(plan: WritePlan, hookChanges: ReadonlyMap<Column, unknown>): WritePlan {
  const kept = plan.values.filter(({ column }) => !hookChanges.has(getColumn(column)));
  const own = [...hookChanges].flatMap(([column, value]) =>
    value === undefined ? [] : [{ column: getCatalogColumn(column), value }],
  );

  return { ...plan, values: [...kept, ...own] };
}
