/** How each query parameter is described: its text, schema and examples. */
import { DEFAULT_LIMITS, OPERATORS, type ParameterName, type QueryLimits } from '@nestwright/crud-request';
import type { QueryOptions } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { computeCeiling } from '../plan/paging.js';
import { type ClientNames, listNames, type NameGroup } from './client-names.js';
import type { ExampleObject, ParameterObject, SchemaObject } from './json-schema.js';

/** What a parameter's description is made of. */
export interface Context {
  readonly query: ResourceDefinition['options']['query'];
  /** Between the parts of a filter (`||`), and between names (`,`). */
  readonly delim: string;
  readonly comma: string;
  /** Operators of the application's own. */
  readonly custom: readonly string[];
  readonly names: ClientNames;
}

export type Description = Omit<ParameterObject, 'name' | 'in' | 'required'>;
export type ParameterKey = Exclude<ParameterName, 'extra'>;

const UNITS = '(:(day|week|month|quarter|year))?';
const ALIAS = '[A-Za-z][A-Za-z0-9_.]{0,63}';

type Describe = (context: Context) => Description;
type Examples = Parameters<typeof makeExamples>[1];

/** What describes each parameter. */
export const DESCRIPTIONS: Readonly<Record<ParameterKey, Describe>> = {
  fields: ({ query, comma, names }) => {
    const isList = comma === ',';
    const two = names.select?.names?.slice(0, 2) ?? ['id', 'name'];

    return {
      description:
        `Fields to return, separated by \`${comma}\`. The primary key is always ` +
        `returned.${listSentence('Fields', names.select?.names)}`,
      ...(isList && { style: 'form', explode: false }),
      schema: isList ? { type: 'array', items: selectSchema(names, query) } : { type: 'string' },
      examples: makeExamples(isList ? [] : '', { fields: ['Two fields', isList ? two : two.join(comma)] }),
    };
  },
  search: (context) => ({
    description:
      'Search condition as JSON: `{field: value}`, `{field: {$operator: value}}`, combined by `$and`, `$or` ' +
      'and `$not`. With it, `filter` and `or` are ignored. Fields and operators are those of `filter`.',
    schema: { type: 'string' },
    examples: makeExamples('', {
      search: ['Not null', JSON.stringify({ [filterableName(context)]: { $notnull: true } })],
    }),
  }),
  filter: (context) =>
    describeCondition(
      context,
      'Filter condition',
      `Repeated conditions are all required.${listSentence('Fields', listNames(context.names.filter))} ` +
        `Operators: ${listOperators(context)}.`,
    ),
  or: (context) =>
    describeCondition(
      context,
      'Alternative condition',
      'An alternative to the conditions in `filter`, with the same fields and operators.',
    ),
  sort: (context) => {
    const { comma } = context;
    const fields = listNames(context.names.sort);

    return describeRepeated(
      context,
      'sorts',
      `Order: \`field\`, \`field${comma}ASC\` or \`field${comma}DESC\`. Repeat it to sort by several fields; ` +
        `the first counts most.${listSentence('Fields', fields)}`,
      orderPattern(context),
      { sort: ['Descending', [`${fields[0] ?? 'id'}${comma}DESC`]] },
    );
  },
  join: (context) => {
    const { query, delim, comma, names } = context;
    const returned = names.join.flatMap(({ returned: isReturned, spellings: [path = ''] }) => (isReturned ? path : []));

    return describeRepeated(
      context,
      'joins',
      `Relation to include: \`relation\` or \`relation${delim}field${comma}field\`. Repeat it to include ` +
        `several; relations are nested with dots.${listSentence('Relations', returned)}`,
      joinPattern(context),
      Object.fromEntries(Object.keys(query.join ?? {}).map((path) => [path, [path, [path]]])),
    );
  },
  limit: ({ query }) => {
    const { limit } = query;
    const maximum = computeCeiling(query);
    const isBounded = maximum !== Infinity;

    return {
      description:
        'Number of records in the ' +
        `response.${limit ? ` Default: ${limit}.` : ''}${isBounded ? ` A larger number counts as ${maximum}.` : ''}`,
      schema: { type: 'integer', minimum: 1, ...(isBounded && { maximum }), ...(limit && { default: limit }) },
    };
  },
  offset: describeNumber('Number of records to skip. Not together with `page`.', { minimum: 0 }),
  page: describeNumber('Number of the page, from 1. Not together with `offset`.', { minimum: 1 }),
  cache: describeNumber('`0` passes over a cached result and replaces it.', { minimum: 0 }),
  cursor: () => ({
    description:
      'Reads the list by a cursor: empty for the first page, then `next` or `previous` of a page, with the ' +
      'same `sort`. Not together with `page` or `offset`.',
    allowEmptyValue: true,
    schema: { type: 'string' },
  }),
  total: describeNumber('`1` counts all records that match, beside a page that is read by a cursor.', { enum: [0, 1] }),
  format: ({ query }) => ({
    description:
      'Format of the whole list, without a page size or a ceiling; `limit` holds where it is sent. Goes ' +
      'before the header `Accept`. Not together with `page`, `offset` or `cursor`.',
    schema: { type: 'string', enum: query.export?.formats ?? [] },
  }),
  groupBy: (context) => {
    const { query, delim, comma } = context;
    const names = query.aggregate?.groupBy ?? [];
    const term = `${anyPattern(names.map(escapePattern))}${UNITS}`;

    return describeRepeated(
      context,
      'aggregates',
      `What records are grouped by: \`field\`, \`field:month\` (\`day\`, \`week\`, \`month\`, \`quarter\`, ` +
        `\`year\` of moments and dates, in UTC), or either with its key in the rows: ` +
        `\`field${delim}key\`.${listSentence('Fields', names)}`,
      names.length > 0 ? `^${term}((${escapePattern(comma)}${term})*|${escapePattern(delim)}${ALIAS})$` : undefined,
    );
  },
  aggregate: (context) => {
    const { query, delim } = context;
    const listed = Object.entries(query.aggregate?.functions ?? {}).flatMap(([field, functions = []]) =>
      functions.map((name) => `${name}${delim}${field}`),
    );

    return describeRepeated(
      context,
      'aggregates',
      `What is computed of each group: \`function${delim}field\`, or with its key in the rows: ` +
        `\`function${delim}field${delim}key\`.${listSentence('Functions', listed)}`,
      listed.length > 0 ? `^${anyPattern(listed.map(escapePattern))}(${escapePattern(delim)}${ALIAS})?$` : undefined,
    );
  },
  having: (context) =>
    describeRepeated(
      context,
      'conditions',
      'Condition on the rows of the answer, by their keys: ' +
        `\`key${context.delim}$operator${context.delim}value\`. Repeated conditions are all required.`,
    ),
  includeDeleted: describeNumber('`1` includes soft-deleted records.', { enum: [0, 1] }),
};

function describeNumber(description: string, bounds: SchemaObject): Describe {
  return () => ({ description, schema: { type: 'integer', ...bounds } });
}

/** A parameter that may be repeated. */
function describeRepeated(
  { query }: Context,
  limit: keyof QueryLimits,
  description: string,
  pattern?: string,
  examples?: Examples,
): Description {
  const maxItems = query.limits?.[limit] ?? DEFAULT_LIMITS[limit];

  return {
    ...{ description, style: 'form', explode: true },
    schema: { type: 'array', items: { type: 'string', ...(pattern !== undefined && { pattern }) }, maxItems },
    examples: makeExamples([], examples),
  };
}

function describeCondition(context: Context, what: string, more: string): Description {
  const { delim, names } = context;
  const description = `${what}: \`field${delim}$operator${delim}value\`. ${more}`;

  return describeRepeated(context, 'conditions', description, conditionPattern(context), {
    null: ['Not null', [`${filterableName(context)}${delim}$notnull`]],
    text: ['Contains a text, in whatever case', [`${names.text ?? 'name'}${delim}$contL${delim}a`]],
  });
}

function listOperators({ custom }: Context): string {
  const builtIn = Object.values(OPERATORS).flatMap(({ name, foldable }) =>
    foldable ? [`$${name}`, `$${name}L`] : [`$${name}`],
  );

  return quoteNames([...builtIn, ...custom]);
}

function filterableName({ names }: Context): string {
  return listNames(names.filter)[0] ?? 'id';
}

/** Named examples. "Try it out" in Swagger UI fills in the first one, so that one is empty. */
function makeExamples(
  none: unknown,
  examples: Readonly<Record<string, readonly [summary: string, value: unknown]>> = {},
): Record<string, ExampleObject> {
  const named = Object.entries(examples).map(([key, [summary, value]]): [string, ExampleObject] => [
    key.replace(/[^\w.-]/g, '_'),
    { summary, value },
  ]);

  return { none: { summary: 'None', value: none }, ...Object.fromEntries(named) };
}

/** One name in `fields`. */
function selectSchema({ select }: ClientNames, { unknown }: QueryOptions): SchemaObject {
  if (!select?.names?.length || unknown === 'ignore') return { type: 'string' };

  return select.open?.length
    ? { type: 'string', pattern: `^${anyPattern([namePattern(select)])}$` }
    : { type: 'string', enum: select.names };
}

/** One condition; operators are any word, and those of the application's own that are none. */
function conditionPattern({ names: { filter }, delim, custom }: Context): string | undefined {
  const between = escapePattern(delim);
  const operator = anyPattern(['\\$?\\w+', ...custom.filter((name) => !/^\$?\w+$/.test(name)).map(escapePattern)]);

  return filter && `^${anyPattern(filter.map(namePattern))}${between}${operator}(${between}[\\s\\S]*)?$`;
}

/** One field to sort by, with or without its order. */
function orderPattern({ names: { sort }, comma }: Context): string | undefined {
  return sort && `^${anyPattern(sort.map(namePattern))}(${escapePattern(comma)}([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]))?$`;
}

/** One relation, with whatever follows it. */
function joinPattern({ names: { join }, query, delim }: Context): string | undefined {
  if (join.length === 0 || query.unknown === 'ignore') return undefined;
  const spellings = join.flatMap((relation) => relation.spellings).map(escapePattern);

  return `^${anyPattern(spellings)}(${escapePattern(delim)}[\\s\\S]*)?$`;
}

/**
 * A sentence that lists the names, for a parameter's description: Swagger UI does not show the schema of list items.
 * Empty if there are no names.
 */
function listSentence(what: string, names: readonly string[] | undefined): string {
  return names?.length ? ` ${what}: ${quoteNames(names)}.` : '';
}

/** Names as a description lists them. */
function quoteNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function namePattern({ relation, names, open = [] }: NameGroup): string {
  const listed = names?.map((name) => escapePattern(name) + (open.includes(name) ? '(\\..+)?' : ''));
  const own = listed ? anyPattern(listed) : '.+';

  return relation.length === 0 ? own : `${anyPattern(relation.map(escapePattern))}\\.${own}`;
}

/** A pattern that matches any of the texts. */
function anyPattern(patterns: readonly string[]): string {
  return `(${patterns.join('|')})`;
}

/** A pattern that matches a text alone. */
function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The order of rows of aggregates, which are sorted by their keys. */
export const ROW_ORDER: Describe = (context) =>
  describeRepeated(
    context,
    'sorts',
    `Order of the rows, by their keys: \`key\`, \`key${context.comma}ASC\` or \`key${context.comma}DESC\`. Repeat it to ` +
      'sort by several; the first counts most.',
  );
