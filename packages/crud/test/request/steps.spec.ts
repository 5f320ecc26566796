/** The steps of CrudRequestInterceptor on a parser that the application has made: what they make of it without a request. */
import { expect, test } from '@jest/globals';
import { RequestQueryParser, type SCondition } from '@nestwright/crud-request';
import { CrudActions, CrudRequestInterceptor } from '../../src/index.js';

const interceptor = new CrudRequestInterceptor();
const parserOf = (parts: Partial<RequestQueryParser> = {}) => Object.assign(RequestQueryParser.create(), parts);
const filterOf = (...values: number[]) =>
  values.map((value) => ({ field: 'age', operator: '$eq', value })) as RequestQueryParser['filter'];
const age = (value: number) => ({ age: { $eq: value } });

test.each<[parts: Partial<RequestQueryParser>, filter: unknown, search: SCondition[]]>([
  [{}, undefined, []],
  [{ filter: filterOf(1, 2) }, undefined, [{ $and: [age(1), age(2)] }]],
  [{ or: filterOf(1, 2) }, undefined, [{ $or: [age(1), age(2)] }]],
  [{ filter: filterOf(1), or: filterOf(2) }, undefined, [{ $or: [{ $and: [age(1)] }, { $and: [age(2)] }] }]],
  [{ search: { id: 3 }, filter: filterOf(1), or: filterOf(2) }, undefined, [{ id: 3 }]],
  [{ search: { id: 3 } }, filterOf(4), [age(4), { id: 3 }]],
  [{}, { id: 4 }, [{ id: 4 }]],
  [{ search: { id: 3 } }, (search: SCondition, many: boolean) => ({ ...search, many }), [{ id: 3, many: true }]],
])('of %j and the filter %j, getSearch makes %j', (parts, filter, search) => {
  const options = { query: { filter } } as Parameters<typeof interceptor.getSearch>[1];
  expect(interceptor.getSearch(parserOf(parts), options, CrudActions.ReadAll)).toEqual(search);
});

test('the path comes first, and is what bodies are given', () => {
  const parser = parserOf({ search: { id: 3 } });
  const options = { params: { age: { field: 'age', type: 'number' } } } as const;
  const path = age(7);
  expect(interceptor.getSearch(parser, options, CrudActions.ReadOne, { age: '7' })).toEqual([path, { id: 3 }]);
  expect(parser.paramsFilter).toEqual([{ field: 'age', operator: '$eq', value: 7 }]);
  expect(interceptor.getParamsSearch(parser, options)).toEqual([]);
});

test('getSearch refuses an asynchronous filter, unless the library has made its parser', () => {
  const options = { query: { filter: () => Promise.resolve({}) } };
  expect(() => interceptor.getSearch(parserOf(), options, CrudActions.ReadAll)).toThrow(
    'query.filter is asynchronous, and needs a parser that the library has made',
  );
});

test('a request has what was parsed, options of its own, and a user if there is one', () => {
  const [parser, options] = [parserOf({ limit: 5 }), { query: { limit: 1 } }];
  const request = interceptor.getCrudRequest(parser, options, 0);
  const whole = { ...options, routes: {}, params: {}, operators: {} };
  expect(request).toEqual({ parsed: parser.getParsed(), options: whole, auth: 0 });
  expect([request.parsed.limit, Object.isFrozen(request.options)]).toEqual([5, false]);
  for (const user of [undefined, null]) expect(interceptor.getCrudRequest(parser, {}, user)).not.toHaveProperty('auth');
  expect(interceptor.getAuth(parser, {}, {})).toEqual({});
});
