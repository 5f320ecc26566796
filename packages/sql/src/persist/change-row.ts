import { type Changes, RESET, type StoredRow } from '../statements/changes.js';
import { foreignKeys, loadChanged } from './loaded-row.js';
import { namesParent, requireSameParent } from './tree.js';
import { updateRows } from '../statements/update.js';
import type { Key } from '../statements/values.js';
import { setColumnValue } from '../database/records.js';
import type { Column, Connection, Entity, Table } from '../database/database.js';

/**
 * Writes changes, unless the record has all the values already. Listeners and subscribers get the record as it would be
 * found, without hidden columns, and what they change on it is written too.
 *
 * Returns the number of records written, or -1 if there was nothing to write and so no statement.
 */
export async function changeRow(connection: Connection, row: StoredRow, changes: Changes): Promise<number> {
  const { table, key, path, always = false } = row;

  if (key && namesParent(table, changes.keys()))
    await requireSameParent(connection, table, { key, path }, (column) => nullIfReset(changes.get(column)));

  return key && changes.size > 0 && table.database.listeners.observe(table, 'Update')
    ? changeObserved(connection, row, key, changes)
    : updateRows(connection, table, [{ ...row, changes }], always);
}

/** The foreign key to store; without a parent, the default of a tree. */
function nullIfReset(value: unknown): unknown {
  return value === RESET ? null : value;
}

async function changeObserved(connection: Connection, row: StoredRow, key: Key, changes: Changes): Promise<number> {
  const { table, always } = row;
  const loaded = await loadChanged(connection, row, key, changes, 'read');

  if (!loaded || !(always || loaded.changed.size > 0)) return 0;

  const { entity, before, changed } = loaded;
  const sent: Changes = always ? changes : new Map([...changes].filter(([column]) => changed.has(column)));

  for (const [column, value] of changes) setColumnValue(column, entity, value === RESET ? undefined : value);

  await table.database.listeners.broadcast(connection, table, 'BeforeUpdate', {
    entity,
    before,
    ...describeUpdate(changed, row),
  });

  const written = mergeChanges(table, sent, before, entity);
  const affected = await updateRows(connection, table, [{ ...row, changes: written }], true);

  if (affected > 0) {
    const all = new Set([...changed, ...[...written.keys()].filter((column) => !changes.has(column))]);

    await table.database.listeners.broadcast(connection, table, 'AfterUpdate', {
      entity,
      before,
      ...describeUpdate(all, row),
    });
  }

  return affected;
}

/**
 * Changed columns as listeners are told of them: a foreign key as its relation, if the body names that or no property holds
 * the key.
 */
function describeUpdate(changed: ReadonlySet<Column>, { relations = [] }: StoredRow) {
  const named = relations.filter(({ joinColumns }) => joinColumns.some((column) => changed.has(column)));

  return {
    columns: [...changed].filter(({ isVirtual }) => !isVirtual),
    relations: [...new Set([...foreignKeys(changed), ...named])],
  };
}

/** The columns sent and those that listeners or subscribers changed, with the entity's current values. */
function mergeChanges(table: Table, sent: Changes, before: Entity, entity: Entity): Changes {
  const changes = new Map<Column, unknown>();

  for (const column of table.columns) {
    const value: unknown = column.read(entity);
    const loaded: unknown = column.read(before);
    const stored = (one: unknown) => JSON.stringify(column.encode(one));

    if (sent.has(column)) {
      changes.set(column, value === undefined ? sent.get(column) : value);
    } else if (value === undefined || !isWritable(column)) {
      // Hidden columns have no value, which transformers may not expect.
      continue;
    } else if (loaded === undefined || stored(value) !== stored(loaded)) {
      changes.set(column, value);
    }
  }

  return changes;
}

function isWritable(column: Column): boolean {
  return !column.isVirtual && !column.query && !column.isVersion && !column.isUpdateDate && !column.isPrimary;
}
