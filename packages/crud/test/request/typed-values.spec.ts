/** Values of conditions, sent as text: typed for code of the application, read by their columns where they are planned. */
import { describe, expect, test } from '@jest/globals';
import type { SCondition } from '@nestwright/crud-request';
import { forApplication } from '../../src/plan/changed-options.js';
import { planRead } from '../../src/plan/read.js';
import { buildCrudRequest } from '../../src/request/build-request.js';
import { describeRequests } from '../../src/request/request-route.js';
import type { CrudRequest } from '../../src/crud-request.js';
import { users } from '../plan/catalogs.js';
import { print } from '../plan/plans.js';
import { define } from './definitions.js';

const definition = define({ join: { company: {} }, exclude: [] });
Object.assign(definition.options.operators, { custom: { matches: {}, oneOf: { isArray: true } } });

const routeOf = (of: typeof definition) => describeRequests({ name: 'getManyBase', definition: of, catalog: users });
const build = async (query: object) => buildCrudRequest({ query, params: {}, route: routeOf(definition), http: {} });
const handed = async (query: object) => forApplication(await build(query));

/** The condition and the values of a request's plan, or what refuses it. */
function planned(request: CrudRequest): unknown {
  try {
    const { where, values, root } = planRead(request, users, 'many');
    return [print(where), print(root.joins[0]?.on), values];
  } catch (error) {
    return (error as { getResponse?(): unknown }).getResponse?.() ?? error;
  }
}

const NOTNULL = 'age||notnull';
const conditions = ({ parsed }: CrudRequest): readonly SCondition[] => parsed.search.$and as SCondition[];

test('a handler reads typed values in `filter`, `or`, `search` and joins, and `s` as JSON has it', async () => {
  const filter = ['age||gte||18', 'id||in||1,2', 'seenAt||between||2024-01-01,2024-02-01', 'email||cont||a', NOTNULL];
  const or = ['isActive||eq||true', 'email||eq||null'];
  const join = 'company||name||on[0]=company.id||gt||3';
  const { parsed } = await handed({ filter, or, join });
  const dates = [new Date('2024-01-01'), new Date('2024-02-01')];
  expect(parsed.filter.map(({ value }) => value as unknown)).toEqual([18, [1, 2], dates, 'a', undefined]);
  expect(parsed.or.map(({ value }) => value as unknown)).toEqual([true, null]);
  const first = [
    ...[{ age: { $gte: 18 } }, { id: { $in: [1, 2] } }, { seenAt: { $between: dates } }, { email: { $cont: 'a' } }],
    { age: { $notnull: true } },
  ];
  const second = [{ isActive: { $eq: true } }, { email: { $eq: null } }];
  expect(parsed.search).toEqual({ $and: [{ $or: [{ $and: first }, { $and: second }] }] });
  const { parsed: json } = await handed({ join, s: '{"email":"5","age":{"$gt":5},"seenAt":{"$gt":"2024-01-01"}}' });
  const sent = [{ email: { $eq: '5' } }, { age: { $gt: 5 } }, { seenAt: { $gt: '2024-01-01' } }];
  expect(json.search).toEqual({ $and: [{ $and: sent }] });
  for (const one of [parsed, json])
    expect(one.join[0]!.on).toEqual([{ field: 'company.id', operator: 'gt', value: 3 }]);
  expect(Object.getOwnPropertyDescriptor(parsed.filter[0], 'value')).toMatchObject({ value: 18, writable: true });
});

describe('what a handler changes', () => {
  const DAY = '2024-01-31';
  const move = (date: Date) => date.setUTCFullYear(2025);
  const list = (condition?: Record<string, unknown>) => condition!['$in'] as unknown[];
  type Change = (condition: Record<string, Record<string, unknown>>, request: CrudRequest) => void;

  test.each<[string, string, Change, unknown[]]>([
    ['a value to what it is', 'email||eq||2024-01-31', ({ email }) => (email!['$eq'] = new Date(DAY)), [DAY]],
    ['a date', `seenAt||gt||${DAY}`, ({ seenAt }) => move(seenAt!['$gt'] as Date), [new Date('2025-01-31')]],
    ['an item of a list', `email||in||1,${DAY}`, ({ email }) => (list(email)[0] = 'x'), [['x', DAY]]],
    ['a longer list', 'email||in||null,1', ({ email }) => list(email).push('x'), [['null', '1', 'x']]],
    ['an operator beside another', 'email||eq||null', ({ email }) => (email!['$ne'] = 'x'), ['null', 'x']],
    ['all of it', 'age||eq||5', (_, { parsed }) => (parsed.search = { age: 8 }), [8]],
    ['null, which is compared as IS NULL,', 'age||eq||5', ({ age }) => (age!['$eq'] = null), []],
  ])('%s counts', async (_, filter, change, values) => {
    const request = await handed({ filter });
    change(conditions(request)[0] as never, request);
    expect((planned(request) as unknown[])[2]).toEqual(values);
  });

  test('a copy by JSON counts as given: numbers and booleans as their texts, dates as moments', async () => {
    const query = {
      filter: [
        ...['email||eq||123', 'email||eq||00123', 'email||eq||true', 'id||in||1,2', 'points||eq||9007199254740993'],
        ...['balance||gt||1.5', `seenAt||gt||${DAY}`, `birthDate||eq||${DAY}`, 'role||eq||admin', 'isActive||eq||0'],
      ],
      join: 'company||name||on[0]=company.name||matches||007,on[1]=company.name||oneOf||1\\,null',
    };
    const request = await handed(query);
    // Untouched, it is planned as if it had not been handed over.
    expect(planned(request)).toEqual(planned(await build(query)));
    request.parsed.search = JSON.parse(JSON.stringify(request.parsed.search)) as SCondition;
    expect((planned(request) as unknown[])[2]).toEqual([
      ...['123', '00123', 'true', [1, 2], '9007199254740993', '1.5', new Date(DAY), DAY, 'admin', false],
      ...['007', ['1', 'null']],
    ]);
  });
});

test('a filter function is given typed values, and what it keeps of them is planned as sent', async () => {
  let given: unknown;
  const own = define({
    filter: (search) => {
      given = JSON.parse(JSON.stringify(search));
      return { $and: [search!, { isActive: true }] };
    },
  });
  const query = { filter: ['email||eq||007', 'age||eq||5', 'email||ne||null', 'email||ne||"7"'] };
  const request = await buildCrudRequest({ query, params: {}, route: routeOf(own), http: {} });
  expect(given).toEqual({
    $and: [{ email: { $eq: '007' } }, { age: { $eq: 5 } }, { email: { $ne: null } }, { email: { $ne: '7' } }],
  });
  for (const one of [request, forApplication(request)])
    expect((planned(one) as unknown[])[2]).toEqual(['007', 5, 'null', '"7"', true]);
});
