/** What a service's hooks receive of a stored row. */
import type { CrudRequest } from '../crud-request.js';
import type { BaseRouteName } from '../routes/route-table.js';

/** What becomes of a row: a PUT that creates is a `create`, soft deletion a `delete`. */
export type ChangeKind = 'create' | 'update' | 'replace' | 'delete' | 'recover';

/** What every change has. */
interface Changed<T> {
  /** Name of the row's entity; rows that a body carries beside the record (cascades) have their own. */
  readonly model: string;
  /**
   * The row with all its columns, hidden ones too, without related records: in `beforeChange` as it is to be, in
   * `afterChange` and `afterCommit` as it is stored. Of `delete` it is the row that goes.
   */
  readonly record: T;
}

/** A new row. */
export interface CreateChange<T> extends Changed<T> {
  readonly kind: 'create';
  /** There was none. */
  readonly before?: undefined;
}

/** A row that was there. */
interface ChangedBefore<T> extends Changed<T> {
  /** The row as it was, a copy. Default: it is not there, unless `needsBefore` asks for it. */
  readonly before?: Readonly<T>;
}

/** A row of which some columns, or links to others, change. */
export interface UpdateChange<T> extends ChangedBefore<T> {
  readonly kind: 'update';
}

/** A row that another takes the place of. */
export interface ReplaceChange<T> extends ChangedBefore<T> {
  readonly kind: 'replace';
}

/** A row that is removed, or marked as deleted. */
export interface DeleteChange<T> extends ChangedBefore<T> {
  readonly kind: 'delete';
}

/** A soft-deleted row that comes back. */
export interface RecoverChange<T> extends ChangedBefore<T> {
  readonly kind: 'recover';
}

/**
 * What becomes of one stored row.
 *
 * @example
 * if (change.kind === 'create') change.record.createdBy = context.request.auth.id;
 */
// Without a type, rows of any entity: those of cascades are of others.
export type Change<T = any> = CreateChange<T> | UpdateChange<T> | ReplaceChange<T> | DeleteChange<T> | RecoverChange<T>;

/** What hooks receive of the write that they are part of. `Manager` is what the adapter runs statements with. */
export interface HookContext<Manager> {
  /** The request of the verb that writes. */
  readonly request: CrudRequest;
  /**
   * In `beforeChange` and `afterChange` it is in the transaction of the write; what it does is committed, or undone,
   * with the change. In `afterCommit` it is in none.
   */
  readonly manager: Manager;
  /** The route of the verb, also if another handler calls the verb. */
  readonly route: BaseRouteName;
}
