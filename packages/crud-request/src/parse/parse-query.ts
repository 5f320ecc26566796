import { type ConditionNode, group } from '../ast/nodes.js';
import { completeLimits } from '../limits.js';
import { customOperatorTable } from '../syntax/custom-operators.js';
import { decode } from '../syntax/decode-query.js';
import { resolveLanguage } from '../syntax/language.js';
import { LARGEST, type ParameterName, QUERY_PARAMETERS } from '../syntax/parameters.js';
import { parseAggregate } from './aggregate.js';
import { parseCondition } from './condition.js';
import { parseExtra } from './extra.js';
import { parseGroups } from './group-by.js';
import { parseInteger } from './integer.js';
import { parseJoin } from './join.js';
import { parseNames } from './names.js';
import type { ParsedQuery, ParseOptions } from './parsed-query.js';
import { bound, type ParseContext, refuseText } from './parse-context.js';
import { parseSearchText } from './search.js';
import { parseSort } from './sort.js';

const INTEGERS = ['limit', 'offset', 'page', 'cache', 'includeDeleted', 'total'] as const;

/**
 * Reads a query.
 *
 * @param query an object as a framework's query parser makes it, or the query string itself
 * @throws RequestQueryException with `code`, `parameter` and `position`
 * @example
 * parseQuery({ filter: 'age||gte||18', sort: 'name,ASC', limit: '10' }).sort; // [{ field: 'name', order: 'ASC' }]
 */
export function parseQuery(query: unknown, options: ParseOptions = {}): ParsedQuery {
  const language = resolveLanguage(options.language);
  const context: ParseContext = {
    language,
    limits: completeLimits(options.limits),
    custom: customOperatorTable(options.customOperators),
    conditions: 0,
    parameter: '',
    offset: 0,
  };
  const params = decode(query, language, options.parameters);
  const parsed: ParsedQuery = { fields: [], filter: [], or: [], join: [], sort: [], extra: {}, search: undefined };

  /** Every value of a list parameter, under all its names. Empty ones are ignored, as empty fields of a form. */
  const each = (name: ParameterName, read: (text: string) => void): void => {
    for (context.parameter of language.names[name])
      params.get(context.parameter)?.forEach((text) => text && read(text));
  };

  /**
   * The value of a parameter that may be sent once; under two of its names, if the values are equal. An empty number is
   * ignored.
   */
  const scalar = (name: ParameterName): string | undefined => {
    let found: string | undefined;
    for (const parameter of language.names[name]) {
      const [text, ...more] = params.get(parameter)?.filter((sent) => sent || /^(search|cursor)$/.test(name)) ?? [];
      if (text !== undefined) {
        context.parameter = parameter;
        if (more.length || (found ?? text) !== text)
          refuseText(context, 0, `Invalid ${parameter}. It is sent more than once`);

        found = text;
      }
    }
    return found;
  };

  const conditions = (name: 'filter' | 'or'): ConditionNode[] => {
    const nodes: ConditionNode[] = [];
    each(name, (text) => {
      const { filter, node } = parseCondition(text, context);
      parsed[name].push(filter);
      nodes.push(node);
    });
    return nodes;
  };

  const search = scalar('search');
  if (search === undefined) parsed.condition = combine(conditions('filter'), conditions('or'));
  else Object.assign(parsed, parseSearchText(search, context));

  each('fields', (text) => parseNames(text, parsed.fields, context));
  each('join', (text) => bound(context, 0, parsed.join.push(parseJoin(text, context)), 'joins'));
  each('sort', (text) => bound(context, 0, parsed.sort.push(parseSort(text, context)), 'sorts'));
  each('groupBy', (text) => parseGroups(text, (parsed.groupBy ??= []), context));
  each('aggregate', (text) => (parsed.aggregate ??= []).push(parseAggregate(text, context)));
  bound(context, 0, (parsed.groupBy?.length ?? 0) + (parsed.aggregate?.length ?? 0), 'aggregates');
  each('having', (text) => (parsed.having ??= []).push(parseCondition(text, context).filter));
  for (const name of INTEGERS) {
    const text = scalar(name);
    parsed[name] = text === undefined ? text : parseInteger(text, QUERY_PARAMETERS[name], context);
  }
  parsed.cursor = scalar('cursor');
  parsed.format = scalar('format');
  parsed.extra = parseExtra(params, context);

  // A page and an offset must name the same position: clients are known that send both. Without a limit, only that of
  // the first page is known here.
  const { limit = NaN, offset, page } = parsed;
  if (parsed.cursor !== undefined && (page ?? offset) !== undefined)
    refuseText(context, 0, 'Invalid cursor. It cannot be combined with page or offset', 'CRUD_INVALID_PAGINATION');

  const start = page === 1 ? 0 : ((page ?? 1) - 1) * limit;
  if (page !== undefined && ((offset !== undefined && offset !== start) || start > LARGEST)) {
    scalar('page');
    refuseText(context, 0, 'Invalid page. It contradicts offset', 'CRUD_INVALID_PAGINATION');
  }

  return parsed;
}

/**
 * Filters hold together; alternatives alone are alternatives to each other; beside filters, all alternatives together
 * are one alternative to all filters together.
 */
function combine(filters: readonly ConditionNode[], ors: readonly ConditionNode[]): ConditionNode | undefined {
  if (!ors.length) return filters.length ? group('and', filters) : undefined;

  return filters.length ? { kind: 'or', items: [group('and', filters), group('and', ors)] } : group('or', ors);
}
