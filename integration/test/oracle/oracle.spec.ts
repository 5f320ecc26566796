/** Random list queries against the applications and against the evaluator: equal answers, on every database; `ORACLE_RUNS`, `ORACLE_SEED` and `ORACLE_QUERY` repeat and widen a run. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { createApp } from '../../example/src/app.js';
import { Company } from '../../example/src/companies/company.entity.js';
import { describeDatabases, sampleCount } from '../../test-support/index.js';
import { Database } from './evaluator/differences.js';
import type { Resource } from './evaluator/resource.js';
import { EXAMPLE_KEYS, EXAMPLE_RESOURCES } from './example/resources.js';
import { DELETED_AT, DELETED_COMPANIES } from './example/tables.js';
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
  let gallery: INestApplication;
  let example: INestApplication;
  let resources: (Subjects & { readonly origin: string })[];

  beforeAll(async () => {
    const records = galleryRecords(db.kind);
    gallery = await openGallery(db, records);
    example = await createApp({ databaseUrl: db.url, http: 'fastify', logger: ['error', 'fatal'] });
    await Promise.all([gallery, example].map((app) => app.listen(0, '127.0.0.1')));
    await example
      .get(DataSource)
      .createQueryBuilder()
      .update(Company)
      // The update date is set, too, lest TypeORM advance it.
      .set({
        deletedAt: new Date(DELETED_AT),
        updatedAt: () => `${db.kind === 'mysql' ? '`updatedAt`' : '"updatedAt"'}`,
      })
      .where({ id: DELETED_COMPANIES[0] })
      .orWhere({ id: DELETED_COMPANIES[1] })
      .execute();

    const open = async (app: INestApplication, own: readonly Resource[], keys: readonly (readonly string[])[]) => {
      const parts = own.map((resource) => ({ resource, fields: fieldsOf(resource, keys) }));
      const database = await databaseOf(
        db.kind,
        app.get(DataSource),
        parts.flatMap(({ fields }) => fields),
      );
      const origin = await app.getUrl();

      return parts.map((part) => ({ ...part, origin, database }));
    };
    resources = [
      ...(await open(gallery, galleryResources(galleryTables(db.kind, records)), JSON_KEYS)),
      ...(await open(example, EXAMPLE_RESOURCES, EXAMPLE_KEYS)),
    ];
  }, MINUTE);

  afterAll(() => Promise.all([gallery?.close(), example?.close()]));

  test('the database folds case as the table of differences says', async () => {
    const texts = resources.flatMap(({ fields }) =>
      fields.flatMap(({ type, values }) => (type === 'text' ? values.map(String) : [])),
    );

    expect(await misfolded(new Database(db.kind, {}), gallery.get(DataSource), [...new Set(texts)])).toEqual([]);
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
      process.stdout.write(`oracle · ${db.kind} · ORACLE_SEED=${SEED}\n${coverage.print()}\n`);

      if (ONLY !== undefined) return;
      expect(coverage.lacking(Math.floor((LEAST.occurrences * RUNS) / LEAST.of))).toEqual([]);
      expect(coverage.seldom(LEAST.share)).toEqual([]);
      expect(coverage.telling).toBeGreaterThanOrEqual(0.5);
    },
    RUNS * 100 + MINUTE,
  );

  async function ask({ index, subjects, cells }: PlannedQuery, coverage: Coverage): Promise<void> {
    const { origin } = resources.find(({ resource }) => resource === subjects.resource)!;
    let isFirst = true;
    const property = fc.asyncProperty(queriesFor(subjects, cells), async (query) => {
      const answered = await check(origin, query, subjects.database);
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
