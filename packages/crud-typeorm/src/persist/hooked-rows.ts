import type { Change, ChangeKind } from '@nestwright/crud';
import { planWrite, type WriteMode, type WritePlan } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { getCatalog, getColumn, getEntityMetadata, getMetadata } from '../catalog/catalog.js';
import { type ColumnMetadata, setColumnValue } from '../column-metadata.js';
import { newEntity, type PreparedRecord } from '../statements/new-entity.js';
import { readKey, setPath } from '../statements/values.js';
import type { WriteHooks } from '../statements/write-context.js';
import { copyRow, loadRows } from './loaded-row.js';

/** A row that is passed to hooks. */
interface HookedRow {
  readonly metadata: EntityMetadata;
  readonly path: string;
  /** Of a nested record: the fields that the application sets. */
  readonly persisted?: readonly string[] | undefined;
}

/**
 * Calls `beforeChange` for new records, each with the keys of records stored before it; returns the records to store.
 */
export async function beforeInserts(
  runner: QueryRunner,
  hooks: WriteHooks,
  records: readonly PreparedRecord[],
): Promise<PreparedRecord[]> {
  const prepared: PreparedRecord[] = [];

  for (const record of records) {
    const { plan, path, entity } = record;
    const metadata = getEntityMetadata(plan.catalog);
    const held = readColumnValues(metadata, entity);
    const change = makeChange('create', metadata, entity);
    const hookChanges = await callBeforeChange(runner, hooks, change, {
      metadata,
      path,
      persisted: plan.persisted,
      mode: 'insert',
    });

    prepared.push({
      ...record,
      plan: hookChanges.size > 0 ? withValues(plan, hookChanges) : plan,
      entity: newEntity(metadata, { ...plan, values: [] }, new Map([...held, ...hookChanges])),
    });
  }

  return prepared;
}

/** Calls `afterChange` for new records, as stored. */
export async function afterInserts(
  runner: QueryRunner,
  hooks: WriteHooks,
  metadata: EntityMetadata,
  entities: readonly ObjectLiteral[],
): Promise<void> {
  if (!hooks.callsAfter) return;

  const keys = entities.map((entity) => readKey(metadata, entity) ?? {});
  const stored = metadata.primaryColumns.length > 0 ? await loadRows(runner, metadata, keys) : entities;

  for (const [index, entity] of entities.entries())
    await hooks.after(makeChange('create', metadata, stored[index] ?? entity), runner);
}

/** Rows that are deleted or recovered. */
interface ChangedRows {
  readonly kind: 'delete' | 'recover';
  readonly metadata: EntityMetadata;
  readonly rows: readonly (ObjectLiteral | undefined)[];
}

/** Deletes or recovers rows; the hooks, if the service has any, are called before and after. */
export async function withHooks(
  runner: QueryRunner,
  hooks: WriteHooks | undefined,
  { kind, metadata, rows }: ChangedRows,
  work: () => Promise<unknown>,
): Promise<void> {
  const changes: Change<ObjectLiteral>[] = [];

  for (const row of hooks ? rows : []) {
    if (!row) continue;
    const before = hooks!.needsBefore(kind) ? copyRow(metadata, row) : undefined;
    if (kind === 'recover' && metadata.deleteDateColumn) setColumnValue(metadata.deleteDateColumn, row, null);
    const change = makeChange(kind, metadata, row, before);
    await hooks!.before(change, runner);
    changes.push(change);
  }

  await work();
  if (!hooks?.callsAfter) return;

  const keys = changes.map(({ record }) => readKey(metadata, record) ?? {});
  const stored = kind === 'recover' ? await loadRows(runner, metadata, keys) : [];

  for (const [index, change] of changes.entries())
    await hooks.after({ ...change, record: stored[index] ?? change.record }, runner);
}

export function makeChange(
  kind: ChangeKind,
  metadata: EntityMetadata,
  record: ObjectLiteral,
  before?: ObjectLiteral,
): Change<ObjectLiteral> {
  const { model } = getCatalog(metadata);

  return { kind, model, record, ...(before && { before }) } as Change<ObjectLiteral>;
}

/**
 * Calls `beforeChange` with a record. Returns the columns that it changed, validated like values of a body; undefined
 * for those that it deleted. Scoped values and columns that no body may set keep their values.
 */
export async function callBeforeChange(
  runner: QueryRunner,
  hooks: WriteHooks,
  change: Change<ObjectLiteral>,
  { metadata, path, persisted, mode }: HookedRow & { readonly mode: WriteMode },
): Promise<Map<ColumnMetadata, unknown>> {
  const { record } = change;
  const columns = metadata.columns.filter((column) => !column.isVirtualProperty && !isLazy(column));
  const before = new Map(columns.map((column) => [column, printed(column.getEntityValue(record))]));

  await hooks.before(change, runner);

  const changed = columns.filter(
    (column) =>
      !Object.is(before.get(column), printed(column.getEntityValue(record))) &&
      !isScoped(hooks, column, { metadata, path, persisted, isNew: mode === 'insert' }),
  );
  const body: ObjectLiteral = {};
  const hookChanges = new Map<ColumnMetadata, unknown>();

  for (const column of changed) {
    const value: unknown = column.getEntityValue(record);
    if (value === undefined) hookChanges.set(column, undefined);
    else if (column.isVirtual && column.relationMetadata)
      setPath(body, column.relationMetadata.propertyPath, column.relationMetadata.getEntityValue(record));
    else setPath(body, column.propertyPath, value);
  }

  for (const { column, value } of planWrite(getCatalog(metadata, hooks.scope.catalog), body, mode, { path }).values)
    hookChanges.set(getMetadata(column), value);

  return hookChanges;
}

/** A foreign key that only a getter of TypeORM's shows, which would load the record. */
function isLazy({ isVirtual, relationMetadata }: ColumnMetadata): boolean {
  return isVirtual && relationMetadata?.isLazy === true;
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
  { propertyPath, relationMetadata }: ColumnMetadata,
  { metadata, path, persisted = [], isNew }: HookedRow & { readonly isNew: boolean },
): boolean {
  const isRoot = path === '' || /^(?:set|bulk\.\d+)$/.test(path);
  const isOwn = catalog !== undefined && getEntityMetadata(catalog) === metadata;
  const own = values.filter(({ origin, forced }) => isOwn && forced && (origin === 'persist' || isRoot || isNew));

  return [...own.map(({ field }) => field), ...persisted].some(
    (field) =>
      propertyPath === field ||
      propertyPath.startsWith(`${field}.`) ||
      relationMetadata?.propertyPath === field.split('.')[0],
  );
}

function readColumnValues(metadata: EntityMetadata, entity: ObjectLiteral): Map<ColumnMetadata, unknown> {
  const values = new Map<ColumnMetadata, unknown>();

  for (const column of metadata.columns) {
    const value: unknown = column.isVirtualProperty ? undefined : column.getEntityValue(entity);
    if (value !== undefined) values.set(column, value);
  }

  return values;
}

/** The same plan with other values of some columns. */
export function withValues(plan: WritePlan, hookChanges: ReadonlyMap<ColumnMetadata, unknown>): WritePlan {
  const kept = plan.values.filter(({ column }) => !hookChanges.has(getMetadata(column)));
  const own = [...hookChanges].flatMap(([column, value]) =>
    value === undefined ? [] : [{ column: getColumn(column), value }],
  );

  return { ...plan, values: [...kept, ...own] };
}
