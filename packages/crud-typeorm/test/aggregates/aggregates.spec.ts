/** `GET /aggregate` over HTTP, on each database: rows equal those of an oracle that computes record by record, whatever is grouped, computed, compared, sorted and paged; and what is refused, whatever would become SQL above all. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { Statements } from '../support/statements.js';
import { type DealRow, dealsOf, FUNCTIONS, GROUPS, type SellerRow, SELLERS, servingDeals } from './deals.js';
import { aggregated, type Call, compare, type Joined, type Row, type Term, unitsOf, type Value } from './oracle.js';

const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;

describeDatabases('GET /aggregate', (db) => {
  const deals = dealsOf(db.kind);
  const statements = new Statements();
  const served = servingDeals(db, statements);
  beforeAll(() => void jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined));
  afterAll(() => void jest.restoreAllMocks());
  const get = (path: string) => served.send('get', path);
  const rows = async (path: string): Promise<Row[]> => {
    const { status, body } = await get(path);
    expect([status, path, status === 200 ? '' : body]).toEqual([200, path, '']);
    return body;
  };
  const code = async (path: string): Promise<unknown> => get(path).then(({ status, body }) => [status, body.code]);
  const unordered = (list: readonly Row[]): string[] => list.map((row) => JSON.stringify(row, asComputed)).sort();
  /** SQLite divides doubles: of its averages, the digits that a double has. */
  const asComputed = (_: string, value: unknown) =>
    db.kind === 'sqlite' && typeof value === 'string' && /^-?\d+\.\d{6,}$/.test(value)
      ? Number(value).toPrecision(12)
      : value;
  const present = ({ deletedAt }: SellerRow): boolean => deletedAt === null;
  const joined = (keep = (_: DealRow): boolean => true, seller = present): Joined[] =>
    deals
      .filter((deal) => keep(deal))
      .map((deal) => ({ deal, seller: SELLERS.find((one) => one.id === deal.sellerId && seller(one)) }));
  const alive = ({ deletedAt }: DealRow): boolean => deletedAt === null;
  const byRegion = (one: Call): Row[] => aggregated(joined(alive), [{ field: 'region', name: 'region' }], [one]);
  const ownName = ({ fn, field }: Pick<Call, 'fn' | 'field'>): string => (field === '*' ? fn : `${fn}_${field}`);
  const ownTerm = ({ field, unit }: Pick<Term, 'field' | 'unit'>): string => (unit ? `${field}:${unit}` : field);
  const alias = (name: string, own: string): string => (name === own ? '' : `||${name}`);
  const queryOf = (terms: readonly Term[], calls: readonly Call[]): string =>
    [
      ...terms.map((one) => `groupBy=${ownTerm(one)}${alias(one.name, ownTerm(one))}`),
      ...calls.map((one) => `aggregate=${one.fn}||${one.field}${alias(one.name, ownName(one))}`),
    ].join('&');

  const allCalls = Object.entries(FUNCTIONS).flatMap(([field, names]) => names.map((fn) => ({ fn, field })));
  const call = fc.tuple(fc.constantFrom(...allCalls), fc.boolean()).map(([one, isNamed]): Call => {
    const own = ownName(one);
    return { ...one, name: isNamed ? `Value_${own}` : own };
  });
  const term = fc
    .tuple(fc.constantFrom(...GROUPS), fc.constantFrom(undefined, ...UNITS), fc.boolean())
    .map(([field, asked, isNamed]): Term => {
      const unit = field === 'at' || field === 'day' ? asked : undefined;
      const own = ownTerm({ field, unit });
      return { field, unit, name: isNamed ? `k.${own.replace(/[.:]/, '_')}` : own };
    });
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
    const compared = fc.constantFrom(
      ...['count||*', 'sum||units', 'avg||units', 'sum||big', 'avg||big', 'sum||price', 'avg||price', 'avg||rate'],
      'max||units',
    );
    const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
      eq: (order) => order === 0,
      gt: (order) => order > 0,
      lt: (order) => order < 0,
      ne: (order) => order !== 0,
      gte: (order) => order >= 0,
      lte: (order) => order <= 0,
    };
    // SQLite's integers are exact, its decimals are doubles.
    const isExact = (field: string) => db.kind !== 'sqlite' || field === 'big';
    const orderOf = (field: string, left: Value, right: Value): number => {
      if (typeof left !== 'string') return compare(field, left, right);
      const [one, other] = [left, String(right)].map((text) => (isExact(field) ? unitsOf(text, 40) : Number(text)));
      return one! < other! ? -1 : one! > other! ? 1 : 0;
    };

    await fc.assert(
      fc.asyncProperty(
        compared,
        fc.constantFrom('region', 'seller.name', 'at:month'),
        fc.constantFrom(...Object.keys(OPERATORS)),
        fc.nat(),
        fc.constantFrom('', '1', '5'),
        fc.constantFrom('ASC', 'DESC'),
        async (one, by, operator, pick, tail, direction) => {
          const field = one.split('||')[1]!;
          const name = one.replace('||*', '').replace('||', '_');
          const grouped = `/deals/aggregate?groupBy=${by}&aggregate=${one}`;
          const all = await rows(grouped);
          const values = all.map((row) => row[name]!).filter((value) => value !== null);
          const value = values[pick % values.length]!;
          // One of the printed values, or one between two of them.
          const isBetween = typeof value === 'string' && (db.kind !== 'sqlite' || value.includes('.'));
          const bound = isBetween && tail ? `${value}${value.includes('.') ? '' : '.'}${tail}` : value;
          const found = await rows(`${grouped}&having=${name}||${operator}||${bound}&sort=${name},${direction}`);
          const kept = all.filter(
            (row) => row[name] !== null && OPERATORS[operator]!(orderOf(field, row[name]!, bound)),
          );
          expect(unordered(found)).toEqual(unordered(kept));
          const steps = found.slice(1).map((row, at) => orderOf(field, found[at]![name]!, row[name]!));
          expect(steps.every((step) => (direction === 'ASC' ? step <= 0 : step >= 0))).toBe(true);
        },
      ),
      { numRuns: 60, seed: 5 },
    );
  }, 120_000);

  test.each([
    ['max', 'between||2,4', (units: number) => units >= 2 && units <= 4],
    ['max', 'in||1,3', (units: number) => units === 1 || units === 3],
    ['max', 'notin||1,3', (units: number) => units !== 1 && units !== 3],
    ['max', 'notnull', () => true],
    // A sum is compared as a number, which need not be whole.
    ['sum', 'gt||2.5', (units: number) => units > 2.5],
  ])('having=%s||%s', async (fn, condition, keep) => {
    const found = await rows(`/deals/aggregate?groupBy=region&aggregate=${fn}||units||all&having=all||${condition}`);
    const all = byRegion({ fn, field: 'units', name: 'all' });
    expect(unordered(found)).toEqual(unordered(all.filter((row) => row['all'] !== null && keep(Number(row['all'])))));
  });

  test('pages follow each other without a gap, and tell how many groups there are', async () => {
    const search = 'groupBy=at:day&groupBy=region&aggregate=count||*&sort=count,DESC';
    const all = await rows(`/deals/aggregate?${search}`);
    const pageCount = Math.ceil(all.length / 4);
    for (let page = 1; page <= pageCount; page++) {
      const data = all.slice((page - 1) * 4, page * 4);
      const { body } = await get(`/deals/aggregate?${search}&limit=4&page=${page}`);
      expect(body).toEqual({ data, count: data.length, total: all.length, page, pageCount });
    }
    expect((await get(`/deals/aggregate?${search}&limit=3&offset=2`)).body).toMatchObject({ data: all.slice(2, 5) });
    const groups = new Set(deals.filter(alive).map(({ region }) => region)).size;
    expect((await get('/paged/aggregate?groupBy=region')).body).toMatchObject({ count: 3, total: groups, page: 1 });
    const many = byRegion({ fn: 'count', field: '*', name: 'count' }).filter(({ count }) => Number(count) > 4);
    const { body } = await get('/paged/aggregate?groupBy=region&aggregate=count||*&having=count||gt||4');
    expect(body.total).toBe(many.length);
  });

  test.each([
    ['', 'true'],
    ['&limit=2', null],
    ['&filter=region||in||north,North', null],
  ])('a list that the ceiling cuts says so: %s', async (more, truncated) => {
    const response = await fetch(`${served.url}/few/aggregate?groupBy=region${more}`);
    expect(await response.json()).toHaveLength(2);
    expect(response.headers.get('x-crud-truncated')).toBe(truncated);
  });

  test.each([
    ['aggregate=count||*&aggregate=max||at&filter=id||lt||0', [{ count: 0, max_at: null }]],
    ['aggregate=sum||price&filter=id||lt||0', [{ sum_price: null }]],
    ['groupBy=region&aggregate=count||*&filter=id||lt||0', []],
    ['aggregate=count||*&having=count||gt||100000', []],
  ])('without groups there is one row, also of no records: %s', async (search, expected) =>
    expect(await rows(`/deals/aggregate?${search}`)).toEqual(expected),
  );

  const red = ({ tenant }: { tenant: string }): boolean => tenant === 'red';
  const reached = () => joined(alive, (one) => one.deletedAt === null && red(one));

  test.each<[path: string, oracle: () => Joined[]]>([
    ['/deals/aggregate?includeDeleted=1&', () => joined(undefined, () => true)],
    ['/red/aggregate?', () => joined((deal) => alive(deal) && red(deal))],
    ['/red/aggregate?or=tenant||eq||blue&', () => []],
    ['/tenants/blue/deals/aggregate?', () => joined((deal) => alive(deal) && deal.tenant === 'blue')],
    ['/reached/aggregate?', reached],
    ['/reached/aggregate?filter=seller.name||notnull&', () => reached().filter(({ seller }) => seller)],
    ['/required/aggregate?', () => joined(alive).filter(({ seller }) => seller)],
    ['/deals/aggregate?join=lines&', () => joined(alive)],
  ])('whose records are grouped: %s', async (path, oracle) => {
    const terms: Term[] = [{ field: 'seller.name', name: 'seller.name' }];
    const calls: Call[] = [
      { fn: 'sum', field: 'big', name: 'sum_big' },
      { fn: 'sum', field: 'seller.grade', name: 'sum_seller.grade' },
    ];
    const found = await rows(path + queryOf(terms, calls));
    expect(unordered(found)).toEqual(unordered(aggregated(oracle(), terms, calls)));
  });

  test.each<[path: string, oracle: () => Joined[]]>([
    ['/deals', () => joined(alive)],
    ['/deals?includeDeleted=1', () => joined()],
    ['/deals?filter=units||isnull&or=units||lt||4', () => joined((deal) => alive(deal) && (deal.units ?? 0) < 4)],
    ['/deals?filter=seller.name||eq||Ann', () => joined(alive).filter(({ seller }) => seller?.name === 'Ann')],
    ['/deals?filter=lines.amount||gt||0', () => joined((deal) => alive(deal) && deal.lines > 1)],
    ['/deals?sort=units,DESC&limit=2&page=3&fields=units', () => joined(alive)],
    ['/red?filter=tenant||eq||blue', () => []],
    ['/red?includeDeleted=1&or=tenant||eq||blue&filter=tenant||eq||red', () => joined(red)],
    ['/tenants/blue/deals', () => joined((deal) => alive(deal) && !red(deal))],
    ['/required', () => joined(alive).filter(({ seller }) => seller)],
  ])('GET /count is the number of records of the list, in one statement: %s', async (path, oracle) => {
    const [list, search = ''] = path.split('?');
    let answer: unknown;
    const sent = await statements.of(async () => (answer = (await get(`${list}/count?${search}`)).body));
    expect(answer).toEqual({ count: oracle().length });
    expect(sent).toEqual([expect.stringMatching(/^SELECT COUNT\(/i)]);
    const listed = await get(`${list}?limit=1000&${search.replace('limit=2&page=3', '')}`);
    expect(listed.body).toHaveLength(oracle().length);
  });

  test('GET /count counts by nothing that a client may not name', async () => {
    expect(await code('/deals/count?filter=secret||starts||x')).toEqual([400, 'CRUD_UNKNOWN_FIELD']);
  });

  test('refuses more groups and functions than the limit allows', async () => {
    const search = Array.from({ length: 51 }, (_, at) => `aggregate=count||*||a${at}`).join('&');
    expect(await code(`/deals/aggregate?${search}`)).toEqual([400, 'CRUD_LIMIT_EXCEEDED']);
  });

  if (db.kind === 'sqlite') {
    test.each([
      ['of integers that 64 bits cannot hold', 'big', '9223372036854775807'],
      ['beyond 2^53 where it would be a number', 'units', Number.MAX_SAFE_INTEGER],
    ])('refuses a sum %s', async (_, field, value) => {
      const deals = served.source.getRepository('Deal');
      await deals.insert([900, 901].map((id) => ({ id, tenant: 'huge', [field]: value })));
      const refused = [400, 'CRUD_VALUE_OUT_OF_RANGE'];
      for (const fn of ['sum', 'avg'])
        expect(await code(`/deals/aggregate?aggregate=${fn}||${field}&filter=tenant||eq||huge`)).toEqual(refused);
      const one = await rows(`/deals/aggregate?aggregate=sum||${field}||all&filter=id||eq||900`);
      expect(one).toEqual([{ all: value }]);
      await deals.delete({ tenant: 'huge' });
    });
  }

  test('whatever is sent as a name, a field or an alias, nothing of it becomes SQL', async () => {
    const attacks = [
      ...[`x" FROM agg_deals; DROP TABLE agg_deals; --`, `x' OR 1=1 --`, '`x`', 'a"b', 'a);SELECT 1', '$1', '?'],
      ...[':p0', 'a b', 'é', '\u00010\u0001', '__proto__', 'constructor.prototype', 'a\0', '%', 'a,b'],
    ];
    for (const attack of attacks) {
      const text = encodeURIComponent(attack);
      const isName = /^[a-z][\w.]*$/i.test(attack);
      for (const search of [
        ...[`groupBy=${text}`, `groupBy=at:${text}`, `aggregate=${text}||units`, `aggregate=sum||${text}`],
        ...[`groupBy=region||${text}`, `aggregate=sum||units||${text}`],
        ...[`${text}||gt||1`, `count||${text}||1`, `count||gt||${text}`].map(
          (one) => `aggregate=count||*&having=${one}`,
        ),
        ...[text, `count,${text}`].map((sort) => `aggregate=count||*&sort=${sort}`),
      ]) {
        const { status, body } = await get(`/deals/aggregate?${search}`);
        const isAlias = isName && /^(groupBy=region|aggregate=sum\|\|units)\|\|/.test(search);
        expect([search, status]).toEqual([search, isAlias ? 200 : 400]);
        expect(JSON.stringify(body)).not.toMatch(/DROP|OR 1=1|syntax/);
      }
      // In a condition on a text that is grouped by, it is a value.
      if (!attack.includes('\0') && attack !== 'é')
        expect(await rows(`/deals/aggregate?groupBy=region&having=region||eq||${text}`)).toEqual([]);
    }
    const names = ['constructor', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'SELECT', 'a.b.c'];
    const [row] = await rows(`/deals/aggregate?${names.map((name) => `aggregate=count||*||${name}`).join('&')}`);
    expect(row).toEqual(Object.fromEntries(names.map((name) => [name, deals.filter(alive).length])));
  });
});
