/** How the query language is spelt. */

/** Delimiters and parameter names of the query language. What is left out keeps its default. */
export interface RequestQueryBuilderOptions {
  /** Between field, operator and value. Default: `||`. */
  delim?: string;
  /** Between the items of a list. Default: `,`. */
  delimStr?: string;
  /**
   * How the builder prints a list: `repeat` its key (`filter=a&filter=b`) or number it as nestjsx/crud's did, `indices`
   * (`filter[0]=a`). Default: `repeat`.
   */
  arrayFormat?: 'repeat' | 'indices';
  /**
   * Names of the parameters; of several, the builder prints the first and the parser reads all. Default: as each says.
   */
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
