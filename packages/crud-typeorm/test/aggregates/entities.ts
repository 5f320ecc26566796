/** Deals of sellers with a column of every kind that is grouped or added up, and lines that must not multiply them. */
import {
  Column,
  type ColumnType,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import type { Type } from '@nestjs/common';
import type { DatabaseKind } from '../../../../integration/test-support/index.js';

const TYPES = {
  sqlite: { double: 'double', moment: 'datetime', mood: 'simple-enum' },
  postgres: { double: 'double precision', moment: 'timestamptz', mood: 'enum' },
  mysql: { double: 'double', moment: 'datetime', mood: 'enum' },
} as const satisfies Record<DatabaseKind, Record<string, ColumnType>>;

/** A deal as it is stored; `at` is a moment in ISO 8601. */
export interface DealRow {
  readonly id: number;
  readonly tenant: string;
  readonly region: string | null;
  readonly units: number | null;
  readonly big: string | null;
  readonly price: string | null;
  readonly rate: number | null;
  readonly open: boolean | null;
  readonly mood: string | null;
  readonly at: Date | null;
  readonly day: string | null;
  readonly sellerId: number | null;
  readonly deletedAt: Date | null;
  readonly lines: number;
}

/** A seller as it is stored. */
export interface SellerRow {
  readonly id: number;
  readonly name: string;
  readonly tenant: string;
  readonly grade: number | null;
  readonly deletedAt: Date | null;
}

export interface Entities {
  readonly Deal: Type<object>;
  readonly Seller: Type<object>;
  readonly Line: Type<object>;
}

export function entitiesFor(kind: DatabaseKind): Entities {
  const types = TYPES[kind];
  const precise = kind === 'sqlite' ? {} : { precision: 3 };

  @Entity('agg_sellers')
  class Seller {
    @PrimaryColumn({ type: 'int' }) id!: number;
    @Column({ type: 'varchar', length: 20 }) name!: string;
    @Column({ type: 'varchar', length: 20 }) tenant!: string;
    @Column({ type: 'int', nullable: true }) grade!: number | null;
    @Column({ type: 'varchar', length: 20, default: 'x', select: false }) secret!: string;
    @DeleteDateColumn({ type: types.moment, nullable: true }) deletedAt!: Date | null;
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
    @Column({ type: types.double, nullable: true }) rate!: number | null;
    @Column({ type: 'boolean', nullable: true }) open!: boolean | null;
    @Column({ type: types.mood, enum: ['zeal', 'awe', 'mirth'], nullable: true }) mood!: string | null;
    @Column({ type: types.moment, ...precise, nullable: true }) at!: Date | null;
    @Column({ type: 'date', nullable: true }) day!: string | null;
    @Column({ type: 'simple-json', nullable: true }) notes!: unknown;
    @Column({ type: 'varchar', length: 20, default: 'x', select: false }) secret!: string;
    @Column({ type: 'int', nullable: true }) sellerId!: number | null;
    @ManyToOne(() => Seller, (seller) => seller.deals, { nullable: true })
    @JoinColumn({ name: 'sellerId' })
    seller!: Relation<Seller> | null;
    @OneToMany(() => Line, (line) => line.deal) lines!: Relation<Line>[];
    @DeleteDateColumn({ type: types.moment, nullable: true }) deletedAt!: Date | null;
  }

  @Entity('agg_lines')
  class Line {
    @PrimaryColumn({ type: 'int' }) id!: number;
    @Column({ type: 'int' }) amount!: number;
    @ManyToOne(() => Deal, (deal) => deal.lines)
    deal!: Relation<Deal>;
  }

  return { Deal, Seller, Line };
}
