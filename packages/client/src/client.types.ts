/** Types alone: the calls of a client. */
import type { AggregateRow, QueryBuilder } from '@nestwright/crud-request';
import type { ClientQuery } from './query.js';
import type { Body, NewBody } from './records.js';
import type {
  AnyQuery,
  Ask,
  CallOptions,
  Id,
  PageFor,
  RecordFor,
  Resource,
  Target,
  UsualResource,
} from './resource.types.js';
import type { Mutations, Queries, QueryName } from './tanstack.types.js';

/** Names of the routes that a client may call. */
export type RouteName =
  | 'getMany'
  | 'getPage'
  | 'getOne'
  | 'create'
  | 'createMany'
  | 'update'
  | 'updateMany'
  | 'updateWhere'
  | 'replace'
  | 'replaceMany'
  | 'remove'
  | 'removeMany'
  | 'removeWhere'
  | 'recover'
  | 'recoverMany'
  | 'count'
  | 'aggregate'
  | 'export';

/** What a client must know of its resource, and how it sends. */
export interface ClientOptions<T = any> {
  /** Name of the property whose value stands in paths. Default: `id`. */
  readonly key?: keyof T & string;
  /** Names of properties that the server never shows. Default: none. */
  readonly hidden?: readonly (keyof T & string)[];
  /**
   * The columns of `onConflict`, which the resource has on its creations: bodies must have them, and creations are
   * repeated as other idempotent calls are. Default: creations only create.
   */
  readonly onConflict?: readonly (keyof T & string)[];
  /** Routes that the resource has. Default: all. */
  readonly routes?: readonly RouteName[];
  /** What paths are appended to: `https://api.example.com`. Default: nothing. */
  readonly baseUrl?: string;
  /** Headers of each request, or what makes them. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | (() => MaybePromise<Readonly<Record<string, string>>>);
  /** What sends requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** How often an idempotent call is repeated after a 503 or a failure of the network. Default: 2. */
  readonly retries?: number;
  /** Milliseconds that one attempt may take until its body is there. Default: 30,000. */
  readonly timeout?: number;
  /** Changes values of answers, as the second parameter of `JSON.parse` does. Default: they stay as they are. */
  readonly reviver?: (name: string, value: unknown) => unknown;
}

type MaybePromise<V> = V | Promise<V>;

/** How many records a write by a condition has matched. */
export interface Affected {
  /** Number of records that matched. */
  readonly affected: number;
}

/** All calls of a client. */
export interface Calls<T, R extends Resource> {
  /** The records of a list. Of a page, its records. */
  getMany<Q extends AnyQuery<T> = ClientQuery<T>>(
    ask?: Ask<T, Q>,
    options?: CallOptions,
  ): Promise<RecordFor<T, R, Q>[]>;
  /** A page of a list: by its number, from 1, or by a cursor if the query says so. */
  getPage<Q extends AnyQuery<T> = ClientQuery<T>>(ask?: Ask<T, Q>, options?: CallOptions): Promise<PageFor<T, R, Q>>;
  /** All records of a list, one after the other, read by cursor. */
  all<Q extends AnyQuery<T> = ClientQuery<T>>(
    ask?: Ask<T, Q>,
    options?: CallOptions,
  ): AsyncGenerator<RecordFor<T, R, Q>, void, undefined>;
  /** One record. */
  getOne<Q extends AnyQuery<T> = ClientQuery<T>>(
    id: Id,
    ask?: Ask<T, Q>,
    options?: CallOptions,
  ): Promise<RecordFor<T, R, Q>>;
  /** Creates a record; of a resource with `onConflict`, or changes the one that has the same values. */
  create<Q extends AnyQuery<T> = ClientQuery<T>>(
    body: NewBody<T, R['conflict']>,
    ask?: Ask<T, Q>,
    options?: CallOptions,
  ): Promise<RecordFor<T, R, Q>>;
  /** Creates records, all or none; of a resource with `onConflict`, or changes those that have the same values. */
  createMany<Q extends AnyQuery<T> = ClientQuery<T>>(
    bodies: readonly NewBody<T, R['conflict']>[],
    ask?: Ask<T, Q>,
    options?: CallOptions,
  ): Promise<RecordFor<T, R, Q>[]>;
  /** Changes some properties of a record. Of a record that was read, only if nobody has changed it since. */
  update<Q extends AnyQuery<T> = ClientQuery<T>>(
    target: Target<R['key']>,
    changes: Body<T>,
    ask?: Ask<T, Q>,
    options?: CallOptions,
  ): Promise<RecordFor<T, R, Q>>;
  /** Changes records by their keys, which stand in the items; all or none. */
  updateMany<Q extends AnyQuery<T> = ClientQuery<T>>(
    items: readonly Body<T>[],
    ask?: Ask<T, Q>,
    options?: CallOptions,
  ): Promise<RecordFor<T, R, Q>[]>;
  /** Changes all records that a condition matches. */
  updateWhere(ask: Ask<T, AnyQuery<T>>, changes: Body<T>, options?: CallOptions): Promise<Affected>;
  /** Replaces a record, or creates it. Of a record that was read, only if nobody has changed it since. */
  replace<Q extends AnyQuery<T> = ClientQuery<T>>(
    target: Target<R['key']>,
    body: Body<T>,
    ask?: Ask<T, Q>,
    options?: CallOptions,
  ): Promise<RecordFor<T, R, Q>>;
  /** Replaces records by their keys, which stand in the items; all or none. */
  replaceMany<Q extends AnyQuery<T> = ClientQuery<T>>(
    items: readonly Body<T>[],
    ask?: Ask<T, Q>,
    options?: CallOptions,
  ): Promise<RecordFor<T, R, Q>[]>;
  /** Removes a record. Of a record that was read, only if nobody has changed it since. */
  remove(target: Target<R['key']>, options?: CallOptions): Promise<void>;
  /** Removes records, all or none. */
  removeMany(targets: readonly Target<R['key']>[], options?: CallOptions): Promise<void>;
  /** Removes all records that a condition matches. */
  removeWhere(ask: Ask<T, AnyQuery<T>>, options?: CallOptions): Promise<Affected>;
  /** Recovers a soft-deleted record. */
  recover(target: Target<R['key']>, options?: CallOptions): Promise<void>;
  /** Recovers soft-deleted records, all or none. */
  recoverMany(targets: readonly Target<R['key']>[], options?: CallOptions): Promise<void>;
  /** How many records a list has in all. */
  count(ask?: Ask<T, AnyQuery<T>>, options?: CallOptions): Promise<number>;
  /** Groups of records, and what is computed of each. */
  aggregate<B extends QueryBuilder<T, never, any>>(
    ask: (query: QueryBuilder<T>) => B,
    options?: CallOptions,
  ): Promise<AggregateRow<B>[]>;
  /** A whole list as NDJSON or CSV, whose body is read as it comes. */
  export(format: 'ndjson' | 'csv', ask?: Ask<T, AnyQuery<T>>, options?: CallOptions): Promise<Response>;
}

type Lists = 'getMany' | 'getPage';

/** A client of one resource, with the calls that it has. */
export type CrudClient<T, R extends Resource = UsualResource, Routes extends RouteName = RouteName> = Pick<
  Calls<T, R>,
  Routes | (Routes extends Lists ? 'all' : never)
> & {
  /** What TanStack Query and its kin take for reads. */
  readonly queries: Pick<Queries<T, R>, QueryName<Routes>>;
  /** What TanStack Query and its kin take for writes. */
  readonly mutations: Pick<Mutations<T, R>, Routes & keyof Mutations<T, R>>;
};
