/**
 * Requests and their recorded answers: whatever is rebuilt inside, these stay. Played on every database and both HTTP platforms.
 * `TESTS=all CORPUS=record npm test -- integration/corpus` records them anew; see README.md beside this file before you do.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createApp } from '../example/src/app.js';
import { seed as seedExample } from '../example/src/database/seed.js';
import { addressOf, describeServed } from '../test-support/served.js';
import { createWorkspace } from '../workspace/src/app.js';
import { TENANT_IDS } from '../workspace/src/database/seed-records.js';
import { seed as seedWorkspace } from '../workspace/src/database/seed.js';
import { play } from './player.js';
import { reset } from './reset.js';
import { type AppName, deviceId, type Scene } from './scene.js';
import { SCENES } from './scenes/index.js';
import { findDifferences, type Place, readAnswers, type Recording, writeAnswers } from './stored-answers.js';

const RECORDS = process.env['CORPUS'] === 'record';

const SEEDED = new Set([...TENANT_IDS, ...Array.from({ length: 20 }, (_, index) => deviceId(index + 1))]);

const APPS = {
  example: { create: createApp, seed: seedExample },
  workspace: { create: createWorkspace, seed: (source: DataSource) => seedWorkspace(source, 0) },
} satisfies Record<AppName, object>;

const recordings = new Map<Scene, Recording>();

for (const [name, { create, seed }] of Object.entries(APPS)) {
  const scenes = SCENES.filter(({ app }) => app === name);

  describeServed(
    `corpus of the ${name}`,
    async (options) => {
      const app = await create({ ...options, logger: false });
      await app.listen(0, '127.0.0.1');
      return { source: app.get(DataSource), origin: addressOf(await app.getUrl()), close: () => app.close() };
    },
    (running, { kind }, platform) => {
      let source: DataSource;
      let isSeeded = false;

      beforeAll(() => {
        source = running().source;
      });

      test.each(scenes.map((scene) => [scene.name, scene] as const))('%s', async (_, scene) => {
        // What reads alone leaves the database as it was.
        if (!isSeeded) await reset(source, seed);
        isSeeded = false;
        const played = await play(scene, running().origin, SEEDED);
        isSeeded = scene.steps.every(({ method }) => method === 'GET');

        const places: Place[] = platform === 'fastify' ? ['fastify', kind] : [kind];

        // The platforms differ in what they refuse themselves, for which no database is asked.
        if (RECORDS && (platform === 'express' || kind === 'sqlite'))
          recordings.set(scene, (recordings.get(scene) ?? new Map()).set(places[0]!, played));
        else if (!RECORDS) expect(findDifferences(played, readAnswers(scene, places))).toEqual([]);
      });
    },
  );
}

afterAll(() => {
  for (const [scene, recording] of recordings) writeAnswers(scene, recording);
});
