/** Random list queries against the gallery and against the evaluator: equal answers, on every database; `ORACLE_RUNS`, `ORACLE_SEED` and `ORACLE_QUERY` repeat and widen a run. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeDatabases, sampleCount } from '../../test-support/index.js';
import type { Application } from '../../../packages/crud-typeorm/test/support/resources.js';
import { check } from './check.js';
import { databaseOf, misfolded } from './collation.js';
import { Database } from './evaluator/differences.js';
import { openGallery } from './gallery/application.js';
import { JSON_KEYS } from './gallery/every-column.js';
import { galleryRecords, galleryTables } from './gallery/records.js';
import { galleryResources } from './gallery/resources.js';
import { cellName, cellsOf, fieldsOf } from './queries/cells.js';
import { Draws } from './queries/draws.js';
import { queryFor, type Subjects } from './queries/generate.js';

const RUNS = Number(process.env['ORACLE_RUNS'] ?? sampleCount(500));
const SEED = Number(process.env['ORACLE_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const ONLY = process.env['ORACLE_QUERY'] === undefined ? undefined : Number(process.env['ORACLE_QUERY']);

/** Occurrences of each cell that a run of this many queries must have, and the share of the queries that must have each parameter. */
const LEAST = { occurrences: 50, of: 20_000, share: 0.02 } as const;
const LANES = { sqlite: 1, postgres: 4, mysql: 4 } as const;

/** A run ends after so many differences. */
const MOST_FAILURES = Number(process.env['ORACLE_FAILURES'] ?? 3);
const MINUTE = 60_000;

/** Comparisons of one query after the other; five on average. */
const HAND_SIZES = [1, 4, 2, 7, 3, 9, 5, 6, 8, 5] as const;

/** Of this many queries, so many go to the first resource, which has every cell. */
const [ROUND, TO_FIRST] = [20, 13];
const PARAMETERS = 's filter or join sort fields select limit per_page page offset includeDeleted'.split(' ');

describeDatabases('oracle', (db) => {
  let gallery: Application;
  let resources: Subjects[];

  beforeAll(async () => {
    const records = galleryRecords(db.kind);
    gallery = await openGallery(db, records);
    const described = galleryResources(galleryTables(db.kind, records));
    const parts = described.map((resource) => ({ resource, fields: fieldsOf(resource, JSON_KEYS) }));
    const fields = parts.flatMap((part) => part.fields);
    const database = await databaseOf(db.kind, gallery.source, fields);
    resources = parts.map((part) => ({ ...part, database }));
  }, MINUTE);
  afterAll(() => gallery?.app.close());

  test('the database folds case as the table of differences says', async () => {
    const fields = resources.flatMap((resource) => resource.fields);
    const texts = fields.flatMap(({ type, values }) => (type === 'text' ? values.map(String) : []));
    expect(await misfolded(new Database(db.kind), gallery.source, [...new Set(texts)])).toEqual([]);
  });

  test(
    `${RUNS} queries (ORACLE_SEED=${SEED}) are answered as the evaluator answers them`,
    async () => {
      const failures: unknown[] = [];
      const counts = new Map(cellsOf(resources[0]!.fields).map((cell) => [cellName(cell), 0]));
      const parameters = new Map(PARAMETERS.map((name) => [name, 0]));
      const count = (counted: Map<string, number>, name: string) => counted.set(name, (counted.get(name) ?? 0) + 1);
      let telling = 0;
      const ask = async ({ index, subjects, cells }: ReturnType<typeof planned>[number]) => {
        if (failures.length >= MOST_FAILURES) return;
        const query = queryFor(subjects, cells, new Draws(SEED + index));
        try {
          const { total, ofAll } = await check(gallery.url, query, subjects.database);
          // It returned neither nothing nor everything.
          if (total > 0 && total < ofAll) telling++;
        } catch (error) {
          const repeat = `ORACLE_SEED=${SEED} ORACLE_QUERY=${index} TEST_DATABASES=${db.kind}`;
          const headers = JSON.stringify(query.query.scope.headers ?? {});
          failures.push(`${repeat}:\nGET ${decodeURIComponent(query.url)} ${headers}\n${(error as Error).message}`);
        }
        for (const cell of cells) count(counts, cellName(cell));
        const names = [...new URL(query.url, gallery.url).searchParams.keys()].map((name) => name.replace(/\[.*/, ''));
        for (const name of new Set(names)) count(parameters, name);
      };
      const queue = planned().filter(({ index }) => ONLY === undefined || index === ONLY).values(); // prettier-ignore
      const lane = async () => {
        for (const query of queue) await ask(query);
      };
      await Promise.all(Array.from({ length: LANES[db.kind] }, lane));
      if (failures.length > 0) throw new Error(failures.join('\n\n'));
      if (ONLY !== undefined) return;

      const lacking = (counts: Map<string, number>, least: number) => [...counts].filter(([, times]) => times < least);
      expect(lacking(counts, Math.floor((LEAST.occurrences * RUNS) / LEAST.of))).toEqual([]);
      expect(lacking(parameters, LEAST.share * RUNS)).toEqual([]);
      expect(telling / RUNS).toBeGreaterThanOrEqual(0.5);
    },
    RUNS * 100 + MINUTE,
  );

  /** Deals the queries of a run to the resources, so that every cell comes up equally often. */
  function planned() {
    const draws = new Draws(SEED);
    const places = resources.map((subjects) => ({ subjects, deal: draws.dealer(cellsOf(subjects.fields)), dealt: 0 }));
    let others = 0;
    return Array.from({ length: RUNS }, (_, index) => {
      const place = places[index % ROUND < TO_FIRST ? 0 : 1 + (others++ % (places.length - 1))]!;
      return { index, subjects: place.subjects, cells: place.deal(HAND_SIZES[place.dealt++ % HAND_SIZES.length]!) };
    });
  }
});
