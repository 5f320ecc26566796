/** `GET /aggregate` over HTTP, on each database: rows equal those of an oracle that computes record by record, whatever is grouped, computed, compared, sorted and paged. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type INestApplication, Logger } from '@nestjs/common';
import { CrudAuth, type CrudOptions } from '@nestwright/crud';
import fc from 'fast-check';
import request from 'supertest';
import type { DataSource } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';
import { entitiesFor, type DealRow } from './entities.js';
import { aggregated, type Call, compare, type Joined, type Row, storedAt, type Term, type Value } from './oracle.js';
import { dealsOf, SELLERS } from './records.js';

const FUNCTIONS = {
  '*': ['count'],
  id: ['countDistinct'],
  units: ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'],
  big: ['count', 'countDistinct', 'sum', 'avg'],
  price: ['count', 'sum', 'avg'],
  rate: ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'],
  region: ['count', 'countDistinct'],
  at: ['count', 'countDistinct', 'min', 'max'],
  day: ['min', 'max', 'countDistinct'],
  'seller.grade': ['count', 'sum', 'avg', 'min', 'max'],
} as const;
const GROUPS = [
  'tenant',
  'region',
  'units',
  'big',
  'open',
  'mood',
  'at',
  'day',
  'seller.name',
  'seller.grade',
] as const;
const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;

const QUERY: CrudOptions['query'] = {
  softDelete: true,
  join: { seller: {}, lines: {} },
  aggregate: { groupBy: [...GROUPS], functions: FUNCTIONS as never },
};

describeDatabases('GET /aggregate', (db) => {
  const { Deal, Seller, Line } = entitiesFor(db.kind);
  const scoped = (path: string, auth: Parameters<typeof CrudAuth>[0], query = {}) => {
    const made = resource(Deal as never, path, { query: { ...QUERY, ...query } } as never);
    CrudAuth(auth as never)(made.controller);

    return made;
  };
  const resources = [
    resource(Deal as never, 'deals', { query: QUERY } as never),
    resource(Deal as never, 'few', { query: { ...QUERY, maxLimit: 2 } } as never),
    resource(Deal as never, 'paged', { query: { ...QUERY, alwaysPaginate: true, limit: 3 } } as never),
    resource(Deal as never, 'plain', {}),
    resource(Deal as never, 'tenants/:tenant/deals', {
      params: { tenant: { field: 'tenant', type: 'string' } },
      query: QUERY,
    } as never),
    scoped('red', { filter: () => ({ tenant: 'red' }) }),
    scoped('reached', { relations: { seller: () => ({ tenant: 'red' }) } }),
    scoped('required', {}, { join: { seller: { required: true, eager: true }, lines: {} } }),
  ];
  let app: INestApplication;
  let url: string;
  let source: DataSource;
  const deals = dealsOf(db.kind);

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const entities = [Deal, Seller, Line] as never[];
    ({ app, url, source } = await serve(db, entities, resources));
    await source.getRepository(Seller).insert(SELLERS.map((seller) => ({ ...seller })));
    await source.getRepository(Deal).insert(deals.map(({ lines: _, ...deal }) => deal));
    await source
      .getRepository(Line)
      .insert(
        deals.flatMap(({ id, lines }) =>
          Array.from({ length: lines }, (_, line) => ({ id: id * 10 + line, amount: line, deal: { id } })),
        ),
      );
  });

  afterAll(async () => {
    await app?.close();
    jest.restoreAllMocks();
  });

  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    const { status, body } = await request(url).get(path);

    return { status, body: body as unknown };
  };
  const rows = async (path: string): Promise<Row[]> => {
    const { status, body } = await get(path);
    expect({ status, path, ...(status !== 200 && { body }) }).toEqual({ status: 200, path });

    return body as Row[];
  };
  const code = async (path: string): Promise<unknown> => {
    const { status, body } = await get(path);

    return [status, (body as { code?: string }).code];
  };
  const unordered = (list: readonly Row[]): string[] => list.map((row) => JSON.stringify(row, asComputed)).sort();
  /** SQLite divides doubles: of its averages, the digits that a double has. */
  const asComputed = (_: string, value: unknown) =>
    db.kind === 'sqlite' && typeof value === 'string' && /^-?\d+\.\d{6,}$/.test(value)
      ? Number(value).toPrecision(12)
      : value;
  const joined = (
    keep: (deal: DealRow) => boolean = () => true,
    seller: (one: (typeof SELLERS)[number]) => boolean = ({ deletedAt }) => deletedAt === null,
  ): Joined[] =>
    deals
      .filter((deal) => keep(deal))
      .map((deal) => ({ deal, seller: SELLERS.find((one) => one.id === deal.sellerId && seller(one)) }));
  const alive = ({ deletedAt }: DealRow): boolean => deletedAt === null;
  const queryOf = (terms: readonly Term[], calls: readonly Call[]): string =>
    [
      ...terms.map(({ field, unit, name }) => {
        const own = unit === undefined ? field : `${field}:${unit}`;

        return `groupBy=${own}${name === own ? '' : `||${name}`}`;
      }),
      ...calls.map(({ fn, field, name }) => {
        const own = field === '*' ? fn : `${fn}_${field}`;

        return `aggregate=${fn}||${field}${name === own ? '' : `||${name}`}`;
      }),
    ].join('&');

  const term = fc
    .tuple(fc.constantFrom(...GROUPS), fc.constantFrom(undefined, ...UNITS), fc.boolean())
    .map(([field, unit, isNamed]): Term => {
      const own = (field === 'at' || field === 'day') && unit !== undefined ? unit : undefined;

      return {
        field,
        unit: own,
        name: isNamed ? `k.${field.replace('.', '_')}${own ?? ''}` : own ? `${field}:${own}` : field,
      };
    });
  const call = fc
    .constantFrom(...Object.entries(FUNCTIONS).flatMap(([field, names]) => names.map((fn) => ({ fn, field }))))
    .chain(({ fn, field }) =>
      fc.boolean().map((isNamed): Call => ({
        fn,
        field,
        name: isNamed ? `Value_${fn}.${field === '*' ? 'all' : field}` : field === '*' ? fn : `${fn}_${field}`,
      })),
    );
  const named = { selector: ({ name }: { name: string }) => name };
  const asked = fc
    .tuple(fc.uniqueArray(term, { maxLength: 3, ...named }), fc.uniqueArray(call, { maxLength: 5, ...named }))
    .filter(([terms, calls]) => terms.length + calls.length > 0);

  const FILTERS: readonly [string, (joined: Joined) => boolean][] = [
    ['', () => true],
    ['&filter=units||gt||2', ({ deal }) => (deal.units ?? -1) > 2],
    ['&filter=seller.grade||lt||3', ({ seller }) => seller !== undefined && (seller.grade ?? 9) < 3],
    ['&filter=lines.amount||gt||0', ({ deal }) => deal.lines > 1],
    ['&s={"$or":[{"lines.amount":{"$gte":0}},{"region":null}]}', ({ deal }) => deal.lines > 0 || deal.region === null],
  ];

  test('rows are those of the oracle, whatever is grouped and computed', async () => {
    await fc.assert(
      fc.asyncProperty(asked, fc.constantFrom(...FILTERS), async ([terms, calls], [filter, keep]) => {
        const found = await rows(`/deals/aggregate?${queryOf(terms, calls)}${filter}`);
        expect(unordered(found)).toEqual(unordered(aggregated(joined(alive).filter(keep), terms, calls)));
      }),
      { numRuns: 60, seed: 11 },
    );
  }, 120_000);

  test('conditions on rows agree with what is printed, and sorting with the order of values', async () => {
    const compared = fc.constantFrom<Call>(
      { fn: 'count', field: '*', name: 'count' },
      { fn: 'sum', field: 'units', name: 'sum_units' },
      { fn: 'avg', field: 'units', name: 'avg_units' },
      { fn: 'sum', field: 'big', name: 'sum_big' },
      { fn: 'avg', field: 'big', name: 'avg_big' },
      { fn: 'sum', field: 'price', name: 'sum_price' },
      { fn: 'avg', field: 'price', name: 'avg_price' },
      { fn: 'avg', field: 'rate', name: 'avg_rate' },
      { fn: 'max', field: 'units', name: 'max_units' },
    );
    const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
      eq: (order) => order === 0,
      ne: (order) => order !== 0,
      gt: (order) => order > 0,
      gte: (order) => order >= 0,
      lt: (order) => order < 0,
      lte: (order) => order <= 0,
    };
    const orderOf = (fn: string, left: Value, right: Value): number => {
      if (typeof left !== 'string') return compare(fn, left, right);

      return isExact(fn) ? compareDecimals(left, String(right)) : Math.sign(Number(left) - Number(right));
    };
    // SQLite's integers are exact, its decimals are doubles.
    const isExact = (field: string) => db.kind !== 'sqlite' || field === 'big';

    await fc.assert(
      fc.asyncProperty(
        compared,
        fc.constantFrom('region', 'seller.name', 'at:month'),
        fc.constantFrom(...Object.keys(OPERATORS)),
        fc.nat(),
        fc.constantFrom('', '1', '5'),
        fc.constantFrom('ASC', 'DESC'),
        async (one, by, operator, pick, tail, direction) => {
          const grouped = `/deals/aggregate?groupBy=${by}&aggregate=${one.fn}||${one.field}`;
          const all = await rows(grouped);
          const values = all.map((row) => row[one.name]!).filter((value) => value !== null);
          const value = values[pick % values.length]!;
          // One of the printed values, or one between two of them.
          const isBetween = typeof value === 'string' && (db.kind !== 'sqlite' || value.includes('.'));
          const bound = isBetween && tail ? `${value}${value.includes('.') ? '' : '.'}${tail}` : value;
          const found = await rows(
            `${grouped}&having=${one.name}||${operator}||${bound}&sort=${one.name},${direction}`,
          );
          const kept = all.filter(
            (row) => row[one.name] !== null && OPERATORS[operator]!(orderOf(one.field, row[one.name]!, bound)),
          );
          expect(unordered(found)).toEqual(unordered(kept));
          const steps = found.slice(1).map((row, at) => orderOf(one.field, found[at]![one.name]!, row[one.name]!));
          expect(steps.every((step) => (direction === 'ASC' ? step <= 0 : step >= 0))).toBe(true);
        },
      ),
      { numRuns: 60, seed: 5 },
    );
  }, 120_000);

  test.each([
    ['between||2,4', (units: number) => units >= 2 && units <= 4],
    ['in||1,3', (units: number) => units === 1 || units === 3],
    ['notin||1,3', (units: number) => units !== 1 && units !== 3],
    ['notnull', () => true],
  ])('having=max_units||%s', async (condition, keep) => {
    const found = await rows(`/deals/aggregate?groupBy=region&aggregate=max||units&having=max_units||${condition}`);
    const all = aggregated(
      joined(alive),
      [{ field: 'region', name: 'region' }],
      [{ fn: 'max', field: 'units', name: 'max_units' }],
    );

    expect(unordered(found)).toEqual(
      unordered(all.filter((row) => row['max_units'] !== null && keep(Number(row['max_units'])))),
    );
  });

  test('a sum is compared as a number, which need not be whole', async () => {
    const all = aggregated(
      joined(alive),
      [{ field: 'region', name: 'region' }],
      [{ fn: 'sum', field: 'units', name: 'total' }],
    );
    const found = await rows('/deals/aggregate?groupBy=region&aggregate=sum||units||total&having=total||gt||2.5');
    expect(unordered(found)).toEqual(unordered(all.filter((row) => Number(row['total'] ?? 0) > 2.5)));
  });

  test('pages follow each other without a gap, and tell how many groups there are', async () => {
    const search = 'groupBy=at:day&groupBy=region&aggregate=count||*&sort=count,DESC';
    const all = await rows(`/deals/aggregate?${search}`);
    const pages: Row[] = [];
    for (let page = 1; page <= Math.ceil(all.length / 4); page++) {
      const { body } = await get(`/deals/aggregate?${search}&limit=4&page=${page}`);
      const data = all.slice((page - 1) * 4, page * 4);
      expect(body).toEqual({ data, count: data.length, total: all.length, page, pageCount: Math.ceil(all.length / 4) });
      pages.push(...(body as { data: Row[] }).data);
    }
    expect(pages).toEqual(all);
    expect(await rows(`/deals/aggregate?${search}&limit=3`)).toEqual(all.slice(0, 3));
    expect((await get(`/deals/aggregate?${search}&limit=3&offset=2`)).body).toMatchObject({ data: all.slice(2, 5) });

    const groups = new Set(deals.filter(alive).map(({ region }) => region)).size;
    expect((await get('/paged/aggregate?groupBy=region')).body).toMatchObject({ count: 3, total: groups, page: 1 });
    const { body } = await get('/paged/aggregate?groupBy=region&aggregate=count||*&having=count||gt||4');
    const many = aggregated(
      joined(alive),
      [{ field: 'region', name: 'region' }],
      [{ fn: 'count', field: '*', name: 'count' }],
    );
    expect((body as { total: number }).total).toBe(many.filter(({ count }) => Number(count) > 4).length);
  });

  test('a list that the ceiling cuts says so', async () => {
    const { headers, body } = await request(url).get('/few/aggregate?groupBy=region');
    expect(body).toHaveLength(2);
    expect(headers['x-crud-truncated']).toBe('true');
    expect(
      (await request(url).get('/few/aggregate?groupBy=region&limit=2')).headers['x-crud-truncated'],
    ).toBeUndefined();
  });

  test('without groups there is one row, also of no records', async () => {
    expect(
      await rows('/deals/aggregate?aggregate=count||*&aggregate=sum||price&aggregate=max||at&filter=id||lt||0'),
    ).toEqual([{ count: 0, sum_price: null, max_at: null }]);
    expect(await rows('/deals/aggregate?groupBy=region&aggregate=count||*&filter=id||lt||0')).toEqual([]);
    expect(
      await rows(
        '/deals/aggregate?aggregate=count||*&aggregate=avg||big&aggregate=avg||rate&aggregate=avg||units&filter=id||lt||0',
      ),
    ).toEqual([{ count: 0, avg_big: null, avg_rate: null, avg_units: null }]);
    expect(await rows('/deals/aggregate?aggregate=count||*&having=count||gt||100000')).toEqual([]);
  });

  test('groups alone are the distinct values, in their order', async () => {
    const found = await rows('/deals/aggregate?groupBy=tenant');
    expect(found).toEqual(
      [...new Set(deals.filter(alive).map(({ tenant }) => tenant))].sort().map((tenant) => ({ tenant })),
    );
    expect(await rows('/deals/aggregate?groupBy=tenant,open')).toHaveLength(
      new Set(deals.filter(alive).map(({ tenant, open }) => `${tenant} ${String(open)}`)).size,
    );
  });

  describe('whose records are grouped', () => {
    const terms: Term[] = [{ field: 'seller.name', name: 'seller.name' }];
    const calls: Call[] = [
      { fn: 'count', field: '*', name: 'count' },
      { fn: 'sum', field: 'big', name: 'sum_big' },
      { fn: 'sum', field: 'seller.grade', name: 'sum_seller.grade' },
    ];
    const red = ({ tenant }: { tenant: string }): boolean => tenant === 'red';
    const CASES: readonly [path: string, oracle: () => Joined[]][] = [
      ['/deals/aggregate?', () => joined(alive)],
      ['/deals/aggregate?includeDeleted=1&', () => joined(undefined, () => true)],
      ['/red/aggregate?', () => joined((deal) => alive(deal) && red(deal))],
      ['/red/aggregate?or=tenant||eq||blue&', () => []],
      ['/tenants/blue/deals/aggregate?', () => joined((deal) => alive(deal) && deal.tenant === 'blue')],
      ['/reached/aggregate?', () => joined(alive, (one) => one.deletedAt === null && red(one))],
      [
        '/reached/aggregate?filter=seller.name||notnull&',
        () => joined(alive, (one) => one.deletedAt === null && red(one)).filter(({ seller }) => seller),
      ],
      ['/required/aggregate?', () => joined(alive).filter(({ seller }) => seller)],
      ['/deals/aggregate?join=lines&', () => joined(alive)],
    ];

    test.each(CASES)('%s', async (path, oracle) => {
      expect(unordered(await rows(path + queryOf(terms, calls)))).toEqual(
        unordered(aggregated(oracle(), terms, calls)),
      );
    });
  });

  test.each([
    ['', 'CRUD_INVALID_QUERY'],
    ['groupBy=secret', 'CRUD_UNKNOWN_FIELD'],
    ['groupBy=seller.secret', 'CRUD_UNKNOWN_FIELD'],
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
    ['aggregate=sum', 'CRUD_INVALID_QUERY'],
    ['aggregate=count||*||1st', 'CRUD_INVALID_QUERY'],
    ['aggregate=count||*||' + 'a'.repeat(65), 'CRUD_INVALID_QUERY'],
    ['aggregate=count||*||', 'CRUD_INVALID_QUERY'],
    ['aggregate=count||*&aggregate=count||*', 'CRUD_INVALID_QUERY'],
    ['groupBy=region&aggregate=count||*||region', 'CRUD_INVALID_QUERY'],
    ['aggregate=count||*&having=total||gt||1', 'CRUD_UNKNOWN_FIELD'],
    ['aggregate=count||*&having=units||gt||1', 'CRUD_UNKNOWN_FIELD'],
    ['aggregate=count||*&having=count||gt||many', 'CRUD_INVALID_VALUE'],
    ['aggregate=count||*&having=count||cont||1', 'CRUD_UNKNOWN_OPERATOR'],
    ['aggregate=count||*&having=count||nope||1', 'CRUD_UNKNOWN_OPERATOR'],
    ['aggregate=sum||price&having=sum_price||gt||1e', 'CRUD_INVALID_VALUE'],
    ['aggregate=count||*&sort=units', 'CRUD_UNKNOWN_FIELD'],
    ['aggregate=count||*&sort=total', 'CRUD_UNKNOWN_FIELD'],
    ['aggregate=count||*&limit=0', 'CRUD_INVALID_PAGINATION'],
    ['aggregate=count||*&filter=secret||eq||x', 'CRUD_UNKNOWN_FIELD'],
  ])('%s is a 400 %s', async (search, expected) => {
    expect(await code(`/deals/aggregate?${search}`)).toEqual([400, expected]);
  });

  test('more groups and functions than the limit allows are a 400', async () => {
    const search = Array.from({ length: 51 }, (_, at) => `aggregate=count||*||a${at}`).join('&');
    expect(await code(`/deals/aggregate?${search}`)).toEqual([400, 'CRUD_LIMIT_EXCEEDED']);
  });

  test('on SQLite, a sum of integers that 64 bits cannot hold is a 400', async () => {
    if (db.kind !== 'sqlite') return;
    const repository = source.getRepository(Deal);
    const big = '9223372036854775807';
    await repository.insert([900, 901].map((id) => ({ id, tenant: 'huge', big })) as never);
    const refused = [400, 'CRUD_VALUE_OUT_OF_RANGE'];
    expect(await code('/deals/aggregate?aggregate=sum||big&filter=tenant||eq||huge')).toEqual(refused);
    expect(await code('/deals/aggregate?aggregate=avg||big&filter=tenant||eq||huge')).toEqual(refused);
    expect(await rows('/deals/aggregate?aggregate=sum||big&filter=id||eq||900')).toEqual([{ sum_big: big }]);
    await repository.delete({ tenant: 'huge' } as never);
  });

  test('a sum beyond 2^53 is a 400 where it would be a number', async () => {
    if (db.kind !== 'sqlite') return;
    const repository = source.getRepository(Deal);
    await repository.insert([900, 901].map((id) => ({ id, tenant: 'huge', units: Number.MAX_SAFE_INTEGER })) as never);
    const search = 'filter=tenant||eq||huge';
    expect(await code(`/deals/aggregate?aggregate=sum||units&${search}`)).toEqual([400, 'CRUD_VALUE_OUT_OF_RANGE']);
    expect(await code(`/deals/aggregate?aggregate=avg||units&${search}`)).toEqual([400, 'CRUD_VALUE_OUT_OF_RANGE']);
    expect(await rows(`/deals/aggregate?aggregate=max||units&${search}`)).toEqual([
      { max_units: Number.MAX_SAFE_INTEGER },
    ]);
    await repository.delete({ tenant: 'huge' } as never);
  });

  test('whatever is sent as a name, a field or an alias, nothing of it becomes SQL', async () => {
    const attacks = [
      `x" FROM agg_deals; DROP TABLE agg_deals; --`,
      `x' OR 1=1 --`,
      '`x`',
      'a"b',
      'a);SELECT 1',
      '$1',
      '?',
      ':p0',
      'a b',
      'é',
      '\u0001' + '0\u0001',
      '__proto__',
      'constructor.prototype',
      'a\0',
      '%',
      'a,b',
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
        const { status, body } = await get(`/deals/aggregate?${search}`);
        const isName =
          /^[a-z][\w.]*$/i.test(attack) &&
          search.includes('||' + text) &&
          !search.includes('having') &&
          !search.includes('sum||const');
        expect({ search, status, is: isName ? 'a name' : 'refused' }).toEqual({
          search,
          status: isName ? 200 : 400,
          is: isName ? 'a name' : 'refused',
        });
        expect(JSON.stringify(body)).not.toMatch(/DROP|OR 1=1|syntax/);
      }
    }
    // In a condition on a text that is grouped by, it is a value.
    for (const attack of attacks.filter((text) => !text.includes('\0') && text !== 'é')) {
      expect(await rows(`/deals/aggregate?groupBy=region&having=region||eq||${encodeURIComponent(attack)}`)).toEqual(
        [],
      );
    }
    const names = ['constructor', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'SELECT', 'a.b.c'];
    const [row] = await rows(`/deals/aggregate?${names.map((name) => `aggregate=count||*||${name}`).join('&')}`);
    expect(row).toEqual(Object.fromEntries(names.map((name) => [name, deals.filter(alive).length])));
  });

  test('without the option there is no such route, and a key called so is like any other', async () => {
    expect((await get('/plain/aggregate?aggregate=count||*')).status).toBe(400);
    expect((await get('/plain?aggregate=nonsense&groupBy=secret&having=x')).status).toBe(200);
  });

  test('stored values are those that the oracle knows', () => {
    expect(storedAt(joined()[0]!, 'tenant')).toBe(deals[0]!.tenant);
  });
});

function compareDecimals(left: string, right: string): number {
  const units = (text: string): bigint => {
    const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
    const size = BigInt(whole + fraction.padEnd(40, '0'));

    return text.startsWith('-') ? -size : size;
  };

  return units(left) < units(right) ? -1 : units(left) > units(right) ? 1 : 0;
}
