/** Lists over HTTP, read by cursors in every order → what the same list answers in one piece, each record once, on each database. Cursors that were not answered → a page or a 400, never a fault of the server. */
import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Type } from '@nestjs/common';
import { Column, type DataSource, Entity, ManyToOne, OneToMany, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { anyCharacter, type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { everyType } from '../read/every-type.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

/** Readings of stations, with sortable columns whose values are hard to keep in order, most of them nullable. */
function entitiesFor(kind: DatabaseKind): Record<'Reading' | 'Station' | 'Mark', Type<object>> {
  const moment = kind === 'postgres' ? 'timestamptz' : 'datetime';

  @Entity()
  class Station {
    @PrimaryGeneratedColumn() id!: number;
    @Column({ type: 'varchar', nullable: true }) title!: string | null;
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
    @Column({ type: 'int', nullable: true }) stationId!: number | null;
    @ManyToOne(() => Station, { nullable: true }) station!: Station | null;
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

const RECORDS = 60;

const NAMES = ['name', 'note', 'real', 'double', 'price', 'at', 'station.title', 'station.id', 'id', 'part'];

async function fill(source: DataSource, kind: DatabaseKind): Promise<void> {
  const literals = literalsFor(kind);
  const insert = (table: string, columns: readonly string[], rows: readonly string[]) => {
    const names = columns.map((column) => source.driver.escape(column)).join(', ');
    return source.query(`INSERT INTO ${table} (${names}) VALUES ${rows.map((row) => `(${row})`).join(', ')}`);
  };
  await insert('station', ['title'], ['NULL', `'north'`, `'South'`, `'south'`]);
  const values = fc.tuple(...Object.values(literals).map((list) => fc.constantFrom(...list)));
  const rows = fc
    .sample(values, { seed: 42, numRuns: RECORDS })
    .map((drawn, index) => [Math.floor(index / 2), index % 2 ? `'right'` : `'left'`, ...drawn].join(', '));
  await insert('reading', ['id', 'part', ...Object.keys(literals)], rows);
  await insert('mark', ['readingId', 'readingPart'], [`1, 'left'`, `1, 'left'`, `2, 'right'`]);
}

interface Page {
  readonly data: readonly { id: number; part: string }[];
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
}

function walksOf(own: ReturnType<typeof serving>, list: string) {
  const page = async (path: string): Promise<Page> => {
    const { status, body } = await own.send('get', path);
    expect({ status, path, ...(status !== 200 && { body }) }).toEqual({ status: 200, path });
    return body;
  };
  const keysOf = ({ data }: Pick<Page, 'data'>) => data.map(({ id, part }) => `${id} ${part}`);
  const whole = async (search: string): Promise<string[]> =>
    keysOf({ data: await own.read(`${list}?limit=1000&fields=id&${search}`) });
  const walk = async (search: string, start: string, way: 'next' | 'previous'): Promise<Page[]> => {
    const pages = [await page(`${list}?${search}&cursor=${start}`)];
    for (let at = pages[0]![way]; at !== null && pages.length < 200; at = pages.at(-1)![way])
      pages.push(await page(`${list}?${search}&cursor=${at}`));
    return pages;
  };
  const expectExact = async (search: string, limit: number): Promise<void> => {
    const all = await whole(search);
    const forwards = await walk(`${search}&limit=${limit}`, '', 'next');
    expect(forwards.flatMap(keysOf)).toEqual(all);
    expect(forwards.slice(1).every(({ previous }) => previous !== null)).toBe(true);
    expect(forwards.every(({ data, count }) => count === data.length)).toBe(true);
    const last = forwards.at(-1)!;
    if (last.previous === null) return;
    const backwards = await walk(`${search}&limit=${limit}`, last.previous, 'previous');
    expect([...backwards.reverse().flatMap(keysOf), ...keysOf(last)]).toEqual(all);
    expect(backwards[0]!.previous).toBeNull();
    expect(backwards.every(({ next }) => next !== null)).toBe(true);
    const again = await page(`${list}?${search}&limit=${limit}&cursor=${backwards[0]!.next}`);
    expect(all.slice(backwards[0]!.count, backwards[0]!.count + limit)).toEqual(keysOf(again));
  };
  return { page, keysOf, whole, expectExact };
}

/** What a database might stumble over. */
const TEXTS = [
  ...['', ' ', ...'0 -0 00 -1 1.5 1e5 1e999 -1e999 1e-999 +1 .5 5. 0x10 NaN inf'.split(' ')],
  ...['true', 't', 'null', '2026-01-01', '2026-02-30', '294277-01-01', '24:00:00', '9'.repeat(400)],
  ...`a\0b \ud800 \udfff\ud800 \u202e A\u030a \ufffe ' " \\x00 % :p0 $1 ?`.split(' '),
  "' OR 1=1 --",
  ...`i i5 i${'9'.repeat(30)} i1.5 iNaN r r1e400 r-Infinity rNaN tx tx\0y b00ff bzz n`.split(' '),
  ...['x'.repeat(4000), '😀'.repeat(500), '[]', '{}', '__proto__', 'constructor'],
];

describeDatabases('lists that are read by cursors', (db) => {
  const { Reading, Station, Mark } = entitiesFor(db.kind);
  const resources = [looseResource(Reading, 'readings', { query: { cursor: true, join: { station: {}, marks: {} } } })];
  const own = serving(db, [Reading, Station, Mark], resources, { fill: (source) => fill(source, db.kind) });
  const { page, keysOf, whole, expectExact } = walksOf(own, '/readings');

  test('a walk by up to four fields in mixed directions gives each record once', async () => {
    const sorts = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom('ASC', 'DESC')), {
      selector: ([field]) => field,
      minLength: 1,
      maxLength: 4,
    });
    const conditions = ['&filter=station.title||notnull', '&filter=marks.id||gt||0'];
    const others = fc.constantFrom('', '&join=station', '&join=marks', ...conditions);
    await fc.assert(
      fc.asyncProperty(sorts, fc.integer({ min: 1, max: 25 }), others, async (sort, limit, other) => {
        await expectExact(`${sort.map((one) => `sort=${one.join(',')}`).join('&')}${other}`, limit);
      }),
      { numRuns: 25, seed: 7 },
    );
  }, 120_000);

  test('an empty page answers its own position in the other direction', async () => {
    const repository = own.source.getRepository(Reading);
    await repository.insert({ id: 5000, part: 'last', note: 'z' } as never);
    const list = await whole('sort=id,ASC');
    const before = await page(`/readings?sort=id,ASC&limit=${RECORDS}&cursor=`);
    await repository.delete({ part: 'last' } as never);
    const empty = await page(`/readings?sort=id,ASC&limit=5&cursor=${before.next}`);
    expect(empty).toEqual({ data: [], count: 0, next: null, previous: expect.any(String) });
    const back = await page(`/readings?sort=id,ASC&limit=5&cursor=${empty.previous}`);
    expect(keysOf(back)).toEqual(list.slice(RECORDS - 5, RECORDS));
    expect(back.next).toBeNull();
  });

  test.each(NAMES)('a cursor with a value of %s that was not answered is a page or a 400', async (name) => {
    const list = `/readings?limit=4&sort=${name},ASC`;
    const { next } = await own.read(`${list}&cursor=`);
    const content = Buffer.from(next as string, 'base64url').toString('utf8', 6);
    const parts = JSON.parse(content) as [number, string, string, string[], unknown[]];
    const [version, model, mark, sort, [, ...key]] = parts;
    const samples = fc.sample(fc.string({ unit: anyCharacter, maxLength: 12 }), { seed: 7, numRuns: 50 });
    for (const value of [...TEXTS, ...samples]) {
      const forged = Buffer.from(JSON.stringify([version, model, mark, sort, [value, ...key]]));
      const sum = createHash('sha256').update(forged).digest().subarray(0, 6);
      const cursor = Buffer.concat([sum, forged]).toString('base64url');
      const { status, body } = await own.send('get', `${list}&cursor=${cursor}`);
      const isRefused = status === 400 && body.code === 'CRUD_INVALID_CURSOR' && body.field === 'cursor';
      expect([value, status, body, isRefused || body.data?.length <= 4]).toEqual([value, status, body, true]);
    }
  });
});

describeDatabases('walks by columns of every type', (db) => {
  const { target, properties, values, inner } = everyType(db.kind);
  const own = serving(db, [target], [looseResource(target, 'every', { query: { cursor: true } })], {
    fill: async (source) => {
      const records = fc.sample(fc.record({ values, inner }), { seed: 7, numRuns: 24 });
      // Each value twice, so that the key decides.
      for (const [id, record] of [...records, ...records].entries())
        await source.getRepository(target).insert({ id, ...record.values, inner: record.inner } as never);
    },
  });
  const { expectExact } = walksOf(own, '/every');

  test.each([...properties, 'inner.first', 'inner.at'])('by %s', async (field) => {
    for (const search of [`fields=id&sort=${field},ASC`, `fields=id&sort=${field},DESC`]) {
      const status = await own.statusOf('get', `/every?limit=1000&${search}`);
      expect([200, 400]).toContain(status);
      expect([search, await own.statusOf('get', `/every?${search}&cursor=`)]).toEqual([search, status]);
      if (status === 200) await expectExact(search, 9);
    }
  });
});
