import { type ConditionNode, group } from '../ast/nodes.js';
import { completeLimits } from '../limits.js';
import { customOperatorTable } from '../syntax/custom-operators.js';
import { decode } from '../syntax/decode-query.js';
import { resolveLanguage } from '../syntax/language.js';
import { type IntegerName, LARGEST, RANGES } from '../syntax/integers.js';
import type { ParameterName } from '../syntax/usual.js';
import { parseAggregate } from './aggregate.js';
import { parseCondition, type ParsedCondition } from './condition.js';
import { parseExtra } from './extra.js';
import { parseGroups } from './group-by.js';
import { parseInteger } from './integer.js';
import { parseJoin } from './join.js';
import { parseNames } from './names.js';
import type { ParsedQuery, ParseOptions } from './parsed-query.js';
import { bound, type ParseContext, refuseText } from './parse-context.js';
import { parseSearchText } from './search.js';
import { parseSort } from './sort.js';

const INTEGERS = Object.keys(RANGES) as IntegerName[];

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
    params: decode(query, language, options.parameters),
    conditions: 0,
    parameter: '',
    offset: 0,
  };
  const parsed: ParsedQuery = { fields: [], filter: [], or: [], join: [], sort: [], extra: {}, search: undefined };
  const search = readScalar('search', context);
  if (search === undefined) {
    const all = readEach('filter', context, parseCondition);
    const any = readEach('or', context, parseCondition);
    parsed.filter = all.map(({ filter }) => filter);
    parsed.or = any.map(({ filter }) => filter);
    parsed.condition = combine(all, any);
  } else {
    Object.assign(parsed, parseSearchText(search, context));
  }
  readLists(parsed, context);
  for (const name of INTEGERS) {
    const text = readScalar(name, context);
    parsed[name] = text === undefined ? text : parseInteger(text, name, context);
  }
  for (const name of ['cursor', 'format'] as const) parsed[name] = readScalar(name, context);
  parsed.extra = parseExtra(context);
  checkPosition(parsed, context);

  return parsed;
}

/** What the texts of a list parameter say, under all its names. Empty ones are ignored, as empty fields of a form. */
function readEach<T>(
  name: ParameterName,
  context: ParseContext,
  parse: (text: string, context: ParseContext) => T,
  limit?: 'joins' | 'sorts',
): T[] {
  const items: T[] = [];
  for (context.parameter of context.language.names[name]) {
    for (const text of context.params.get(context.parameter) ?? []) {
      if (text) items.push(parse(text, context));
      if (limit) bound(context, 0, items.length, limit);
    }
  }

  return items;
}

function readLists(parsed: ParsedQuery, context: ParseContext): void {
  readEach('fields', context, (text) => parseNames(text, parsed.fields, context));
  parsed.join = readEach('join', context, parseJoin, 'joins');
  parsed.sort = readEach('sort', context, parseSort, 'sorts');
  readEach('groupBy', context, (text) => parseGroups(text, (parsed.groupBy ??= []), context));
  const aggregate = readEach('aggregate', context, parseAggregate);
  if (aggregate.length) parsed.aggregate = aggregate;
  bound(context, 0, (parsed.groupBy?.length ?? 0) + aggregate.length, 'aggregates');
  const having = readEach('having', context, parseCondition);
  if (having.length) parsed.having = having.map(({ filter }) => filter);
}

/**
 * The value of a parameter that may be sent once; under two of its names, if the values are equal. An empty number is
 * ignored.
 */
function readScalar(name: ParameterName, context: ParseContext): string | undefined {
  let found: string | undefined;
  for (const parameter of context.language.names[name]) {
    const sent = context.params.get(parameter);
    if (!sent) continue;
    const [text, ...more] = /^(search|cursor)$/.test(name) ? sent : sent.filter(Boolean);
    if (text === undefined) continue;

    context.parameter = parameter;
    if (more.length || (found ?? text) !== text)
      refuseText(context, 0, `Invalid ${parameter}. It is sent more than once`);

    found = text;
  }

  return found;
}

/**
 * A page and an offset must name the same position: clients are known that send both. Without a limit, only that of the
 * first page is known here.
 */
function checkPosition({ limit = NaN, offset, page, cursor }: ParsedQuery, context: ParseContext): void {
  if (cursor !== undefined && (page ?? offset) !== undefined)
    refuseText(context, 0, 'Invalid cursor. It cannot be combined with page or offset', 'CRUD_INVALID_PAGINATION');

  const start = page === 1 ? 0 : ((page ?? 1) - 1) * limit;
  if (page !== undefined && ((offset !== undefined && offset !== start) || start > LARGEST)) {
    readScalar('page', context);
    refuseText(context, 0, 'Invalid page. It contradicts offset', 'CRUD_INVALID_PAGINATION');
  }
}

/**
 * Filters hold together; alternatives alone are alternatives to each other; beside filters, all alternatives together
 * are one alternative to all filters together.
 */
function combine(all: readonly ParsedCondition[], any: readonly ParsedCondition[]): ConditionNode | undefined {
  const filters = all.map(({ node }) => node);
  const ors = any.map(({ node }) => node);
  if (!ors.length) return filters.length ? group('and', filters) : undefined;

  return filters.length ? { kind: 'or', items: [group('and', filters), group('and', ors)] } : group('or', ors);
}
