/** Runs a suite on each database and HTTP platform, against the example and the vault in one database. Every answer is checked before the test sees it. */
import { afterAll, beforeAll } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createApp } from '../../example/src/app.js';
import { EXAMPLE_RECORDS } from '../../test-support/fixtures/example-records.js';
import {
  type DatabaseKind,
  DATABASES,
  describeDatabases,
  describePlatforms,
  type HttpPlatform,
} from '../../test-support/index.js';
import { faultsOf } from './answers.js';
import { ALL_ATTACKS } from './corpus.js';
import { openVault } from './vault/application.js';
import { type Call, type Reply, Wire } from './wire.js';
import { type Rows, Witness } from './witness.js';

/** What a suite acts on. */
export interface Stage {
  readonly platform: HttpPlatform;
  readonly database: DatabaseKind;
  /** Refuses (throws) an answer that no client may get: of 500 and above, or one that speaks of the database. */
  send(call: Call): Promise<Reply>;
  /** Sends a few at a time; answers in the order of the calls. */
  sendAll(calls: readonly Call[]): Promise<Reply[]>;
  /** Rows of all tables of both applications. */
  tables(): Promise<Rows>;
  /** Texts of the statements since the last {@link forget}, once each. */
  statements(): string[];
  /** Those of some markers that were bound as parameters since the last {@link forget}. */
  bound(markers: readonly string[]): Set<string>;
  forget(): void;
}

/** What the vault serves; everything else is the example's. */
const VAULT = /^\/(kinds|labels|tenants|my\/notes|my\/folders)\b/;

/**
 * Runs a suite on Express with every database and on Fastify, which only reads requests differently, with one; under `SECURITY_ATTACKS=all` with every one, too.
 *
 * @example describeStage('scope', (stage) => { test('…', async () => expect((await stage.send({ path: '/me' })).status).toBe(401)); });
 */
export function describeStage(name: string, body: (stage: Stage) => void): void {
  describePlatforms(name, (platform) =>
    describeDatabases(
      platform,
      (database) => {
        const applications: INestApplication[] = [];
        const witnesses: Witness[] = [];
        const wires: Wire[] = [];

        beforeAll(async () => {
          const vault = await openVault(database, platform);
          applications.push(vault.app);
          // After the vault's tables, which it leaves alone.
          const example = await createApp({
            databaseUrl: database.url,
            http: platform,
            logger: ['error', 'fatal'],
            records: EXAMPLE_RECORDS,
          });
          applications.push(example);
          await example.listen(0, '127.0.0.1');
          const origin = (await example.getUrl()).replace('[::1]', '127.0.0.1');
          wires.push(new Wire(vault.url), new Wire(origin));
          witnesses.push(...applications.map((app) => new Witness(app.get(DataSource))));
        }, 60_000);

        afterAll(async () => {
          wires.forEach((wire) => wire.close());
          await Promise.all(applications.map((app) => app.close()));
        });

        const send = async (call: Call): Promise<Reply> => {
          const reply = await wires[VAULT.test(call.path) ? 0 : 1]!.send(call);
          const faults = faultsOf(call, reply);
          if (faults.length > 0) throw new Error(faults.join('\n'));

          return reply;
        };

        body({
          platform,
          database: database.kind,
          send,
          sendAll: async (calls) => {
            const replies: Reply[] = [];
            await Wire.each([...calls.entries()], async ([index, call]) => void (replies[index] = await send(call)));

            return replies;
          },
          tables: async () => Object.assign({}, ...(await Promise.all(witnesses.map((witness) => witness.tables())))),
          statements: () => witnesses.flatMap(({ texts }) => [...texts]),
          bound: (markers) => new Set(witnesses.flatMap((witness) => witness.bound(markers))),
          forget: () => witnesses.forEach((witness) => witness.forget()),
        });
      },
      platform === 'express' || ALL_ATTACKS ? DATABASES : ['postgres'],
    ),
  );
}
