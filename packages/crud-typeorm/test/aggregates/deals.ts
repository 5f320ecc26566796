/** Deals of sellers with a column of every kind that is grouped or added up, lines that must not multiply them, and resources that aggregate them, each with a scope or limits of its own. */
import type { CrudOptions } from '@nestwright/crud';
import { Column, DeleteDateColumn, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { type Logger, type Relation } from 'typeorm';
import type { DatabaseKind, TestDatabase } from '../../../../integration/test-support/index.js';
import { looseResource, type ResourceOptions } from '../support/resources.js';
import { serving } from '../support/serving.js';

function entitiesFor(kind: DatabaseKind) {
  const moment = { type: kind === 'postgres' ? 'timestamptz' : 'datetime', nullable: true } as const;
  const enumeration = kind === 'sqlite' ? 'simple-enum' : 'enum';

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
    @Column({ type: 'boolean', nullable: true }) open!: boolean | null;
    @Column({ type: enumeration, enum: ['zeal', 'awe', 'mirth'], nullable: true }) mood!: string | null;
    @Column({ ...moment, ...(kind !== 'sqlite' && { precision: 3 }) }) at!: Date | null;
    @Column({ type: 'date', nullable: true }) day!: string | null;
    @Column({ type: 'simple-json', nullable: true }) notes!: unknown;
    @Column({ type: 'varchar', length: 20, default: 'x', select: false }) secret!: string;
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

export const SELLERS = [
  { id: 1, name: 'Ann', tenant: 'red', grade: 1, deletedAt: null },
  { id: 2, name: 'ann', tenant: 'red', grade: null, deletedAt: null },
  { id: 3, name: 'Bob', tenant: 'blue', grade: 3, deletedAt: null },
  { id: 4, name: 'Gone', tenant: 'blue', grade: 4, deletedAt: new Date('2026-01-01T00:00:00.000Z') },
];

export type SellerRow = (typeof SELLERS)[number];
export type DealRow = ReturnType<typeof dealsOf>[number];
const MOMENTS = [
  ...['2025-12-28T23:59:59.999Z', '2025-12-29T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'],
  ...['2024-02-29T12:00:00.500Z', '2026-07-01T00:00:00.000Z', '2021-01-03T22:30:00.000Z'],
].map((text) => new Date(text));

const DAYS = [null, '2026-01-04', '2026-01-05', '2024-12-30', '2024-12-31', '2023-01-01', '1999-03-31'];

/** The same records in each run: few values, so that many are equal, and among them those that are easily added up wrongly. SQLite's decimals have 15 digits, and its sums 64 bits. */
export function dealsOf(kind: DatabaseKind) {
  const [wide, bigs] =
    kind === 'sqlite'
      ? [['1234567890.1234'], ['9007199254740993', '90071992547409921', '-9007199254740995']]
      : [
          ['12345678901234567890123456.7891', '-12345678901234567890123456.7891'],
          ['9223372036854775807', '9223372036854775806', '-9223372036854775807'],
        ];
  let state = 7;
  const pick = <T>(list: readonly T[]): T => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return list[Math.floor((state / 2 ** 31) * list.length)]!;
  };
  return Array.from({ length: 90 }, (_, index) => ({
    id: index + 1,
    tenant: pick(['red', 'blue']),
    region: pick([null, 'north', 'North', 'north ', 'é', 'e', '']),
    units: pick([null, 0, 1, 2, 3, 4, -5, 2147483647]),
    big: pick([null, ...bigs, '3', '1', '-1']),
    price: pick([null, '0.1000', '0.2000', ...wide, '-0.0001', '2.5000']),
    // Sums of these have no rounding errors, in whatever order.
    rate: pick([null, 0.5, -0.25, 1024.125, 3]),
    open: pick([null, true, false]),
    mood: pick([null, 'zeal', 'awe', 'mirth']),
    at: pick([null, ...MOMENTS]),
    day: pick(DAYS),
    sellerId: pick([null, 1, 2, 3, 4]),
    deletedAt: index % 10 === 9 ? new Date('2026-02-02T00:00:00.000Z') : null,
    lines: index % 4,
  }));
}

export const FUNCTIONS = {
  '*': ['count'],
  id: ['countDistinct'],
  region: ['count', 'countDistinct'],
  day: ['min', 'max', 'countDistinct'],
  big: ['count', 'countDistinct', 'sum', 'avg'],
  price: ['count', 'sum', 'avg'],
  units: ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'],
  rate: ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'],
  at: ['count', 'countDistinct', 'min', 'max'],
  'seller.grade': ['count', 'sum', 'avg', 'min', 'max'],
} as const;

export const GROUPS = [
  ...(['tenant', 'region', 'units', 'big', 'open', 'mood', 'at', 'day', 'seller.name', 'seller.grade'] as const),
];

const QUERY: CrudOptions['query'] = {
  softDelete: true,
  join: { seller: {}, lines: {} },
  aggregate: { groupBy: [...GROUPS], functions: FUNCTIONS as never },
};

/** Serves the deals of a database. */
export function servingDeals(db: TestDatabase, logger?: Logger) {
  const { Deal, Seller, Line } = entitiesFor(db.kind);
  const of = (path: string, query: CrudOptions['query'] = {}, more: ResourceOptions<object> = {}) =>
    looseResource(Deal, path, { query: { ...QUERY, ...query }, routes: { countBase: true }, ...more });
  const resources = [
    of('deals'),
    of('few', { maxLimit: 2 }),
    of('paged', { alwaysPaginate: true, limit: 3 }),
    of('tenants/:tenant/deals', {}, { params: { tenant: { field: 'tenant', type: 'string' } } as never }),
    of('red', {}, { auth: { filter: () => ({ tenant: 'red' }) } }),
    of('reached', {}, { auth: { relations: { seller: () => ({ tenant: 'red' }) } } }),
    of('required', { join: { seller: { required: true, eager: true }, lines: {} } }),
  ];
  return serving(db, [Deal, Seller, Line], resources, {
    source: { logger, logging: ['query'] },
    fill: async ({ manager }) => {
      const deals = dealsOf(db.kind);
      await manager.insert(Seller, SELLERS);
      const rows = deals.map(({ lines: _, ...deal }) => deal);
      await manager.insert(Deal, rows);
      const linesOf = ({ id, lines }: DealRow) =>
        Array.from({ length: lines }, (_, line) => ({ id: id * 10 + line, amount: line, deal: { id } }));
      await manager.insert(Line, deals.flatMap(linesOf));
    },
  });
}
