/** Types alone: the names of fields and relations that the options of an entity's resource may hold. */
import type {
  FieldPath,
  OwnField,
  ParamOption,
  QueryFilter,
  QuerySort,
  SCondition,
  SFields,
} from '@nestwright/crud-request';

/** Whether a type does not describe an entity's fields: `any`, `unknown`, an empty class, an index signature. */
export type Untyped<T> = [keyof T] extends [never] ? true : string extends keyof T ? true : false;

/** A path of more than two relations, checked at start-up only: deeper types would slow the compiler down. */
export type DeepPath = `${string}.${string}.${string}.${string}`;

/** Any text. Beside it, unlike beside `string`, the names of fields stay in a union. */
type Text = string & {};

/** What {@link FieldName} takes beside the entity's fields by default. */
export type Unchecked<T> = Untyped<T> extends true ? string : never;

/**
 * Path of a field, by which records are filtered and sorted. Of an entity whose type says nothing of its fields: any
 * text. `Other` passes as well.
 *
 * @example
 * const field: FieldName<User> = 'company.name';
 */
export type FieldName<T, Other extends string = never> =
  Other | (Untyped<T> extends true ? Text : FieldPath<T> | DeepPath);

/**
 * `string` if it was inferred, which is all that the compiler knows of computed names; they are left to the check at
 * start-up.
 */
export type Computed<Name extends string> = string extends Name ? Name : never;

/**
 * Names of fields of the entity itself, embedded ones by path: a list of literals, which the compiler checks, or a list
 * that was computed. (To the compiler, relations to one record look embedded.)
 */
export type OwnFieldNames<T> =
  Untyped<T> extends true
    ? readonly string[]
    : readonly (OwnField<T> | `${string}.${string}.${string}`)[] | ComputedNames;

/**
 * Names of fields of the entity and of its relations: a list of literals, which the compiler checks, or a list that was
 * computed.
 */
export type FieldNames<T, Other extends string = never> =
  Untyped<T> extends true ? readonly string[] : readonly FieldName<T, Other>[] | ComputedNames;

/**
 * A list of `string`. A list of names is none: it cannot be asked whether it includes the empty text. (Parameters of
 * `''` and of names fit in neither direction, so that it holds without `strictFunctionTypes`.)
 */
interface ComputedNames {
  readonly includes: (text: '') => boolean;
}

/** What names a field in its property `field`, of an entity. */
type Naming<Shape extends { field?: string }, T, Other extends string> = Omit<Shape, 'field'> & {
  [Key in keyof Pick<Shape, 'field'>]: FieldName<T, Other>;
};

/** A field of an entity and a direction. */
export type SortOption<T, Other extends string = never> = Naming<QuerySort, T, Other>;

/** A condition on a field of an entity. */
export type FilterOption<T, Other extends string = never> = Naming<QueryFilter, T, Other>;

/** Path parameters by name, with the fields of an entity that they equal. */
export type ParamsOf<T, Other extends string = never> = Record<string, Naming<ParamOption, T, Other>>;

/** A condition on an entity. Its values are checked where it is executed. */
export type ConditionOf<T> =
  Untyped<T> extends true
    ? SCondition
    : { [Field in FieldName<T>]?: SFields[string] } & {
        $and?: readonly ConditionOf<T>[];
        $or?: readonly ConditionOf<T>[];
        $not?: ConditionOf<T> | readonly ConditionOf<T>[];
      };

/**
 * Replaces a type that depends on a type parameter, as in the factory of a base controller: `never` as soon as the
 * parameter is known. (A conditional type that cannot be decided yet takes what both of its branches take; of `never`
 * it is `never`.)
 */
export type WhileGeneric<T, Instead> = Either<T extends unknown ? never : never, Instead>;
type Either<Undecided, Instead> = Undecided extends unknown ? Instead : Instead;
