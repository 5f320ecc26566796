/** Conditions: the tree that `s` carries, and the single comparison of `filter` and `or`. */
import type { ComparisonOperator, CondOperator } from './operators.js';

/** A condition on one field. */
export interface QueryFilter {
  /** Field path: `name`, `name.first`, `company.name`. */
  field: string;
  /** With or without `$`: `$eq`, `eq`. */
  operator: ComparisonOperator;
  /**
   * One value, a list or a pair, as the operator takes it. In a parsed request each is what its text says: a number,
   * boolean, null, `Date` or text; from `parseQuery`, the text itself.
   */
  // What a field may hold is known to the column alone, and existing code reads this without narrowing.
  value?: any;
}

/** A {@link QueryFilter} as a tuple. */
// The value is as in `QueryFilter`.
export type QueryFilterArr = [field: string, operator: ComparisonOperator, value?: any];

/** What JSON can say of one value, `null` aside. */
export type SPrimitivesVal = string | number | boolean;

/** One value of a condition; the last three only in conditions that the server itself writes. */
export type SFieldValue = SPrimitivesVal | Date | bigint | Uint8Array;

/** The value of an operator. */
export type SFieldValues = SFieldValue | readonly SFieldValue[];

/** @deprecated nestjsx/crud's spelling: use {@link SFieldValues}. */
export type SFiledValues = SFieldValues;

/** Operators and values that all hold for one field; `$or` holds if one of its operators does. */
export type SFieldOperator = {
  [K in Exclude<`${CondOperator}`, '$eq' | '$ne' | '$contArr' | '$intersectsArr'>]?: SFieldValues;
} & {
  /** Equal; `null` for IS NULL. */
  $eq?: SFieldValues | null;
  /** Not equal; `null` for IS NOT NULL. */
  $ne?: SFieldValues | null;
  /** The array has all of them. */
  $contArr?: readonly SFieldValue[];
  /** The array has any of them. */
  $intersectsArr?: readonly SFieldValue[];
  /** One of these operators holds. */
  $or?: SFieldOperator;
  /** Not here: operators of one field all hold. */
  $and?: never;
  /** Not here: negate the whole condition. */
  $not?: never;
};

/** What is asked of one field: a value that it equals, `null` for IS NULL, or operators. */
export type SField = SFieldValue | null | SFieldOperator | { [custom: string]: SFieldValues };

/** Conditions by field, which all hold. */
export interface SFields {
  [key: string]: SField | SCondition | readonly SCondition[] | undefined;
  /** One of these holds. */
  $or?: SCondition[];
  /** All of these hold. */
  $and?: SCondition[];
  /** This does not hold; of several, not all hold. */
  $not?: SCondition | SCondition[];
}

/** A conjunction. */
export type SConditionAND = {
  /** All of these hold. */
  $and?: SCondition[];
  /** Not in this form; {@link SFields} has both. */
  $or?: never;
  /** Not in this form; {@link SFields} has both. */
  $not?: never;
};

/** A negation; of several conditions, their conjunction is negated. */
export type SConditionNOT = {
  /** This does not hold; of several, not all hold. */
  $not: SCondition | SCondition[];
  /** Not in this form; {@link SFields} has both. */
  $and?: never;
  /** Not in this form; {@link SFields} has both. */
  $or?: never;
};

/** Keys of a search condition that are no fields. */
export type SConditionKey = '$and' | '$or' | '$not';

/**
 * A search condition, as the parameter `s` carries it in JSON.
 *
 * @example
 * const adults: SCondition = { age: { $gte: 18 }, $or: [{ role: 'admin' }, { isActive: true }] };
 */
export type SCondition = SFields | SConditionAND | SConditionNOT;
