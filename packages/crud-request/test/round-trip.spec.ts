/** Printing and parsing are inverse for every query that the builder takes, and the parser survives whatever it is given. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse as parseSimple } from 'node:querystring';
import { parse as parseExtended } from 'qs';
import {
  type CreateQueryParams,
  decodeQuery,
  findOperator,
  OPERATORS,
  type ParsedQuery,
  parsePathParams,
  parseQuery,
  parseSearch,
  printSearch,
  type QueryFilter,
  type QueryLanguageOptions,
  RequestQueryBuilder,
  RequestQueryException,
  spellOperator,
} from '@nestwright/crud-request';
import { anyCharacter } from '../../../integration/test-support/any-character.js';
import { sampleCount } from '../../../integration/test-support/extent.js';

const RUNS = sampleCount(4_000);

// What is tested here is the language, not its bounds.
const limits = { conditions: 1_000_000, nesting: 100 };

// A failure is worth more now than small in an hour.
fc.configureGlobal({ endOnFailure: true });

const SPECIAL = [
  '||',
  '|',
  ',',
  '\\',
  '\\,',
  '"',
  "'",
  '[',
  ']',
  '[0]',
  'on[0]=',
  ',on[1]=',
  '%',
  '%41',
  '&',
  '=',
  '+',
  ';',
  '::',
  '#',
  '🦉',
  'é',
  '日本',
  ' ',
  '.',
  '$',
  '\n',
  '\0',
];
const text = fc.string({
  unit: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...SPECIAL) },
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
  ),
  minLength: 1,
  maxLength: 12,
});

interface Delimiters {
  delim: string;
  delimStr: string;
}

/** Names that the language can say: neither delimiter is read in them, or begins in them. */
const nameFor = (...delimiters: string[]): fc.Arbitrary<string> =>
  text.filter(
    (name) =>
      !/^\$(and|or|not)$|^on\[\d+\]=/.test(name) &&
      delimiters.every((delimiter) => (name + delimiter).indexOf(delimiter) === name.length),
  );

const spelling = fc
  .tuple(fc.constantFrom(...Object.values(OPERATORS)), fc.boolean(), fc.boolean())
  .map(([operator, dollar, fold]) => {
    const spelt = spellOperator(operator, fold && operator.foldable);
    return dollar ? spelt : spelt.slice(1);
  });

const filterFor = ({ delim }: Delimiters): fc.Arbitrary<QueryFilter> =>
  fc.tuple(nameFor(delim), spelling).chain(([field, operator]): fc.Arbitrary<QueryFilter> => {
    const arity = findOperator(operator)?.operator.arity;
    return arity === 'none'
      ? fc.constant({ field, operator })
      : (arity === 'one'
          ? text
          : fc.array(text, { minLength: arity === 'two' ? 2 : 1, maxLength: arity === 'two' ? 2 : 5 })
        ).map((value) => ({ field, operator, value }));
  });

const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  fc.boolean(),
);
const searchField = fc.oneof(
  scalar,
  fc.constant(null),
  fc.dictionary(fc.constantFrom('$eq', 'ne', '$gtL', 'starts', '$contL'), scalar, { maxKeys: 3 }),
  fc.record(
    { $in: fc.array(scalar, { maxLength: 4 }), $between: fc.tuple(scalar, scalar), $isnull: fc.boolean() },
    { requiredKeys: [] },
  ),
  fc.record({ $or: fc.dictionary(fc.constantFrom('$eq', '$lt', '$ends'), scalar, { maxKeys: 2 }) }),
);
const search = fc.letrec<{ search: Record<string, unknown> }>((tie) => ({
  search: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.dictionary(
      text.filter((name) => !/^\$(and|or|not)$/.test(name)),
      searchField,
      { maxKeys: 3 },
    ),
    fc
      .tuple(
        fc.dictionary(
          text.filter((name) => !name.startsWith('$')),
          searchField,
          { maxKeys: 1 },
        ),
        fc.record(
          {
            $and: fc.array(tie('search'), { maxLength: 3 }),
            $or: fc.array(tie('search'), { maxLength: 3 }),
            $not: fc.oneof(tie('search'), fc.array(tie('search'), { maxLength: 2 })),
          },
          { requiredKeys: [] },
        ),
      )
      .map(([fields, groups]) => ({ ...fields, ...groups })),
  ),
})).search;

const queryFor = (delimiters: Delimiters): fc.Arbitrary<CreateQueryParams> => {
  const { delim, delimStr } = delimiters;
  const filters = fc.array(filterFor(delimiters), { minLength: 1, maxLength: 4 });
  const select = fc.array(nameFor(delim, delimStr), { minLength: 1, maxLength: 3 });
  const position = fc.oneof(
    fc
      .record({ limit: fc.integer({ min: 1, max: 1000 }), page: fc.integer({ min: 1, max: 1000 }) })
      .chain(({ limit, page }) =>
        fc.constantFrom<CreateQueryParams>({ limit, page }, { limit, page, offset: (page - 1) * limit }),
      ),
    fc.record<CreateQueryParams>({ limit: fc.integer({ min: 1 }), offset: fc.maxSafeNat() }, { requiredKeys: [] }),
  );
  return fc
    .tuple(
      fc.record<CreateQueryParams>(
        {
          fields: fc.array(nameFor(delimStr), { minLength: 1, maxLength: 4 }),
          join: fc.array(
            fc.record(
              { field: nameFor(delim), select, on: fc.array(filterFor(delimiters), { minLength: 1, maxLength: 3 }) },
              { requiredKeys: ['field'] },
            ),
            { minLength: 1, maxLength: 3 },
          ),
          sort: fc.array(fc.record({ field: nameFor(delimStr), order: fc.constantFrom('ASC', 'DESC') }), {
            minLength: 1,
            maxLength: 3,
          }),
          includeDeleted: fc.constantFrom(0, 1),
          resetCache: fc.constant(true),
        },
        { requiredKeys: [] },
      ),
      fc.oneof(
        fc.record<CreateQueryParams>({ filter: filters, or: filters }, { requiredKeys: [] }),
        fc.record({ search }) as fc.Arbitrary<CreateQueryParams>,
      ),
      position,
    )
    .map((parts) => Object.assign({}, ...parts) as CreateQueryParams);
};

/** What a parser makes of a query, said as the query. */
function asParams(parsed: ParsedQuery): CreateQueryParams {
  const { fields, search: s, filter, or, join, sort, cache, limit, offset, page, includeDeleted } = parsed;
  const entries = Object.entries({ fields, filter, or, join, sort, search: s, limit, offset, page, includeDeleted });
  return {
    ...Object.fromEntries(
      entries.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
    ),
    ...(cache === 0 && { resetCache: true }),
  };
}

const plain = (value: unknown): unknown => structuredClone(JSON.parse(JSON.stringify(value)) as unknown);

describe('parse(print(query)) is the query', () => {
  const languages: QueryLanguageOptions[] = [
    {},
    {
      delim: '::',
      delimStr: ';',
      paramNamesMap: { filter: 'where', fields: ['$f', 'x'], search: 'S', extra: 'my-' },
    },
    { delim: '|', delimStr: ',,' },
  ];
  test.each(languages)('in the language %j', (language) => {
    const delimiters = { delim: '||', delimStr: ',', ...language };
    fc.assert(
      fc.property(queryFor(delimiters), (query) => {
        const printed = RequestQueryBuilder.create(query, undefined, language).query();
        const parsed = asParams(parseQuery(printed, { language, limits }));
        expect(plain(parsed)).toEqual(plain(query));
        expect(printed).not.toMatch(/[^\w.~!*'()%&=-]/);
      }),
      { numRuns: language.delim === undefined ? RUNS : RUNS / 5 },
    );
  });

  test('through the query parsers of frameworks, and without encoding for whoever encodes it', () => {
    fc.assert(
      fc.property(queryFor({ delim: '||', delimStr: ',' }), (query) => {
        const builder = RequestQueryBuilder.create(query);
        const printed = builder.query();
        const expected = parseQuery(printed, { limits });
        expect(parseQuery(parseSimple(printed), { limits })).toEqual(expected);
        expect(parseQuery(parseExtended(printed), { limits })).toEqual(expected);
        expect(parseQuery(Object.fromEntries(decodeQuery(printed)), { limits })).toEqual(expected);
      }),
      { numRuns: sampleCount(2_000) },
    );
  });

  test('a search condition is its tree, and the tree the condition', () => {
    fc.assert(
      fc.property(search, (condition) => {
        const node = parseSearch(condition, { source: 'trusted' });
        expect(parseSearch(printSearch(node), { source: 'trusted' })).toEqual(node);
        expect(parseSearch(plain(condition), { source: 'client', limits })).toEqual(node);
      }),
      { numRuns: sampleCount(3_000) },
    );
  });
});

describe('the parser returns or throws RequestQueryException with code, parameter and position', () => {
  const only = (run: () => unknown): void => {
    try {
      run();
    } catch (error) {
      if (!RequestQueryException.isRequestQueryException(error)) throw error;

      expect(error.code).toMatch(/^CRUD_/);
      expect(typeof error.parameter).toBe('string');
      expect(Number.isInteger(error.position) && (error.position as number) >= 0).toBe(true);
    }
  };
  const PARAMETERS = [
    'fields',
    'select',
    's',
    'filter',
    'or',
    'join',
    'sort',
    'limit',
    'per_page',
    'offset',
    'page',
    'cache',
    'includeDeleted',
    'extra.',
    'extra.a.b',
    'filter[]',
    'filter[0]',
    'sort[a]',
    '__proto__',
    'constructor',
    'toString',
  ];
  const WORDS = [
    ...SPECIAL,
    '__proto__',
    'constructor',
    'toString',
    'eq',
    '$in',
    'between',
    'isnull',
    '$or',
    '$and',
    '{',
    '}',
    ':',
    'ASC',
    '1',
    '-',
    '{"a":',
    '{"$or":[',
  ];
  const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((parts) => parts.join(''));
  const value = fc.oneof(words, fc.string(), fc.string({ unit: anyCharacter }));

  test('for strings', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), value), { maxLength: 4 }), (pairs) => {
        only(() => parseQuery(pairs.map(([key, text]) => `${key}=${text}`).join('&')));
        only(() => parseQuery(Object.fromEntries(pairs)));
      }),
      { numRuns: RUNS },
    );
  });

  test('for any value', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withTypedArray: true,
      withSparseArray: true,
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...PARAMETERS), anything), anything, (query, other) => {
        only(() => parseQuery(query));
        only(() => parseQuery(other));
      }),
      { numRuns: sampleCount(5_000) },
    );
  });

  test('for JSON', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          search.map((condition) => JSON.stringify(condition)),
        ),
        (json) => {
          only(() => parseQuery({ s: json }));
        },
      ),
      { numRuns: sampleCount(3_000) },
    );
  });

  test('prototype keys are names like any other', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(parseQuery({ filter: `${name}||eq||1`, sort: name, join: name, fields: name })).toMatchObject({
        filter: [{ field: name }],
        sort: [{ field: name }],
        join: [{ field: name }],
        fields: [name],
      });
      expect(parseQuery({ s: `{${JSON.stringify(name)}:1}` }).condition).toMatchObject({
        kind: 'comparison',
        field: name,
      });
      expect(() => parseQuery({ s: `{"a":{${JSON.stringify(name)}:1}}` })).toThrow('Unknown operator');
      expect(parseQuery(`${name}=1&${name}[]=2`)).toEqual({
        fields: [],
        filter: [],
        or: [],
        join: [],
        sort: [],
        extra: {},
      });
      expect(() => parsePathParams({}, { [name]: { type: 'number' } })).not.toThrow();
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
