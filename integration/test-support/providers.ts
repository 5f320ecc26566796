/** The workspace for tests of data providers, with what they send to it. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Task } from '../workspace/src/tasks/task.entity.js';
import { type RunningWorkspace, serveWorkspace } from './workspace.js';

/** Options of a provider that speaks for the first member, its requests and their bodies in a test, and what is stored. */
export function serveProviders() {
  const sent: string[] = [];
  const bodies: unknown[] = [];
  let workspace: RunningWorkspace | undefined;

  beforeAll(async () => {
    workspace = await serveWorkspace({ databaseUrl: 'sqljs:', http: 'express' });
  }, 60_000);
  beforeEach(() => [sent, bodies].forEach((list) => list.splice(0)));
  afterAll(() => workspace?.close());

  const request: typeof fetch = (url, init) => {
    const { pathname, search } = new URL(url as string);
    sent.push(`${init!.method} ${decodeURIComponent(pathname + search)}`);
    bodies.push(init!.body && JSON.parse(init!.body as string));
    return fetch(workspace!.origin + pathname + search, init);
  };
  const manager = () => workspace!.app.get(DataSource).manager;
  return {
    sent,
    bodies,
    options: { baseUrl: 'http://workspace', headers: { 'x-demo-member': '1' }, fetch: request },
    manager,
    tasks: () => manager().getRepository(Task),
    stored: (id: number) => manager().findOneOrFail(Task, { where: { id }, withDeleted: true }),
  };
}

export const ids = ({ data }: { data: readonly { readonly id?: unknown }[] }) => data.map(({ id }) => id);
export const failure = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error);
