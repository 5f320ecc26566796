/** Types alone: records as answers have them. Dates, bigints and decimals are texts in JSON. */
import type { MemberText } from '@nestwright/crud-request';

export type IsAny<T> = 0 extends 1 & T ? true : false;

type Callable = (...args: never[]) => unknown;

/** What a property may hold, aside from null: lazy relations are promises. */
type Held<V> = NonNullable<Awaited<NonNullable<V>>>;

/** A value as JSON has it. */
export type Printed<V> =
  IsAny<V> extends true
    ? V
    : V extends string | number | boolean
      ? MemberText<V>
      : V extends Date | bigint
        ? string
        : V extends Promise<infer Item>
          ? Printed<Item>
          : V extends Uint8Array
            ? unknown
            : V extends readonly (infer Item)[]
              ? Printed<Item>[]
              : V extends object
                ? { [K in keyof V as V[K] extends Callable ? never : K]: Printed<V[K]> }
                : V;

/** A column: what may be left out of an object is null in an answer. */
type Column<V> = Printed<Exclude<V, undefined>> | (undefined extends V ? null : never);

/** Embedded objects and to-one relations look the same to the type system. */
type Kind<V> =
  IsAny<V> extends true
    ? 'column'
    : Held<V> extends string | number | boolean | bigint
      ? 'column'
      : V extends Callable
        ? 'method'
        : Held<V> extends Date | Uint8Array
          ? 'column'
          : Held<V> extends readonly (infer Item)[]
            ? Held<Item> extends Date | Uint8Array
              ? 'column'
              : Held<Item> extends object
                ? 'list'
                : 'column'
            : Held<V> extends object
              ? string extends keyof Held<V>
                ? 'column'
                : [keyof Held<V>] extends [never]
                  ? 'column'
                  : 'object'
              : 'column';

export type Simple<V> = { [K in keyof V]: V[K] };

/**
 * All that a record has of its own. What may be an embedded object or a relation is optional: the answer has it if it
 * is embedded.
 */
type Whole<T, But> = {
  [K in keyof T as K extends But ? never : Kind<T[K]> extends 'column' ? K : never]-?: Column<T[K]>;
} & {
  [K in keyof T as K extends But ? never : Kind<T[K]> extends 'object' ? K : never]?: Printed<Held<T[K]>> | null;
};

type Head<F extends string> = F extends `${infer First}.${string}` ? First : never;
type Below<F extends string, First extends string> = F extends `${First}.${infer Rest}` ? Rest : never;

/** The fields that were selected, by their paths. */
type Selected<T, F extends string> = { [K in keyof T as K extends F ? K : never]-?: Column<T[K]> } & {
  [K in Head<F> & keyof T]: Simple<Selected<Held<T[K]>, Below<F, K & string>>> | (null extends T[K] ? null : never);
};

/** The relations of a join and what is selected of each: its fields, or `true` for all. */
export type Joins = Readonly<Record<string, string | true>>;

type JoinedBelow<J, K extends string> = { [P in keyof J as P extends `${K}.${infer Rest}` ? Rest : never]: J[P] };

type Related<V, S, J> = Simple<
  ([S] extends [string] ? Selected<V, S | ('id' extends keyof V ? 'id' : never)> : Whole<V, keyof J>) & Joined<V, J>
>;

/** Joined relations: lists, or a record or null. */
type Joined<T, J> = {
  [K in keyof T as K extends keyof J ? K : never]-?: K extends keyof J
    ? Held<T[K]> extends readonly (infer Item)[]
      ? Related<Held<Item>, J[K], JoinedBelow<J, K & string>>[]
      : Related<Held<T[K]>, J[K], JoinedBelow<J, K & string>> | null
    : never;
};

/** The record that a query is answered with: its selected fields, or all but hidden ones; its key; what is joined. */
export type RecordOf<T, Key extends string, Hidden, F extends string, J> =
  IsAny<T> extends true
    ? // Of any entity, any record.
      any
    : Simple<([F] extends [never] ? Whole<T, Hidden | keyof J> : Selected<T, F | Key>) & Joined<T, J>>;

type Given<V> =
  IsAny<V> extends true
    ? V
    : V extends string | number | boolean
      ? MemberText<V>
      : V extends Date
        ? Date | string
        : V extends bigint
          ? bigint | number | string
          : V extends Promise<infer Item>
            ? Given<Item>
            : V extends Uint8Array
              ? unknown
              : V extends readonly (infer Item)[]
                ? readonly (Item extends object ? Given<Item> | string | number : Given<Item>)[]
                : V extends object
                  ? string extends keyof V
                    ? V
                    : Body<V> | string | number
                  : V;

/** A body: columns, embedded objects, links to related records by their keys, or nested records. */
export type Body<T> =
  IsAny<T> extends true
    ? Record<string, unknown>
    : { [K in keyof T as T[K] extends Callable ? never : K]?: Given<T[K]> | (undefined extends T[K] ? null : never) };

/** A body of a creation, with the columns that it may conflict on. */
export type NewBody<T, Conflict> = unknown extends Conflict
  ? Body<T>
  : Body<T> & { readonly [K in keyof Body<T> as K extends Conflict ? K : never]-?: NonNullable<Body<T>[K]> };

/**
 * An entity as generators of types make it of an OpenAPI document, where each property may be missing, since a query may
 * not select it.
 *
 * @example
 * const users = crudClient<Described<components['schemas']['UserResponseDto']>>()('/users');
 */
export type Described<T> = T extends readonly (infer Item)[]
  ? Described<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [K in keyof T]-?: Described<T[K]> }
    : T;
