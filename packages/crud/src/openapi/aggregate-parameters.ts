/** The query parameters of requests for aggregates. */
import { DEFAULT_LIMITS } from '@nestwright/crud-request';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { ParameterObject } from './document-types.js';
import type { Context, Description } from './parameter-context.js';
import { escaped, examplesOf, oneOf, parameterName, repeated, sentenceOf } from './parameter-schemas.js';

const UNITS = '(:(day|week|month|quarter|year))?';
const ALIAS = '[A-Za-z][A-Za-z0-9_.]{0,63}';

/** What describes each parameter. */
export const AGGREGATE_PARAMETERS = {
  groupBy: ({ query, delim, comma }) => {
    const names = query.aggregate?.groupBy ?? [];
    const term = `${oneOf(names.map(escaped))}${UNITS}`;
    const pattern = `^${term}((${escaped(comma)}${term})*|${escaped(delim)}${ALIAS})$`;

    return {
      description: `What records are grouped by: \`field\`, \`field:month\` (\`day\`, \`week\`, \`month\`, \`quarter\`, \`year\` of moments and dates, in UTC), or either with its key in the rows: \`field${delim}key\`.${sentenceOf('Fields', names)}`,
      ...repeated({ type: 'string', ...(names.length > 0 && { pattern }) }, maxAggregates(query)),
      examples: examplesOf([]),
    };
  },
  aggregate: ({ query, delim }) => {
    const listed = Object.entries(query.aggregate?.functions ?? {}).flatMap(([field, functions = []]) =>
      functions.map((name) => `${name}${delim}${field}`),
    );

    return {
      description: `What is computed of each group: \`function${delim}field\`, or with its key in the rows: \`function${delim}field${delim}key\`.${sentenceOf('Functions', listed)}`,
      ...repeated(
        {
          type: 'string',
          ...(listed.length > 0 && { pattern: `^${oneOf(listed.map(escaped))}(${escaped(delim)}${ALIAS})?$` }),
        },
        maxAggregates(query),
      ),
      examples: examplesOf([]),
    };
  },
  having: ({ query, delim }) => ({
    description: `Condition on the rows of the answer, by their keys: \`key${delim}$operator${delim}value\`. Repeated conditions are all required.`,
    ...repeated({ type: 'string' }, query.limits?.conditions ?? DEFAULT_LIMITS.conditions),
    examples: examplesOf([]),
  }),
} as const satisfies Record<string, (context: Context) => Description>;

function maxAggregates({ limits }: Context['query']): number {
  return limits?.aggregates ?? DEFAULT_LIMITS.aggregates;
}

/** A parameter of lists as it is of rows, which are sorted by their keys. */
export function ofRows(parameter: ParameterObject, language: ResourceDefinition['language']): ParameterObject {
  if (parameter.name !== parameterName(language, 'sort')) return parameter;

  return {
    ...parameter,
    description:
      'Order of the rows, by their keys: `key`, `key,ASC` or `key,DESC`. Repeat it to sort by several; the first counts most.',
    schema: { type: 'array', items: { type: 'string' } },
    examples: examplesOf([]),
  } as ParameterObject;
}
