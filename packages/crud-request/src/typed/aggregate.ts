/** Types alone: groups and functions of an entity, and the rows that an answer has for them. */
import type { AggregateFunction, DateUnit, QuerySortOperator } from '../types/query.js';
import type { QueryFilter, QueryFilterArr } from '../types/conditions.js';
import type { Equality, Membership, Order, Presence, Spelt } from './operators.js';
import type { ColumnKind, FieldPath, IsAny, MemberText, Paths, PathValue } from './paths.js';

type Field<T> = IsAny<T> extends true ? string : FieldPath<T>;
type OfKind<T, Kind extends ColumnKind> = IsAny<T> extends true ? string : Paths<T, Kind>;
type Moment<T> = OfKind<T, 'date' | 'text' | 'any'>;

/** What records are grouped by: a field, or a moment's or date's part of the calendar. */
export type GroupTerm<T> = Field<T> | `${Moment<T>}:${DateUnit}`;

/** A group, alone or with the key that its value has in the rows. */
export type GroupOf<T> = GroupTerm<T> | readonly [group: GroupTerm<T>, name?: string];

/** A function, its field and the key that its value has in the rows. */
export type AggregateOf<T> =
  | readonly [function: 'count', field: '*', name?: string]
  | readonly [function: 'count' | 'countDistinct', field: Field<T>, name?: string]
  | readonly [function: 'sum' | 'avg', field: OfKind<T, 'number' | 'text' | 'any'>, name?: string]
  | readonly [function: 'min' | 'max', field: OfKind<T, 'number' | 'text' | 'date' | 'any'>, name?: string];

/** A value as JSON has it. */
type Printed<V> =
  IsAny<V> extends true ? V : V extends Date | bigint ? string : V extends object ? unknown : MemberText<V>;

/** The value of a path, null if it may be missing: if it may be null itself, or is behind a relation. */
type GroupValue<T, P extends string> =
  IsAny<T> extends true
    ? unknown
    : P extends keyof T
      ? Printed<Exclude<T[P], undefined>> | (undefined extends T[P] ? null : never)
      : P extends `${string}:${DateUnit}`
        ? string | null
        : Printed<PathValue<T, P>> | null;

type FunctionValue<T, F extends AggregateFunction, P extends string> = F extends 'count' | 'countDistinct'
  ? number
  : | (IsAny<T> extends true ? unknown : F extends 'sum' | 'avg' ? Total<PathValue<T, P>> : Printed<PathValue<T, P>>)
    | null;

/** Bigints and decimals, whose properties are texts, are added up as texts. */
type Total<V> = IsAny<V> extends true ? number | string : V extends number ? number : string;

/** The entry of a group in the rows. */
export type GroupEntry<T, G> = G extends readonly [infer Term extends string, infer Name extends string]
  ? { [K in Name]: GroupValue<T, Term> }
  : G extends string | readonly [string]
    ? { [K in G extends readonly [infer Term extends string] ? Term : G & string]: GroupValue<T, K> }
    : unknown;

/** The entry of a function in the rows. */
export type FunctionEntry<T, A> = A extends readonly [
  infer F extends AggregateFunction,
  infer P extends string,
  infer Name extends string,
]
  ? { [K in Name]: FunctionValue<T, F, P> }
  : A extends readonly [infer F extends AggregateFunction, infer P extends string]
    ? { [K in P extends '*' ? F : `${F}_${P}`]: FunctionValue<T, F, P> }
    : unknown;

/** The entries of several groups or functions together. */
export type All<Entries> = (Entries extends unknown ? (entry: Entries) => void : never) extends (all: infer Row) => void
  ? Row
  : never;

type Key<Row> = keyof Row & string;

/** A condition on the rows of an answer, by their keys. */
export type HavingOf<Row> = [Key<Row>] extends [never]
  ? QueryFilter | QueryFilterArr
  : | Condition<Key<Row>, Equality | Order, string | number | bigint | boolean>
    | Condition<Key<Row>, Membership, readonly (string | number | bigint)[]>
    | Condition<Key<Row>, 'between', readonly [string | number | bigint, string | number | bigint]>
    | { field: Key<Row>; operator: Spelt<Presence>; value?: undefined }
    | readonly [field: Key<Row>, operator: Spelt<Presence>];

type Condition<Field, Operator extends string, Value> =
  | { field: Field; operator: Spelt<Operator>; value: Value }
  | readonly [field: Field, operator: Spelt<Operator>, value: Value];

/** A key of the rows of an answer, and a direction. */
export type RowSort<Row> =
  { field: Key<Row>; order: QuerySortOperator } | readonly [field: Key<Row>, order: QuerySortOperator];

/**
 * The rows that a builder's request for aggregates is answered with.
 *
 * @example
 * const query = RequestQueryBuilder.create<User>().groupBy('role').aggregate(['avg', 'age']);
 * type Row = AggregateRow<typeof query>; // { role: string; avg_age: number | null }
 */
export type AggregateRow<Builder> = Builder extends { readonly row?: infer Row }
  ? { [K in keyof NonNullable<Row>]: NonNullable<Row>[K] }
  : never;
