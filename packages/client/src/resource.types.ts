/** Types alone: what calls take and what they are answered with. */
import type { Asked, AskedNothing, ClientQuery } from './query.js';
import type { RecordOf } from './records.js';

/** A key, as it stands in a path. */
export type Id = string | number | bigint;

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call. Default: nothing does. */
  readonly signal?: AbortSignal | undefined;
  /** Headers of this request alone. Default: those of the client. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page by number. */
export interface Page<Row> {
  /** The records of this page. */
  readonly data: Row[];
  /** Records in this response. */
  readonly count: number;
  /** Records that match, on all pages. */
  readonly total: number;
  /** Number of this page, from 1. */
  readonly page: number;
  /** Pages in all; 0 if nothing matches. */
  readonly pageCount: number;
}

/** A page that was read by a cursor. */
export interface CursorPage<Row> {
  /** The records of this page. */
  readonly data: Row[];
  /** Records in this response. */
  readonly count: number;
  /** Records that match, on all pages; only if the query asks for it. */
  readonly total?: number;
  /** The position of the page after this one; null if there was none. */
  readonly next: string | null;
  /** The position of the page before this one; null on the first page. */
  readonly previous: string | null;
}

/** What is known of a resource to the compiler. */
export interface Resource {
  /** Name of the key. */
  readonly key: string;
  /** Names of hidden properties. */
  readonly hidden: unknown;
  /** Names of the columns that a creation may conflict on, and then changes the record that is there. */
  readonly conflict: unknown;
}

/** A resource of which no option says more. */
export interface UsualResource extends Resource {
  /** The usual key. */
  readonly key: 'id';
  /** Nothing is hidden. */
  readonly hidden: never;
  /** Creations only create. */
  readonly conflict: never;
}

type AskedBy<Q> = Q extends { readonly asked?: infer A extends Asked } ? A : AskedNothing;

/** The record that a query is answered with. */
export type RecordFor<T, R extends Resource, Q> = RecordOf<
  T,
  R['key'],
  R['hidden'],
  AskedBy<Q>['fields'],
  AskedBy<Q>['joins']
>;

/** The page that a query is answered with. */
export type PageFor<T, R extends Resource, Q> = AskedBy<Q>['paging'] extends 'cursor'
  ? CursorPage<RecordFor<T, R, Q>>
  : Page<RecordFor<T, R, Q>>;

/** Says what is asked for. */
export type Ask<T, Q> = (query: ClientQuery<T>) => Q;

/** Any query on an entity. */
// Whatever it asks for.
export type AnyQuery<T> = ClientQuery<T, any>;

/** A key, or a record that has it. */
export type Target<Key extends string = string> = Id | { readonly [K in Key]: Id };
