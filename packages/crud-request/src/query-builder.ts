import { printCondition } from './print/condition.js';
import { printSearchText } from './print/search-text.js';
import { printAggregate, printGroup } from './print/group-by.js';
import { printJoin } from './print/join.js';
import { printNames } from './print/text.js';
import { printQueryString } from './print/query-string.js';
import { printSort } from './print/sort.js';
import { type CustomOperatorNames, customOperatorTable } from './syntax/custom-operators.js';
import { checkInteger, type IntegerName } from './syntax/integers.js';
import type { ParameterName } from './syntax/usual.js';
import { shared, SLOT, type Spelling, USUAL } from './syntax/usual.js';
import type { AggregateOf, All, FunctionEntry, GroupEntry, GroupOf, HavingOf, RowSort } from './typed/aggregate.js';
import type { FieldsOf, FilterOf, JoinOf, OneOrMany, SearchOf, SortOf } from './typed/query.js';
import type { QueryJoin, QueryJoinArr, QuerySort, QuerySortArr } from './types/query.js';
import type { QueryFilter } from './types/conditions.js';

/**
 * Builds query strings: all that a front end asks. `RequestQueryBuilder` adds what nestjsx/crud's builder has beside it.
 *
 * @example
 * new QueryBuilder<User>().setFilter(['age', '$gte', 18]).query(); // 'filter=age%7C%7C%24gte%7C%7C18'
 */
// `any` is what an entity is when none is named; with `unknown` every use without one would have to name it.
export class QueryBuilder<T = any, Custom extends string = never, Row = object> {
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

  /** Delimiters and names in force: those of `RequestQueryBuilder.setOptions`. */
  protected spelling: Spelling = shared[SLOT] ?? USUAL;

  /**
   * The query string. Beside a search condition, filters and alternatives are left out.
   *
   * @param encode whether it is percent-encoded; without it, whoever sends it must do so. Default: `true`
   */
  query(encode = true): string {
    let entries = this.queryObject;
    if (entries[this.getName('search')])
      entries = { ...entries, [this.getName('filter')]: null, [this.getName('or')]: null };

    const text = printQueryString(entries, this.spelling.arrayFormat === 'indices');

    return (this.queryString = encode ? text : decodeURIComponent(text));
  }

  /** Selects fields. An empty list selects all. */
  select(fields: FieldsOf<T> | undefined): this {
    return fields?.length
      ? this.set('fields', printNames(fields, 'fields', this.spelling, this.spelling.delimStr))
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
      printJoin(join, this.spelling, customOperatorTable(customOperators)),
    );
  }

  /** Adds fields that records are sorted by; of a request for aggregates, keys of its rows. */
  sortBy(s: OneOrMany<SortOf<T> | RowSort<Row>> | undefined): this {
    return this.add('sort', s, (sort: QuerySort | QuerySortArr) => printSort(sort, this.spelling));
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
   * const { next } = await fetchPage(new QueryBuilder<User>().sortBy(['name', 'ASC']).cursor().query());
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
   * location.href = `/users?${new QueryBuilder<User>().select(['id', 'name']).format('csv').query()}`;
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
  ): QueryBuilder<T, Custom, Row & All<GroupEntry<T, G[number]>>> {
    this.add('groupBy', groups, (group: string | [string, string?]) => printGroup(group, this.spelling), true);

    // The same builder: what its rows are is known to the compiler alone.
    return this as never;
  }

  /**
   * Adds what is computed of each group, or of all records: function, field (`*` for the records themselves) and the
   * key of its value in the rows. Default of the key: `avg_age`; of `*`: `count`.
   */
  aggregate<const A extends readonly AggregateOf<T>[]>(
    ...functions: A
  ): QueryBuilder<T, Custom, Row & All<FunctionEntry<T, A[number]>>> {
    this.add('aggregate', functions, (one: [string, string, string?]) => printAggregate(one, this.spelling), true);

    return this as never;
  }

  /** Adds conditions on the rows that {@link groupBy} and {@link aggregate} ask for, by their keys; all hold. */
  having(h: OneOrMany<HavingOf<Row>> | undefined): this {
    return this.add('having', h, (filter: unknown) => this.print(filter, 'filter'));
  }

  private getName(parameter: ParameterName): string {
    return (this.spelling.names[parameter] ?? [parameter])[0] as string;
  }

  /** The text of a condition. */
  protected print(filter: unknown, parameter: 'filter' | 'or' | 'search', custom?: CustomOperatorNames): string {
    return printCondition(filter as QueryFilter, parameter, this.spelling, customOperatorTable(custom));
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

  /** Sets a parameter that is a whole number. */
  protected setInteger(parameter: IntegerName, n: number | undefined): this {
    return n === undefined || n === null ? this : this.set(parameter, checkInteger(parameter, n));
  }
}
