/** The public shapes of queries, under the names that nestjsx/crud gave them: types, and the enumeration of operators. */

/** Operators as constants; each is the operator's name with a leading `$`. */
export enum CondOperator {
  EQUALS = '$eq',
  NOT_EQUALS = '$ne',
  GREATER_THAN = '$gt',
  LOWER_THAN = '$lt',
  GREATER_THAN_EQUALS = '$gte',
  LOWER_THAN_EQUALS = '$lte',
  STARTS = '$starts',
  ENDS = '$ends',
  CONTAINS = '$cont',
  EXCLUDES = '$excl',
  IN = '$in',
  NOT_IN = '$notin',
  IS_NULL = '$isnull',
  NOT_NULL = '$notnull',
  BETWEEN = '$between',
  EQUALS_LOW = '$eqL',
  NOT_EQUALS_LOW = '$neL',
  GREATER_THAN_LOW = '$gtL',
  LOWER_THAN_LOW = '$ltL',
  GREATER_THAN_EQUALS_LOW = '$gteL',
  LOWER_THAN_EQUALS_LOW = '$lteL',
  STARTS_LOW = '$startsL',
  ENDS_LOW = '$endsL',
  CONTAINS_LOW = '$contL',
  EXCLUDES_LOW = '$exclL',
  IN_LOW = '$inL',
  NOT_IN_LOW = '$notinL',
  BETWEEN_LOW = '$betweenL',
  CONTAINS_ARRAY = '$contArr',
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
  field: string;
  order: QuerySortOperator;
}

/** A {@link QuerySort} as a tuple. */
export type QuerySortArr = [field: string, order: QuerySortOperator];

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

/** {@link SFieldValues} as nestjsx/crud spelt it. */
export type SFiledValues = SFieldValues;

/** Operators and values that all hold for one field; `$or` holds where one of its operators does. */
export type SFieldOperator = {
  [K in Exclude<`${CondOperator}`, '$eq' | '$ne' | '$contArr' | '$intersectsArr'>]?: SFieldValues;
} & {
  $eq?: SFieldValues | null;
  $ne?: SFieldValues | null;
  $contArr?: readonly SFieldValue[];
  $intersectsArr?: readonly SFieldValue[];
  $or?: SFieldOperator;
  $and?: never;
  $not?: never;
};

/** What is asked of one field: a value that it equals, `null` for IS NULL, or operators. */
export type SField = SFieldValue | null | SFieldOperator | { [custom: string]: SFieldValues };

/** Conditions by field, which all hold. */
export interface SFields {
  [key: string]: SField | SCondition | readonly SCondition[] | undefined;
  $or?: SCondition[];
  $and?: SCondition[];
  $not?: SCondition | SCondition[];
}

/** A conjunction. */
export type SConditionAND = {
  $and?: SCondition[];
  $or?: never;
  $not?: never;
};

/** A negation; of several conditions, their conjunction is negated. */
export type SConditionNOT = {
  $not: SCondition | SCondition[];
  $and?: never;
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
  /** Default: `string`. */
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
  /** Names of the parameters; of several, the builder prints the first and the parser reads all. */
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
    /** Prefix of the application's own parameters. Default: `extra.`. */
    extra?: string | string[];
  };
}

/** {@link RequestQueryBuilderOptions} by its shorter name. */
export type QueryLanguageOptions = RequestQueryBuilderOptions;

/** A whole query, for `RequestQueryBuilder.create()`. */
export interface CreateQueryParams {
  fields?: readonly string[];
  search?: SCondition;
  filter?: QueryFilter | QueryFilterArr | Array<QueryFilter | QueryFilterArr>;
  or?: QueryFilter | QueryFilterArr | Array<QueryFilter | QueryFilterArr>;
  join?: QueryJoin | QueryJoinArr | Array<QueryJoin | QueryJoinArr>;
  sort?: QuerySort | QuerySortArr | Array<QuerySort | QuerySortArr>;
  /** Page size, from 1. */
  limit?: number;
  /** Records to skip, from 0. */
  offset?: number;
  /** Page number, from 1. */
  page?: number;
  /** Whether a cached result is passed over and replaced. Default: `false`. */
  resetCache?: boolean;
  /** 1 brings soft-deleted records along. */
  includeDeleted?: number;
}

/** Options of class-transformer: its `ClassTransformOptions`, which is not imported since class-transformer may be missing. */
export interface ClassTransformOptions {
  strategy?: 'excludeAll' | 'exposeAll';
  groups?: string[];
  version?: number;
  excludePrefixes?: string[];
  ignoreDecorators?: boolean;
  // class-transformer's own declaration.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  targetMaps?: { target: Function; properties: { [name: string]: Function } }[];
  enableCircularCheck?: boolean;
  enableImplicitConversion?: boolean;
  excludeExtraneousValues?: boolean;
  exposeDefaultValues?: boolean;
  exposeUnsetFields?: boolean;
}

/**
 * A parsed request, as `@ParsedRequest()` hands it to handlers. The types are those of nestjsx/crud: what was not asked for is undefined all the same
 * (`limit`, `page`, `cache` …), so look before you use it.
 */
export interface ParsedRequestParams<EXTRA = QueryExtra> {
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
  join: QueryJoin[];
  sort: QuerySort[];
  limit: number;
  offset: number;
  page: number;
  cache: number;
  includeDeleted: number;
  extra?: EXTRA;
}
