/** That a page in the middle of a long list costs what the first one does, by the buffers that PostgreSQL has read. */
import { expect, test } from '@jest/globals';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Statements } from '../support/statements.js';

const ROWS = 100_000;
const LIMIT = 20;

@Entity('reading')
class Reading {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int', nullable: true }) level!: number | null;
  @Column({ type: 'int' }) taken!: number;
  // In no index, so that rows are read.
  @Column({ type: 'varchar', default: 'as it was' }) note!: string;
}

const FILL = [
  `INSERT INTO reading (level, taken) SELECT CASE WHEN n % 10 = 0 THEN NULL ELSE n * 7 % 1000 END, n::bigint * 7919 % ${ROWS} FROM generate_series(1, ${ROWS}) n`,
  'CREATE INDEX ON reading (taken DESC, id ASC)',
  'CREATE INDEX ON reading (level DESC, taken ASC, id ASC)',
  'VACUUM ANALYZE reading',
];
type Explained = [{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }] }];

describeDatabases(
  `pages of ${ROWS} records`,
  (db) => {
    const logger = new Statements();
    const readings = resource(Reading, 'readings', { query: { cursor: true, limit: LIMIT } });
    const own = serving(db, [Reading], [readings], {
      source: { logging: ['query'], logger },
      fill: async (source) => {
        for (const sql of FILL) await source.query(sql);
      },
    });
    const page = async (search: string) => {
      logger.all.length = 0;
      const { data, next } = await own.read(`/readings?${search}`);
      const { sql, parameters } = logger.all.find((sent) => sent.sql.startsWith('SELECT'))!;
      const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`;
      const [{ 'QUERY PLAN': plans }] = await own.source.query<Explained>(explain, [...parameters]);
      const cost = plans[0].Plan['Shared Hit Blocks'] + plans[0].Plan['Shared Read Blocks'];
      return { next: next as string, count: data.length as number, cost };
    };

    test.each([
      ['id,ASC', 'id', ROWS / 2],
      ['taken,DESC', 'taken', ROWS / 2],
      ['level,DESC&sort=taken,ASC', 'level', 500],
    ])('sorted by %s, it reads about as little, and far less than by an offset', async (sort, column, value) => {
      const { next } = await page(`sort=${sort}&cursor=&limit=1&filter=${column}||between||${value},${value + 20}`);
      const pages = [await page(`sort=${sort}&cursor=`), await page(`sort=${sort}&cursor=${next}`)];
      const byOffset = await page(`sort=${sort}&offset=${ROWS / 2}`);
      expect(pages.map(({ count }) => count)).toEqual([LIMIT, LIMIT]);
      // A page of rows for each branch, and each row of the page once more.
      expect(pages.filter(({ cost }) => cost > 20 * LIMIT)).toEqual([]);
      expect(byOffset.cost).toBeGreaterThan(5 * pages[1]!.cost);
    });
  },
  ['postgres'],
);
