/** Requests larger than anyone needs. Each limit passes at its bound and is a 4xx one above it; the application answers afterwards as before. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { describeStage } from './stage.js';
import { type Call, read } from './wire.js';

const text = encodeURIComponent;
const times = (count: number, make: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => make(i));
const search = (value: unknown): string => `s=${text(JSON.stringify(value))}`;

const filters = (count: number): string => times(count, (index) => `filter=id||ne||-${index}`).join('&');

/** `s` with so many operators of logic within each other. */
const nested = (depth: number): string => {
  let condition: unknown = { id: { $gt: 0 } };
  for (let level = 0; level < depth; level++) condition = { [level % 2 ? '$or' : '$and']: [condition] };

  return search(condition);
};

/** A query of so much of one thing, and how much of it is allowed. */
const LIMITS: readonly (readonly [title: string, bound: number, query: (count: number) => string])[] = [
  ['conditions of filter', 100, (count) => filters(count)],
  ['conditions of filter and or together', 100, (count) => `or=id||gt||0&${filters(count - 1)}`],
  ['conditions of s', 100, (count) => search({ $and: times(count, String).map((index) => ({ id: { $ne: -index } })) })],
  [
    'conditions of joins and filter together',
    100,
    (count) => `join=${text('company||on[0]=company.id||gt||0')}&${filters(count - 1)}`,
  ],
  ['nesting of $and and $or', 16, nested],
  ['list values of in', 1000, (count) => `filter=id||in||${times(count, String).join(',')}`],
  ['list values of $in', 1000, (count) => search({ id: { $in: times(count, String).map(Number) } })],
  ['names in fields', 1000, (count) => `fields=${times(count, () => 'id').join(',')}`],
  ['joins', 20, (count) => times(count, () => 'join=company').join('&')],
  ['sort fields', 10, (count) => times(count, () => 'sort=id,ASC').join('&')],
  ['characters of a value', 4096, (count) => `filter=email||ne||${'x'.repeat(count)}`],
  ['characters of a value of s', 4096, (count) => search({ email: { $ne: 'x'.repeat(count) } })],
];

describeStage('exhaustion', (stage) => {
  afterEach(async () => {
    expect((await stage.send({ path: '/users/1?fields=id' })).status).toBe(200);
  });

  test.each(LIMITS)('%s: %i pass, one more is refused', async (_, bound, query) => {
    const path = (count: number) => `/users?limit=1&${query(count).replaceAll('||', '%7C%7C')}`;
    const allowed = await stage.send({ path: path(bound) });
    expect([allowed.status, allowed.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    expect(read<unknown[]>(allowed)).toHaveLength(1);
    stage.forget();
    const refused = await stage.send({ path: path(bound + 1) });
    expect([refused.status, read(refused)['code']]).toEqual([400, 'CRUD_LIMIT_EXCEEDED']);
    expect(stage.statements()).toEqual([]);
  });

  test('a page is never larger than its ceiling', async () => {
    for (const [path, most] of [
      ['/users?limit=99999999', 100],
      ['/companies?limit=2147483647', 10],
      ['/events?limit=1000000000&cache=0', 1000],
    ] as const) {
      const reply = await stage.send({ path });
      expect(reply.status).toBe(200);
      expect(read<unknown[]>(reply).length).toBeLessThanOrEqual(most);
    }
    const limits = ['0', '-1', '1e99', '99999999999999999999', 'Infinity', '0x10'].map((value) => `limit=${value}`);
    const places = ['page=0', 'page=99999999999999999999', 'offset=-1', 'page=1.5', 'offset=1e400'];
    const refused = await stage.sendAll([...limits, ...places].map((query) => ({ path: `/users?${query}` })));
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
    const far = await stage.send({ path: '/users?limit=100&page=90000000000' });
    expect([200, 400]).toContain(far.status);
  });

  describe('a query string of', () => {
    const deep = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);

    test.each<readonly [title: string, query: string]>([
      ['brackets without end', `s=${deep('[', ']', 7000)}`],
      ['objects without end', `s=${text(`${'{"$and":['.repeat(500)}{}${']}'.repeat(500)}`)}`],
      ['$not without end', `s=${text(`${'{"$not":'.repeat(700)}{}${'}'.repeat(700)}`)}`],
      ['a path of ten thousand dots', `filter=${'a.'.repeat(4900)}b||eq||1`],
      ['a JSON path of a thousand keys', `filter=settings${'.a'.repeat(1000)}||eq||1`],
      ['a thousand empty conditions', search({ $and: times(1000, String).map(() => ({})) })],
      ['five hundred empty lists', search({ $or: times(500, String).map(() => ({ $or: [] })) })],
      ['a name of ten thousand letters', `sort=${'a'.repeat(10_000)}`],
      ['delimiters', `filter=${'||'.repeat(2000)}`],
      ['commas', `fields=${','.repeat(12_000)}`],
      ['a thousand filters', times(1000, () => 'filter=a').join('&')],
      ['a thousand joins', times(1000, () => 'join=company').join('&')],
      ['a thousand indexes', times(1000, (index) => `sort[${index}]=id`).join('&')],
      ['a thousand limits', times(1000, () => 'limit=1').join('&')],
      ['a number of a thousand digits', `filter=id||eq||${'9'.repeat(1000)}`],
      ['an exponent without end', search({ score: { $gt: '1e999999' } })],
    ])('%s is refused', async (_, query) => {
      stage.forget();
      const reply = await stage.send({ path: `/users?${query.replaceAll('||', '%7C%7C')}` });
      expect([reply.status, reply.text.slice(0, 300)]).toEqual([400, expect.stringContaining('"code":"CRUD_')]);
      expect(stage.statements()).toEqual([]);
    });

    test.each<readonly [title: string, query: string]>([
      ['nine hundred unknown parameters', times(900, (index) => `a${index}=1`).join('&')],
      ['brackets of a name', `${'a'.repeat(1)}${'[b]'.repeat(2000)}=1`],
      ['indexes of a name', `a[${'9'.repeat(1000)}]=1&a[99999999]=1`],
    ])('%s is ignored', async (_, query) => {
      const reply = await stage.send({ path: `/users?limit=1&${query}` });
      expect(reply.status).toBe(200);
      expect(read<unknown[]>(reply)).toHaveLength(1);
    });

    test.each<readonly [title: string, query: string, found: number]>([
      ['backslashes', `filter=email||in||${'\\\\,'.repeat(900)}x`, 0],
      ['escaped commas', `filter=email||in||${'\\,'.repeat(3900)}`, 0],
      ['a decimal of a thousand digits', `filter=score||gt||0.${'9'.repeat(1000)}`, 1],
    ])('%s is compared as it stands', async (_, query, found) => {
      const reply = await stage.send({ path: `/users?limit=1&${query.replaceAll('||', '%7C%7C')}` });
      expect(reply.status).toBe(200);
      expect(read<unknown[]>(reply)).toHaveLength(found);
    });

    test('more parameters than the platform hands over is refused, not cut short', async () => {
      const path = `/users?${times(1001, () => 'a=1').join('&')}&filter=id%7C%7Ceq%7C%7C2`;
      const reply = await stage.send({ path });
      if (stage.platform === 'express')
        expect([reply.status, read(reply)['code']]).toEqual([400, 'CRUD_LIMIT_EXCEEDED']);
      else expect([reply.status, read<{ id: number }[]>(reply).map(({ id }) => id)]).toEqual([200, [2]]);
    });

    test('everything at once is refused by the platform', async () => {
      const path = `/users?a=${'a'.repeat(20_000)}`;
      // The platform ends the connection, Fastify sometimes before its answer was read.
      const reply = await stage
        .send({ path, headers: { connection: 'close' } })
        .catch((error: NodeJS.ErrnoException) =>
          error.code === 'ECONNRESET' ? { status: 431 } : Promise.reject(error),
        );
      expect(reply.status).toBe(431);
    });
  });

  describe('a body of', () => {
    const list = (count: number) => '['.repeat(count) + ']'.repeat(count);
    const object = (count: number) => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`;
    const SIZES = [900, 5000, 12_000];

    test.each(['settings', 'email', 'company', 'projects', 'profile', 'name', 'nosuch'])(
      'lists and objects without end in %s is refused',
      async (property) => {
        const before = await stage.tables();
        const values = SIZES.flatMap((size) => [list(size), object(size)]);
        const replies = await stage.sendAll(
          values.map((value): Call => ({ method: 'PATCH', path: '/users/1', body: `{"${property}":${value}}` })),
        );
        expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 400));
        expect(await stage.tables()).toEqual(before);
      },
    );

    test('lists and objects without end in its own place is refused', async () => {
      const before = await stage.tables();
      const replies = await stage.sendAll(
        SIZES.flatMap((size) =>
          [list(size), `{"bulk":${list(size)}}`, `{"bulk":[${object(size)}]}`].flatMap((body): Call[] => [
            { method: 'POST', path: '/users', body },
            { method: 'POST', path: '/users/bulk', body },
            { method: 'PUT', path: '/users/1', body },
          ]),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 400));
      expect(await stage.tables()).toEqual(before);
    });

    test('ten thousand keys is the record without them', async () => {
      const before = await stage.tables();
      const body = `{${times(6000, (index) => `"k${index}":1`).join(',')}}`;
      expect((await stage.send({ method: 'PATCH', path: '/categories/1', body })).status).toBe(200);
      expect(await stage.tables()).toEqual(before);
    });

    test('no JSON, or none that is a record, is refused', async () => {
      const before = await stage.tables();
      const scalars = ['null', '1', '"x"', 'true', 'NaN', '\u0000'];
      const bodies = [...scalars, '{', '{"a":1', '{"name":"\ud800"', '[]', '[[]]', '[null]'];
      const replies = await stage.sendAll(
        bodies.flatMap((body): Call[] => [
          { method: 'POST', path: '/categories', body },
          { method: 'POST', path: '/categories/bulk', body },
          { method: 'PATCH', path: '/categories/1', body },
          { method: 'PUT', path: '/categories/1', body },
        ]),
      );
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 400));
      const lists = ['[null]', '[1]', '["x"]', '[[]]', '{}', '""', 'null', '[]', '{"0":{"name":"x"},"length":1}'];
      const items = await stage.sendAll(
        lists.map((bulk): Call => ({ method: 'POST', path: '/categories/bulk', body: `{"bulk":${bulk}}` })),
      );
      expect(items.map(({ status }) => status)).toEqual(items.map(() => 400));
      expect(await stage.tables()).toEqual(before);
    });

    test('numbers and texts that no column holds is refused', async () => {
      const before = await stage.tables();
      const replies = await stage.sendAll(
        [
          '"age":1e99',
          '"age":-1e400',
          '"companyId":99999999999999999999',
          `"email":"${'x'.repeat(300)}@example.com"`,
          `"password":"${'x'.repeat(5000)}"`,
          '"balance":1e300',
          '"score":1e999',
          '"email":"a\\u0000@example.com"',
          '"birthDate":"99999-99-99"',
        ].map((property): Call => ({ method: 'PATCH', path: '/users/1', body: `{${property}}` })),
      );
      expect(replies.map(({ status }, index) => [index, status])).toEqual(replies.map((_, index) => [index, 400]));
      expect(await stage.tables()).toEqual(before);
    });

    test('more than the platform takes is refused by it', async () => {
      const before = await stage.tables();
      const body = { name: 'x'.repeat(2_000_000) };
      expect((await stage.send({ method: 'PATCH', path: '/categories/1', body })).status).toBe(413);
      expect(await stage.tables()).toEqual(before);
    });
  });
});
