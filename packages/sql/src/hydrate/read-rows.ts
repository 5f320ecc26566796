/**
 * The rows of a read, those of its to-many relations among them, grouped: what records and JSON text are both made of.
 */
import type { StatementRows } from '../database/rows.js';
import type { ParentLink, RowGroups } from '../rows/row-groups.js';
import type { RecordShape } from './record-shape.js';
import type { Relation } from '../database/database.js';

/** The records of a to-many relation, each in a row of its own. */
export interface RelatedShape extends ParentLink {
  readonly relation: Relation;
  /** To-one relations from the row's record to the parent. */
  readonly pathToParent: readonly Relation[];
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

/** What the related rows of a parent become, by the parent's key. */
export type RelatedList<T> = (key: string | undefined) => T;
