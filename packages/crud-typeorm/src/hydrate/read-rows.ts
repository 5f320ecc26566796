/**
 * The rows of a read, those of its to-many relations among them, grouped: what records and JSON text are both made of.
 */
import type { RelationMetadata } from 'typeorm';
import type { StatementRows } from '../rows/row-format.js';
import type { ParentLink, RowGroups } from '../rows/row-groups.js';
import type { RecordShape } from './record-shape.js';

/** The records of a to-many relation, each in a row of its own. */
export interface RelatedShape extends ParentLink {
  readonly relation: RelationMetadata;
  /** To-one relations from the row's record to the parent. */
  readonly pathToParent: readonly RelationMetadata[];
  readonly shape: RecordShape;
}

/** The shape of a statement's rows, and of the statements of its to-many relations. */
export interface ReadShape {
  readonly shape: RecordShape;
  readonly related: readonly (RelatedShape & ReadShape)[];
}

export interface ReadRows extends StatementRows {
  readonly statement: ReadShape;
  /** Those of {@link ReadShape.related}, in its order. */
  readonly related: readonly RelatedRows[];
}

export interface RelatedRows extends ReadRows {
  readonly statement: RelatedShape & ReadShape;
  readonly groups: RowGroups;
}
