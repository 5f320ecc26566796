import { parsePathParams } from './parse/path-params.js';
import { parseQuery } from './parse/parse-query.js';
import type { ParseOptions } from './parse/parsed-query.js';
import { typeValue } from './parse/text-value.js';
import { convertFilterToSearch } from './ast/print-search.js';
import { refuse } from './errors.js';
import type { CustomOperatorNames } from './syntax/custom-operators.js';
import type { ClassTransformOptions, ObjectLiteral, ParsedRequestParams, QueryExtra } from './types/parsed-request.js';
import type { ParamsOptions } from './types/path-params.js';
import type { QueryFields, QueryJoin, QuerySort } from './types/query.js';
import type { QueryFilter, SCondition } from './types/conditions.js';

/**
 * Parses a request, part by part. Values in `filter` and `or` are what their texts say: numbers, booleans, null, dates.
 *
 * @example
 * RequestQueryParser.create().parseQuery({ sort: 'name,ASC' }).getParsed().sort; // [{ field: 'name', order: 'ASC' }]
 */
export class RequestQueryParser implements ParsedRequestParams {
  fields: QueryFields = [];
  paramsFilter: QueryFilter[] = [];
  authPersist!: ObjectLiteral;
  classTransformOptions!: ClassTransformOptions;
  search!: SCondition;
  filter: QueryFilter[] = [];
  or: QueryFilter[] = [];
  join: QueryJoin[] = [];
  sort: QuerySort[] = [];
  limit!: number;
  offset!: number;
  page!: number;
  cache!: number;
  includeDeleted!: number;
  cursor?: string;
  total?: number;
  format?: string;
  extra?: QueryExtra;

  /**
   * @param options how queries are read: language, limits, parameters. Default: the options of
   * `RequestQueryBuilder.setOptions` and the default limits
   */
  constructor(private readonly options: ParseOptions = {}) {}

  /** A new parser. */
  static create(options?: ParseOptions): RequestQueryParser {
    return new RequestQueryParser(options);
  }

  /** All that was parsed, as one plain object. */
  getParsed(): ParsedRequestParams {
    const { options: _, ...parsed } = this;

    return parsed;
  }

  /**
   * Reads a query; what it does not say is reset. A query that is no object or text is ignored.
   *
   * @param customOperators operators of the application's own. Default: those of the constructor
   */
  parseQuery(query: unknown, customOperators?: CustomOperatorNames): this {
    if ((typeof query !== 'object' && typeof query !== 'string') || query === null) return this;

    const { condition: _, ...parsed } = parseQuery(query, {
      ...this.options,
      ...(customOperators && { customOperators }),
    });

    [...parsed.filter, ...parsed.or, ...parsed.join.flatMap(({ on = [] }) => on)].forEach(typeFilter);

    return Object.assign(this, parsed, { extra: Object.keys(parsed.extra).length ? parsed.extra : undefined });
  }

  /**
   * Reads path parameters; those of type `number` become numbers that keep their digits. Unlike `parsePathParams`, it
   * refuses a parameter that has no option.
   */
  parseParams(params: unknown, options: ParamsOptions = {}): this {
    if (typeof params === 'object' && params !== null) {
      this.paramsFilter = Object.keys(params).flatMap((name) => {
        const option = options?.[name];
        if (typeof option !== 'object') refuse('Invalid param option in Crud', 'CRUD_INVALID_PARAM', { field: name });

        const filters = parsePathParams(params as Record<string, string>, { [name]: option });
        if (option?.type === 'number') filters.forEach(typeFilter);

        return filters;
      });
    }

    return this;
  }

  /** Keeps the values that are written into every record. Default: none. */
  setAuthPersist(persist: ObjectLiteral = {}): void {
    this.authPersist = persist;
  }

  /** Keeps class-transformer's options for the response. Default: none. */
  setClassTransformOptions(options: ClassTransformOptions = {}): void {
    this.classTransformOptions = options;
  }

  /** The search condition that says the same as a filter. */
  convertFilterToSearch(filter: QueryFilter): SCondition {
    return convertFilterToSearch(filter);
  }
}

function typeFilter(filter: QueryFilter): void {
  // Operators without a value stay so; no value is an empty text.
  filter.value &&= typeValue(filter.value);
}
