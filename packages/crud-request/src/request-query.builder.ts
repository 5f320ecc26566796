import { QueryBuilder } from './query-builder.js';
import type { CustomOperatorNames } from './syntax/custom-operators.js';
import { type QueryLanguage, resolveLanguage, setProcessLanguage } from './syntax/language.js';
import type { FilterOf, QueryParamsOf } from './typed/query.js';
import type { CreateQueryParams } from './types/query.js';
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
export class RequestQueryBuilder<T = any, Custom extends string = never, Row = object> extends QueryBuilder<
  T,
  Custom,
  Row
> {
  /**
   * @param languageOptions delimiters and names that differ from those of {@link setOptions}, for this builder alone
   */
  constructor(private readonly languageOptions?: QueryLanguageOptions) {
    super();
    this.setParamNames();
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
    return (this.spelling as QueryLanguage).options;
  }

  /** Takes over what {@link setOptions} changed since this builder was made. */
  setParamNames(): void {
    this.spelling = resolveLanguage(this.languageOptions);
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
