/** What `GET /aggregate` refuses, on each database: names, functions and conditions that are none, sums that no number holds, and whatever would become SQL. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { serveDeals, type ServedDeals } from './application.js';
import { dealsOf } from './records.js';

describeDatabases('GET /aggregate refuses', (db) => {
  const alive = dealsOf(db.kind).filter(({ deletedAt }) => deletedAt === null);
  let served: ServedDeals;

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    served = await serveDeals(db);
  });

  afterAll(async () => {
    await served?.app.close();
    jest.restoreAllMocks();
  });

  test.each([
    ['', 'CRUD_INVALID_QUERY'],
    ['groupBy=secret', 'CRUD_UNKNOWN_FIELD'],
    ['groupBy=notes', 'CRUD_UNKNOWN_FIELD'],
    ['groupBy=id', 'CRUD_UNKNOWN_FIELD'],
    ['groupBy=lines.amount', 'CRUD_UNKNOWN_FIELD'],
    ['groupBy=at:hour', 'CRUD_UNKNOWN_FIELD'],
    ['groupBy=tenant:month', 'CRUD_INVALID_QUERY'],
    ['aggregate=sum||region', 'CRUD_UNKNOWN_FIELD'],
    ['aggregate=sum||tenant', 'CRUD_UNKNOWN_FIELD'],
    ['aggregate=max||secret', 'CRUD_UNKNOWN_FIELD'],
    ['aggregate=median||units', 'CRUD_INVALID_QUERY'],
    ['aggregate=sum||*', 'CRUD_INVALID_QUERY'],
    ['aggregate=count||*||' + 'a'.repeat(65), 'CRUD_INVALID_QUERY'],
    ['aggregate=count||*&aggregate=count||*', 'CRUD_INVALID_QUERY'],
    ['groupBy=region&aggregate=count||*||region', 'CRUD_INVALID_QUERY'],
    ['aggregate=count||*&having=total||gt||1', 'CRUD_UNKNOWN_FIELD'],
    ['aggregate=count||*&having=units||gt||1', 'CRUD_UNKNOWN_FIELD'],
    ['aggregate=count||*&having=count||gt||many', 'CRUD_INVALID_VALUE'],
    ['aggregate=count||*&having=count||cont||1', 'CRUD_UNKNOWN_OPERATOR'],
    ['aggregate=sum||price&having=sum_price||gt||1e', 'CRUD_INVALID_VALUE'],
    ['aggregate=count||*&sort=units', 'CRUD_UNKNOWN_FIELD'],
    ['aggregate=count||*&limit=0', 'CRUD_INVALID_PAGINATION'],
    ['aggregate=count||*&filter=secret||eq||x', 'CRUD_UNKNOWN_FIELD'],
  ])('%s is a 400 %s', async (search, expected) => {
    expect(await served.code(`/deals/aggregate?${search}`)).toEqual([400, expected]);
  });

  test('more groups and functions than the limit allows are a 400', async () => {
    const search = Array.from({ length: 51 }, (_, at) => `aggregate=count||*||a${at}`).join('&');
    expect(await served.code(`/deals/aggregate?${search}`)).toEqual([400, 'CRUD_LIMIT_EXCEEDED']);
  });

  test('on SQLite, a sum of integers that 64 bits cannot hold is a 400', async () => {
    if (db.kind !== 'sqlite') return;
    const { repository } = served;
    const big = '9223372036854775807';
    await repository.insert([900, 901].map((id) => ({ id, tenant: 'huge', big })) as never);
    const refused = [400, 'CRUD_VALUE_OUT_OF_RANGE'];
    expect(await served.code('/deals/aggregate?aggregate=sum||big&filter=tenant||eq||huge')).toEqual(refused);
    expect(await served.code('/deals/aggregate?aggregate=avg||big&filter=tenant||eq||huge')).toEqual(refused);
    expect(await served.rows('/deals/aggregate?aggregate=sum||big&filter=id||eq||900')).toEqual([{ sum_big: big }]);
    await repository.delete({ tenant: 'huge' } as never);
  });

  test('a sum beyond 2^53 is a 400 where it would be a number', async () => {
    if (db.kind !== 'sqlite') return;
    const { repository } = served;
    await repository.insert([900, 901].map((id) => ({ id, tenant: 'huge', units: Number.MAX_SAFE_INTEGER })) as never);
    const search = 'filter=tenant||eq||huge';
    const refused = [400, 'CRUD_VALUE_OUT_OF_RANGE'];
    expect(await served.code(`/deals/aggregate?aggregate=sum||units&${search}`)).toEqual(refused);
    expect(await served.code(`/deals/aggregate?aggregate=avg||units&${search}`)).toEqual(refused);
    const [row] = await served.rows(`/deals/aggregate?aggregate=max||units&${search}`);
    expect(row).toEqual({ max_units: Number.MAX_SAFE_INTEGER });
    await repository.delete({ tenant: 'huge' } as never);
  });

  test('whatever is sent as a name, a field or an alias, nothing of it becomes SQL', async () => {
    const attacks = [
      ...[`x" FROM agg_deals; DROP TABLE agg_deals; --`, `x' OR 1=1 --`, '`x`', 'a"b', 'a);SELECT 1', '$1', '?', ':p0'],
      ...['a b', 'é', '\u00010\u0001', '__proto__', 'constructor.prototype', 'a\0', '%', 'a,b'],
    ];
    for (const attack of attacks) {
      const text = encodeURIComponent(attack);
      for (const search of [
        `groupBy=${text}`,
        `groupBy=region||${text}`,
        `groupBy=at:${text}`,
        `aggregate=${text}||units`,
        `aggregate=sum||${text}`,
        `aggregate=sum||units||${text}`,
        `aggregate=count||*&having=${text}||gt||1`,
        `aggregate=count||*&having=count||${text}||1`,
        `aggregate=count||*&having=count||gt||${text}`,
        `aggregate=count||*&sort=${text}`,
        `aggregate=count||*&sort=count,${text}`,
      ]) {
        const { status, body } = await served.get(`/deals/aggregate?${search}`);
        const isName =
          /^[a-z][\w.]*$/i.test(attack) &&
          search.includes('||' + text) &&
          !search.includes('having') &&
          !search.includes('sum||const');
        expect([search, status]).toEqual([search, isName ? 200 : 400]);
        expect(JSON.stringify(body)).not.toMatch(/DROP|OR 1=1|syntax/);
      }
    }
    // In a condition on a text that is grouped by, it is a value.
    for (const attack of attacks.filter((text) => !text.includes('\0') && text !== 'é')) {
      expect(
        await served.rows(`/deals/aggregate?groupBy=region&having=region||eq||${encodeURIComponent(attack)}`),
      ).toEqual([]);
    }
    const names = ['constructor', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'SELECT', 'a.b.c'];
    const [row] = await served.rows(`/deals/aggregate?${names.map((name) => `aggregate=count||*||${name}`).join('&')}`);
    expect(row).toEqual(Object.fromEntries(names.map((name) => [name, alive.length])));
  });
});
