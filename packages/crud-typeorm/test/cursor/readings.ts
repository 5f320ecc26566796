/** Readings of stations, with sortable columns whose values are hard to keep in order, most of them nullable, in lists that are read by cursors. */
import type { Type } from '@nestjs/common';
import { Column, type DataSource, Entity, ManyToOne, OneToMany, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { DatabaseKind, TestDatabase } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

function entitiesFor(kind: DatabaseKind): Record<'Reading' | 'Station' | 'Mark', Type<object>> {
  const moment = kind === 'postgres' ? 'timestamptz' : 'datetime';

  @Entity()
  class Station {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', nullable: true }) title!: string | null;
    @OneToMany(() => Reading, (reading) => reading.station) readings!: unknown[];
  }

  @Entity()
  class Reading {
    @PrimaryColumn({ type: 'int' }) id!: number;
    @PrimaryColumn({ type: 'varchar', length: 20 }) part!: string;
    @Column({ type: 'varchar', nullable: true, ...(kind === 'sqlite' && { collation: 'NOCASE' }) })
    name!: string | null;
    @Column({ type: 'varchar', length: 60 }) note!: string;
    @Column({ type: kind === 'mysql' ? 'float' : 'real', nullable: true }) real!: number | null;
    @Column({ type: 'double precision', nullable: true }) double!: number | null;
    @Column({ type: 'decimal', precision: 30, scale: 10, nullable: true }) price!: string | null;
    @Column({ type: moment, ...(kind !== 'sqlite' && { precision: 6 }), nullable: true }) at!: Date | null;
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

/** SQL literals of values for each column, few enough that many records have equal ones. */
function literalsFor(kind: DatabaseKind): Readonly<Record<string, readonly string[]>> {
  const infinities = { sqlite: ['9e999', '-9e999'], postgres: [`'NaN'`, `'Infinity'`, `'-Infinity'`], mysql: [] }[kind];
  const decimals = ['12345678901234567890.1234567890', '12345678901234567890.1234567891', '-1.5', '0'];
  const digits = kind === 'sqlite' ? ['000', '999', '123'] : ['000000', '000001', '000002', '999999'];
  return {
    name: ['NULL', `'a'`, `'A'`, `'á'`, `'b'`, `'B '`, `'b'`, `''`, `'😀'`, `'it''s'`, `'%_!'`],
    note: [`'x'`, `'X'`, `'y'`],
    real: ['NULL', '0.1', '1.1', '16777216', '3.4e38', '1e-30', '-0.3', ...(kind === 'mysql' ? [] : infinities)],
    double: ['NULL', '0.1', '0.30000000000000004', '1e300', '5e-324', '-1.2345678901234567e-100', ...infinities],
    price: ['NULL', ...(kind === 'sqlite' ? ['0.1', '12345.678', '-1'] : decimals)],
    at: ['NULL', ...digits.map((fraction) => `'2026-03-04 05:06:07.${fraction}'`)],
    stationId: ['NULL', '1', '2', '3', '4'],
  };
}

export const RECORDS = 60;

export const NAMES = ['name', 'note', 'real', 'double', 'price', 'at', 'station.title', 'station.id', 'id', 'part'];

export function servingReadings(db: TestDatabase) {
  const { Reading, Station, Mark } = entitiesFor(db.kind);
  const resources = [
    looseResource(Reading, 'readings', { query: { cursor: true, join: { station: {}, marks: {} } } }),
    looseResource(Reading, 'plain', { query: { join: { station: {} } } }),
    looseResource(Reading, 'freed', { query: { cursor: true, conditions: ['secret'] } }),
    looseResource(Station, 'stations', {
      query: { cursor: true, sort: [{ field: 'title', order: 'DESC' }], limit: 2 },
    }),
  ];
  const own = serving(db, [Reading, Station, Mark], resources, { fill: (source) => fill(source, db.kind) });
  return { own, Reading };
}

async function fill(source: DataSource, kind: DatabaseKind): Promise<void> {
  const literals = literalsFor(kind);
  const insert = (table: string, columns: readonly string[], rows: readonly string[]) => {
    const names = columns.map((column) => source.driver.escape(column)).join(', ');
    return source.query(`INSERT INTO ${table} (${names}) VALUES ${rows.map((row) => `(${row})`).join(', ')}`);
  };
  await insert('station', ['title'], ['NULL', `'north'`, `'South'`, `'south'`]);
  // Equal numbers in each run.
  let state = 42;
  const pick = (list: readonly string[]) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return list[Math.floor((state / 2 ** 31) * list.length)]!;
  };
  const rows = Array.from({ length: RECORDS }, (_, index) =>
    [Math.floor(index / 2), index % 2 ? `'right'` : `'left'`, ...Object.values(literals).map(pick)].join(', '),
  );
  await insert('reading', ['id', 'part', ...Object.keys(literals)], rows);
  await insert('mark', ['readingId', 'readingPart'], [`1, 'left'`, `1, 'left'`, `2, 'right'`]);
}
