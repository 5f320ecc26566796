import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { type ColumnMetadata, setColumnValue, toDriver } from '../column-metadata.js';
import { type Changes, RESET, type StoredRow } from '../statements/changes.js';
import { foreignKeys, loadChanged } from './loaded-row.js';
import { broadcast, isObserved } from '../statements/observers.js';
import { namesParent, requireSameParent } from './tree.js';
import { updateRows } from '../statements/update.js';
import type { Key } from '../statements/values.js';

/**
 * Writes changes, unless the record has all the values already. Listeners and subscribers get the record as it would be
 * found, without hidden columns, and what they change on it is written too.
 *
 * Returns the number of records written, or -1 if there was nothing to write and so no statement.
 */
export async function changeRow(runner: QueryRunner, row: StoredRow, changes: Changes): Promise<number> {
  const { metadata, key, path, always = false } = row;

  if (key && namesParent(metadata, changes.keys()))
    await requireSameParent(runner, metadata, { key, path }, (column) => nullIfReset(changes.get(column)));

  return key && changes.size > 0 && isObserved(metadata, 'Update')
    ? changeObserved(runner, row, key, changes)
    : updateRows(runner, metadata, [{ ...row, changes }], always);
}

/** The foreign key to store; without a parent, the default of a tree. */
function nullIfReset(value: unknown): unknown {
  return value === RESET ? null : value;
}

async function changeObserved(runner: QueryRunner, row: StoredRow, key: Key, changes: Changes): Promise<number> {
  const { metadata, always = false } = row;
  const loaded = await loadChanged(runner, row, key, changes, 'read');

  if (!loaded || !(always || loaded.changed.size > 0)) return 0;

  const { entity, before, changed } = loaded;
  const sent: Changes = always ? changes : new Map([...changes].filter(([column]) => changed.has(column)));

  for (const [column, value] of changes) setColumnValue(column, entity, value === RESET ? undefined : value);

  await broadcast(runner, metadata, 'BeforeUpdate', { entity, before, ...describeUpdate(changed, row) });

  const written = mergeChanges(metadata, sent, before, entity);
  const affected = await updateRows(runner, metadata, [{ ...row, changes: written }], true);

  if (affected > 0) {
    const all = new Set([...changed, ...[...written.keys()].filter((column) => !changes.has(column))]);

    await broadcast(runner, metadata, 'AfterUpdate', { entity, before, ...describeUpdate(all, row) });
  }

  return affected;
}

/**
 * Changed columns as TypeORM reports them: a foreign key as its relation, if the body names that or no property holds
 * the key.
 */
function describeUpdate(changed: ReadonlySet<ColumnMetadata>, { relations = [] }: StoredRow) {
  const named = relations.filter(({ joinColumns }) => joinColumns.some((column) => changed.has(column)));

  return {
    columns: [...changed].filter(({ isVirtual }) => !isVirtual),
    relations: [...new Set([...foreignKeys(changed), ...named])],
  };
}

/** The columns sent and those that listeners or subscribers changed, with the entity's current values. */
function mergeChanges(metadata: EntityMetadata, sent: Changes, before: ObjectLiteral, entity: ObjectLiteral): Changes {
  const changes = new Map<ColumnMetadata, unknown>();

  for (const column of metadata.columns) {
    const value: unknown = column.getEntityValue(entity);
    const loaded: unknown = column.getEntityValue(before);
    const stored = (one: unknown) => JSON.stringify(toDriver(column, one));

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

function isWritable(column: ColumnMetadata): boolean {
  return (
    !column.isVirtual && !column.isVirtualProperty && !column.isVersion && !column.isUpdateDate && !column.isPrimary
  );
}
