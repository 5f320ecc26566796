/** How each query parameter is described: its text, schema and examples. */
import { DEFAULT_LIMITS, OPERATORS } from '@nestwright/crud-request';
import { ceilingOf } from '../plan/paging.js';
import { AGGREGATE_PARAMETERS } from './aggregate-parameters.js';
import { type ClientNames, listedNames } from './client-names.js';
import type { Context, Description, ParameterKey } from './parameter-context.js';
import {
  conditionSchema,
  examplesOf,
  joinSchema,
  orderSchema,
  quoted,
  repeated,
  selectSchema,
  sentenceOf,
} from './parameter-schemas.js';

/** What describes each parameter. */
export const DESCRIPTIONS = {
  fields: ({ query, comma, names }) => {
    const isList = comma === ',';
    const two = names.select?.names?.slice(0, 2) ?? ['id', 'name'];

    return {
      description: `Fields to return, separated by \`${comma}\`. The primary key is always returned.${sentenceOf('Fields', names.select?.names)}`,
      ...(isList && { style: 'form', explode: false }),
      schema: isList ? { type: 'array', items: selectSchema(names, query) } : { type: 'string' },
      examples: examplesOf(isList ? [] : '', { fields: ['Two fields', isList ? two : two.join(comma)] }),
    };
  },
  search: ({ names }) => ({
    description:
      'Search condition as JSON: `{field: value}`, `{field: {$operator: value}}`, combined by `$and`, `$or` and `$not`. With it, `filter` and `or` are ignored. Fields and operators are those of `filter`.',
    schema: { type: 'string' },
    examples: examplesOf('', {
      search: ['Not null', JSON.stringify({ [filterable(names)]: { $notnull: true } })],
    }),
  }),
  filter: (context) =>
    conditions(
      context,
      'Filter condition',
      `Repeated conditions are all required.${sentenceOf('Fields', context.names.filter && listedNames(context.names.filter))} Operators: ${operators(context.custom)}.`,
    ),
  or: (context) =>
    conditions(
      context,
      'Alternative condition',
      'An alternative to the conditions in `filter`, with the same fields and operators.',
    ),
  sort: ({ query, comma, names }) => ({
    description: `Order: \`field\`, \`field${comma}ASC\` or \`field${comma}DESC\`. Repeat it to sort by several fields; the first counts most.${sentenceOf('Fields', names.sort && listedNames(names.sort))}`,
    ...repeated(orderSchema(names, comma), query.limits?.sorts ?? DEFAULT_LIMITS.sorts),
    examples: examplesOf([], {
      sort: ['Descending', [`${listedNames(names.sort ?? [])[0] ?? 'id'}${comma}DESC`]],
    }),
  }),
  join: ({ query, delim, comma, names }) => {
    const returned = names.join.flatMap(({ returned: isReturned, spellings: [path = ''] }) => (isReturned ? path : []));

    return {
      description: `Relation to include: \`relation\` or \`relation${delim}field${comma}field\`. Repeat it to include several; relations are nested with dots.${sentenceOf('Relations', returned)}`,
      ...repeated(joinSchema(names, query, delim), query.limits?.joins ?? DEFAULT_LIMITS.joins),
      examples: examplesOf([], Object.fromEntries(Object.keys(query.join ?? {}).map((path) => [path, [path, [path]]]))),
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
  ...AGGREGATE_PARAMETERS,
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
    examples: examplesOf([], {
      null: ['Not null', [`${filterable(names)}${delim}$notnull`]],
      text: ['Contains a text, in whatever case', [`${names.text ?? 'name'}${delim}$contL${delim}a`]],
    }),
  };
}

function operators(custom: readonly string[]): string {
  const builtIn = Object.values(OPERATORS).flatMap(({ name, foldable }) =>
    foldable ? [`$${name}`, `$${name}L`] : [`$${name}`],
  );

  return quoted([...builtIn, ...custom]);
}

function filterable({ filter }: ClientNames): string {
  return listedNames(filter ?? [])[0] ?? 'id';
}
