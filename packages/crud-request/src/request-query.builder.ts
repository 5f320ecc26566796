import { printCondition } from './print/condition.js';
import { printSearchText } from './print/search-text.js';
import { printAggregate, printGroup } from './print/group-by.js';
import { printJoin } from './print/join.js';
import { printNames } from './print/text.js';
import { printQueryString } from './print/query-string.js';
import { printSort } from './print/sort.js';
import { type CustomOperatorNames, customOperatorTable } from './syntax/custom-operators.js';
import { type QueryLanguage, resolveLanguage, setProcessLanguage } from './syntax/language.js';
import { checkInteger, type ParameterName, QUERY_PARAMETERS } from './syntax/parameters.js';
import type { AggregateOf, All, FunctionEntry, GroupEntry, GroupOf, HavingOf, RowSort } from './typed/aggregate.js';
import type { FieldsOf, FilterOf, JoinOf, OneOrMany, QueryParamsOf, SearchOf, SortOf } from './typed/query.js';
import type { CreateQueryParams, QueryJoin, QueryJoinArr, QuerySort, QuerySortArr } from './types/query.js';
import type { QueryFilter } from './types/conditions.js';
import type { QueryLanguageOptions } from './types/language-options.js';

/**
 * Builds query strings. With an entity's type it completes and checks field paths, operators, values, joins and their
 * fields; without, anything goes that the language can say. `Custom` names operators of the application's own.
 *
 * @example
 * RequestQueryBuilder.create<User>()
 *   .setFilter({ field: 'age', operator: '$gte', value: 18 })
 *   .sortBy(['name.last', 'ASC'])
 *   .query(); // 'filter=age%7C%7C%24gte%7C%7C18&sort=name.last%2CASC'
 */
// `any` is what an entity is when none is named; with `unknown` every use without one would have to name it.
export class RequestQueryBuilder<T = any, Custom extends string = never, Row = object> {
  /** Never set: the type of the rows that {@link groupBy} and {@link aggregate} ask for. */
  declare readonly row?: Row;

  /** What `query()` printed last. */
  queryString = '';

  /**
   * Values by parameter name, as `query()` prints them; what is added here is printed too:
   * `builder.queryObject['extra.tenant'] = 'x'`.
   */
  // As in nestjsx/crud: the application adds values of its own.
  queryObject: { [name: string]: any } = {};

  private language: QueryLanguage;

  /**
   * @param languageOptions delimiters and names that differ from those of {@link setOptions}, for this builder alone
   */
  constructor(private readonly languageOptions?: QueryLanguageOptions) {
    this.language = resolveLanguage(languageOptions);
  }

  /**
   * Changes delimiters and parameter names for the process: for builders made later, for parsers and for the generated
   * API description. What is not named keeps its value.
   *
   * @throws RequestQueryException for delimiters or names with which no query could be read back
   */
  static setOptions(options: QueryLanguageOptions): void {
    setProcessLanguage(options);
  }

  /** Delimiters and names of the process, complete. */
  static getOptions(): QueryLanguageOptions {
    return resolveLanguage().options;
  }

  /**
   * A new builder, filled with a query.
   *
   * @param params the query; none makes an empty builder
   * @param customOperators operators of the application's own
   * @param language delimiters and names that differ from those of {@link setOptions}, for this builder alone
   */
  // NoInfer: no entity is to be guessed from a query.
  static create<T = any, Custom extends string = never>(
    params?: QueryParamsOf<NoInfer<T>, NoInfer<Custom>>,
    customOperators?: CustomOperatorNames,
    language?: QueryLanguageOptions,
  ): RequestQueryBuilder<T, Custom> {
    const builder = new RequestQueryBuilder<T, Custom>(language);

    return params ? builder.fill(params as CreateQueryParams, customOperators) : builder;
  }

  /** Delimiters and names of this builder, complete. */
  get options(): QueryLanguageOptions {
    return this.language.options;
  }

  /** Takes over what {@link setOptions} changed since this builder was made. */
  setParamNames(): void {
    this.language = resolveLanguage(this.languageOptions);
  }

  /**
   * The query string. Beside a search condition, filters and alternatives are left out.
   *
   * @param encode whether it is percent-encoded; without it, whoever sends it must do so. Default: `true`
   */
  query(encode = true): string {
    let entries = this.queryObject;
    if (entries[this.getName('search')])
      entries = { ...entries, [this.getName('filter')]: null, [this.getName('or')]: null };

    const text = printQueryString(entries, this.options.arrayFormat === 'indices');

    return (this.queryString = encode ? text : decodeURIComponent(text));
  }

  /** Selects fields. An empty list selects all. */
  select(fields: FieldsOf<T> | undefined): this {
    return fields?.length
      ? this.set('fields', printNames(fields, 'fields', this.language, this.language.delimStr))
      : this;
  }

  /** Sets the search condition. It takes the place of filters and alternatives. */
  search(s: SearchOf<T, Custom> | undefined): this {
    return typeof s === 'object' && s ? this.set('search', printSearchText(s)) : this;
  }

  /** Adds conditions that all hold. */
  setFilter(f: OneOrMany<FilterOf<T, Custom>> | undefined, customOperators?: CustomOperatorNames): this {
    return this.add('filter', f, (filter: FilterOf<T, Custom>) => this.print(filter, 'filter', customOperators));
  }

  /** Adds alternatives. */
  setOr(f: OneOrMany<FilterOf<T, Custom>> | undefined, customOperators?: CustomOperatorNames): this {
    return this.add('or', f, (filter: FilterOf<T, Custom>) => this.print(filter, 'or', customOperators));
  }

  /** Adds relations that are joined. */
  setJoin(j: OneOrMany<JoinOf<T, Custom>> | undefined, customOperators?: CustomOperatorNames): this {
    return this.add('join', j, (join: QueryJoin | QueryJoinArr) =>
      printJoin(join, this.language, customOperatorTable(customOperators)),
    );
  }

  /** Adds fields that records are sorted by; of a request for aggregates, keys of its rows. */
  sortBy(s: OneOrMany<SortOf<T> | RowSort<Row>> | undefined): this {
    return this.add('sort', s, (sort: QuerySort | QuerySortArr) => printSort(sort, this.language));
  }

  /** Sets the page size, from 1. */
  setLimit(n: number | undefined): this {
    return this.setInteger('limit', n);
  }

  /** Sets how many records are skipped, from 0. */
  setOffset(n: number | undefined): this {
    return this.setInteger('offset', n);
  }

  /** Sets the number of the page, from 1. */
  setPage(n: number | undefined): this {
    return this.setInteger('page', n);
  }

  /** Asks the server to pass over a cached result and to replace it. */
  resetCache(): this {
    return this.setInteger('cache', 0);
  }

  /** Asks for soft-deleted records too: 1, or 0 for none. */
  setIncludeDeleted(n: number | undefined): this {
    return this.setInteger('includeDeleted', n);
  }

  /**
   * Reads the list by a cursor.
   *
   * @param position `next` or `previous` of a page. Default: the first page
   * @example
   * const { next } = await fetchPage(RequestQueryBuilder.create<User>().sortBy(['name', 'ASC']).cursor().query());
   */
  cursor(position: string | null | undefined = ''): this {
    return this.set('cursor', position ?? '');
  }

  /** Asks for the number of all records beside a page that is read by a cursor: 1, or 0 for none. */
  setTotal(n: number | undefined = 1): this {
    return this.setInteger('total', n);
  }

  /**
   * Asks for the whole list in a format that the server exports.
   *
   * @example
   * location.href = `/users?${RequestQueryBuilder.create<User>().select(['id', 'name']).format('csv').query()}`;
   */
  format(format: 'ndjson' | 'csv' | undefined): this {
    return format === undefined ? this : this.set('format', format);
  }

  /**
   * Adds what records are grouped by, each with the key of its value in the rows if it is not to be its own.
   *
   * @example
   * builder.groupBy('company.name', ['createdAt:month', 'month']).aggregate(['avg', 'age']).query();
   */
  groupBy<const G extends readonly GroupOf<T>[]>(
    ...groups: G
  ): RequestQueryBuilder<T, Custom, Row & All<GroupEntry<T, G[number]>>> {
    this.add('groupBy', groups, (group: string | [string, string?]) => printGroup(group, this.language), true);

    // The same builder: what its rows are is known to the compiler alone.
    return this as never;
  }

  /**
   * Adds what is computed of each group, or of all records: function, field (`*` for the records themselves) and the
   * key of its value in the rows. Default of the key: `avg_age`; of `*`: `count`.
   */
  aggregate<const A extends readonly AggregateOf<T>[]>(
    ...functions: A
  ): RequestQueryBuilder<T, Custom, Row & All<FunctionEntry<T, A[number]>>> {
    this.add('aggregate', functions, (one: [string, string, string?]) => printAggregate(one, this.language), true);

    return this as never;
  }

  /** Adds conditions on the rows that {@link groupBy} and {@link aggregate} ask for, by their keys; all hold. */
  having(h: OneOrMany<HavingOf<Row>> | undefined): this {
    return this.add('having', h, (filter: unknown) => this.print(filter, 'filter'));
  }

  /** The text of one condition. */
  cond(
    f: FilterOf<T, Custom>,
    cond: 'filter' | 'or' | 'search' = 'search',
    customOperators?: CustomOperatorNames,
  ): string {
    // As nestjsx/crud's, it may be called apart from its builder.
    return ((this as this | undefined) ?? new RequestQueryBuilder()).print(f, cond, customOperators);
  }

  private getName(parameter: ParameterName): string {
    return this.language.names[parameter][0] as string;
  }

  private print(filter: unknown, parameter: 'filter' | 'or' | 'search', custom?: CustomOperatorNames): string {
    return printCondition(filter as QueryFilter, parameter, this.language, customOperatorTable(custom));
  }

  /** Sets a parameter, or adds to its list. */
  private set(parameter: ParameterName, value: unknown, adds = false): this {
    const name = this.getName(parameter);
    const before = adds && (this.queryObject[name] as unknown[] | undefined);
    this.queryObject[name] = before ? before.concat(value) : value;

    return this;
  }

  /** Adds the texts of one, of one as a tuple, or of several. */
  private add<Part>(
    parameter: ParameterName,
    parts: unknown,
    print: (part: Part) => string,
    several = Array.isArray(parts) && typeof parts[0] !== 'string',
  ): this {
    if (parts === undefined || parts === null) return this;

    return this.set(parameter, ((several ? parts : [parts]) as Part[]).map(print), true);
  }

  private setInteger(parameter: ParameterName, n: number | undefined): this {
    return n === undefined || n === null ? this : this.set(parameter, checkInteger(QUERY_PARAMETERS[parameter], n));
  }

  private fill(params: CreateQueryParams, customOperators?: CustomOperatorNames): this {
    const loose = this as unknown as RequestQueryBuilder;
    loose
      .select(params.fields)
      .search(params.search)
      .setFilter(params.filter, customOperators)
      .setOr(params.or, customOperators)
      .setJoin(params.join, customOperators)
      .setLimit(params.limit)
      .setOffset(params.offset)
      .setPage(params.page)
      .sortBy(params.sort)
      .setIncludeDeleted(params.includeDeleted)
      .setInteger('total', params.total);

    if (params.cursor !== undefined) this.cursor(params.cursor);
    this.format(params.format);

    return params.resetCache ? this.resetCache() : this;
  }
}
