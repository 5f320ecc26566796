/** A TypeScript client that `openapi-typescript` makes of the workspace's document compiles, and calls generated routes and one of the application's own over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientFile, makeClientTypes } from '../../test-support/client-types.js';
import { mistakesIn } from '../../test-support/compile.js';
import { type RunningWorkspace, serveWorkspace } from '../../test-support/workspace.js';

describe('a generated client of the workspace', () => {
  let workspace: RunningWorkspace;

  beforeAll(async () => {
    workspace = await serveWorkspace({ databaseUrl: 'sqljs:', http: 'express' });
    await makeClientTypes(workspace, 'workspace-paths.ts');
  }, 60_000);
  afterAll(() => workspace?.close());

  test('compiles', () => {
    expect(mistakesIn(clientFile('workspace-calls.ts'))).toEqual([]);
  }, 60_000);

  test('creates, reads, changes, completes and deletes a task', async () => {
    const { callTasks } = (await import('../../test/client/workspace-calls.js' as string)) as {
      callTasks(url: string): Promise<unknown[]>;
    };

    expect(await callTasks(workspace.origin)).toEqual([
      [201, 'Typed'],
      [200, ['Typed']],
      [200, 2],
      [200, 200, 200],
      [200, 'done'],
      [200],
      [404, 'CRUD_NOT_FOUND'],
    ]);
  });
});
