import { getOrInsert, outOfScope, type WritePlan } from '@nestwright/crud/adapter';
import { nameField, nameProperty } from '../errors/blame.js';
import { RESET } from '../statements/changes.js';
import { findRecords } from '../statements/find.js';
import type { NewRecord, PreparedRecord } from '../statements/new-entity.js';
import { type LinkConditions, makeLinkConditions } from './link-conditions.js';
import { type LinkKey, namedKeys, namingColumns, unlinkedColumns } from './link-keys.js';
import { RelatedStates } from './related-states.js';
import { isValue, keyPredicate, keyText, readKey, readValues } from '../statements/values.js';
import type { WriteContext } from '../statements/write-context.js';
import { getColumn, getTable } from '../database/links.js';
import type { Column, Connection, Entity, Relation } from '../database/database.js';

/** A record that a cascade has stored, and its path in the body. */
interface Stored {
  readonly record: Entity;
  readonly path: string;
}

/** A foreign key that a body sets. */
interface SetKey {
  readonly relation: Relation;
  readonly key: LinkKey;
  readonly field: string;
  /** Whether it is the stored one, which may lead to a record that is soft-deleted. Default: `false`. */
  readonly isStored?: boolean;
}

/** A composite foreign key that the body sets in part; a database default completes it. */
interface CompletedKey {
  readonly relation: Relation;
  /** The record with the key; it has its primary key once stored. */
  readonly record: Entity;
  /** What it was before. */
  readonly before: LinkKey;
  readonly field: string;
}

/** Checks the links and cascades of one transaction. Relations without a condition are ignored. */
export class Reach {
  private readonly conditions: LinkConditions;
  private readonly states: RelatedStates;
  private readonly stored = new Map<Relation, Stored[]>();
  private readonly completed: CompletedKey[] = [];

  constructor(
    context: WriteContext,
    private readonly connection: Connection,
  ) {
    this.conditions = makeLinkConditions(context);
    this.states = new RelatedStates(context, connection, this.conditions);
  }

  /** Whether some related records are out of reach of a relation. */
  limits(relation: Relation): boolean {
    return this.conditions.on(relation) !== undefined;
  }

  /** Whether a plan's checks depend on what the record refers to now. */
  concerns(plan: WritePlan): boolean {
    return this.conditions.concern(plan);
  }

  /** Looks up all records that some planned records and their nested ones link to. */
  async prepare(plans: readonly WritePlan[], mode: 'insert' | 'update'): Promise<void> {
    await this.states.prefetch(
      plans.flatMap((plan) => (this.concerns(plan) ? namedKeys(plan, mode, this.conditions) : [])),
    );
  }

  /** Refuses new records that refer to others out of reach. */
  async requireNew(records: readonly PreparedRecord[]): Promise<void> {
    const keys: SetKey[] = [];

    for (const { plan, path, entity: record } of records) {
      const set = new Set(plan.values.map(({ column }) => getColumn(column)));

      for (const relation of this.conditions.listOwnedRelations(getTable(plan.catalog))) {
        const named = relation.joinColumns.find((column) => set.has(column));
        if (!named) continue;

        const key = readValues(relation.joinColumns, record);
        const field = nameField(path, nameProperty(named));
        if (isCompleted(relation, key)) this.completed.push({ relation, record, before: [], field });
        if (key.every(isValue)) keys.push({ relation, key, field });
      }
    }

    await this.requireKeys(keys);
  }

  /**
   * Refuses changes that refer to records out of reach. If the body sets a relation to null whose stored record is out
   * of reach, the foreign key is removed from the changes.
   */
  async requireChanges({ plan, path }: NewRecord, stored: Entity, changes: Map<Column, unknown>): Promise<void> {
    const keys: SetKey[] = [];

    for (const relation of this.conditions.listOwnedRelations(getTable(plan.catalog))) {
      const columns = relation.joinColumns;
      const before = readValues(columns, stored);
      const isHidden = this.conditions.hidesKey(relation);
      const unlinked = isHidden ? emptiedColumns(relation, changes) : unlinkedColumns(plan, relation);
      const readNewValue = (column: Column, index: number): unknown => {
        if (!changes.has(column)) return before[index];
        const value = changes.get(column);

        return value === RESET && unlinked.has(column) ? null : value;
      };
      const key = columns.map(readNewValue);
      const seen = columns.map((column, index) => (unlinked.has(column) ? before[index] : readNewValue(column, index)));
      const named = columns.find((column) => changes.has(column));
      if (!named) continue;

      const field = nameField(path, nameProperty(named));
      if (isCompleted(relation, key)) this.completed.push({ relation, record: stored, before, field });
      const isEqual = keyText(key) === keyText(before);
      // An equal value of a hidden key is a guess, and answered like any other.
      if (key.includes(RESET) || (isEqual && !isHidden)) continue;

      if (key.every(isValue)) keys.push({ relation, key, field, isStored: isEqual });
      else if (
        before.every(isValue) &&
        keyText(seen) === keyText(before) &&
        (await this.states.of(relation, [before])).get(keyText(before)) === 'absent'
      )
        unlinked.forEach((column) => changes.delete(column));
    }

    await this.requireKeys(keys);
  }

  /** Refuses many-to-many links to records out of reach, soft-deleted ones that are linked already included. */
  async requireLinks(relation: Relation, keys: readonly LinkKey[], path: string): Promise<void> {
    if (!this.limits(relation)) return;

    const known = await this.states.of(relation, keys);

    if (keys.some((key) => known.get(keyText(key)) !== 'live')) throw outOfScope(path);
  }

  /** Returns which stored links lead to records in reach. */
  async reachable(relation: Relation, keys: readonly LinkKey[]): Promise<(key: LinkKey) => boolean> {
    if (!this.states.vary(relation)) return () => true;

    const known = await this.states.of(relation, keys);

    return (key) => known.get(keyText(key)) === 'live';
  }

  /** Whether a linked record is soft-deleted: it stays linked, but is not written. */
  async isDeleted(relation: Relation, key: LinkKey): Promise<boolean> {
    return this.states.vary(relation) && (await this.states.of(relation, [key])).get(keyText(key)) === 'deleted';
  }

  /** Those of some linked records that are in reach. */
  async within(relation: Relation, records: readonly Entity[]): Promise<readonly Entity[]> {
    const columns = namingColumns(relation);
    const keys = records.map((record) => readValues(columns, record));
    const isWithin = await this.reachable(relation, keys);

    return records.filter((record) => isWithin(readValues(columns, record)));
  }

  /** Notes a record stored by a cascade, which must be in reach at the end. */
  note(relation: Relation, stored: Stored): void {
    if (this.limits(relation)) getOrInsert(this.stored, relation, () => []).push(stored);
  }

  /** Refuses the write if a record stored by a cascade, or the target of a completed foreign key, is out of reach. */
  async settle(): Promise<void> {
    const keys: SetKey[] = [];

    for (const { relation, record, before, field } of this.completed) {
      const key = await this.storedKey(relation, record);

      if (key.every(isValue) && keyText(key) !== keyText(before)) keys.push({ relation, key, field });
    }

    await this.requireKeys(keys);

    for (const [relation, stored] of this.stored) {
      const columns = relation.inverseTable.primaryColumns;
      const keys = stored.map(({ record }) => readValues(columns, record));
      const found = await this.states.find(relation, columns, keys);
      const lost = stored.find((_, index) => !found[index]);

      if (lost) throw outOfScope(lost.path);
    }
  }

  /** The foreign key of a relation, as it is stored. */
  private async storedKey({ table, joinColumns }: Relation, record: Entity): Promise<LinkKey> {
    const where = keyPredicate(table, readKey(table, record) ?? {});
    const [stored = {}] = await findRecords(this.connection, table, joinColumns, { where, locked: true });

    return readValues(joinColumns, stored);
  }

  private async requireKeys(keys: readonly SetKey[]): Promise<void> {
    await this.states.prefetch(keys.map(({ relation, key }) => ({ relation, keys: [key] })));

    for (const { relation, key, field, isStored } of keys) {
      const state = (await this.states.of(relation, [key])).get(keyText(key));
      if (state !== 'live' && !(isStored && state === 'deleted')) throw outOfScope(field);
    }
  }
}

/** Columns of a foreign key that a body sets to null, or leaves out where null is their default. */
function emptiedColumns({ joinColumns }: Relation, changes: Map<Column, unknown>): Set<Column> {
  const isEmptied = (column: Column) =>
    changes.get(column) === null || (changes.get(column) === RESET && column.defaultSql === undefined);

  return new Set(joinColumns.filter(isEmptied));
}

/** Whether a default of the database completes a key of which a part is set. */
function isCompleted({ joinColumns }: Relation, key: LinkKey): boolean {
  const isLeftOut = (value: unknown) => value === undefined || value === RESET;

  return (
    key.some((value) => isValue(value) && !isLeftOut(value)) &&
    joinColumns.some((column, index) => isLeftOut(key[index]) && column.defaultSql !== undefined)
  );
}
