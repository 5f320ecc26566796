/** How each query parameter is described: its text, schema and examples. */
import { DEFAULT_LIMITS, OPERATORS } from '@nestwright/crud-request';
import { ceilingOf } from '../plan/paging.js';
import { type ClientNames, listNames } from './client-names.js';
import {
  anyPattern,
  conditionSchema,
  type Context,
  type Description,
  escapePattern,
  joinSchema,
  listSentence,
  makeExamples,
  orderSchema,
  type ParameterKey,
  quoteNames,
  repeated,
  selectSchema,
} from './parameter-schemas.js';

const UNITS = '(:(day|week|month|quarter|year))?';
const ALIAS = '[A-Za-z][A-Za-z0-9_.]{0,63}';

/** What describes each parameter. */
export const DESCRIPTIONS = {
  fields: ({ query, comma, names }) => {
    const isList = comma === ',';
    const two = names.select?.names?.slice(0, 2) ?? ['id', 'name'];

    return {
      description: `Fields to return, separated by \`${comma}\`. The primary key is always returned.${listSentence('Fields', names.select?.names)}`,
      ...(isList && { style: 'form', explode: false }),
      schema: isList ? { type: 'array', items: selectSchema(names, query) } : { type: 'string' },
      examples: makeExamples(isList ? [] : '', { fields: ['Two fields', isList ? two : two.join(comma)] }),
    };
  },
  search: ({ names }) => ({
    description:
      'Search condition as JSON: `{field: value}`, `{field: {$operator: value}}`, combined by `$and`, `$or` and `$not`. With it, `filter` and `or` are ignored. Fields and operators are those of `filter`.',
    schema: { type: 'string' },
    examples: makeExamples('', {
      search: ['Not null', JSON.stringify({ [filterable(names)]: { $notnull: true } })],
    }),
  }),
  filter: (context) =>
    conditions(
      context,
      'Filter condition',
      `Repeated conditions are all required.${listSentence('Fields', context.names.filter && listNames(context.names.filter))} Operators: ${operators(context.custom)}.`,
    ),
  or: (context) =>
    conditions(
      context,
      'Alternative condition',
      'An alternative to the conditions in `filter`, with the same fields and operators.',
    ),
  sort: ({ query, comma, names }) => ({
    description: `Order: \`field\`, \`field${comma}ASC\` or \`field${comma}DESC\`. Repeat it to sort by several fields; the first counts most.${listSentence('Fields', names.sort && listNames(names.sort))}`,
    ...repeated(orderSchema(names, comma), query.limits?.sorts ?? DEFAULT_LIMITS.sorts),
    examples: makeExamples([], {
      sort: ['Descending', [`${listNames(names.sort ?? [])[0] ?? 'id'}${comma}DESC`]],
    }),
  }),
  join: ({ query, delim, comma, names }) => {
    const returned = names.join.flatMap(({ returned: isReturned, spellings: [path = ''] }) => (isReturned ? path : []));

    return {
      description: `Relation to include: \`relation\` or \`relation${delim}field${comma}field\`. Repeat it to include several; relations are nested with dots.${listSentence('Relations', returned)}`,
      ...repeated(joinSchema(names, query, delim), query.limits?.joins ?? DEFAULT_LIMITS.joins),
      examples: makeExamples(
        [],
        Object.fromEntries(Object.keys(query.join ?? {}).map((path) => [path, [path, [path]]])),
      ),
    };
  },
  limit: ({ query }) => {
    const maximum = ceilingOf(query);
    const isBounded = maximum !== Infinity;

    return {
      description: `Number of records in the response.${query.limit ? ` Default: ${query.limit}.` : ''}${isBounded ? ` A larger number counts as ${maximum}.` : ''}`,
      schema: {
        type: 'integer',
        minimum: 1,
        ...(isBounded && { maximum }),
        ...(query.limit && { default: query.limit }),
      },
    };
  },
  offset: () => ({
    description: 'Number of records to skip. Not together with `page`.',
    schema: { type: 'integer', minimum: 0 },
  }),
  page: () => ({
    description: 'Number of the page, from 1. Not together with `offset`.',
    schema: { type: 'integer', minimum: 1 },
  }),
  cache: () => ({
    description: '`0` passes over a cached result and replaces it.',
    schema: { type: 'integer', minimum: 0 },
  }),
  cursor: () => ({
    description:
      'Reads the list by a cursor: empty for the first page, then `next` or `previous` of a page, with the same `sort`. Not together with `page` or `offset`.',
    allowEmptyValue: true,
    schema: { type: 'string' },
  }),
  total: () => ({
    description: '`1` counts all records that match, beside a page that is read by a cursor.',
    schema: { type: 'integer', enum: [0, 1] },
  }),
  format: ({ query }) => ({
    description:
      'Format of the whole list, without a page size or a ceiling; `limit` holds where it is sent. Goes before the header `Accept`. Not together with `page`, `offset` or `cursor`.',
    schema: { type: 'string', enum: query.export?.formats ?? [] },
  }),
  groupBy: ({ query, delim, comma }) => {
    const names = query.aggregate?.groupBy ?? [];
    const term = `${anyPattern(names.map(escapePattern))}${UNITS}`;
    const pattern = `^${term}((${escapePattern(comma)}${term})*|${escapePattern(delim)}${ALIAS})$`;

    return {
      description: `What records are grouped by: \`field\`, \`field:month\` (\`day\`, \`week\`, \`month\`, \`quarter\`, \`year\` of moments and dates, in UTC), or either with its key in the rows: \`field${delim}key\`.${listSentence('Fields', names)}`,
      ...repeated({ type: 'string', ...(names.length > 0 && { pattern }) }, maxAggregates(query)),
      examples: makeExamples([]),
    };
  },
  aggregate: ({ query, delim }) => {
    const listed = Object.entries(query.aggregate?.functions ?? {}).flatMap(([field, functions = []]) =>
      functions.map((name) => `${name}${delim}${field}`),
    );

    return {
      description: `What is computed of each group: \`function${delim}field\`, or with its key in the rows: \`function${delim}field${delim}key\`.${listSentence('Functions', listed)}`,
      ...repeated(
        {
          type: 'string',
          ...(listed.length > 0 && {
            pattern: `^${anyPattern(listed.map(escapePattern))}(${escapePattern(delim)}${ALIAS})?$`,
          }),
        },
        maxAggregates(query),
      ),
      examples: makeExamples([]),
    };
  },
  having: ({ query, delim }) => ({
    description: `Condition on the rows of the answer, by their keys: \`key${delim}$operator${delim}value\`. Repeated conditions are all required.`,
    ...repeated({ type: 'string' }, query.limits?.conditions ?? DEFAULT_LIMITS.conditions),
    examples: makeExamples([]),
  }),
  includeDeleted: () => ({
    description: '`1` includes soft-deleted records.',
    schema: { type: 'integer', enum: [0, 1] },
  }),
} as const satisfies Record<ParameterKey, (context: Context) => Description>;

function conditions(context: Context, what: string, more: string): Description {
  const { query, delim, custom, names } = context;

  return {
    description: `${what}: \`field${delim}$operator${delim}value\`. ${more}`,
    ...repeated(conditionSchema(names, delim, custom), query.limits?.conditions ?? DEFAULT_LIMITS.conditions),
    examples: makeExamples([], {
      null: ['Not null', [`${filterable(names)}${delim}$notnull`]],
      text: ['Contains a text, in whatever case', [`${names.text ?? 'name'}${delim}$contL${delim}a`]],
    }),
  };
}

function operators(custom: readonly string[]): string {
  const builtIn = Object.values(OPERATORS).flatMap(({ name, foldable }) =>
    foldable ? [`$${name}`, `$${name}L`] : [`$${name}`],
  );

  return quoteNames([...builtIn, ...custom]);
}

function filterable({ filter }: ClientNames): string {
  return listNames(filter ?? [])[0] ?? 'id';
}

function maxAggregates({ limits }: Context['query']): number {
  return limits?.aggregates ?? DEFAULT_LIMITS.aggregates;
}

/** The order of rows of aggregates, which are sorted by their keys. */
export function describeRowOrder(): Description {
  return {
    description:
      'Order of the rows, by their keys: `key`, `key,ASC` or `key,DESC`. Repeat it to sort by several; the first counts most.',
    style: 'form',
    explode: true,
    schema: { type: 'array', items: { type: 'string' } },
    examples: makeExamples([]),
  };
}
