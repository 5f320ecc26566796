/** Requests larger than anyone needs. Each limit passes at its bound and is a 4xx one above it; the application answers afterwards as before. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Call, describeStage, read } from './stage.js';

const text = encodeURIComponent;
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const search = (value: unknown): string => `s=${text(JSON.stringify(value))}`;
const filters = (count: number): string => times(count, (index) => `filter=id||ne||-${index}`).join('&');

/** So many operators of logic within each other. */
const nested = (depth: number): object =>
  depth === 0 ? { id: { $gt: 0 } } : { [depth % 2 ? '$and' : '$or']: [nested(depth - 1)] };

/** A query of so much of one thing, and how much of it is allowed. */
const LIMITS: readonly [title: string, bound: number, query: (count: number) => string][] = [
  ['conditions of filter', 100, filters],
  ['conditions of filter and or together', 100, (count) => `or=id||gt||0&${filters(count - 1)}`],
  ['conditions of s', 100, (count) => search({ $and: times(count, (index) => ({ id: { $ne: -index } })) })],
  ['conditions of joins and filter', 100, (count) => `join=company||on[0]=company.id||gt||0&${filters(count - 1)}`],
  ['nesting of $and and $or', 16, (count) => search(nested(count))],
  ['list values of in', 1000, (count) => `filter=id||in||${times(count, String).join(',')}`],
  ['list values of $in', 1000, (count) => search({ id: { $in: times(count, Number) } })],
  ['names in fields', 1000, (count) => `fields=${times(count, () => 'id').join(',')}`],
  ['joins', 20, (count) => times(count, () => 'join=company').join('&')],
  ['sort fields', 10, (count) => times(count, () => 'sort=id,ASC').join('&')],
  ['characters of a value', 4096, (count) => `filter=email||ne||${'x'.repeat(count)}`],
  ['characters of a value of s', 4096, (count) => search({ email: { $ne: 'x'.repeat(count) } })],
];

const deep = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);

/** What query strings are made of, and what comes of it: a refusal, or so many records of one that is asked for. */
const QUERIES: readonly [title: string, query: string, found?: number][] = [
  ['brackets without end', `s=${deep('[', ']', 7000)}`],
  ['objects without end', `s=${text(`${'{"$and":['.repeat(500)}{}${']}'.repeat(500)}`)}`],
  ['$not without end', `s=${text(`${'{"$not":'.repeat(700)}{}${'}'.repeat(700)}`)}`],
  ['a path of ten thousand dots', `filter=${'a.'.repeat(4900)}b||eq||1`],
  ['a JSON path of a thousand keys', `filter=settings${'.a'.repeat(1000)}||eq||1`],
  ['a thousand empty conditions', search({ $and: times(1000, () => ({})) })],
  ['five hundred empty lists', search({ $or: times(500, () => ({ $or: [] })) })],
  ['a name of ten thousand letters', `sort=${'a'.repeat(10_000)}`],
  ['delimiters', `filter=${'||'.repeat(2000)}`],
  ['commas', `fields=${','.repeat(12_000)}`],
  ['a thousand filters', times(1000, () => 'filter=a').join('&')],
  ['a thousand joins', times(1000, () => 'join=company').join('&')],
  ['a thousand indexes', times(1000, (index) => `sort[${index}]=id`).join('&')],
  ['a thousand limits', times(1000, () => 'limit=1').join('&')],
  ['a number of a thousand digits', `filter=id||eq||${'9'.repeat(1000)}`],
  ['an exponent without end', search({ score: { $gt: '1e999999' } })],
  ['nine hundred unknown parameters', times(900, (index) => `a${index}=1`).join('&'), 1],
  ['brackets of a name', `a${'[b]'.repeat(2000)}=1`, 1],
  ['indexes of a name', `a[${'9'.repeat(1000)}]=1&a[99999999]=1`, 1],
  ['backslashes', `filter=email||in||${'\\\\,'.repeat(900)}x`, 0],
  ['escaped commas', `filter=email||in||${'\\,'.repeat(3900)}`, 0],
  ['a decimal of a thousand digits', `filter=score||gt||0.${'9'.repeat(1000)}`, 1],
];

describeStage('exhaustion', (stage) => {
  afterEach(async () => {
    expect((await stage.send({ path: '/users/1?fields=id' })).status).toBe(200);
  });

  const ask = async (query: string) => {
    stage.forget();
    const reply = await stage.send({ path: `/users?${query.replaceAll('||', '%7C%7C')}` });
    // Refused before the database is asked.
    if (reply.status === 400) expect(stage.statements()).toEqual([]);
    return [reply.status, reply.status === 200 ? read<unknown[]>(reply).length : read(reply)['code']];
  };

  test.each(LIMITS)('%s: %i pass, one more is refused', async (_, bound, query) => {
    expect(await ask(`limit=1&${query(bound)}`)).toEqual([200, 1]);
    expect(await ask(`limit=1&${query(bound + 1)}`)).toEqual([400, 'CRUD_LIMIT_EXCEEDED']);
  });

  const queries = QUERIES.map(([title, query, found]) => ({ title, query, found }));
  test.each(queries)('a query string of $title is refused, or compared as it stands', async ({ query, found }) => {
    const told = await ask(found === undefined ? query : `limit=1&${query}`);
    expect(told).toEqual(found === undefined ? [400, expect.stringMatching(/^CRUD_/)] : [200, found]);
  });

  test('a page is never larger than its ceiling', async () => {
    const most = {
      '/users?limit=99999999': 100,
      '/companies?limit=2147483647': 10,
      '/events?limit=1000000000&cache=0': 1000,
    };
    for (const [path, ceiling] of Object.entries(most))
      expect(read<unknown[]>(await stage.send({ path })).length).toBeLessThanOrEqual(ceiling);
    const limits = ['0', '-1', '1e99', '99999999999999999999', 'Infinity', '0x10'].map((value) => `limit=${value}`);
    const places = ['page=0', 'page=99999999999999999999', 'offset=-1', 'page=1.5', 'offset=1e400'];
    const refused = await stage.sendAll([...limits, ...places].map((query) => ({ path: `/users?${query}` })));
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
    expect([200, 400]).toContain((await stage.send({ path: '/users?limit=100&page=90000000000' })).status);
  });

  test('more parameters than the platform hands over are refused, not cut short', async () => {
    const path = `/users?${times(1001, () => 'a=1').join('&')}&filter=id%7C%7Ceq%7C%7C2`;
    const reply = await stage.send({ path });
    if (stage.platform === 'express') expect([reply.status, read(reply)['code']]).toEqual([400, 'CRUD_LIMIT_EXCEEDED']);
    else expect([reply.status, read<{ id: number }[]>(reply).map(({ id }) => id)]).toEqual([200, [2]]);
  });

  describe('a body of', () => {
    const list = (count: number) => deep('[', ']', count);
    const object = (count: number) => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`;
    const to = (method: Call['method'], path: string) => (body: string) => ({ method, path, body }) as Call;
    /** Statuses of bodies that change nothing. */
    const statusesOf = async (calls: readonly Call[]) => {
      const before = await stage.tables();
      const replies = await stage.sendAll(calls);
      expect(await stage.tables()).toEqual(before);
      return [...new Set(replies.map(({ status }) => status))];
    };

    test('lists and objects without end is refused', async () => {
      const calls = [900, 5000, 12_000].flatMap((size) => {
        const properties = ['settings', 'email', 'company', 'projects', 'profile', 'name', 'nosuch'];
        const bodies = [list(size), `{"bulk":${list(size)}}`, `{"bulk":[${object(size)}]}`];
        return [
          ...properties.flatMap((name) => [`{"${name}":${list(size)}}`, `{"${name}":${object(size)}}`].map(to('PATCH', '/users/1'))), // prettier-ignore
          ...bodies.flatMap((body) => [to('POST', '/users')(body), to('POST', '/users/bulk')(body), to('PUT', '/users/1')(body)]), // prettier-ignore
        ];
      });
      expect(await statusesOf(calls)).toEqual([400]);
    });

    test('six thousand keys is the record without them, and more than the platform takes is refused by it', async () => {
      const keys = `{${times(6000, (index) => `"k${index}":1`).join(',')}}`;
      expect(await statusesOf([to('PATCH', '/categories/1')(keys)])).toEqual([200]);
      expect(await statusesOf([to('PATCH', '/categories/1')(`{"name":"${'x'.repeat(2_000_000)}"}`)])).toEqual([413]);
    });

    test('no JSON, none that is a record, or values that no column holds is refused', async () => {
      const bodies = 'null 1 "x" true NaN \u0000 { {"a":1 {"name":"\ud800" [] [[]] [null]'.split(' ');
      const lists = ['[null]', '[1]', '["x"]', '[[]]', '{}', '""', 'null', '[]', '{"0":{"name":"x"},"length":1}'];
      const properties = [
        ...['"age":1e99', '"age":-1e400', '"companyId":99999999999999999999', '"balance":1e300', '"score":1e999'],
        ...[`"email":"${'x'.repeat(300)}@example.com"`, `"password":"${'x'.repeat(5000)}"`],
        ...['"email":"a\\u0000@example.com"', '"birthDate":"99999-99-99"'],
      ];
      const calls = [
        ...[to('POST', '/categories'), to('PATCH', '/categories/1'), to('PUT', '/categories/1')].flatMap((send) => bodies.map(send)), // prettier-ignore
        ...[...bodies, ...lists.map((bulk) => `{"bulk":${bulk}}`)].map(to('POST', '/categories/bulk')),
        ...properties.map((property) => `{${property}}`).map(to('PATCH', '/users/1')),
      ];
      expect(await statusesOf(calls)).toEqual([400]);
    });
  });
});
