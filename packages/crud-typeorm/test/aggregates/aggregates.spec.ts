/** `GET /aggregate` over HTTP, on each database: rows equal those of an oracle that computes record by record, whatever is grouped, computed, compared, sorted and paged. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import request from 'supertest';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { FUNCTIONS, GROUPS, serveDeals, type ServedDeals } from './application.js';
import type { DealRow } from './entities.js';
import { aggregated, type Call, compare, type Joined, type Row, type Term, type Value } from './oracle.js';
import { dealsOf, SELLERS } from './records.js';

const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;

describeDatabases('GET /aggregate', (db) => {
  const deals = dealsOf(db.kind);
  let served: ServedDeals;

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    served = await serveDeals(db);
  });

  afterAll(async () => {
    await served?.app.close();
    jest.restoreAllMocks();
  });

  const get = (path: string) => served.get(path);
  const rows = (path: string) => served.rows(path);
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
  const byRegion = (one: Call): Row[] => aggregated(joined(alive), [{ field: 'region', name: 'region' }], [one]);
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
    const all = byRegion({ fn: 'max', field: 'units', name: 'max_units' });

    expect(unordered(found)).toEqual(
      unordered(all.filter((row) => row['max_units'] !== null && keep(Number(row['max_units'])))),
    );
  });

  test('a sum is compared as a number, which need not be whole', async () => {
    const all = byRegion({ fn: 'sum', field: 'units', name: 'total' });
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
    const many = byRegion({ fn: 'count', field: '*', name: 'count' });
    expect((body as { total: number }).total).toBe(many.filter(({ count }) => Number(count) > 4).length);
  });

  test('a list that the ceiling cuts says so', async () => {
    const { headers, body } = await request(served.url).get('/few/aggregate?groupBy=region');
    expect(body).toHaveLength(2);
    expect(headers['x-crud-truncated']).toBe('true');
    expect(
      (await request(served.url).get('/few/aggregate?groupBy=region&limit=2')).headers['x-crud-truncated'],
    ).toBeUndefined();
  });

  test('without groups there is one row, also of no records', async () => {
    expect(
      await rows('/deals/aggregate?aggregate=count||*&aggregate=sum||price&aggregate=max||at&filter=id||lt||0'),
    ).toEqual([{ count: 0, sum_price: null, max_at: null }]);
    expect(await rows('/deals/aggregate?groupBy=region&aggregate=count||*&filter=id||lt||0')).toEqual([]);
    expect(await rows('/deals/aggregate?aggregate=count||*&having=count||gt||100000')).toEqual([]);
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

  test('without the option there is no such route, and a key called so is like any other', async () => {
    expect((await get('/plain/aggregate?aggregate=count||*')).status).toBe(400);
    expect((await get('/plain?aggregate=nonsense&groupBy=secret&having=x')).status).toBe(200);
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
