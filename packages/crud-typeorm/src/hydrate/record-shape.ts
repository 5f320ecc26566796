/**
 * How a row becomes a record: which value belongs to which property, which related records are in the same row, and
 * which come from other statements.
 */
import type { EntityMetadata, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';

/** One value of a row and the property that it becomes. */
export interface Cell {
  /** Name of the value in the row. */
  readonly name: string;
  readonly column: ColumnMetadata;
}

export interface JoinedShape {
  readonly relation: RelationMetadata;
  readonly shape: RecordShape;
}

export interface RecordShape {
  readonly metadata: EntityMetadata;
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
