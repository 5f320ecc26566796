/** The workspace, listening, and clients that speak for its members. */
import type { INestApplication } from '@nestjs/common';
import { createWorkspace, type WorkspaceOptions } from '../workspace/src/app.js';
import { listening, type Served } from './listening.js';
import { type Api, clientOf, describeServed } from './served.js';
import { DATABASES } from './databases.js';
import { WORKSPACE_RECORDS } from './fixtures/workspace-records.js';

const EVERYWHERE = process.env['TENANT_CASES'] === 'all';

export interface RunningWorkspace extends Served {
  readonly app: INestApplication;
}

export interface Workspace {
  app(): INestApplication;
  as(member: number): Api;
  /**
   * Of many cases those that run here: each on Express with one of three databases, every ninth on Fastify, which hands over the same. `TENANT_CASES=all`: all of them everywhere.
   */
  share<T>(cases: readonly T[]): T[];
}

/**
 * Its records are {@link WORKSPACE_RECORDS} unless said otherwise.
 *
 * @example const { origin, close } = await serveWorkspace({ databaseUrl: 'sqljs:', http: 'fastify' });
 */
export async function serveWorkspace(options: WorkspaceOptions): Promise<RunningWorkspace> {
  const app = await createWorkspace({ logger: ['error', 'fatal'], records: WORKSPACE_RECORDS, ...options });
  return { app, ...(await listening(app)) };
}

/**
 * Runs a suite against the seeded workspace on every database of the run and on both HTTP platforms.
 *
 * @example describeWorkspace('tasks', ({ as }) => { test('…', async () => expect((await as(1).get('/tasks')).status).toBe(200)); });
 */
export function describeWorkspace(name: string, body: (workspace: Workspace) => void): void {
  describeServed(name, serveWorkspace, (running, database, platform) => {
    const origin = () => running().origin;
    const turn = DATABASES.indexOf(database.kind);

    body({
      app: () => running().app,
      as: (member) => clientOf(origin, { 'x-demo-member': String(member) }),
      share: (cases) =>
        cases.filter((_, index) => EVERYWHERE || (index + turn) % (platform === 'express' ? 3 : 9) === 0),
    });
  });
}
