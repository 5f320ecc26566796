/** Printing and parsing are inverse for every query that the builder takes, and the parser survives whatever it is given. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse as parseSimple } from 'node:querystring';
import { parse as parseExtended } from 'qs';
import { decodeQuery, findOperator, OPERATORS, parseQuery, parseSearch, printSearch } from '@nestwright/crud-request';
import { RequestQueryBuilder, RequestQueryException, spellOperator } from '@nestwright/crud-request';
import type { CreateQueryParams, ParsedQuery, QueryFilter, QueryLanguageOptions } from '@nestwright/crud-request';
import { anyCharacter } from '../../../integration/test-support/any-character.js';
import { sampleCount } from '../../../integration/test-support/extent.js';

const RUNS = sampleCount(4_000);
// What is tested here is the language, not its bounds.
const limits = { conditions: 1_000_000, nesting: 100 };
// A failure is worth more now than small in an hour.
fc.configureGlobal({ endOnFailure: true });
const SPECIAL = ['[0]', 'on[0]=', ',on[1]=', '||', '\\,', '%41', '::', '🦉', '日本', ...'|,\\"\'[]%&=+;#é .$\n\0'];
const special = { weight: 2, arbitrary: fc.constantFrom(...SPECIAL) };
const unit = fc.oneof(special, fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }));
const text = fc.string({ unit, minLength: 1, maxLength: 12 });

type Delimiters = { delim: string; delimStr: string };

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

const some = <T>(item: fc.Arbitrary<T>, most: number, least = 1) =>
  fc.array(item, { minLength: least, maxLength: most });

/** A record of which each property may be missing. */
const partial = <T>(model: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) => fc.record(model, { requiredKeys: [] });
const filterFor = ({ delim }: Delimiters): fc.Arbitrary<QueryFilter> =>
  fc.tuple(nameFor(delim), spelling).chain(([field, operator]): fc.Arbitrary<QueryFilter> => {
    const { arity } = findOperator(operator)!.operator;
    if (arity === 'none') return fc.constant({ field, operator });
    const value = arity === 'one' ? text : arity === 'two' ? some(text, 2, 2) : some(text, 5);
    return value.map((value) => ({ field, operator, value }));
  });
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
const scalar = fc.oneof(text, fc.integer(), number, fc.boolean());
const searchField = fc.oneof(
  scalar,
  fc.constant(null),
  fc.dictionary(fc.constantFrom('$eq', 'ne', '$gtL', 'starts', '$contL'), scalar, { maxKeys: 3 }),
  partial({ $in: some(scalar, 4, 0), $between: fc.tuple(scalar, scalar), $isnull: fc.boolean() }),
  fc.record({ $or: fc.dictionary(fc.constantFrom('$eq', '$lt', '$ends'), scalar, { maxKeys: 2 }) }),
);

const fieldsBut = (left: RegExp, maxKeys: number) =>
  fc.dictionary(
    text.filter((name) => !left.test(name)),
    searchField,
    { maxKeys },
  );
const search = fc.letrec<{ search: Record<string, unknown> }>((tie) => {
  const list = (most: number) => some(tie('search'), most, 0);
  const groups = partial({ $and: list(3), $or: list(3), $not: fc.oneof(tie('search'), list(2)) });
  const grouped = fc.tuple(fieldsBut(/^\$/, 1), groups).map((parts) => Object.assign({}, ...parts) as object);
  const any = fc.oneof({ maxDepth: 3, withCrossShrink: true }, fieldsBut(/^\$(and|or|not)$/, 3), grouped);
  return { search: any as fc.Arbitrary<Record<string, unknown>> };
}).search;

const queryFor = (delimiters: Delimiters): fc.Arbitrary<CreateQueryParams> => {
  const { delim, delimStr } = delimiters;
  const filter = filterFor(delimiters);
  const small = fc.integer({ min: 1, max: 1000 });
  const pages = fc
    .record({ limit: small, page: small, agrees: fc.boolean() })
    .map(({ agrees, ...page }) => ({ ...page, ...(agrees && { offset: (page.page - 1) * page.limit }) }));
  const position = fc.oneof(pages, partial({ limit: fc.integer({ min: 1 }), offset: fc.maxSafeNat() }));
  const join = { field: nameFor(delim), select: some(nameFor(delim, delimStr), 3), on: some(filter, 3) };
  const parts = partial({
    fields: some(nameFor(delimStr), 4),
    join: some(fc.record(join, { requiredKeys: ['field'] }), 3),
    sort: some(fc.record({ field: nameFor(delimStr), order: fc.constantFrom('ASC', 'DESC') }), 3),
    includeDeleted: fc.constantFrom(0, 1),
    resetCache: fc.constant(true),
  });
  const conditions = fc.oneof(partial({ filter: some(filter, 4), or: some(filter, 4) }), fc.record({ search }));
  return fc.tuple(parts, conditions, position).map((all) => Object.assign({}, ...all) as CreateQueryParams);
};

/** What a parser makes of a query, said as the query. */
function asParams(parsed: ParsedQuery): CreateQueryParams {
  const { fields, search: s, filter, or, join, sort, cache, limit, offset, page, includeDeleted } = parsed;
  const parts = { fields, filter, or, join, sort, search: s, limit, offset, page, includeDeleted };
  const isThere = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  const there = Object.entries(parts).filter(([, value]) => isThere(value));
  return { ...Object.fromEntries(there), ...(cache === 0 && { resetCache: true }) };
}

const plain = (value: unknown): unknown => structuredClone(JSON.parse(JSON.stringify(value)) as unknown);
const languages: QueryLanguageOptions[] = [
  {},
  { delim: '::', delimStr: ';', paramNamesMap: { filter: 'where', fields: ['$f', 'x'], search: 'S', extra: 'my-' } },
  { delim: '|', delimStr: ',,' },
];

test.each(languages)('parse(print(query)) is the query: in the language %j', (language) => {
  fc.assert(
    fc.property(queryFor({ delim: '||', delimStr: ',', ...language }), (query) => {
      const printed = RequestQueryBuilder.create(query, undefined, language).query();
      const byFrameworks = [parseSimple(printed), parseExtended(printed), Object.fromEntries(decodeQuery(printed))];
      // Those of frameworks are asked in the language that applications have.
      for (const read of language.delim === undefined ? [printed, ...byFrameworks] : [printed])
        expect(plain(asParams(parseQuery(read, { language, limits })))).toEqual(plain(query));
      expect(printed).not.toMatch(/[^\w.~!*'()%&=-]/);
    }),
    { numRuns: language.delim === undefined ? RUNS : RUNS / 5 },
  );
});

test('parse(print(query)) is the query: a search condition is its tree, and the tree the condition', () => {
  fc.assert(
    fc.property(search, (condition) => {
      const node = parseSearch(condition, { source: 'trusted' });
      expect(parseSearch(printSearch(node), { source: 'trusted' })).toEqual(node);
      expect(parseSearch(plain(condition), { source: 'client', limits })).toEqual(node);
    }),
    { numRuns: sampleCount(3_000) },
  );
});

test('the parser returns, or throws RequestQueryException with code, parameter and position', () => {
  const only = (run: () => unknown): void => {
    try {
      run();
    } catch (error) {
      if (!RequestQueryException.isRequestQueryException(error)) throw error;
      expect(error).toMatchObject({ code: expect.stringMatching(/^CRUD_/), parameter: expect.any(String) });
      expect(Number.isInteger(error.position) && (error.position as number) >= 0).toBe(true);
    }
  };
  const PARAMETERS = [
    ...['fields', 'select', 's', 'filter', 'or', 'join', 'sort', 'limit', 'per_page', 'offset', 'page', 'cache'],
    ...['includeDeleted', 'extra.', 'extra.a.b', 'filter[]', 'filter[0]', 'sort[a]', '__proto__', 'constructor'],
  ];
  const NAMES = ['__proto__', 'constructor', 'toString', 'eq', '$in', 'between', 'isnull', '$or', '$and', 'ASC'];
  const WORDS = [...SPECIAL, ...NAMES, '{', '}', ':', '1', '-', '{"a":', '{"$or":['];
  const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((parts) => parts.join(''));
  const value = fc.oneof(words, fc.string(), fc.string({ unit: anyCharacter }));
  const exotic = { withBigInt: true, withDate: true, withMap: true, withTypedArray: true, withSparseArray: true };
  const anything = fc.anything({ ...exotic, withNullPrototype: true });
  const pairs = fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), value), { maxLength: 4 });
  const queries = fc.dictionary(fc.constantFrom(...PARAMETERS), anything);
  fc.assert(
    fc.property(pairs, fc.json(), queries, anything, (sent, s, query, other) => {
      only(() => parseQuery(sent.map(([key, text]) => `${key}=${text}`).join('&')));
      only(() => parseQuery(Object.fromEntries(sent)));
      only(() => parseQuery({ s }));
      only(() => parseQuery(query));
      only(() => parseQuery(other));
    }),
    { numRuns: RUNS },
  );
});
