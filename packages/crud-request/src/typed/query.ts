/** Types alone: the queries that can be asked of an entity; of `any`, the loose shapes of `types`. */
import type {
  CreateQueryParams,
  QueryJoin,
  QueryJoinArr,
  QuerySort,
  QuerySortArr,
  QuerySortOperator,
} from '../types/query.js';
import type { QueryFilter, QueryFilterArr, SCondition } from '../types/conditions.js';
import type { OperatorsByKind, Presence, Spelt, ValuesByKind } from './operators.js';
import type {
  DirectField,
  FieldPath,
  IsAny,
  MemberText,
  Paths,
  PathValue,
  RelationPath,
  RelationTarget,
  SingleField,
} from './paths.js';

/** One, or several. */
export type OneOrMany<T> = T | readonly T[];

type Kind = keyof OperatorsByKind;

/** A condition as object and as tuple. */
type Condition<Field, Operator extends string, Value> = [Field] extends [never]
  ? never
  : [Operator] extends [never]
    ? never
    : | { field: Field; operator: Spelt<Operator>; value: Value }
      | readonly [field: Field, operator: Spelt<Operator>, value: Value];

type ConditionsOn<Field, K extends Kind, Value> =
  | Condition<Field, OperatorsByKind[K]['one'], Value>
  | Condition<Field, OperatorsByKind[K]['text'], string | Value>
  | Condition<Field, OperatorsByKind[K]['list'], readonly Value[]>
  | Condition<Field, OperatorsByKind[K]['two'], readonly [Value, Value]>;

type ConditionsByKind<T> = {
  [K in Exclude<Kind, 'enum'>]: ConditionsOn<Paths<T, K>, K, ValuesByKind[K]>;
}[Exclude<Kind, 'enum'>];

/**
 * Enumerations of an entity and its direct relations take their own members; those farther away any text, for the
 * compiler's sake.
 */
type ConditionsOnEnums<T> =
  | { [P in Paths<T, 'enum', [1]>]: ConditionsOn<P, 'enum', MemberText<PathValue<T, P>>> }[Paths<T, 'enum', [1]>]
  | ConditionsOn<Exclude<Paths<T, 'enum'>, Paths<T, 'enum', [1]>>, 'enum', string>;

type ConditionsOnPresence<T> =
  | { field: FieldPath<T>; operator: Spelt<Presence>; value?: undefined }
  | readonly [field: FieldPath<T>, operator: Spelt<Presence>];

/**
 * A condition on a field of an entity: the operators fit the field's type, the value fits both. `Custom` names
 * operators of the application's own.
 */
export type FilterOf<T, Custom extends string = never> =
  IsAny<T> extends true
    ? QueryFilter | QueryFilterArr
    : | ConditionsByKind<T>
      | ConditionsOnEnums<T>
      | ConditionsOnPresence<T>
      | ([Custom] extends [never] ? never : { field: FieldPath<T>; operator: Custom; value: unknown });

/** A relation of an entity, with the fields of the related entity that are selected. */
export type JoinOf<T, Custom extends string = never> =
  IsAny<T> extends true
    ? QueryJoin | QueryJoinArr
    : {
        [R in RelationPath<T>]:
          | { field: R; select?: readonly SelectedOf<T, R>[]; on?: readonly FilterOf<T, Custom>[] }
          | readonly [field: R, select?: readonly SelectedOf<T, R>[], on?: readonly FilterOf<T, Custom>[]];
      }[RelationPath<T>];

type SelectedOf<T, R extends string> = DirectField<RelationTarget<T, R>>;

/** A field of an entity and a direction. */
export type SortOf<T> =
  IsAny<T> extends true
    ? QuerySort | QuerySortArr
    : { field: SingleField<T>; order: QuerySortOperator } | readonly [field: SingleField<T>, order: QuerySortOperator];

/** Fields of an entity that may be selected. */
export type FieldsOf<T> = IsAny<T> extends true ? readonly string[] : readonly SingleField<T, [1]>[];

type Comparisons<K extends Kind, Value> = {
  [O in OperatorsByKind[K]['one'] as Dollar<O>]?: Value | (O extends 'eq' | 'ne' ? null : never);
} & {
  [O in OperatorsByKind[K]['text'] as Dollar<O>]?: string | Value;
} & {
  [O in OperatorsByKind[K]['list'] as Dollar<O>]?: readonly Value[];
} & {
  [O in OperatorsByKind[K]['two'] as Dollar<O>]?: readonly [Value, Value];
} & Present & { $or?: Comparisons<K, Value> };

type Dollar<Name extends string> = Name | `$${Name}`;

type Present = { [O in Dollar<Presence>]?: boolean };

type SearchByKind<T> = {
  [P in Paths<T, 'text'>]?: string | null | Comparisons<'text', ValuesByKind['text']>;
} & {
  [P in Paths<T, 'number'>]?: number | bigint | null | Comparisons<'number', ValuesByKind['number']>;
} & {
  [P in Paths<T, 'boolean'>]?: boolean | null | Comparisons<'boolean', ValuesByKind['boolean']>;
} & {
  [P in Paths<T, 'date'>]?: Date | string | null | Comparisons<'date', ValuesByKind['date']>;
} & {
  [P in Paths<T, 'enum'>]?: MemberText<PathValue<T, P>> | null | Comparisons<'enum', MemberText<PathValue<T, P>>>;
} & {
  [P in Paths<T, 'list'>]?: null | Comparisons<'list', ValuesByKind['list']>;
} & {
  [P in Paths<T, 'any'>]?: ValuesByKind['any'] | null | Comparisons<'any', ValuesByKind['any']>;
} & {
  [P in Paths<T, 'binary' | 'json' | 'object'>]?: null | Present;
};

/** A search condition on an entity. */
export type SearchOf<T, Custom extends string = never> =
  IsAny<T> extends true
    ? SCondition
    : [Custom] extends [never]
      ? TypedSearch<T>
      : // Operators of the application's own take any field and any value.
        SCondition;

type TypedSearch<T> = SearchByKind<T> & {
  $and?: readonly TypedSearch<T>[];
  $or?: readonly TypedSearch<T>[];
  $not?: OneOrMany<TypedSearch<T>>;
};

/** A whole query on an entity. */
export type QueryParamsOf<T, Custom extends string = never> =
  IsAny<T> extends true
    ? CreateQueryParams
    : Pick<
        CreateQueryParams,
        'limit' | 'offset' | 'page' | 'resetCache' | 'includeDeleted' | 'cursor' | 'total' | 'format'
      > & {
        fields?: FieldsOf<T>;
        search?: SearchOf<T, Custom>;
        filter?: OneOrMany<FilterOf<T, Custom>>;
        or?: OneOrMany<FilterOf<T, Custom>>;
        join?: OneOrMany<JoinOf<T, Custom>>;
        sort?: OneOrMany<SortOf<T>>;
      };
