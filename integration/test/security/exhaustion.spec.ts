/** Requests larger than anyone needs: a 4xx before the database is asked, or compared as they stand; the application answers on. Every bound of the parser is tested where it is. */
import { afterEach, expect, test } from '@jest/globals';
import { times } from '../../example/src/database/seeding.js';
import { type Call, describeStage, read } from './stage.js';

const search = (value: unknown): string => `s=${encodeURIComponent(JSON.stringify(value))}`;
const deep = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);
const within = (count: number) => `filter=id||in||${times(count, String).join()}`;
const CONDITION = '&filter=id||gt||0';

/** Query strings, and what comes of them: a refusal, or so many records of one that is asked for. */
const QUERIES: readonly [title: string, query: string, found?: number][] = [
  ['the most conditions', CONDITION.repeat(100), 1],
  ['one condition more', CONDITION.repeat(101)],
  ['the longest list', within(1000), 1],
  ['a list of one more', within(1001)],
  ['brackets without end', `s=${deep('[', ']', 7000)}`],
  ['objects without end', `s=${encodeURIComponent(deep('{"$and":[', ']}', 500))}`],
  ['a path of ten thousand dots', `filter=${'a.'.repeat(4900)}b||eq||1`],
  ['a JSON path of a thousand keys', `filter=settings${'.a'.repeat(1000)}||eq||1`],
  ['a thousand empty conditions', search({ $and: times(1000, () => ({})) })],
  ['a name of ten thousand letters', `sort=${'a'.repeat(10_000)}`],
  ['delimiters', `filter=${'||'.repeat(2000)}`],
  ['a thousand joins', 'join=company&'.repeat(1000)],
  ['a thousand limits', 'limit=1&'.repeat(1000)],
  ['a number of a thousand digits', `filter=id||eq||${'9'.repeat(1000)}`],
  ['an exponent without end', search({ score: { $gt: '1e999999' } })],
  ['nine hundred unknown parameters', times(900, (index) => `a${index}=1`).join('&'), 1],
  ['brackets of a name', `a${'[b]'.repeat(2000)}=1`, 1],
  ['indexes of a name', `a[${'9'.repeat(1000)}]=1&a[99999999]=1`, 1],
  ['backslashes', `filter=email||in||${'\\\\,'.repeat(900)}x`, 0],
  ['a decimal of a thousand digits', `filter=score||gt||0.${'9'.repeat(1000)}`, 1],
];

const list = (count: number) => deep('[', ']', count);
const object = (count: number) => deep('{"a":', '}', count).replace(':}', ':1}');
const to = (method: Call['method'], path: string) => (body: string) => ({ method, path, body }) as Call;

/** No JSON, or none that is a record or a list of records. */
const NO_RECORDS = [...'null 1 "x" NaN \u0000 { {"name":"\ud800" [] [[]] [null]'.split(' '), list(12_000)];
const ITEMS = ['[null]', '["x"]', '[[]]', '{}', 'null', '[]', '{"0":{"name":"x"},"length":1}', list(900)];
/** Values that no column holds. */
const PROPERTIES = [
  ...['"age":1e99', '"age":-1e400', '"companyId":99999999999999999999', '"balance":1e300', '"score":1e999'],
  ...[`"email":"${'x'.repeat(300)}@example.com"`, `"password":"${'x'.repeat(5000)}"`],
  ...['"email":"a\\u0000@example.com"', '"birthDate":"99999-99-99"'],
  ...['settings', 'email', 'company', 'projects', 'profile', 'name', 'nosuch'].flatMap((name) =>
    [list(5000), object(900)].map((value) => `"${name}":${value}`),
  ),
];

const BODIES: readonly [status: number, title: string, calls: readonly Call[]][] = [
  [400, 'what is no record', [...NO_RECORDS.map(to('POST', '/categories')), ...NO_RECORDS.map(to('PUT', '/users/1'))]],
  [400, 'what is no list', [...NO_RECORDS, ...ITEMS.map((it) => `{"bulk":${it}}`)].map(to('POST', '/users/bulk'))],
  [400, 'values that no column holds', PROPERTIES.map((property) => `{${property}}`).map(to('PATCH', '/users/1'))],
  [200, 'six thousand keys', [to('PATCH', '/categories/1')(`{${times(6000, (index) => `"k${index}":1`).join()}}`)]],
  [413, 'more than the platform takes', [to('PATCH', '/users/1')(`{"name":"${'x'.repeat(2_000_000)}"}`)]],
];

describeStage('exhaustion', (stage) => {
  afterEach(async () => {
    expect((await stage.send({ path: '/users/1?fields=id' })).status).toBe(200);
  });

  const queries = QUERIES.map(([title, query, found]) => ({ title, query, found }));
  test.each(queries)('a query string of $title is refused, or compared as it stands', async ({ query, found }) => {
    stage.forget();
    const path = `/users?${found === undefined ? '' : 'limit=1&'}${query.replaceAll('||', '%7C%7C')}`;
    const reply = await stage.send({ path });
    const told = reply.status === 200 ? read<unknown[]>(reply).length : [read(reply)['code'], stage.statements()];
    expect([reply.status, told]).toEqual(
      found === undefined ? [400, [expect.stringMatching(/^CRUD_/), []]] : [200, found],
    );
  });

  test('a page is never larger than its ceiling', async () => {
    const ceilings = {
      '/users?limit=99999999': 100,
      '/companies?limit=2147483647': 10,
      '/events?limit=999999999': 1000,
    };
    for (const [path, ceiling] of Object.entries(ceilings))
      expect(read<unknown[]>(await stage.send({ path })).length).toBeLessThanOrEqual(ceiling);
  });

  test.each(BODIES)('answers %i to a body of %s, and changes nothing', async (status, _title, calls) => {
    const before = await stage.tables();
    const replies = await stage.sendAll(calls);
    expect([...new Set(replies.map((reply) => reply.status))]).toEqual([status]);
    expect(await stage.tables()).toEqual(before);
  });
});
