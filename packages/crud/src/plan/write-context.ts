import type { BodyScope } from './body-scope.js';
import type { Catalog, CatalogColumn, CatalogRelation } from './catalog.js';
import type { WriteFaults } from './refusal.js';
import type { WriteMode, WritePlan } from './write-plan.js';

export interface WriteContext {
  readonly mode: WriteMode;
  /** Precedes property paths in messages. */
  readonly prefix: string;
  readonly faults: WriteFaults;
  readonly depth: number;
  /** Columns and relations that a nested record may not set: those that refer to its parent. */
  readonly fixed: ReadonlySet<string>;
  /** What is put into nested records. */
  readonly scope?: BodyScope | undefined;
  /** Plans a nested record as its parent is planned. */
  readonly planNested: (catalog: Catalog, entity: object, context: WriteContext) => WritePlan;
}

/** Values by column, not by path: foreign keys without a property may share the path of their relation. */
export type ColumnValues = Map<CatalogColumn, unknown>;

/** A relation and what a body says of it. */
export interface CarriedRelation {
  readonly relation: CatalogRelation;
  readonly raw: unknown;
}

/** The relation from nested records back to the record that they are nested in. */
export function inverseOf({ target, inverse }: CatalogRelation): CatalogRelation | undefined {
  return inverse === undefined ? undefined : target.relations.get(inverse);
}

/**
 * Paths of the relation and the foreign keys from nested records back to their parent. The parent decides them: a body
 * could otherwise move the records elsewhere.
 */
export function backReferencesOf(relation: CatalogRelation): ReadonlySet<string> {
  const back = inverseOf(relation);

  return new Set(back && [back.path, ...back.references.map(({ column }) => column.path)]);
}

/**
 * Whether a value is the `0` that front ends send as the key of a new record, where the database counts keys from 1.
 */
export function isUnassignedKey({ primary, autoIncrement }: CatalogColumn, value: unknown): boolean {
  return primary && autoIncrement && (value === 0 || value === '0');
}

/** Whether a body may set a column at all; a key is set by an insert alone. */
export function isWritable(column: CatalogColumn, { mode, fixed }: Pick<WriteContext, 'mode' | 'fixed'>): boolean {
  if (column.source !== 'client' || fixed.has(column.path)) return false;

  return mode === 'insert' ? column.insertable : column.updatable && !column.primary;
}
