/** In: a suite's name, the application it talks to and its tests. Out: the suite once per HTTP platform and database, each against an application of its own. */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { DataSource } from 'typeorm';
import { createApp } from '../../example/dist/app.js';
import { PLATFORMS } from '../../example/dist/platforms.js';
import { createWorkspace } from '../../workspace/dist/app.js';
import { DATABASES } from './databases.js';
import { createMergingApp } from './merging-app.js';

/** What can be talked to: both examples as they are served, and the first one's entities under a PUT that merges. */
const APPLICATIONS = { example: createApp, workspace: createWorkspace, merging: createMergingApp };

/**
 * Runs a suite against a freshly filled application, reached over real HTTP on a free port of 127.0.0.1. The tests get
 * `url`, the application's address, and `stored`, which reads the database without the library: the records of an entity
 * by its name, with relations where asked for.
 *
 * @example
 * describeApplication('lists', 'example', (app) => {
 *   test('…', async () => assert.equal((await fetch(`${app.url}/users`)).status, 200));
 * });
 */
export function describeApplication(name, application, body) {
  for (const http of Object.keys(PLATFORMS)) {
    for (const [database, create] of Object.entries(DATABASES)) {
      describe(`${name} · ${http} · ${database}`, () => {
        const context = { url: '', stored: undefined };
        let app, empty;

        before(async () => {
          empty = await create();
          app = await APPLICATIONS[application]({ databaseUrl: empty.url, http, logger: ['error', 'fatal'] });
          await app.listen(0, '127.0.0.1');
          const source = app.get(DataSource);
          context.url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
          context.stored = (entity, options = {}) =>
            source.getRepository(entity).find({ order: { id: 'ASC' }, loadEagerRelations: false, ...options });
        });
        after(async () => {
          await app?.close();
          await empty?.drop();
        });

        body(context);
      });
    }
  }
}

/** Keys of records, in their order. */
export const ids = (records) => records.map(({ id }) => id);

/** Asserts that two lists hold the same keys, in any order. */
export function assertSameKeys(actual, expected, message) {
  assert.deepEqual(new Set(ids(actual)), new Set(ids(expected)), message);
  assert.equal(actual.length, expected.length, message);
}

/** A record as JSON shows it: what a client compares with. */
export const asJson = (record) => JSON.parse(JSON.stringify(record));
