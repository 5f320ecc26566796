/** Types alone: plain objects that TanStack Query takes, in any of its frameworks. */
import type { ClientQuery } from './query.js';
import type { Body, NewBody } from './records.js';
import type { AnyQuery, Ask, CursorPage, Id, RecordFor, Resource, Target } from './resource.types.js';

/** The key of a query: the path of the resource, what is read, and the text of the query. */
export type QueryKey = readonly [path: string, ...parts: (string | Id)[]];

/** What a query function is given. */
export interface QueryContext {
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/** Options of a query. */
export interface QueryObject<Data> {
  /** Equal for equal questions. */
  readonly queryKey: QueryKey;
  /** Asks the server. */
  readonly queryFn: (context: QueryContext) => Promise<Data>;
}

/** Options of a query of many pages. */
export interface InfiniteQueryObject<Data> {
  /** Equal for equal questions. */
  readonly queryKey: QueryKey;
  /** Reads a page. */
  readonly queryFn: (context: QueryContext & { readonly pageParam: string }) => Promise<Data>;
  /** The position of the first page. */
  readonly initialPageParam: string;
  /** The position after a page; undefined after the last one. */
  readonly getNextPageParam: (page: Data) => string | undefined;
}

/** Options of a mutation. */
export interface MutationObject<Variables, Data> {
  /** The path of the resource, and what is written. */
  readonly mutationKey: QueryKey;
  /** Asks the server. */
  readonly mutationFn: (variables: Variables) => Promise<Data>;
}

/** What is read, as objects for a cache of queries. */
export interface Queries<T, R extends Resource> {
  /**
   * What all keys of the resource begin with.
   *
   * @example
   * queryClient.invalidateQueries({ queryKey: tasks.queries.key });
   */
  readonly key: readonly [path: string];
  /** A list. */
  list<Q extends AnyQuery<T> = ClientQuery<T>>(ask?: Ask<T, Q>): QueryObject<RecordFor<T, R, Q>[]>;
  /** A list, page by page, by cursor. */
  infinite<Q extends AnyQuery<T> = ClientQuery<T>>(
    ask?: Ask<T, Q>,
  ): InfiniteQueryObject<CursorPage<RecordFor<T, R, Q>>>;
  /** One record. */
  one<Q extends AnyQuery<T> = ClientQuery<T>>(id: Id, ask?: Ask<T, Q>): QueryObject<RecordFor<T, R, Q>>;
}

/** What is written, as objects for a cache of queries. */
export interface Mutations<T, R extends Resource> {
  /** Creates a record. */
  readonly create: MutationObject<NewBody<T, R['conflict']>, RecordFor<T, R, ClientQuery<T>>>;
  /** Changes a record. */
  readonly update: MutationObject<
    { readonly target: Target<R['key']>; readonly changes: Body<T> },
    RecordFor<T, R, ClientQuery<T>>
  >;
  /** Removes a record. */
  readonly remove: MutationObject<Target<R['key']>, void>;
}
