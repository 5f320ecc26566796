/**
 * Requests and their recorded answers: whatever is rebuilt inside, these stay. Played on every database and both HTTP platforms.
 * `TESTS=all CORPUS=record npm test -- integration/corpus` records them anew; see README.md beside this file before you do.
 */
import { afterAll, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import type { AppOptions } from '@nestwright/example';
import { DataSource } from 'typeorm';
import { createApp as createOnDrizzle } from '../drizzle/src/app.js';
import { createApp } from '../example/src/app.js';
import { seed as seedExample } from '../example/src/database/seed.js';
import type { DatabaseKind } from '../test-support/databases.js';
import { EXAMPLE_RECORDS } from '../test-support/fixtures/example-records.js';
import { TENANT_IDS, WORKSPACE_RECORDS } from '../test-support/fixtures/workspace-records.js';
import { listening } from '../test-support/listening.js';
import { describeServed } from '../test-support/served.js';
import { createWorkspace } from '../workspace/src/app.js';
import { seed as seedWorkspace } from '../workspace/src/database/seed.js';
import { play } from './player.js';
import { reset, resetDrizzle } from './reset.js';
import { type AppName, deviceId, type Scene } from './scene.js';
import { SCENES } from './scenes/index.js';
import { findDifferences, type Place, readAnswers, type Recording, writeAnswers } from './stored-answers.js';

const RECORDS = process.env['CORPUS'] === 'record';

const SEEDED = new Set([...TENANT_IDS, ...Array.from({ length: 20 }, (_, index) => deviceId(index + 1))]);

/** How to start an application, and to store its records anew. */
interface Player {
  readonly app: AppName;
  create(options: AppOptions): Promise<INestApplication>;
  reset(app: INestApplication, kind: DatabaseKind): Promise<void>;
}

const onTypeOrm =
  <R>(seed: (source: DataSource, records: R) => Promise<void>, records: R): Player['reset'] =>
  (app) =>
    reset(app.get(DataSource), (source) => seed(source, records));

const PLAYERS = {
  example: {
    app: 'example',
    create: (options) => createApp({ ...options, records: EXAMPLE_RECORDS }),
    reset: onTypeOrm(seedExample, EXAMPLE_RECORDS),
  },
  'example on Drizzle': {
    app: 'example',
    create: (options) => createOnDrizzle({ ...options, records: EXAMPLE_RECORDS }),
    reset: (app, kind) => resetDrizzle(app, kind, EXAMPLE_RECORDS),
  },
  workspace: {
    app: 'workspace',
    create: (options) => createWorkspace({ ...options, records: WORKSPACE_RECORDS }),
    reset: onTypeOrm(seedWorkspace, WORKSPACE_RECORDS),
  },
} satisfies Record<string, Player>;

/**
 * Plays the scenes of a player's application on every database of the run and on both HTTP platforms.
 *
 * @example describeCorpus('workspace');
 */
export function describeCorpus(name: keyof typeof PLAYERS): void {
  const player: Player = PLAYERS[name];
  const scenes = SCENES.filter(({ app }) => app === player.app);
  const recordings = new Map<Scene, Recording>();

  describeServed(
    `corpus of the ${name}`,
    async (options) => {
      const app = await player.create({ ...options, logger: false });

      return { app, ...(await listening(app)) };
    },
    (running, { kind }, platform) => {
      let isSeeded = false;

      test.each(scenes.map((scene) => [scene.name, scene] as const))('%s', async (_, scene) => {
        // What reads alone leaves the database as it was.
        if (!isSeeded) await player.reset(running().app, kind);
        isSeeded = false;
        const played = await play(scene, running().origin, SEEDED);
        isSeeded = scene.steps.every(({ method }) => method === 'GET');

        const places: Place[] = platform === 'fastify' ? ['fastify', kind] : [kind];

        // The platforms differ in what they refuse themselves, for which no database is asked.
        if (RECORDS && name === player.app && (platform === 'express' || kind === 'sqlite'))
          recordings.set(scene, (recordings.get(scene) ?? new Map()).set(places[0]!, played));
        else if (!RECORDS) expect(findDifferences(played, readAnswers(scene, places))).toEqual([]);
      });
    },
  );

  afterAll(() => {
    for (const [scene, recording] of recordings) writeAnswers(scene, recording);
  });
}
