/** Readings of stations, with sortable columns whose values are hard to keep in order, most of them nullable and with many equal values, in lists that are read by cursors: served on Express. */
import { Column, type ColumnType, type DataSource, Entity, type EntityTarget, ManyToOne, OneToMany } from 'typeorm';
import { PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { Type } from '@nestjs/common';
import type { DatabaseKind, TestDatabase } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const TYPES = {
  sqlite: { real: 'real', double: 'double', moment: 'datetime', mood: 'simple-enum' },
  postgres: { real: 'real', double: 'double precision', moment: 'timestamptz', mood: 'enum' },
  mysql: { real: 'float', double: 'double', moment: 'datetime', mood: 'enum' },
} as const satisfies Record<DatabaseKind, Record<string, ColumnType>>;

/** Columns by which the lists are sorted. */
const FIELDS = ['name', 'note', 'real', 'double', 'price', 'at', 'mood'] as const;

function entitiesFor(kind: DatabaseKind): Record<'Reading' | 'Station' | 'Mark', Type<object>> {
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
    @Column({ type: 'decimal', precision: 30, scale: 10, nullable: true }) price!: string | null;
    @Column({ type: types.moment, ...precise, nullable: true }) at!: Date | null;
    @Column({ type: types.mood, enum: ['zeal', 'awe', 'mirth'], nullable: true }) mood!: string | null;
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
function literalsFor(kind: DatabaseKind): Readonly<Record<(typeof FIELDS)[number], readonly string[]>> {
  const infinities = { sqlite: ['9e999', '-9e999'], postgres: [`'NaN'`, `'Infinity'`, `'-Infinity'`], mysql: [] }[kind];
  return {
    name: ['NULL', `'a'`, `'A'`, `'á'`, `'b'`, `'B '`, `'b'`, `''`, `'😀'`, `'it''s'`, `'%_!'`],
    note: [`'x'`, `'X'`, `'y'`],
    real: ['NULL', '0.1', '1.1', '16777216', '3.4e38', '1e-30', '-0.3', ...(kind === 'mysql' ? [] : infinities)],
    double: [
      ...['NULL', '0.1', '0.30000000000000004', '1e300', '5e-324', '-1.5', '-1.2345678901234567e-100'],
      ...['123456789.123456789', ...infinities],
    ],
    price:
      kind === 'sqlite'
        ? ['NULL', '0.1', '12345.678', '-1']
        : ['NULL', '12345678901234567890.1234567890', '12345678901234567890.1234567891', '-1.5', '0'],
    at: ['NULL', ...MICRO.map((digits) => `'2026-03-04 05:06:07.${kind === 'sqlite' ? digits.slice(0, 3) : digits}'`)],
    mood: ['NULL', `'zeal'`, `'awe'`, `'mirth'`],
  };
}

export const RECORDS = 60;

/** Names by which readings are sorted. */
export const NAMES = [...FIELDS, 'station.title', 'station.id', 'id', 'part'];

/** Equal numbers in each run. */
function randomizer(): (below: number) => number {
  let state = 42;
  return (below) => Math.floor(((state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31) * below);
}

/** Serves readings for the tests of a block. */
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
  const own = serving(db, [Reading, Station, Mark], resources, {
    fill: (source) => fill(source, db, { Reading, Station, Mark }),
  });
  return { own, Reading };
}

type Entities = ReturnType<typeof entitiesFor>;

async function fill(source: DataSource, { kind }: TestDatabase, { Reading, Station, Mark }: Entities): Promise<void> {
  const name = (text: string) => source.driver.escape(text);
  const table = (entity: EntityTarget<object>) => name(source.getMetadata(entity).tableName);
  const random = randomizer();
  const literals = literalsFor(kind);
  const pick = (list: readonly string[]) => list[random(list.length)]!;
  for (const title of ['NULL', `'north'`, `'South'`, `'south'`])
    await source.query(`INSERT INTO ${table(Station)} (${name('title')}) VALUES (${title})`);
  const columns = ['id', 'part', ...FIELDS, 'stationId'].map(name).join(', ');
  const rows = Array.from({ length: RECORDS }, (_, index) =>
    [
      String(Math.floor(index / 2)),
      `'${index % 2 === 0 ? 'left' : 'right'}'`,
      ...FIELDS.map((field) => pick(literals[field])),
      pick(['NULL', '1', '2', '3', '4']),
    ].join(', '),
  );
  await source.query(`INSERT INTO ${table(Reading)} (${columns}) VALUES ${rows.map((row) => `(${row})`).join(', ')}`);
  await source.query(
    `INSERT INTO ${table(Mark)} (${name('readingId')}, ${name('readingPart')}) VALUES (1, 'left'), (1, 'left'), (2, 'right')`,
  );
}
