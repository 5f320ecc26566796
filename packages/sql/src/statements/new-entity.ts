import { randomUUID } from 'node:crypto';
import { getOrInsert, type WritePlan } from '@nestwright/crud/adapter';
import type { Changes } from './changes.js';
import { batches } from './values.js';
import { getColumn } from '../database/links.js';
import { setColumnValue, setOwnProperty } from '../database/records.js';
import type { Entity, Relation, Table } from '../database/database.js';

/** Most rows of one statement, whatever else would allow more. */
const MAX_ROWS = 1000;

/** A record to insert: its plan, its path in the body, and its foreign key to its parent. */
export interface NewRecord {
  readonly plan: WritePlan;
  readonly path: string;
  readonly foreignKey?: Changes | undefined;
}

/** A record to insert, with its entity. */
export interface PreparedRecord extends NewRecord {
  readonly entity: Entity;
}

/** The entity of a planned record; other values override those of the plan. */
export function newEntity(table: Table, { values }: WritePlan, others?: Changes): Entity {
  const entity = table.create();

  // A new record has nothing to load, but lazy getters would query the database for its relations.
  for (const { propertyName } of lazyRelations(table)) setOwnProperty(entity, propertyName, {});

  for (const { column, value } of values) setColumnValue(getColumn(column), entity, value);

  for (const [column, value] of others ?? []) setColumnValue(column, entity, value);

  return entity;
}

const lazy = new WeakMap<Table, readonly Relation[]>();

function lazyRelations(table: Table): readonly Relation[] {
  return getOrInsert(lazy, table, () =>
    table.relations.filter(({ isLazy, isWithJoinColumn }) => isLazy && isWithJoinColumn),
  );
}

/** Generates uuids that the database cannot. */
export function generateUuids(table: Table, entity: Entity): void {
  if (table.database.makesUuids) return;

  for (const column of table.columns)
    if (column.generation === 'uuid' && column.read(entity) === undefined) column.write(entity, randomUUID());
}

/** Splits a list into chunks that fit into one statement. */
export function chunks<T>(items: readonly T[], table: Table): Iterable<readonly T[]> {
  const { parameterLimit } = table.database.dialect;
  const size = Math.max(1, Math.min(MAX_ROWS, Math.floor(parameterLimit / Math.max(1, table.columns.length))));

  return batches(items, size);
}
