/** That a page in the middle of a long list costs what the first one does, as the databases themselves count it: CURSOR_ROWS=1000000 for a longer one. */
import { expect, test } from '@jest/globals';
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Statements } from '../support/statements.js';

const ROWS = Number(process.env['CURSOR_ROWS'] ?? 200_000);
const LIMIT = 20;

@Entity('reading')
class Reading {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int', nullable: true }) level!: number | null;
  @Column({ type: 'int' }) taken!: number;
  // In no index, so that rows are read.
  @Column({ type: 'varchar', default: 'as it was' }) note!: string;
}

const readings = resource(Reading, 'readings', { query: { cursor: true, limit: LIMIT } });

/** An index that has each sort's columns in its directions. */
const INDEXES = {
  'id,ASC': undefined,
  'taken,DESC': '(taken DESC, id ASC)',
  'level,DESC;taken,ASC': '(level DESC, taken ASC, id ASC)',
} as const;

const SORTS = Object.keys(INDEXES) as (keyof typeof INDEXES)[];
const FILL = {
  postgres: `INSERT INTO reading (level, taken) SELECT CASE WHEN n % 10 = 0 THEN NULL ELSE n * 7 % 1000 END, n::bigint * 7919 % ${ROWS} FROM generate_series(1, ${ROWS}) n`,
  mysql: `INSERT INTO reading (level, taken) SELECT CASE WHEN seq % 10 = 0 THEN NULL ELSE seq * 7 % 1000 END, seq * 7919 % ${ROWS} FROM seq_1_to_${ROWS}`,
};

type Sent = Statements['all'][number];

/** What a statement has read: PostgreSQL's buffers, MariaDB's steps from row to row. */
const READ = {
  postgres: async (source: DataSource, { sql, parameters }: Sent): Promise<number> => {
    const [explained] = (await source.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, [...parameters])) as [
      { 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }] },
    ];
    const { Plan: plan } = explained['QUERY PLAN'][0];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  },
  mysql: async (source: DataSource, { sql, parameters }: Sent): Promise<number> => {
    const runner = source.createQueryRunner();
    try {
      await runner.query('FLUSH STATUS');
      await runner.query(sql, [...parameters]);
      const steps = (await runner.query(`SHOW SESSION STATUS LIKE 'Handler_read%'`)) as { Value: string }[];
      return steps.reduce((sum, { Value: value }) => sum + Number(value), 0);
    } finally {
      await runner.release();
    }
  },
};

describeDatabases(
  `pages of ${ROWS} records`,
  (db) => {
    const kind = db.kind as keyof typeof READ;
    const logger = new Statements();
    const own = serving(db, [Reading], [readings], {
      source: { logging: ['query'], logger },
      fill: async (source) => {
        await source.query(FILL[kind]);
        for (const [number, columns] of Object.values(INDEXES).entries())
          if (columns) await source.query(`CREATE INDEX reading_${number} ON reading ${columns}`);
        await source.query(kind === 'postgres' ? 'VACUUM ANALYZE reading' : 'ANALYZE TABLE reading');
      },
    });
    const searchOf = (sort: string) => sort.replace(/^|;/g, '&sort=');
    const page = async (search: string) => {
      logger.all.length = 0;
      const { data, next } = await own.read(`/readings?${search}`);
      const list = logger.all.find(({ sql }) => sql.startsWith('SELECT'));
      return { next: next as string, count: data.length as number, cost: await READ[kind](own.source, list!) };
    };

    /** A cursor in the middle of the order. */
    const middleOf = async (sort: string): Promise<string> => {
      const [column] = sort.split(',');
      const value = column === 'level' ? 500 : Math.floor(ROWS / 2);
      return (await page(`${searchOf(sort)}&cursor=&limit=1&filter=${column}||between||${value},${value + 20}`)).next;
    };
    test.each(SORTS)(
      'a page in the middle, sorted by %s, reads about as little as the first, and far less than by an offset',
      async (sort) => {
        const first = await page(`${searchOf(sort)}&cursor=`);
        const middle = await page(`${searchOf(sort)}&cursor=${await middleOf(sort)}`);
        const byOffset = await page(`${searchOf(sort)}&offset=${ROWS / 2}`);
        expect([first.count, middle.count]).toEqual([LIMIT, LIMIT]);
        // A page of rows for each branch, and each row of the page once more.
        expect([first.cost, middle.cost].filter((cost) => cost > 20 * LIMIT)).toEqual([]);
        expect(byOffset.cost).toBeGreaterThan(5 * middle.cost);
      },
    );
  },
  ['postgres', 'mysql'],
);
