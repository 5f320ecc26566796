import type {
  FieldsOf,
  FilterOf,
  JoinOf,
  OneOrMany,
  RelationPath,
  RelationTarget,
  SearchOf,
  SortOf,
} from '@nestwright/crud-request';
import type { IsAny } from './records.js';

/** Relations, by their paths. */
type RelationOf<T> = IsAny<T> extends true ? string : RelationPath<T>;

/** Fields of a related record. */
type RelatedField<T, R extends string> = IsAny<T> extends true ? string : FieldsOf<RelationTarget<T, R>>[number];

/** What a query asks for, as far as it decides the type of the answer. */
export interface Asked {
  /** Names of the selected fields; `never`: all. */
  readonly fields: string;
  /** The joined relations. */
  readonly joins: object;
  /** How the pages of a list are counted. */
  readonly paging: 'number' | 'cursor';
}

type Joining<T, A extends Asked, R extends string, S> = ClientQuery<
  T,
  {
    readonly fields: A['fields'];
    readonly joins: A['joins'] & { readonly [K in R]: S extends readonly (infer Name)[] ? Name : true };
    readonly paging: A['paging'];
  }
>;

/** What is asked for before anything is said. */
export interface AskedNothing {
  /** All fields. */
  readonly fields: never;
  /** No relations. */
  readonly joins: object;
  /** By number. */
  readonly paging: 'number';
}

/**
 * A query of a client. Its methods are those of `QueryBuilder`, which prints it; `select`, `join` and `cursor`
 * decide the type of the answer.
 *
 * @example
 * tasks.getMany((query) => query.select(['id', 'title']).join('project', ['name']).sortBy(['title', 'ASC']));
 */
export interface ClientQuery<T, A extends Asked = AskedNothing> {
  /** Never set: what the query asks for. */
  readonly asked?: A;

  /** Selects fields. The key comes with them. */
  select<const S extends FieldsOf<T>>(
    fields: S,
  ): ClientQuery<T, { readonly fields: S[number]; readonly joins: A['joins']; readonly paging: A['paging'] }>;
  /** Joins a relation, with some of its fields or all. A relation of a relation needs that relation joined, too. */
  join<const R extends RelationOf<T>, const S extends readonly RelatedField<T, R>[] | undefined = undefined>(
    relation: R,
    fields?: S,
    on?: readonly FilterOf<T>[],
  ): Joining<T, A, R, S>;
  /** Joins relations as `RequestQueryBuilder` does. The type of the answer does not have them: use `join` for that. */
  setJoin(join: OneOrMany<JoinOf<T>> | undefined): this;
  /** Sets the search condition. It takes the place of filters and alternatives. */
  search(condition: SearchOf<T> | undefined): this;
  /** Adds conditions that all hold. */
  setFilter(filter: OneOrMany<FilterOf<T>> | undefined): this;
  /** Adds alternatives. */
  setOr(filter: OneOrMany<FilterOf<T>> | undefined): this;
  /** Adds fields that records are sorted by. */
  sortBy(sort: OneOrMany<SortOf<T>> | undefined): this;
  /** Sets the page size, from 1. */
  setLimit(limit: number | undefined): this;
  /** Sets how many records are skipped, from 0. */
  setOffset(offset: number | undefined): this;
  /** Sets the number of the page, from 1. */
  setPage(page: number | undefined): this;
  /** Asks the server to pass over a cached result and to replace it. */
  resetCache(): this;
  /** Asks for soft-deleted records too: 1, or 0 for none. */
  setIncludeDeleted(included: number | undefined): this;
  /** Asks for the number of all records beside a page that is read by a cursor: 1, or 0 for none. */
  setTotal(total?: number): this;
  /** Reads the list by a cursor, from `next` or `previous` of a page. Default: the first page. */
  cursor(
    position?: string | null,
  ): ClientQuery<T, { readonly fields: A['fields']; readonly joins: A['joins']; readonly paging: 'cursor' }>;
}
