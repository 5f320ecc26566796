/** An entity with a sortable column of every kind, most of them nullable and with many equal values. */
import { Column, type ColumnType, Entity, ManyToOne, OneToMany, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { Type } from '@nestjs/common';
import type { DatabaseKind } from '../../../../integration/test-support/index.js';

const TYPES = {
  sqlite: { real: 'real', double: 'double', moment: 'datetime', uuid: 'uuid', mood: 'simple-enum' },
  postgres: { real: 'real', double: 'double precision', moment: 'timestamptz', uuid: 'uuid', mood: 'enum' },
  mysql: { real: 'float', double: 'double', moment: 'datetime', uuid: 'uuid', mood: 'enum' },
} as const satisfies Record<DatabaseKind, Record<string, ColumnType>>;
/** Columns by which the lists are sorted. */
export const FIELDS = ['name', 'note', 'real', 'double', 'big', 'price', 'at', 'day', 'flag', 'mood', 'uid'] as const;

export function entitiesFor(kind: DatabaseKind): Record<'Reading' | 'Station' | 'Mark', Type<object>> {
  const types = TYPES[kind];
  const precise = kind === 'sqlite' ? {} : { precision: 6 };

  @Entity()
  class Station {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', nullable: true }) title!: string | null;
    @Column({ type: 'boolean', default: true }) open!: boolean;
    @OneToMany(() => Reading, (reading) => reading.station) readings!: unknown[];
  }

  @Entity()
  class Reading {
    @PrimaryColumn({ type: 'int' }) id!: number;
    @PrimaryColumn({ type: 'varchar', length: 20 }) part!: string;
    @Column({ type: 'varchar', nullable: true, ...(kind === 'sqlite' && { collation: 'NOCASE' }) }) name!:
      string | null;
    @Column({ type: 'varchar', length: 60 }) note!: string;
    @Column({ type: types.real, nullable: true }) real!: number | null;
    @Column({ type: types.double, nullable: true }) double!: number | null;
    @Column({ type: 'bigint', nullable: true }) big!: string | null;
    @Column({ type: 'decimal', precision: 30, scale: 10, nullable: true }) price!: string | null;
    @Column({ type: types.moment, ...precise, nullable: true }) at!: Date | null;
    @Column({ type: 'date', nullable: true }) day!: string | null;
    @Column({ type: 'boolean', nullable: true }) flag!: boolean | null;
    @Column({ type: types.mood, enum: ['zeal', 'awe', 'mirth'], nullable: true }) mood!: string | null;
    @Column({ type: types.uuid, nullable: true }) uid!: string | null;
    @Column({ type: 'varchar', nullable: true, select: false }) secret!: string | null;
    @Column({ type: 'int', nullable: true }) stationId!: number | null;
    @ManyToOne(() => Station, (station) => station.readings, { nullable: true }) station!: Station | null;
    @OneToMany(() => Mark, (mark) => mark.reading) marks!: unknown[];
  }

  @Entity()
  class Mark {
    @PrimaryGeneratedColumn() id!: number;
    @ManyToOne(() => Reading, (reading) => reading.marks) reading!: Reading;
  }

  return { Reading, Station, Mark };
}

const MICRO = ['000000', '000001', '000002', '999999', '123456'];

/** SQL literals of values for each column, few enough that many records have equal ones. */
export function literalsFor(kind: DatabaseKind): Readonly<Record<(typeof FIELDS)[number], readonly string[]>> {
  const infinities = { sqlite: ['9e999', '-9e999'], postgres: [`'NaN'`, `'Infinity'`, `'-Infinity'`], mysql: [] }[kind];
  return {
    name: ['NULL', `'a'`, `'A'`, `'á'`, `'b'`, `'B '`, `'b'`, `''`, `'😀'`, `'it''s'`, `'%_!'`],
    note: [`'x'`, `'X'`, `'y'`],
    real: ['NULL', '0.1', '1.1', '16777216', '3.4e38', '1e-30', '-0.3', ...(kind === 'mysql' ? [] : infinities)],
    double: [
      ...['NULL', '0.1', '0.30000000000000004', '1e300', '5e-324', '-1.5', '-1.2345678901234567e-100'],
      ...['123456789.123456789', ...infinities],
    ],
    big: ['NULL', '9223372036854775807', '9223372036854775806', '-9223372036854775807', '0'],
    price:
      kind === 'sqlite'
        ? ['NULL', '0.1', '12345.678', '-1']
        : ['NULL', '12345678901234567890.1234567890', '12345678901234567890.1234567891', '-1.5', '0'],
    at: ['NULL', ...MICRO.map((digits) => `'2026-03-04 05:06:07.${kind === 'sqlite' ? digits.slice(0, 3) : digits}'`)],
    day: ['NULL', `'2026-01-01'`, `'1999-12-31'`],
    flag: ['NULL', 'TRUE', 'FALSE'],
    mood: ['NULL', `'zeal'`, `'awe'`, `'mirth'`],
    uid: ['NULL', `'00000000-0000-4000-8000-000000000001'`, `'f0000000-0000-4000-8000-000000000001'`],
  };
}
