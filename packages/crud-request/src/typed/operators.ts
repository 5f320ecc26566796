/**
 * Spellings of operators by the kind of field they fit: types alone, held equal to the table of operators by a test.
 */
import type { CondOperator } from '../types/operators.js';

/** A name with and without `$`, and its constant. */
export type Spelt<Name extends string> = Name | `$${Name}` | ConstantOf<`$${Name}`>;

type ConstantOf<Spelling extends string> = {
  [Key in keyof typeof CondOperator]: `${(typeof CondOperator)[Key]}` extends Spelling
    ? (typeof CondOperator)[Key]
    : never;
}[keyof typeof CondOperator];

/** A name with and without the `L` that folds case. */
type Folding<Name extends string> = Name | `${Name}L`;

export type Equality = 'eq' | 'ne';
export type Order = 'gt' | 'lt' | 'gte' | 'lte';
export type Text = 'starts' | 'ends' | 'cont' | 'excl';
export type Membership = 'in' | 'notin';
export type Presence = 'isnull' | 'notnull';
export type ArrayOperator = 'contArr' | 'intersectsArr';

/**
 * Operators by kind of field and by what they take: `one` value, one `text` if the field is none, a `list`, or `two`.
 * Every kind also takes {@link Presence}.
 */
export interface OperatorsByKind {
  text: { one: Folding<Equality | Order | Text>; text: never; list: Folding<Membership>; two: Folding<'between'> };
  enum: { one: Folding<Equality>; text: Folding<Order | Text>; list: Folding<Membership>; two: never };
  number: { one: Folding<Equality | Order>; text: Folding<Text>; list: Folding<Membership>; two: Folding<'between'> };
  boolean: { one: Equality; text: never; list: Membership; two: never };
  date: { one: Equality | Order; text: never; list: Membership; two: 'between' };
  list: { one: never; text: never; list: ArrayOperator; two: never };
  any: {
    one: Folding<Equality | Order | Text>;
    text: never;
    list: Folding<Membership> | ArrayOperator;
    two: Folding<'between'>;
  };
}

/** The values that a kind of field is compared with; an enumeration's come from the field itself. */
export interface ValuesByKind {
  text: string;
  enum: string;
  number: number | bigint;
  boolean: boolean;
  date: Date | string;
  list: string | number | boolean;
  any: string | number | bigint | boolean | Date;
}
