/** The frozen plan of a write: which columns, links and nested records of a body are stored. */
import type { Catalog, CatalogColumn, CatalogRelation } from './catalog.js';

/** One column and the value to store, as the entity's property would hold it. */
export interface PlannedValue {
  /** The column. */
  readonly column: CatalogColumn;
  /** Its value. */
  readonly value: unknown;
}

/** A related record that a body names by its key. */
export type PlannedKey = readonly PlannedValue[];

/** Rows of a many-to-many relation: the list replaces the links that are there. */
export interface PlannedLinks {
  /** The many-to-many relation. */
  readonly relation: CatalogRelation;
  /** Keys of the related records. */
  readonly keys: readonly PlannedKey[];
}

/**
 * Nested records of a relation that cascades. An item without a key is inserted (if `cascadeInsert`); one with a key is
 * updated if it is linked to the written record already (if `cascadeUpdate`), and otherwise only linked, if the record
 * owns the link.
 */
export interface PlannedCascade {
  /** The relation that cascades. */
  readonly relation: CatalogRelation;
  /** Its nested records, in the order of the body. */
  readonly items: readonly PlannedCascadeItem[];
}

/** One nested record. */
export interface PlannedCascadeItem {
  /** Key that the body gives. Default: a new record. */
  readonly key?: PlannedKey;
  /**
   * If the foreign key to the written record is part of the nested one's own key: the other part. It names a record
   * that is linked already, which takes {@link update}, or else a new one.
   */
  readonly ownKey?: PlannedKey;
  /** The part of the key that refers to the written record, if the body has it; another record's is refused. */
  readonly parentKey?: PlannedKey;
  /** Whether its key says that it is new, so that no linked record is meant. Default: `false`. */
  readonly isNew?: true;
  /** What is stored of it. */
  readonly plan: WritePlan;
  /**
   * Given beside an insert if the relation is one-to-one and cascades updates, or with {@link ownKey}: what to do
   * instead if a record is linked already.
   */
  readonly update?: WritePlan;
}

/**
 * A relation that a body sets to null, and its columns, but for those that the body names. A record that the client
 * cannot see stays linked.
 */
export interface PlannedUnlink {
  /** The relation that becomes null. */
  readonly relation: CatalogRelation;
  /** Its foreign-key columns, but for those that the body names. */
  readonly columns: readonly CatalogColumn[];
}

/** Everything an adapter must know to insert, update or replace one record. */
export interface WritePlan {
  /** The entity. */
  readonly catalog: Catalog;
  /** Own columns, foreign keys of linked relations included, each column once. */
  readonly values: readonly PlannedValue[];
  /** Many-to-many relations that the body names. */
  readonly links: readonly PlannedLinks[];
  /** Nested records that the body carries. */
  readonly cascades: readonly PlannedCascade[];
  /** Relations that the body names. Default: none. */
  readonly relations?: readonly CatalogRelation[];
  /** Foreign keys that are null in {@link values} because the body sets a relation to null. Default: none. */
  readonly unlinks?: readonly PlannedUnlink[];
  /** Of a nested record: the fields that the application sets. Default: none. */
  readonly persisted?: readonly string[];
  /**
   * Of a nested record: the key columns that the application names, and their values; records with another key are not
   * written. Default: none.
   */
  readonly persistedKey?: ReadonlyMap<CatalogColumn, unknown>;
  /** Makes the exception if the record must not be inserted, though it may be updated. Default: it may be inserted. */
  readonly insertRefusal?: () => unknown;
  /** The version that the client expects to find. */
  readonly expectedVersion?: number;
}

/**
 * `insert` takes defaults for what is omitted, `update` leaves it alone, `replace` resets it to the column's default or
 * null.
 */
export type WriteMode = 'insert' | 'update' | 'replace';
