/** nestjsx/crud's two faces, operators and options: what existing code calls keeps working, and what was silent is refused. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'qs';
import { CondOperator, convertFilterToSearch, type CreateQueryParams, findOperator } from '@nestwright/crud-request';
import { OPERATORS, parseQuery, QUERY_PARAMETERS, type QueryLanguageOptions } from '@nestwright/crud-request';
import { RequestQueryBuilder, RequestQueryException, RequestQueryParser, speakable } from '@nestwright/crud-request';
import { codeOf, refusalOf } from './refusal.js';

const NO_VALUE = { field: 'c', operator: 'eq' };
const NO_VALUE_NEEDED = { field: 'c', operator: 'isnull' };
const builder = (): RequestQueryBuilder => RequestQueryBuilder.create();

test('operators are found in every spelling, each of which has a constant, and nothing else is', () => {
  for (const operator of Object.values(OPERATORS)) {
    for (const fold of [false, true]) {
      const name = operator.name + (fold ? 'L' : '');
      const expected = fold && !operator.foldable ? undefined : { operator, fold };
      expect([findOperator(name), findOperator(`$${name}`)]).toEqual([expected, expected]);
    }
  }
  for (const name of ['', '$', 'L', '$$eq', 'EQ', 'constructor', '__proto__', 'eqLL', '$or', '$and', '$not'])
    expect(findOperator(name)).toBeUndefined();
  const all = Object.values(OPERATORS).flatMap(({ name, foldable }) => (foldable ? [name, `${name}L`] : [name]));
  expect(new Set(Object.values(CondOperator).map(findOperator))).toEqual(new Set(all.map(findOperator)));
});

test('RequestQueryBuilder prints every part, in objects, tuples and lists', () => {
  const query = builder()
    .select(['id', 'name'])
    .setFilter({ field: 'a', operator: CondOperator.EQUALS, value: 1 })
    .setFilter(['b', '$in', [1, 'x,y']])
    .setFilter([{ field: 'e', operator: 'in', value: '1,2' }, ['d', 'notnull']])
    .setOr(['f', 'between', [new Date(0), 2n]])
    .setJoin({ field: 'x', select: [], on: [{ field: 'y', operator: 'in', value: [1, 2] }] })
    .setJoin([{ field: 'company' }, ['z', ['on[]=', 'on[0]='], [NO_VALUE_NEEDED, NO_VALUE_NEEDED]]])
    .sortBy([['a', 'DESC'], { field: 'b', order: 'ASC' }])
    .sortBy(['c', 'DESC'])
    .setOffset(0);
  expect(query.query(false)).toBe(
    'fields=id,name&filter=a||$eq||1&filter=b||$in||1,x\\,y&filter=e||in||1,2&filter=d||notnull' +
      '&or=f||between||1970-01-01T00:00:00.000Z,2&join=x||on[0]=y||in||1\\,2&join=company' +
      '&join=z||on[]=,on[0]=||on[0]=c||isnull,on[1]=c||isnull&sort=a,DESC&sort=b,ASC&sort=c,DESC&offset=0',
  );
  expect(query.queryString).toBe(query.query(false));
  expect(query.query()).toContain('filter=b%7C%7C%24in%7C%7C1%2Cx%5C%2Cy&');
});

test('RequestQueryBuilder asks for pages by cursor, totals and formats, also all at once', () => {
  expect([builder().cursor().query(), builder().cursor(null).query()]).toEqual(['cursor=', 'cursor=']);
  const text = builder().cursor('kX3+/=').setTotal().format('csv').format(undefined).query();
  expect(text).toBe('cursor=kX3%2B%2F%3D&total=1&format=csv');
  const numbers = { limit: 1, offset: 2, page: 3, includeDeleted: 0, total: 0 };
  const parts: CreateQueryParams = { fields: ['a'], sort: ['b', 'ASC'], search: { c: '' }, cursor: '', format: 'csv' };
  const query = RequestQueryBuilder.create({ ...numbers, ...parts, resetCache: true });
  expect(query.query(false)).toBe(
    'fields=a&s={"c":""}&limit=1&offset=2&page=3&sort=b,ASC&includeDeleted=0&total=0&cursor=&format=csv&cache=0',
  );
  expect(RequestQueryBuilder.create({}).query()).toBe('');
});

test('RequestQueryBuilder leaves filters out beside a search condition, and adds nothing for an empty argument', () => {
  const query = builder()
    .setFilter(['a', 'eq', 1])
    .search({ b: { $gt: 2n }, c: undefined, d: null });
  expect([query.query(false), query.queryObject.filter]).toEqual(['s={"b":{"$gt":"2"},"d":null}', ['a||eq||1']]);
  const empty = builder().select(undefined).select([]).setFilter(undefined).setFilter([]).setJoin(undefined);
  expect(empty.sortBy([]).search(undefined).setLimit(undefined).query()).toBe('');
  const none = null as never;
  const text = '{}' as never;
  expect(empty.select(none).setOr(none).search(none).search(text).setPage(none).query()).toBe('');
});

test('RequestQueryBuilder prints what is added to queryObject', () => {
  const query = builder();
  query.queryObject['extra.tenant'] = 'a&b';
  query.queryObject.none = null;
  query.queryObject.some = ['b', null, undefined, 1, '&'];
  expect(query.query()).toBe('extra.tenant=a%26b&some=b&some=1&some=%26');
  expect(parseQuery(query.queryString).extra).toEqual({ tenant: 'a&b' });
});

test.each([
  ...['', undefined, null, NaN, new Date(NaN), {}, ['x'], 'x\ud800'].map((value) => ['eq', value] as const),
  ...[['in', []] as const, ['in', ['']] as const, ['between', [1, 2, 3]] as const],
])('RequestQueryBuilder refuses the value of %s %p', (operator, value) => {
  const refused = { code: 'CRUD_INVALID_VALUE', field: 'a', message: 'Invalid or value' };
  expect(refusalOf(() => builder().setOr(['a', operator, value]))).toMatchObject(refused);
});

const circle: Record<string, unknown> = {};
circle.a = circle;

test.each<[code: string, run: (query: RequestQueryBuilder) => unknown]>([
  ['CRUD_UNKNOWN_OPERATOR', (query) => query.setFilter(['a', 'toString', 1])],
  ['CRUD_INVALID_QUERY', (query) => query.setFilter(['', 'eq', 1])],
  ['CRUD_INVALID_QUERY', (query) => query.setFilter(['a||b', 'eq', 1])],
  ['CRUD_INVALID_QUERY', (query) => query.setFilter(['$or', 'eq', 1])],
  ['CRUD_INVALID_QUERY', (query) => query.select(['a,b'])],
  ['CRUD_INVALID_QUERY', (query) => query.setJoin(['a', ['on[0]=x']])],
  ['CRUD_INVALID_VALUE', (query) => query.setJoin(['a', ['b'], [NO_VALUE]])],
  ['CRUD_INVALID_QUERY', (query) => query.sortBy(['a', 'UP' as never])],
  ['CRUD_INVALID_PAGINATION', (query) => query.setLimit(0)],
  ['CRUD_INVALID_QUERY', (query) => query.setIncludeDeleted(2)],
  ['CRUD_INVALID_SEARCH', (query) => query.search({ a: NaN })],
  ['CRUD_INVALID_SEARCH', (query) => query.search(circle as never)],
  ['CRUD_INVALID_QUERY', (query) => query.groupBy(['a', '1'])],
  ['CRUD_INVALID_QUERY', (query) => query.aggregate(['max', 'a||b'])],
  ['CRUD_INVALID_QUERY', (query) => query.aggregate(['median' as never, 'a'])],
])('RequestQueryBuilder refuses what cannot be read back with %s: row %#', (code, run) =>
  expect(codeOf(() => run(builder()))).toBe(code),
);

test('RequestQueryBuilder takes operators of the application’s own', () => {
  const custom = { sounds: {}, near: { isArray: true } };
  const filter = { field: 'a', operator: 'sounds', value: 'x,y' };
  const query = RequestQueryBuilder.create({ filter: [filter, ['b', 'near', [1, 2]]] }, custom);
  expect(query.query(false)).toBe('filter=a||sounds||x,y&filter=b||near||1,2');
  const unknown = { code: 'CRUD_UNKNOWN_OPERATOR', field: 'a', message: 'Unknown operator sounds' };
  expect(refusalOf(() => builder().cond(['a', 'sounds', 'x']))).toMatchObject(unknown);
  expect(builder().cond(['b', 'near', [1, 2]], 'filter', new Map([['near', 'list']]))).toBe('b||near||1,2');
  expect(codeOf(() => builder().cond(['b', 'n||r', 1], 'or', ['n||r']))).toBe('CRUD_INVALID_QUERY');
  const parser = RequestQueryParser.create({ customOperators: ['near'] });
  for (const [operator, given] of [['near'], ['sounds', ['sounds']]] as const)
    expect(parser.parseQuery({ filter: `a||${operator}||1` }, given).filter).toMatchObject([{ operator, value: 1 }]);
  const { cond } = builder();
  expect(cond(['a', 'eq', 'x'])).toBe('a||eq||x');
});

describe('the language', () => {
  const before = RequestQueryBuilder.getOptions();
  afterEach(() => RequestQueryBuilder.setOptions(before));
  test('of the process is honoured by builder and parser', () => {
    const early = builder();
    RequestQueryBuilder.setOptions({ delim: '::', paramNamesMap: { filter: ['where', 'filter'], limit: 'take' } });
    RequestQueryBuilder.setOptions({ delimStr: ';' });
    const late = RequestQueryBuilder.create({ filter: [['a', 'in', [1, 2]]], limit: 3, sort: ['a', 'ASC'] });
    expect(late.query(false)).toBe('where=a::in::1;2&take=3&sort=a;ASC');
    expect(early.setFilter(['a', 'in', [1, 2]]).query(false)).toBe('filter=a||in||1,2');
    early.setParamNames();
    expect(early.options).toEqual(RequestQueryBuilder.getOptions());
    const sent = { where: 'a::in::1;2', filter: 'b::eq::x', take: '3', limit: 'ignored' };
    const parsed = RequestQueryParser.create().parseQuery(sent);
    expect([parsed.filter.map(({ value }) => value as unknown), parsed.limit]).toEqual([[[1, 2], 'x'], 3]);
  });

  test('of one call leaves the process alone', () => {
    const language: QueryLanguageOptions = { delim: '~', paramNamesMap: { join: 'with' } };
    expect(RequestQueryBuilder.create({ join: ['a', ['b']] }, undefined, language).query(false)).toBe('with=a~b');
    const sent = { with: 'a~b', join: 'x' };
    expect(RequestQueryParser.create({ language }).parseQuery(sent).join).toEqual([{ field: 'a', select: ['b'] }]);
    expect(RequestQueryBuilder.getOptions()).toEqual(before);
  });

  test('newer parameters give way to names that applications have, and may have none', () => {
    for (const name of ['cursor', 'total', 'format', 'groupBy', 'aggregate', 'having']) {
      const parsed = parseQuery({ [name]: '5' }, { language: { paramNamesMap: { limit: name } } });
      expect(parsed).toEqual({ ...parseQuery({ limit: '5' }), limit: 5 });
      const language = { paramNamesMap: { [name]: [] } };
      expect(parseQuery({ [name]: '' }, { language })).toEqual(parseQuery({}));
    }
    expect([before, before.paramNamesMap].map(Object.isFrozen)).toEqual([true, true]);
    expect(RequestQueryBuilder.getOptions()).toBe(RequestQueryBuilder.getOptions());
  });

  test('takes names with brackets, as nestjsx/crud’s documentation has them', () => {
    const names = { filter: ['filter[]', 'filter'], join: 'with[]', limit: ['per_page', 'limit'] };
    RequestQueryBuilder.setOptions({ paramNamesMap: names });
    expect(RequestQueryBuilder.getOptions().paramNamesMap).toMatchObject({ filter: ['filter'], join: ['with'] });
    const query = builder().setFilter(['a', 'gt', 1]).setFilter(['a', 'lt', 9]).setJoin(['b']).setLimit(3);
    expect(query.query(false)).toBe('filter=a||gt||1&filter=a||lt||9&with=b&per_page=3');
    // What nestjsx/crud's builder prints under these names, and what query parsers make of it.
    const theirs = 'filter[][1]=a||lt||9&filter[][0]=a||gt||1&with[][0]=b&limit=3';
    for (const text of [theirs, parse(theirs), Object.fromEntries(new URLSearchParams(theirs)), query.query()]) {
      const { filter, join, limit } = parseQuery(text);
      expect([filter.map(({ operator }) => operator), join.length, limit]).toEqual([['gt', 'lt'], 1, 3]);
    }
  });

  test('prints lists as nestjsx/crud’s builder does', () => {
    RequestQueryBuilder.setOptions({ arrayFormat: 'indices', paramNamesMap: { includeDeleted: 'include_deleted' } });
    const filter: CreateQueryParams['filter'] = [
      { field: 'name', operator: '$cont', value: 'é & ü' },
      ['id', '$in', [1, 2]],
    ];
    const rest: CreateQueryParams = { or: ['id', '$isnull'], join: ['company', ['name']], limit: 2, includeDeleted: 1 };
    const query = RequestQueryBuilder.create({ filter, ...rest });
    expect(query.query(false)).toBe(
      'filter[0]=name||$cont||é & ü&filter[1]=id||$in||1,2&or[0]=id||$isnull&join[0]=company||name&limit=2&include_deleted=1',
    );
    for (const encode of [true, false]) expect(query.query(encode)).toBe(stringify(query.queryObject, { encode }));
    RequestQueryBuilder.setOptions({ arrayFormat: 'repeat' });
    expect(builder().sortBy(['id', 'ASC']).query()).toBe('sort=id%2CASC');
  });

  const names = (filter: unknown): QueryLanguageOptions => ({ paramNamesMap: { filter: filter as string } });

  test.each<QueryLanguageOptions>([
    ...[{ delim: '' }, { delimStr: '' }, { delim: '\\' }, { delim: ',' }, { delim: '|', delimStr: '||' }],
    ...['a|', '|Z', '1', '🦉'].map((delim) => ({ delim })),
    ...[{ delimStr: '.' }, names('toString'), { paramNamesMap: { extra: 'filter' } }],
    ...[names(''), names([]), names('or'), names('a[0]'), names('[]'), names('or[]'), names([{}])],
  ])('%j is refused and changes nothing', (options) => {
    expect(codeOf(() => RequestQueryBuilder.setOptions(options))).toBe('CRUD_INVALID_QUERY');
    expect(codeOf(() => parseQuery({}, { language: options }))).toBe('CRUD_INVALID_QUERY');
    expect(RequestQueryBuilder.getOptions()).toEqual(before);
  });
});

test('RequestQueryParser keeps upstream’s shape', () => {
  const parser = RequestQueryParser.create();
  expect(parser.parseQuery({ filter: 'a||eq||1', limit: '5', 'extra.x': '1' })).toBe(parser);
  const nothing = { fields: [], paramsFilter: [], or: [], join: [], sort: [] };
  const filter = [{ field: 'a', operator: 'eq', value: 1 }];
  expect(parser.getParsed()).toEqual({ ...nothing, filter, limit: 5, extra: { x: 1 } });
  for (const other of [undefined, null, 1])
    expect(RequestQueryParser.create().parseQuery({ limit: '5' }).parseQuery(other).limit).toBe(5);
  expect(parser.parseQuery({})).toMatchObject({ filter: [], limit: undefined, extra: undefined });
  const gt = { field: 'a', operator: '$gt', value: 1 };
  const others = [{ ...gt, operator: '$isnull' }, { ...gt, operator: 'near' }, undefined].map(convertFilterToSearch);
  expect(parser.convertFilterToSearch(gt)).toEqual({ a: { $gt: 1 } });
  expect(others).toEqual([{ a: { $isnull: true } }, { a: { near: 1 } }, {}]);
  parser.setAuthPersist({ a: 1 });
  parser.setClassTransformOptions();
  expect(parser.getParsed()).toMatchObject({ authPersist: { a: 1 }, classTransformOptions: {} });
  parser.setAuthPersist();
  expect(parser.getParsed().authPersist).toEqual({});
});

test('a name is spoken if it is a plain one', () => {
  const names = ['a', 'A1.b_2.c', 'x'.repeat(64)];
  const others = ['', '1a', 'a.', 'a..b', '.a', 'a b', "a'", ' a', 'x'.repeat(65), 'a.constructor', 1, undefined];
  expect([...names, ...others].map(speakable)).toEqual([...names, ...others.map(() => undefined)]);
});

test('whole numbers have the bounds that are documented', () => {
  const bounds = Object.values(QUERY_PARAMETERS).map(({ name, minimum, maximum }) => `${name} ${minimum} ${maximum}`);
  const most = Number.MAX_SAFE_INTEGER;
  expect(bounds.filter((bound) => !bound.includes('undefined'))).toEqual([
    ...[`limit 1 ${most}`, `offset 0 ${most}`, `page 1 ${most}`, `cache 0 ${most}`],
    ...['includeDeleted 0 1', 'total 0 1'],
  ]);
});

test('the exception is recognised across copies of the package', () => {
  const other = Object.assign(new Error('x'), { [Symbol.for('nestwright.query.exception')]: true });
  const own = new RequestQueryException('x');
  const recognised = [own, other, new Error(), undefined, null, 'x', {}].filter((each) =>
    RequestQueryException.isRequestQueryException(each),
  );
  expect(recognised).toEqual([own, other]);
  expect(own).toMatchObject({ message: 'x', name: 'RequestQueryException', code: 'CRUD_INVALID_QUERY' });
});
