/** The frozen plan of a read: every name resolved, every value typed and in a numbered slot. */
import type { OperatorDescriptor } from '@nestwright/crud-request';
import type { Catalog, CatalogColumn, CatalogRelation } from './catalog.js';

declare const resolved: unique symbol;

/**
 * A column that was looked up in the catalog. Only `resolveColumn` makes one, and the SQL rooms accept nothing else.
 */
export interface ResolvedColumn {
  readonly [resolved]: true;
  /** Where it comes from. */
  readonly source: PlannedSource;
  /** The column. */
  readonly column: CatalogColumn;
  /**
   * Keys into a JSON column (`settings.theme` is `['theme']`); empty for the column itself. They are data: an adapter
   * binds them.
   */
  readonly jsonPath: readonly string[];
}

/** Where columns come from: the root entity, or a relation along a path. */
export interface PlannedSource {
  /** Relation path from the root, `''` for the root itself: `company`, `users.projects`. */
  readonly path: string;
  /** Alias in SQL: unique in the plan, derived from options and paths alone. */
  readonly alias: string;
  /** The entity. */
  readonly catalog: Catalog;
  /** Both are undefined for the root alone. */
  readonly relation?: CatalogRelation;
  /** The source that the relation starts from. */
  readonly parent?: PlannedSource;
  /** Whether a to-many relation lies on the path from the root. */
  readonly toMany: boolean;
  /**
   * Whether its records are part of the answer; `false` if only a condition, a sort or a join with `select: false`
   * needs it.
   */
  readonly returned: boolean;
  /**
   * What of it is returned, the primary key included even if `exclude` hides it from the answer (see {@link hidden}).
   */
  readonly columns: readonly ResolvedColumn[];
  /** Paths in {@link columns} that are read to assemble records but must not be returned. */
  readonly hidden: ReadonlySet<string>;
  /** Whether a request, `eager` or a hand-written condition asked for an inner join. */
  readonly required: boolean;
  /** Conditions of the ON clause. */
  readonly on?: PlannedCondition;
  /** Sources joined to this one. */
  readonly joins: readonly PlannedSource[];
}

/**
 * A condition over resolved columns. `slot` numbers an entry of {@link ReadPlan.values}: one typed value for operators
 * of arity one, a pair for two, an array for a list. `unknown` is SQL's NULL: it matches nothing, also under `not`.
 */
export type PlannedCondition =
  | { readonly kind: 'and' | 'or'; readonly items: readonly PlannedCondition[] }
  | { readonly kind: 'not'; readonly item: PlannedCondition }
  | { readonly kind: 'constant'; readonly value: boolean | 'unknown' }
  | PlannedComparison
  | PlannedCustom;

/** A comparison of a column with a value. */
export interface PlannedComparison {
  readonly kind: 'comparison';
  /** What is compared. */
  readonly column: ResolvedColumn;
  /** Its row in `OPERATORS`. */
  readonly operator: OperatorDescriptor;
  /** Whether both sides are folded to lower case; never set on columns without case. */
  readonly fold: boolean;
  /**
   * How to compare: by the column's own type, by the text of its value (text operators on numbers, enums and uuids;
   * JSON paths against text), or as a JSON number or boolean.
   */
  readonly as: 'column' | 'text' | 'number' | 'boolean';
  /** Undefined for `isnull` and `notnull`. */
  readonly slot?: number;
}

/** A comparison by an operator of the application's own (`operators.custom`). */
export interface PlannedCustom {
  readonly kind: 'custom';
  /** What is compared. */
  readonly column: ResolvedColumn;
  /** Name in `operators.custom`. */
  readonly operator: string;
  /** Its value in {@link ReadPlan.values}. */
  readonly slot: number;
}

/** A column that records are sorted by. */
export interface PlannedSort {
  /** What is sorted by. */
  readonly column: ResolvedColumn;
  /** Direction. */
  readonly order: 'ASC' | 'DESC';
}

/**
 * The part of a list that is read by a cursor. The adapter gives the sort values of its records along, as texts that it
 * can read back.
 */
export interface PlannedSlice {
  /** Where it begins. Default: at the list's first record. */
  readonly from?: {
    /** For each column of the sort, where its text is in {@link ReadPlan.values}; undefined for null. */
    readonly slots: readonly (number | undefined)[];
    /** Whether a record with these very values is part of it. */
    readonly including: boolean;
  };
}

/**
 * Everything an adapter must know to read one record or a page of them. Equal plans but for {@link values},
 * {@link limit} and {@link offset} give equal SQL.
 */
export interface ReadPlan {
  /** The entity that is read, with its joins. */
  readonly root: PlannedSource;
  /** Condition on the root's records. Default: none. */
  readonly where?: PlannedCondition;
  /** The primary key is always part of it, last. Empty for single records. */
  readonly sort: readonly PlannedSort[];
  /** Page size in records of the root. Default: no bound. */
  readonly limit?: number;
  /** Set if the list is read by a cursor. Default: the whole list. */
  readonly slice?: PlannedSlice;
  /** Records of the root to skip. Default: 0. */
  readonly offset?: number;
  /** Whether soft-deleted records are read. */
  readonly withDeleted: boolean;
  /** Whether the root's rows are read as committed now and locked until the transaction ends. Default: `false`. */
  readonly locked?: boolean;
  /** Typed values by slot, in the order in which the condition names them. */
  readonly values: readonly unknown[];
  /** Set if `query.cache` is on: milliseconds, and whether a stored result is ignored and replaced. */
  readonly cache?: { readonly duration: number; readonly replace: boolean };
}
