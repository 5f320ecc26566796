/** The public shapes of queries, under the names that nestjsx/crud gave them: types, and the enumeration of operators. */

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

/** An object of whatever content. */
// The application's own values.
export type ObjectLiteral = { [key: string]: any };

/** A class that can be instantiated, whatever its constructor takes. */
// A constructor's parameters are its own.
export type ClassType<T> = { new (...parameters: any[]): T };

/** Names of fields. */
export type QueryFields = string[];

/** A condition on one field. */
export interface QueryFilter {
  /** Field path: `name`, `name.first`, `company.name`. */
  field: string;
  /** With or without `$`: `$eq`, `eq`. */
  operator: ComparisonOperator;
  /** One value, a list or a pair, as the operator takes it. In a parsed request each is what its text says: a number, boolean, null, `Date` or text; from `parseQuery`, the text itself. */
  // What a field may hold is known to the column alone, and existing code reads this without narrowing.
  value?: any;
}

/** A {@link QueryFilter} as a tuple. */
export type QueryFilterArr = [field: string, operator: ComparisonOperator, value?: any];

/** A relation that is to be joined. */
export interface QueryJoin {
  /** Relation path: `company`, `company.projects`. */
  field: string;
  /** Fields of the relation that are returned. Default: all. */
  select?: QueryFields;
  /** Conditions that stand in the ON clause. Default: none. */
  on?: QueryFilter[];
}

/** A {@link QueryJoin} as a tuple. */
export type QueryJoinArr = [field: string, select?: QueryFields, on?: QueryFilter[]];

/** Direction of a sort. */
export type QuerySortOperator = 'ASC' | 'DESC';

/** A field that records are sorted by. */
export interface QuerySort {
  /** Field path: `name`, `company.name`. */
  field: string;
  /** `ASC` or `DESC`. */
  order: QuerySortOperator;
}

/** A {@link QuerySort} as a tuple. */
export type QuerySortArr = [field: string, order: QuerySortOperator];

/** Parts of a calendar, in UTC, by which moments and dates are grouped; weeks are those of ISO 8601. */
export type DateUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** What is computed of the records of a group. */
export type AggregateFunction = 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max';

/** A field by which records are grouped. */
export interface QueryGroup {
  /** Field path: `role`, `company.name`. */
  field: string;
  /** Part of the calendar, of a moment or date. Default: the value itself. */
  unit?: DateUnit;
  /** Its key in the rows of the answer. */
  name: string;
}

/** What is computed of each group. */
export interface QueryAggregate {
  /** `count`, `countDistinct`, `sum`, `avg`, `min` or `max`. */
  function: AggregateFunction;
  /** Field path, or `*` for the records themselves, which can be counted. */
  field: string;
  /** Its key in the rows of the answer. */
  name: string;
}

/** What an application sends beside the query language (parameters starting with `extra.`), as nested objects. */
// The application's own shape.
export type QueryExtra = any;

/** An operator with or without `$`, its `L` twin, or one of the application's own. */
export type ComparisonOperator = `${CondOperator}` | WithoutDollar<`${CondOperator}`> | (string & {});

type WithoutDollar<T extends string> = T extends `$${infer Name}` ? Name : never;

/** What JSON can say of one value, `null` aside. */
export type SPrimitivesVal = string | number | boolean;

/** One value of a condition; the last three only in conditions that the server itself writes. */
export type SFieldValue = SPrimitivesVal | Date | bigint | Uint8Array;

/** The value of an operator. */
export type SFieldValues = SFieldValue | readonly SFieldValue[];

/** @deprecated nestjsx/crud's spelling: use {@link SFieldValues}. */
export type SFiledValues = SFieldValues;

/** Operators and values that all hold for one field; `$or` holds where one of its operators does. */
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

/** How the text of a path parameter is checked: a decimal number, anything, or a UUID. */
export type ParamOptionType = 'number' | 'string' | 'uuid';

/** What becomes of one path parameter. */
export interface ParamOption {
  /** Record field that must equal it. Default: the parameter's name. */
  field?: string;
  /** How its text is checked and documented. Default: `string`. */
  type?: ParamOptionType;
  /** Enumeration, or list of the values that are accepted. Default: all. */
  enum?: Readonly<Record<string, string | number>> | readonly (string | number)[];
  /** Whether it names the record on single-record routes. Default: `false`. */
  primary?: boolean;
  /** Whether it takes no part in queries. Default: `false`. */
  disabled?: boolean;
}

/** Path parameters by name. */
export interface ParamsOptions {
  [name: string]: ParamOption;
}

/** SQL of an operator of the application's own: `column` and `param` are SQL made by the adapter, never text of a client. */
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

/** Delimiters and parameter names of the query language. What is left out keeps its default. */
export interface RequestQueryBuilderOptions {
  /** Between field, operator and value. Default: `||`. */
  delim?: string;
  /** Between the items of a list. Default: `,`. */
  delimStr?: string;
  /** How the builder prints a list: `repeat` its key (`filter=a&filter=b`) or number it as nestjsx/crud's did, `indices` (`filter[0]=a`). Default: `repeat`. */
  arrayFormat?: 'repeat' | 'indices';
  /** Names of the parameters; of several, the builder prints the first and the parser reads all. Default: as each says. */
  paramNamesMap?: {
    /** Default: `fields`, `select`. */
    fields?: string | string[];
    /** Default: `s`. */
    search?: string | string[];
    /** Default: `filter`. */
    filter?: string | string[];
    /** Default: `or`. */
    or?: string | string[];
    /** Default: `join`. */
    join?: string | string[];
    /** Default: `sort`. */
    sort?: string | string[];
    /** Default: `limit`, `per_page`. */
    limit?: string | string[];
    /** Default: `offset`. */
    offset?: string | string[];
    /** Default: `page`. */
    page?: string | string[];
    /** Default: `cache`. */
    cache?: string | string[];
    /** Default: `includeDeleted`, `include_deleted`. */
    includeDeleted?: string | string[];
    /** Default: `cursor`. */
    cursor?: string | string[];
    /** Default: `total`. */
    total?: string | string[];
    /** Default: `format`. */
    format?: string | string[];
    /** Default: `groupBy`. */
    groupBy?: string | string[];
    /** Default: `aggregate`. */
    aggregate?: string | string[];
    /** Default: `having`. */
    having?: string | string[];
    /** Prefix of the application's own parameters. Default: `extra.`. */
    extra?: string | string[];
  };
}

/** {@link RequestQueryBuilderOptions} by its shorter name. */
export type QueryLanguageOptions = RequestQueryBuilderOptions;

/** A whole query, for `RequestQueryBuilder.create()`. */
export interface CreateQueryParams {
  /** Fields of the root. Default: all. */
  fields?: readonly string[];
  /** Condition for `s`; `filter` and `or` are not printed beside it. Default: none. */
  search?: SCondition;
  /** One condition or several. Default: none. */
  filter?: QueryFilter | QueryFilterArr | Array<QueryFilter | QueryFilterArr>;
  /** One alternative or several. Default: none. */
  or?: QueryFilter | QueryFilterArr | Array<QueryFilter | QueryFilterArr>;
  /** One relation or several. Default: none. */
  join?: QueryJoin | QueryJoinArr | Array<QueryJoin | QueryJoinArr>;
  /** One sort field or several. Default: none. */
  sort?: QuerySort | QuerySortArr | Array<QuerySort | QuerySortArr>;
  /** Page size, from 1. Default: none. */
  limit?: number;
  /** Records to skip, from 0. Default: none. */
  offset?: number;
  /** Page number, from 1. Default: none. */
  page?: number;
  /** Whether a cached result is ignored and replaced. Default: `false`. */
  resetCache?: boolean;
  /** 1 brings soft-deleted records along. Default: 0. */
  includeDeleted?: number;
  /** Position that the list goes on from: `next` or `previous` of a page, empty for the first one. Default: none, the list is not read by cursors. */
  cursor?: string;
  /** 1 counts the records of a list that is read by a cursor. Default: 0. */
  total?: number;
  /** Format that the whole list is asked for in: `ndjson`, `csv`. Default: none, a list or page as JSON. */
  format?: 'ndjson' | 'csv';
}

/** Options of class-transformer: its `ClassTransformOptions`, which is not imported since class-transformer may be missing. */
export interface ClassTransformOptions {
  /** Which properties leave: those with `@Expose()`, or all without `@Exclude()`. Default: `exposeAll`. */
  strategy?: 'excludeAll' | 'exposeAll';
  /** Groups of `@Expose()` and `@Exclude()`. Default: none. */
  groups?: string[];
  /** Version for `since` and `until` of `@Expose()`. Default: none. */
  version?: number;
  /** Properties whose names begin so are left out. Default: none. */
  excludePrefixes?: string[];
  /** Whether decorators are ignored. Default: `false`. */
  ignoreDecorators?: boolean;
  /** Classes of nested objects by property. Default: those of `@Type()`. */
  // class-transformer's own declaration.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  targetMaps?: { target: Function; properties: { [name: string]: Function } }[];
  /** Whether circular references are left out. Default: `false`. */
  enableCircularCheck?: boolean;
  /** Whether values are converted to the declared type of their property. Default: `false`. */
  enableImplicitConversion?: boolean;
  /** Whether only properties with `@Expose()` or `@Exclude()` are taken. Default: `false`. */
  excludeExtraneousValues?: boolean;
  /** Whether properties that the input lacks keep the defaults of the class. Default: `false`. */
  exposeDefaultValues?: boolean;
  /** Whether properties of value undefined are taken. Default: `true`. */
  exposeUnsetFields?: boolean;
}

/**
 * A parsed request, as `@ParsedRequest()` hands it to handlers. The types are those of nestjsx/crud: what was not asked for is undefined anyway
 * (`limit`, `page`, `cache` …), so look before you use it.
 */
export interface ParsedRequestParams<EXTRA = QueryExtra> {
  /** Fields of the root; empty: all. */
  fields: QueryFields;
  /** Conditions of the path parameters. */
  paramsFilter: QueryFilter[];
  /** Values that are written into every record. */
  authPersist: ObjectLiteral;
  /**
   * Which related records are in reach, as `@CrudAuth.relations` says for this request: conditions by relation path from the root entity. Each holds wherever that relation of
   * that entity is reached; `false` and `{}` leave all related records in reach, undefined leaves none. Default: all related records are in reach.
   */
  authRelations?: Readonly<Record<string, SCondition | false | undefined>>;
  /** Options of class-transformer for the response. */
  classTransformOptions: ClassTransformOptions;
  /** The condition that is executed, with values typed as in `filter`; straight from the parser, the client's `s`. */
  search: SCondition;
  /** The client's `filter`, for information; values are what their texts say. */
  filter: QueryFilter[];
  /** The client's `or`, for information; values are what their texts say. */
  or: QueryFilter[];
  /** Relations that are joined. */
  join: QueryJoin[];
  /** Sort fields, the first one first; empty: the order of the options. */
  sort: QuerySort[];
  /** Page size, from 1. */
  limit: number;
  /** Records to skip, from 0. */
  offset: number;
  /** Page number, from 1. */
  page: number;
  /** 0 passes a cached result over and replaces it. */
  cache: number;
  /** 1 brings soft-deleted records along. */
  includeDeleted: number;
  /** Where `query.cursor` is on: the position that the list goes on from, as a page has named it; empty for the first page. Default: none, the list is not read by cursors. */
  cursor?: string;
  /** 1 counts the records of a list that is read by a cursor. */
  total?: number;
  /** Where `query.export` is on: the format that the whole list is answered in, as `format` or the header `Accept` asks. Default: none, a list or page as JSON. */
  format?: string;
  /** Of a request for aggregates: what records are grouped by. Default: all records are one group. */
  groupBy?: QueryGroup[];
  /** Of a request for aggregates: what is computed of each group. Default: nothing, the groups alone are listed. */
  aggregate?: QueryAggregate[];
  /** Of a request for aggregates: conditions on the rows of the answer, by their keys, which all hold; values are texts. Default: none. */
  having?: QueryFilter[];
  /** What the application's clients send beside the query language. */
  extra?: EXTRA;
}
