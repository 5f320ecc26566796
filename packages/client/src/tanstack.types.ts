/** Types alone: plain objects that TanStack Query takes, in any of its frameworks. */
import type { AggregateRow, QueryBuilder } from '@nestwright/crud-request';
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
  /** How many records a list has in all. */
  count(ask?: Ask<T, AnyQuery<T>>): QueryObject<number>;
  /** Groups of records, and what is computed of each. */
  aggregate<B extends QueryBuilder<T, never, any>>(ask: (query: QueryBuilder<T>) => B): QueryObject<AggregateRow<B>[]>;
  /** One record. */
  one<Q extends AnyQuery<T> = ClientQuery<T>>(id: Id, ask?: Ask<T, Q>): QueryObject<RecordFor<T, R, Q>>;
}

/** What is written, as objects for a cache of queries. */
export interface Mutations<T, R extends Resource> {
  /** Creates a record. */
  readonly create: MutationObject<NewBody<T, R['conflict']>, Row<T, R>>;
  /** Creates records, all or none. */
  readonly createMany: MutationObject<readonly NewBody<T, R['conflict']>[], Row<T, R>[]>;
  /** Changes a record. */
  readonly update: MutationObject<{ readonly target: Target<R['key']>; readonly changes: Body<T> }, Row<T, R>>;
  /** Changes records by their keys, which stand in the items; all or none. */
  readonly updateMany: MutationObject<readonly Body<T>[], Row<T, R>[]>;
  /** Replaces a record, or creates it. */
  readonly replace: MutationObject<{ readonly target: Target<R['key']>; readonly body: Body<T> }, Row<T, R>>;
  /** Replaces records by their keys, which stand in the items; all or none. */
  readonly replaceMany: MutationObject<readonly Body<T>[], Row<T, R>[]>;
  /** Removes a record. */
  readonly remove: MutationObject<Target<R['key']>, void>;
  /** Removes records, all or none. */
  readonly removeMany: MutationObject<readonly Target<R['key']>[], void>;
  /** Recovers a soft-deleted record. */
  readonly recover: MutationObject<Target<R['key']>, void>;
  /** Recovers soft-deleted records, all or none. */
  readonly recoverMany: MutationObject<readonly Target<R['key']>[], void>;
}

type Row<T, R extends Resource> = RecordFor<T, R, ClientQuery<T>>;

/** Objects for reads, by the routes that they call. */
interface QueriesOf {
  readonly getMany: 'list' | 'infinite';
  readonly getPage: 'infinite';
  readonly getOne: 'one';
  readonly count: 'count';
  readonly aggregate: 'aggregate';
}

/** Names of the objects for reads that some routes are enough for. */
export type QueryName<Routes> = 'key' | QueriesOf[Routes & keyof QueriesOf];
