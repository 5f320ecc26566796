/** Types alone: the paths of an entity's fields, by the kind of their value. */

/** Whether a type is `any`. */
export type IsAny<T> = 0 extends 1 & T ? true : false;

/** What a field may hold, aside from null: lazy relations are promises. */
export type Held<V> = NonNullable<Awaited<NonNullable<V>>>;

/**
 * Kinds of values, which decide the operators that fit. `json` is an object of unknown shape, `relation` an array of
 * objects, `any` may be all of them.
 */
export type FieldKind =
  'text' | 'enum' | 'number' | 'boolean' | 'date' | 'binary' | 'list' | 'json' | 'object' | 'relation' | 'any';

/** The kind of a value; `never` for functions. */
export type KindOf<V> =
  IsAny<V> extends true
    ? 'any'
    : [V] extends [never]
      ? never
      : [V] extends [string]
        ? string extends V
          ? 'text'
          : 'enum'
        : [V] extends [number | bigint]
          ? 'number'
          : [V] extends [boolean]
            ? 'boolean'
            : [V] extends [Date]
              ? 'date'
              : [V] extends [Uint8Array]
                ? 'binary'
                : [V] extends [(...args: never[]) => unknown]
                  ? never
                  : [V] extends [readonly (infer Item)[]]
                    ? KindOf<Held<Item>> extends 'object'
                      ? 'relation'
                      : 'list'
                    : [V] extends [object]
                      ? string extends keyof V
                        ? 'json'
                        : [keyof V] extends [never]
                          ? 'json'
                          : 'object'
                      : 'any';

/** The object behind a relation or embedded object. */
export type Target<V> = V extends readonly (infer Item)[] ? Held<Item> : V;

/** How many relations or embedded objects a path may pass: self relations end there. */
export type Depth = [1, 2];

/**
 * Paths of an entity's values of given kinds.
 *
 * @example
 * type Dates = Paths<User, 'date'>; // 'createdAt' | 'company.createdAt' | …
 */
export type Paths<T, Kind extends FieldKind, D extends readonly unknown[] = Depth> = {
  [P in keyof T & string]-?: PathsAt<P, Held<T[P]>, KindOf<Held<T[P]>>, Kind, D>;
}[keyof T & string];

type PathsAt<P extends string, V, Found extends FieldKind, Kind extends FieldKind, D extends readonly unknown[]> =
  | (Found extends Kind ? P : never)
  | (Found extends 'object' | 'relation'
      ? D extends readonly [unknown, ...infer Rest]
        ? `${P}.${Paths<Target<V>, Kind, Rest>}`
        : never
      : Found extends 'any' | ('relation' extends Kind ? never : 'json')
        ? 'any' extends Kind
          ? `${P}.${string}`
          : never
        : never);

/** The type of the value at a path. */
export type PathValue<T, P extends string> = P extends keyof T
  ? Held<T[P]>
  : P extends `${infer Head}.${infer Rest}`
    ? Head extends keyof T
      ? PathValue<Target<Held<T[Head]>>, Rest>
      : never
    : never;

/** Kinds of values that are columns, or may be. */
export type ColumnKind = Exclude<FieldKind, 'relation'>;

/** Paths of fields. */
export type FieldPath<T> = Paths<T, ColumnKind>;

/** Fields with one value per record: not those behind lists of records. */
export type SingleField<T, D extends readonly unknown[] = Depth> = Exclude<
  Paths<T, ColumnKind, D>,
  `${Paths<T, 'relation', D>}.${string}`
>;

/** Paths of relations; embedded objects look the same to the type system. */
export type RelationPath<T> = Paths<T, 'object' | 'relation' | 'any'>;

/** The entity at the end of a relation's path. */
export type RelationTarget<T, R extends string> = Target<PathValue<T, R>>;

/** Fields of an object of one's own: no relations of relations. */
export type OwnField<T> = Paths<T, ColumnKind, [1]>;

/** Fields of a related object; what an embedded object of it holds is not checked, for the compiler's sake. */
export type DirectField<T> = Paths<T, ColumnKind, []> | `${Paths<T, 'object', []>}.${string}`;

/**
 * Members of an enumeration as the texts that they are in JSON; front ends import an entity as a type, and have nothing
 * else of its enumerations.
 */
export type MemberText<V> = V extends string ? (Record<never, never> extends Record<V, unknown> ? V : `${V}`) : V;
