/** The workspace, listening, and clients that speak for its members. */
import type { INestApplication } from '@nestjs/common';
import { createWorkspace, type WorkspaceOptions } from '../workspace/src/app.js';
import { listening, type Served } from './listening.js';
import { type Api, clientOf, describeServed } from './served.js';
import { WORKSPACE_RECORDS } from './fixtures/workspace-records.js';

/** A listening workspace. */
export interface RunningWorkspace extends Served {
  readonly app: INestApplication;
}

/** What a suite acts on. */
export interface Workspace {
  app(): INestApplication;
  /** A client that speaks for a member. */
  as(member: number): Api;
  /** A client that speaks for nobody. */
  readonly nobody: Api;
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
  describeServed(name, serveWorkspace, (running) => {
    const origin = () => running().origin;
    body({
      app: () => running().app,
      as: (member) => clientOf(origin, { 'x-demo-member': String(member) }),
      nobody: clientOf(origin),
    });
  });
}
