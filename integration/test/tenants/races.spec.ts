/** A record leaves the tenant in the very moment in which a member links or changes it: the write waits, sees where the record is now, and is refused. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { describeDatabases } from '../../test-support/index.js';
import { rowsOf } from '../../test-support/rows.js';
import { type Answer, type Api, clientOf } from '../../test-support/served.js';
import { type RunningWorkspace, serveWorkspace } from '../../test-support/workspace.js';
import { Project } from '../../workspace/src/projects/project.entity.js';
import { newTask } from './attacks.js';
import { breaches } from './breaches.js';
import { FOREIGN, OWN } from './tenants.js';

/** Time for a write to come as far as the record that it has to wait for. */
const HEAD_START = 150;
const [PARENT, CHILD, OTHER, MEMBER] = [4, 5, 9, 5];
const LATE_CHILD = { id: CHILD, title: 'late' };
type Race = [title: string, table: 'tasks' | 'members' | 'projects', id: number, write: (api: Api) => Promise<Answer>];

/** What leaves the tenant, and the write that meets it. */
const RACES: readonly Race[] = [
  ['an assignee by column', 'members', MEMBER, (api) => api.patch(`/tasks/${OTHER}`, { assigneeId: MEMBER })],
  ['an assignee of a new task', 'members', MEMBER, (api) => api.post('/tasks', newTask({ assignee: { id: MEMBER } }))],
  ['a watcher', 'members', MEMBER, (api) => api.patch(`/tasks/${OTHER}`, { watchers: [{ id: MEMBER }] })],
  ['a parent', 'tasks', PARENT, (api) => api.put(`/tasks/${OTHER}`, newTask({ parentId: PARENT }))],
  ['the project of the path', 'projects', 3, (api) => api.post('/projects/3/tasks', { title: 'late' })],
  ['a subtask, by a cascade', 'tasks', CHILD, (api) => api.patch(`/tasks/${PARENT}`, { subtasks: [LATE_CHILD] })],
  ['the task itself', 'tasks', OTHER, (api) => api.patch(`/tasks/${OTHER}`, { title: 'late' })],
];

describeDatabases(
  'tenants, in a race',
  (database) => {
    let running: RunningWorkspace;
    let source: DataSource;

    beforeAll(async () => {
      running = await serveWorkspace({ databaseUrl: database.url });
      source = running.app.get(DataSource);
      // No other tenant has a project of this key.
      await source.manager.update(Project, { id: 3 }, { key: 'RACE' });
    }, 60_000);
    afterAll(() => running?.close());

    test.each(RACES)('%s is out of reach once it has left', async (title, table, id, write) => {
      const move = (runner: QueryRunner, tenantId: string) =>
        runner.manager.createQueryBuilder().update(table).set({ tenantId }).where({ id }).execute();
      const before = await rowsOf(source);
      const mover = source.createQueryRunner();
      await mover.startTransaction();
      await move(mover, FOREIGN.tenant);
      const answering = write(clientOf(() => running.origin, { 'x-demo-member': '3' }));
      await new Promise((resolve) => setTimeout(resolve, HEAD_START));
      await mover.commitTransaction();
      const { status, body } = await answering;
      await move(mover, OWN.tenant);
      await mover.release();
      const refused = title === 'the task itself' ? [404, 'CRUD_NOT_FOUND'] : [400, 'CRUD_OUT_OF_SCOPE'];
      expect([status, body.code]).toEqual(refused);
      expect(breaches(before, await rowsOf(source), OWN.tenant)).toEqual([]);
    });
  },
  // SQLite has one connection, which requests take in turn.
  ['postgres', 'mysql'],
);
