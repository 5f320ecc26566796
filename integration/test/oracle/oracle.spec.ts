/** Random list queries against the gallery and against the evaluator: equal answers, on every database; `ORACLE_RUNS`, `ORACLE_SEED` and `ORACLE_QUERY` repeat and widen a run. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeDatabases, sampleCount } from '../../test-support/index.js';
import type { Application } from '../../../packages/crud-typeorm/test/support/resources.js';
import { Database } from './evaluator/differences.js';
import { openGallery } from './gallery/application.js';
import { JSON_KEYS } from './gallery/every-column.js';
import { galleryRecords, galleryTables } from './gallery/records.js';
import { galleryResources } from './gallery/resources.js';
import { cellsOf, fieldsOf } from './queries/cells.js';
import { queriesFor, type SpelledQuery, type Subjects } from './queries/generate.js';
import { check } from './run/check.js';
import { databaseOf, misfolded } from './run/collation.js';
import { Coverage } from './run/coverage.js';
import { type PlannedQuery, planQueries } from './run/plan.js';

const RUNS = Number(process.env['ORACLE_RUNS'] ?? sampleCount(500));
const SEED = Number(process.env['ORACLE_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const ONLY = process.env['ORACLE_QUERY'] === undefined ? undefined : Number(process.env['ORACLE_QUERY']);
/** Occurrences of each cell that a run of this many queries must have, and the share of the queries that must have each parameter. */
const LEAST = { occurrences: 50, of: 20_000, share: 0.02 } as const;
const LANES = { sqlite: 1, postgres: 4, mysql: 4 } as const;
/** A run ends after so many differences. */
const MOST_FAILURES = Number(process.env['ORACLE_FAILURES'] ?? 3);
const MINUTE = 60_000;

describeDatabases('oracle', (db) => {
  let gallery: Application;
  let resources: Subjects[];

  beforeAll(async () => {
    const records = galleryRecords(db.kind);
    gallery = await openGallery(db, records);

    const parts = galleryResources(galleryTables(db.kind, records)).map((resource) => ({
      resource,
      fields: fieldsOf(resource, JSON_KEYS),
    }));
    const database = await databaseOf(
      db.kind,
      gallery.source,
      parts.flatMap(({ fields }) => fields),
    );
    resources = parts.map((part) => ({ ...part, database }));
  }, MINUTE);

  afterAll(() => gallery?.app.close());

  test('the database folds case as the table of differences says', async () => {
    const texts = resources.flatMap(({ fields }) =>
      fields.flatMap(({ type, values }) => (type === 'text' ? values.map(String) : [])),
    );

    expect(await misfolded(new Database(db.kind, {}), gallery.source, [...new Set(texts)])).toEqual([]);
  });

  test(
    `${RUNS} queries (ORACLE_SEED=${SEED}) are answered as the evaluator answers them`,
    async () => {
      const planned = planQueries(RUNS, SEED, resources);
      const coverage = new Coverage(cellsOf(resources[0]!.fields));
      const asked = planned.filter(({ index }) => ONLY === undefined || index === ONLY);
      const lanes = LANES[db.kind];
      const failures: unknown[] = [];

      await Promise.all(
        Array.from({ length: lanes }, async (_, lane) => {
          for (const query of asked.filter((_, place) => place % lanes === lane)) {
            if (failures.length < MOST_FAILURES)
              await ask(query, coverage).catch((error: unknown) => failures.push(error));
          }
        }),
      );
      if (failures.length > 0) throw new Error(failures.map(String).join('\n\n'));
      if (ONLY !== undefined) return;
      expect(coverage.lacking(Math.floor((LEAST.occurrences * RUNS) / LEAST.of))).toEqual([]);
      expect(coverage.seldom(LEAST.share)).toEqual([]);
      expect(coverage.telling).toBeGreaterThanOrEqual(0.5);
    },
    RUNS * 100 + MINUTE,
  );

  async function ask({ index, subjects, cells }: PlannedQuery, coverage: Coverage): Promise<void> {
    let isFirst = true;
    const property = fc.asyncProperty(queriesFor(subjects, cells), async (query) => {
      const answered = await check(gallery.url, query, subjects.database);
      // What is asked while shrinking is no part of the run.
      if (isFirst) coverage.add(query, answered);
      isFirst = false;
    });

    await fc.assert(property, {
      seed: SEED + index,
      numRuns: 1,
      asyncReporter: (details) => {
        if (!details.failed) return Promise.resolve();
        const [query] = details.counterexample as [SpelledQuery];
        const repeat = `ORACLE_SEED=${SEED} ORACLE_QUERY=${index} TEST_DATABASES=${db.kind}`;

        return Promise.reject(
          new Error(
            `${repeat}, shrunk ${details.numShrinks} times:\n` +
              `GET ${decodeURIComponent(query.url)} ${JSON.stringify(query.query.scope.headers ?? {})}\n${(details.errorInstance as Error).message}`,
          ),
        );
      },
    });
  }
});
