/**
 * How a row becomes a record: which value belongs to which property, which related records are in the same row, and
 * which come from other statements.
 */
import type { Column, Relation, Table } from '../database/database.js';

/** One value of a row and the property that it becomes. */
export interface Cell {
  /** Name of the value in the row. */
  readonly name: string;
  readonly column: Column;
}

export interface JoinedShape {
  readonly relation: Relation;
  readonly shape: RecordShape;
}

export interface RecordShape {
  readonly table: Table;
  readonly cells: readonly Cell[];
  /**
   * Names of the values that are all null if a LEFT JOIN found nothing; empty for the record that the statement is
   * about.
   */
  readonly presence: readonly string[];
  /** Name of the value that identifies the subclass, if several share the table. */
  readonly discriminator?: string;
  readonly joined: readonly JoinedShape[];
}
