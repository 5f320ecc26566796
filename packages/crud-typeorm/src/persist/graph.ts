/** What the rooms about relations share: records to insert, places in a body, and the way back to storing whole records; types and two small functions over keys and paths. */
import type { WritePlan } from '@nestwright/crud';
import type { EntityMetadata, ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import type { Changes, StoredRow } from './changes.js';
import type { Reach } from './reach.js';
import { keyText } from './values.js';

/** A record to insert: what of it is stored, where it stands in the body, and the columns that tie it to its parent. */
export interface NewRecord {
  readonly plan: WritePlan;
  readonly path: string;
  readonly ties?: Changes;
}

/** Stores whole records: handed down to what stores the records around one, which are whole records themselves. */
export interface Graph {
  readonly runner: QueryRunner;
  readonly reach: Reach;
  readonly insert: (records: readonly NewRecord[]) => Promise<ObjectLiteral[]>;
  readonly update: (row: StoredRow, plan: WritePlan, ties?: Changes) => Promise<number>;
}

/** Where a cascading item stands. */
export interface Place {
  readonly relation: RelationMetadata;
  readonly path: string;
}

/** Where a record stands in the body, and whether it is new, so that nothing is linked to it yet. */
export interface Parent {
  readonly path: string;
  readonly fresh: boolean;
}

/** One text for a record's key. */
export function textOf(metadata: EntityMetadata, record: ObjectLiteral): string {
  return keyText(metadata.primaryColumns.map((column): unknown => column.getEntityValue(record)));
}

/** The path of something below another path. */
export function below(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
