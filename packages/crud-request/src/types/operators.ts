/** How operators are called, and what an application's own ones are made of. */

/** Operators as constants; each is the operator's name with a leading `$`. */
export enum CondOperator {
  /** Equal. */
  EQUALS = '$eq',
  /** Not equal; records without a value do not match. */
  NOT_EQUALS = '$ne',
  /** Greater. */
  GREATER_THAN = '$gt',
  /** Less. */
  LOWER_THAN = '$lt',
  /** Greater or equal. */
  GREATER_THAN_EQUALS = '$gte',
  /** Less or equal. */
  LOWER_THAN_EQUALS = '$lte',
  /** The text begins with the value. */
  STARTS = '$starts',
  /** The text ends with the value. */
  ENDS = '$ends',
  /** The text contains the value. */
  CONTAINS = '$cont',
  /** The text does not contain the value. */
  EXCLUDES = '$excl',
  /** One of a list. */
  IN = '$in',
  /** None of a list. */
  NOT_IN = '$notin',
  /** Has no value. Takes none. */
  IS_NULL = '$isnull',
  /** Has a value. Takes none. */
  NOT_NULL = '$notnull',
  /** Between two values, both included. */
  BETWEEN = '$between',
  /** As `$eq`, ignoring case. */
  EQUALS_LOW = '$eqL',
  /** As `$ne`, ignoring case. */
  NOT_EQUALS_LOW = '$neL',
  /** As `$gt`, ignoring case. */
  GREATER_THAN_LOW = '$gtL',
  /** As `$lt`, ignoring case. */
  LOWER_THAN_LOW = '$ltL',
  /** As `$gte`, ignoring case. */
  GREATER_THAN_EQUALS_LOW = '$gteL',
  /** As `$lte`, ignoring case. */
  LOWER_THAN_EQUALS_LOW = '$lteL',
  /** As `$starts`, ignoring case. */
  STARTS_LOW = '$startsL',
  /** As `$ends`, ignoring case. */
  ENDS_LOW = '$endsL',
  /** As `$cont`, ignoring case. */
  CONTAINS_LOW = '$contL',
  /** As `$excl`, ignoring case. */
  EXCLUDES_LOW = '$exclL',
  /** As `$in`, ignoring case. */
  IN_LOW = '$inL',
  /** As `$notin`, ignoring case. */
  NOT_IN_LOW = '$notinL',
  /** As `$between`, ignoring case. */
  BETWEEN_LOW = '$betweenL',
  /** The array has all of a list. */
  CONTAINS_ARRAY = '$contArr',
  /** The array has any of a list. */
  INTERSECTS_ARRAY = '$intersectsArr',
}

/** An operator with or without `$`, its `L` variant, or one of the application's own. */
export type ComparisonOperator = `${CondOperator}` | WithoutDollar<`${CondOperator}`> | (string & {});

type WithoutDollar<T extends string> = T extends `$${infer Name}` ? Name : never;

/**
 * SQL of an operator of the application's own: `column` and `param` are SQL made by the adapter, never text of a
 * client.
 */
export type CustomOperatorQuery = (column: string, param: string) => string;

/** Operators of the application's own by name, exactly as clients spell it. */
export interface CustomOperators {
  [name: string]: {
    /** Whether the value is a list. Default: `false`. */
    isArray?: boolean;
    /** Makes the SQL; the query language itself does not read it. */
    query?: CustomOperatorQuery;
  };
}
