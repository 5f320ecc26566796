/** `GET /aggregate` and `GET /count` over HTTP, on each database: what is grouped, computed, compared, sorted, paged and counted, and who answers it; what is refused, whatever would become SQL above all. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AggregateResponseRow, CrudOptions, CrudRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Expose } from 'class-transformer';
import { Column, DeleteDateColumn, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { type Relation } from 'typeorm';
import { type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { looseResource, type ResourceOptions, serve } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Statements } from '../support/statements.js';

function entitiesFor(kind: DatabaseKind) {
  const moment = { type: kind === 'postgres' ? 'timestamptz' : 'datetime', nullable: true } as const;

  @Entity('agg_sellers')
  class Seller {
    @PrimaryColumn({ type: 'int' }) id!: number;
    @Column({ type: 'varchar', length: 20 }) name!: string;
    @Column({ type: 'varchar', length: 20 }) tenant!: string;
    @Column({ type: 'int', nullable: true }) grade!: number | null;
    @DeleteDateColumn(moment) deletedAt!: Date | null;
    @OneToMany(() => Deal, (deal) => deal.seller) deals!: Relation<Deal>[];
  }

  @Entity('agg_deals')
  class Deal {
    @PrimaryColumn({ type: 'int' }) id!: number;
    @Column({ type: 'varchar', length: 20 }) tenant!: string;
    @Column({ type: 'varchar', length: 20, nullable: true }) region!: string | null;
    @Column({ type: 'int', nullable: true }) units!: number | null;
    @Column({ type: 'bigint', nullable: true }) big!: string | null;
    @Column({ type: 'decimal', precision: 30, scale: 4, nullable: true }) price!: string | null;
    @Column({ type: 'double precision', nullable: true }) rate!: number | null;
    @Column({ ...moment, ...(kind !== 'sqlite' && { precision: 3 }) }) at!: Date | null;
    @Column({ type: 'date', nullable: true }) day!: string | null;
    @Expose({ groups: ['admin'] }) @Column({ type: 'int', default: 2 }) margin!: number;
    @Column({ type: 'int', nullable: true }) sellerId!: number | null;
    @ManyToOne(() => Seller, (seller) => seller.deals, { nullable: true })
    @JoinColumn({ name: 'sellerId' })
    seller!: Relation<Seller> | null;
    @OneToMany(() => Line, (line) => line.deal) lines!: Relation<Line>[];
    @DeleteDateColumn(moment) deletedAt!: Date | null;
  }

  @Entity('agg_lines')
  class Line {
    @PrimaryColumn({ type: 'int' }) id!: number;
    @Column({ type: 'int' }) amount!: number;
    @ManyToOne(() => Deal, (deal) => deal.lines) deal!: Relation<Deal>;
  }

  return { Deal, Seller, Line };
}

const GONE = new Date('2026-02-02T00:00:00Z');
const SELLERS = [
  { id: 1, name: 'Ann', tenant: 'red', grade: 1, deletedAt: null },
  { id: 2, name: 'ann', tenant: 'red', grade: null, deletedAt: null },
  { id: 3, name: 'Bob', tenant: 'blue', grade: 3, deletedAt: null },
  { id: 4, name: 'Gone', tenant: 'blue', grade: 4, deletedAt: GONE },
];

const FIELDS = ['tenant', 'region', 'units', 'big', 'price', 'rate', 'at', 'day', 'sellerId'] as const;
/** Each with a line less than its id, of the amounts 0, 1, 2 …; the last one is deleted. */
const DEALS = [
  ['red', 'north', 1, '9007199254740993', '0.1000', 0.5, '2025-12-28T23:59:59.999Z', '2024-12-30', 1],
  ['red', 'North', 4, '90071992547409921', '0.2000', 1024.125, '2025-12-29T00:00:00Z', '2024-12-31', 1],
  ['red', 'north ', null, '3', '2.5000', null, '2026-01-01T00:00:00Z', '2026-01-05', 2],
  ['red', 'north', -5, '3', null, 3, '2026-01-01T00:00:00.001Z', null, 4],
  ['blue', 'é', 4, null, '-0.0001', -0.25, '2024-02-29T12:00:00.500Z', '2023-01-01', 3],
  ['blue', 'e', 2147483647, '-1', '2.5000', 0.5, '2026-07-01T00:00:00Z', '1999-03-31', null],
  ['blue', null, 0, '1', '0.1000', 0.5, null, '2024-12-31', 3],
  ['blue', 'north', 3, '5', '1.0000', 1, '2021-01-03T22:30:00Z', '2026-01-04', 3],
] as const;

const QUERY: CrudOptions['query'] = {
  softDelete: true,
  join: { seller: {}, lines: {} },
  aggregate: {
    groupBy: ['tenant', 'region', 'units', 'big', 'at', 'day', 'seller.name', 'seller.grade'],
    functions: {
      '*': ['count'],
      day: ['min', 'max'],
      big: ['countDistinct', 'sum', 'avg'],
      price: ['sum', 'avg'],
      units: ['sum', 'avg', 'min', 'max'],
      rate: ['sum', 'avg', 'max'],
      at: ['countDistinct', 'min', 'max'],
      'seller.grade': ['sum'],
    } as never,
  },
};

/** Functions, and their values for the deals of red and of blue. */
const COMPUTED: readonly (readonly [call: string, red: unknown, blue: unknown])[] = [
  ['max||day', '2026-01-05', '2024-12-31'],
  ['countDistinct||big', 3, 2],
  ['sum||big', '99079191802150920', '0'],
  ['avg||big', '24769797950537730.000000', '0.000000'],
  ['sum||price', '2.8000', '2.5999'],
  ['avg||price', '0.9333333333', '0.8666333333'],
  ['max||at', '2026-01-01T00:00:00.001Z', '2026-07-01T00:00:00.000Z'],
  ['sum||units', 0, 2147483651],
  ['avg||rate', 1027.625 / 3, 0.25],
  ['sum||seller.grade', 2, 6],
];

/** Groups by their terms, each with its number of deals. */
const GROUPED = [
  ['region', 'North 1 | e 1 | north  1 | north 2 | null 1 | é 1'],
  ['big', '-1 1 | 1 1 | 3 2 | 90071992547409921 1 | 9007199254740993 1 | null 1'],
  ['day', '1999-03-31 1 | 2023-01-01 1 | 2024-12-30 1 | 2024-12-31 2 | 2026-01-05 1 | null 1'],
  ['seller.name', 'Ann 2 | Bob 2 | ann 1 | null 2'],
  ['at:week', '2024-02-26 1 | 2025-12-22 1 | 2025-12-29 3 | 2026-06-29 1 | null 1'],
  ['day:week', '1999-03-29 1 | 2022-12-26 1 | 2024-12-30 3 | 2026-01-05 1 | null 1'],
];

/** Conditions on the groups by region, and the regions that are left. */
const HAVING = [
  ['count||*', 'eq||2', 'north'],
  ['count||*', 'in||3,2', 'north'],
  ['max||units', 'between||0,4', 'North|north|null|é'],
  // Sums are compared as numbers that need not be whole, or digit by digit.
  ['sum||units', 'gt||3.5', 'North|e|é'],
  ['avg||rate', 'lt||0.5', 'é'],
  ['sum||big', 'gt||9007199254740995', 'North|north'],
];

const COUNT = 'aggregate=count||*';
const REFUSED = [400, 'CRUD_VALUE_OUT_OF_RANGE'];

class OwnDeals extends TypeOrmCrudService<object> {
  override async aggregateMany(req: CrudRequest): Promise<AggregateResponseRow[]> {
    const rows = (await super.aggregateMany(req)) as AggregateResponseRow[];
    return rows.map((row) => ({ ...row, own: true }));
  }
}

const groups = ({ headers }: { headers: Record<string, string> }) => headers['x-groups']?.split(',') ?? [];

describeDatabases('GET /aggregate', (db) => {
  const { Deal, Seller, Line } = entitiesFor(db.kind);
  const of = (path: string, query: CrudOptions['query'] = {}, more: ResourceOptions<object> = {}) =>
    looseResource(Deal, path, { query: { ...QUERY, ...query }, routes: { countBase: true }, ...more });
  const resources = [
    of('deals'),
    of('excluded', {}, { routes: { exclude: ['aggregateBase'] } }),
    of('own', {}, { service: OwnDeals }),
    of('margins', { aggregate: { groupBy: ['margin'] as never } }, { auth: { groups } }),
    of('few', { maxLimit: 2 }),
    of('paged', { alwaysPaginate: true, limit: 3 }),
    of('tenants/:tenant/deals', {}, { params: { tenant: { field: 'tenant', type: 'string' } } as never }),
    of('red', {}, { auth: { filter: () => ({ tenant: 'red' }) } }),
    of('reached', {}, { auth: { relations: { seller: () => ({ tenant: 'red' }) } } }),
    of('required', { join: { seller: { required: true, eager: true }, lines: {} } }),
  ];
  const statements = new Statements();
  const served = serving(db, [Deal, Seller, Line], resources, {
    source: { logger: statements, logging: ['query'] },
    fill: async ({ manager }) => {
      await manager.insert(Seller, SELLERS);
      for (const [index, values] of DEALS.entries()) {
        const { at, ...deal } = Object.fromEntries(FIELDS.map((field, place) => [field, values[place]]));
        const id = index + 1;
        const deletedAt = id === DEALS.length ? GONE : null;
        await manager.insert(Deal, { id, ...deal, at: at ? new Date(at as string) : null, deletedAt } as never);
        for (let amount = 0; amount < index; amount += 1)
          await manager.insert(Line, { id: id * 10 + amount, amount, deal: { id } });
      }
    },
  });
  beforeAll(() => void jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined));
  afterAll(() => void jest.restoreAllMocks());
  const get = (path: string) => served.send('get', path);
  const rows = async (path: string): Promise<Record<string, unknown>[]> => {
    const { status, body } = await get(path);
    expect([status, path, status === 200 ? '' : body]).toEqual([200, path, '']);
    return body;
  };
  const code = async (path: string): Promise<unknown> => get(path).then(({ status, body }) => [status, body.code]);
  const valuesOf = async (path: string) => (await rows(path)).map((row) => Object.values(row));
  const textOf = async (path: string) => {
    const texts = (await valuesOf(path)).map((row) => row.map(String).join(' '));
    return texts.sort().join(' | ');
  };

  test.each(COMPUTED)('%s of groups', async (call, red, blue) => {
    const found = await valuesOf(`/deals/aggregate?groupBy=tenant&aggregate=${call}&sort=tenant,DESC`);
    expect(Object.fromEntries(found)).toEqual({ red, blue });
  });

  test.each(GROUPED)('groups by %s', async (term, groups) => {
    expect(await textOf(`/deals/aggregate?groupBy=${term}&aggregate=count||*`)).toBe(groups);
  });

  test.each(HAVING)('having=%s||%s', async (call, condition, regions) => {
    const own = call.replace('||*', '').replace('||', '_');
    const found = await valuesOf(`/deals/aggregate?groupBy=region&aggregate=${call}&having=${own}||${condition}`);
    expect(found.map(([region]) => String(region)).sort()).toEqual(regions.split('|'));
  });

  test('rows have the names that are asked for, in the order that is asked for', async () => {
    const query = 'groupBy=at:month||month&groupBy=tenant&aggregate=sum||units||all&filter=units||gt||0';
    const found = await rows(`/deals/aggregate?${query}&having=month||gte||2025-12&sort=tenant,DESC&sort=all,DESC`);
    expect(found.map((row) => Object.entries(row).join())).toEqual([
      'month,2025-12,tenant,red,all,5',
      'month,2026-07,tenant,blue,all,2147483647',
    ]);
    for (const call of ['avg||units', 'avg||big', 'sum||price', 'avg||rate', 'count||*']) {
      const values = (
        await rows(`/deals/aggregate?groupBy=day&aggregate=${call}||x&having=x||notnull&sort=x,DESC`)
      ).map(({ x }) => Number(x));
      expect([call, values]).toEqual([call, values.toSorted((one, two) => two - one)]);
    }
  });

  test('pages tell how many groups there are, also of those that a condition leaves', async () => {
    const { body } = await get('/paged/aggregate?groupBy=region&sort=region,DESC&page=2');
    expect(body).toMatchObject({ count: 3, total: 6, page: 2, pageCount: 2 });
    const having = 'groupBy=region&aggregate=count||*&having=count||gt||1';
    expect((await get(`/paged/aggregate?${having}`)).body).toMatchObject({ total: 1 });
    expect(await rows('/deals/aggregate?aggregate=count||*&having=count||gt||100000')).toEqual([]);
  });

  test.each(['', '&limit=2', '&filter=region||in||é,e'])('a list that the ceiling cuts says so: %s', async (more) => {
    const response = await fetch(`${served.url}/few/aggregate?groupBy=region${more}`);
    expect(await response.json()).toHaveLength(2);
    expect(response.headers.get('x-crud-truncated')).toBe(more === '' ? 'true' : null);
  });

  test.each([
    ['/deals?', 7, 'Ann 2 | Bob 2 | ann 1 | null 2'],
    ['/deals?includeDeleted=1&', 8, 'Ann 2 | Bob 3 | Gone 1 | ann 1 | null 1'],
    ['/red?', 4, 'Ann 2 | ann 1 | null 1'],
    ['/red?or=tenant||eq||blue&', 0, ''],
    ['/tenants/blue/deals?', 3, 'Bob 2 | null 1'],
    ['/reached?', 7, 'Ann 2 | ann 1 | null 4'],
    ['/reached?filter=seller.name||notnull&', 3, 'Ann 2 | ann 1'],
    ['/required?', 5, 'Ann 2 | Bob 2 | ann 1'],
    ['/deals?filter=lines.amount||gt||0&', 5, 'Bob 2 | ann 1 | null 2'],
  ])('of the records of %s, %i are counted, and grouped: %s', async (path, count, groups) => {
    const [list, search] = path.split('?');
    expect(await textOf(`${list}/aggregate?${search}groupBy=seller.name&aggregate=count||*`)).toBe(groups);
    let answer: unknown;
    const counting = `${list}/count?${search}sort=units,DESC&limit=2&fields=units`;
    const sent = await statements.of(async () => (answer = (await get(counting)).body));
    expect([answer, sent]).toEqual([{ count }, [expect.stringMatching(/^SELECT COUNT\(/i)]]);
    expect((await get(path)).body).toHaveLength(count);
  });

  test('the route may be excluded, whose path is then that of a record, or answered by a service', async () => {
    expect(await code(`/excluded/aggregate?${COUNT}`)).toEqual([400, 'CRUD_INVALID_PARAM']);
    expect(await rows(`/own/aggregate?${COUNT}`)).toEqual([{ count: 7, own: true }]);
  });

  test('a field that only some see is judged by request', async () => {
    const path = '/margins/aggregate?groupBy=margin';
    expect((await served.send('get', path, undefined, { 'x-groups': 'admin' })).body).toEqual([{ margin: 2 }]);
    expect(await code(path)).toEqual([400, 'CRUD_UNKNOWN_FIELD']);
  });

  if (db.kind === 'sqlite') {
    test('refuses a sum of integers that 64 bits cannot hold', async () => {
      const [deals, big] = [served.source.getRepository('Deal'), '9223372036854775807'];
      await deals.insert([900, 901].map((id) => ({ id, tenant: 'huge', big })));
      for (const fn of ['sum', 'avg'])
        expect(await code(`/deals/aggregate?aggregate=${fn}||big&filter=tenant||eq||huge`)).toEqual(REFUSED);
      expect(await rows('/deals/aggregate?aggregate=sum||big||all&filter=id||eq||900')).toEqual([{ all: big }]);
      await deals.delete({ tenant: 'huge' });
    });

    test('a sum of 2^53 is exact, and of one more is refused', async () => {
      const deals = served.source.getRepository('Deal');
      const sum = '/deals/aggregate?aggregate=sum||units&filter=tenant||eq||huge';
      await deals.insert([Number.MAX_SAFE_INTEGER, 1].map((units, at) => ({ id: 900 + at, tenant: 'huge', units })));
      expect(await rows(sum)).toEqual([{ sum_units: 2 ** 53 }]);
      await deals.insert({ id: 902, tenant: 'huge', units: 1 });
      expect(await code(sum)).toEqual(REFUSED);
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
      for (const search of [
        ...[`groupBy=${text}`, `groupBy=at:${text}`, `aggregate=${text}||units`, `aggregate=sum||${text}`],
        ...[`groupBy=region||${text}`, `aggregate=sum||units||${text}`, `${COUNT}&sort=${text}`],
        ...[`${text}||gt||1`, `count||${text}||1`, `count||gt||${text}`].map((one) => `${COUNT}&having=${one}`),
      ]) {
        const { status, body } = await get(`/deals/aggregate?${search}`);
        const isAlias = /^[a-z][\w.]*$/i.test(attack) && /^(groupBy=region|aggregate=sum\|\|units)\|\|/.test(search);
        expect([search, status]).toEqual([search, isAlias ? 200 : 400]);
        expect(JSON.stringify(body)).not.toMatch(/DROP|OR 1=1|syntax/);
      }
      // In a condition on a text that is grouped by, it is a value.
      if (!attack.includes('\0') && attack !== 'é')
        expect(await rows(`/deals/aggregate?groupBy=region&having=region||eq||${text}`)).toEqual([]);
    }
    const names = ['constructor', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'SELECT', 'a.b.c'];
    const [row] = await rows(`/deals/aggregate?${names.map((name) => `aggregate=count||*||${name}`).join('&')}`);
    expect(row).toEqual(Object.fromEntries(names.map((name) => [name, 7])));
  });
});

test.each<[mistake: string, query: CrudOptions['query']]>([
  ['functions.seller.grade names "sum", but responses hide', { join: { seller: { select: false } } }],
  ['groupBy names "units", but responses hide or change units', { exclude: ['units'] as never }],
])('the start stops: %s', async (mistake, query) => {
  const { Deal, Seller, Line } = entitiesFor('sqlite');
  const resources = [looseResource(Deal, 'deals', { query: { ...QUERY, ...query } })];
  const start = serve({ connection: { type: 'sqljs' } }, [Deal, Seller, Line], resources, { nest: { logger: false } });
  await expect(start).rejects.toThrow(mistake);
});
