import { DEFAULT_VALUE, type WritePlan } from '@nestwright/crud/adapter';
import type { Sql } from '../select/index.js';
import { type Key, setPath } from './values.js';
import { getColumn } from '../database/links.js';
import type { Column, Entity, Relation, Table } from '../database/database.js';

/** New values by column; {@link RESET} puts back the column's default. */
export type Changes = ReadonlyMap<Column, unknown>;

/** The column's default, or null if it has none. */
export const RESET: unique symbol = Symbol('reset');

/** The record to change. */
export interface StoredRow {
  readonly table: Table;
  /** By property path. */
  readonly key: Key;
  /** What else must hold. Default: nothing. */
  readonly where?: Sql;
  /** Whether to write the record even if no value changes, as a PUT does. Default: `false`. */
  readonly always?: boolean;
  /**
   * Relations in the body, reported to listeners and subscribers as changed. Default: those whose foreign keys change.
   */
  readonly relations?: readonly Relation[];
  /**
   * Columns, by property path, that the options hide from reads: listeners and subscribers see only sent values of
   * them. Default: none.
   */
  readonly unread?: () => ReadonlySet<string>;
  readonly path: string;
  /** Of a nested record: the fields that the application sets, which hooks cannot change. Default: none. */
  readonly persisted?: readonly string[] | undefined;
  /** The record as it is stored, locked and with all its columns. Default: it was not read. */
  readonly known?: Entity | undefined;
}

/** The values to write, by property, for error messages. */
export function makeChangedRow(changes: Changes): Entity {
  const row: Entity = {};

  for (const [column, value] of changes)
    if (isWritten(column) && value !== RESET) setPath(row, column.propertyPath, value);

  return row;
}

/** Whether an UPDATE may name a column. */
export function isWritten({ isUpdate, isPrimary }: Column): boolean {
  return isUpdate && !isPrimary;
}

/** Whether a plan writes anything besides the record's own columns. */
export function hasRelations({ links, cascades }: WritePlan): boolean {
  return links.length + cascades.length > 0;
}

/** The changes that a plan has for a record's own columns. */
export function readChanges({ values }: WritePlan): Map<Column, unknown> {
  return new Map(
    values.map(({ column, value }) => {
      const stored = getColumn(column);

      return [stored, value === DEFAULT_VALUE ? (stored.makeDefault?.() ?? RESET) : value];
    }),
  );
}
