/** The workspace's records on every database: one stray task a tenant, and as many more as are asked for. */
import { expect, test } from '@jest/globals';
import { describeDatabases } from '../../test-support/index.js';
import { openDatabase } from '../src/database/database.js';
import { TENANT_IDS } from '../src/database/seed-records.js';
import { Task } from '../src/tasks/task.entity.js';

describeDatabases('workspace database', ({ url }) => {
  test('one task a tenant leads to another tenant four times; tasks added by number are of the first project', async () => {
    const dataSource = await openDatabase(url, { moreTasks: 1005 });
    const tasks = dataSource.getRepository(Task);

    try {
      const found = await tasks.find({
        relations: { parent: true, assignee: true, watchers: true, related: true, project: true },
        order: { id: 'ASC' },
      });
      const strays = found.flatMap(({ id, tenantId, parent, assignee, watchers = [], related = [], project }) => {
        const linked = [parent, assignee, ...watchers, ...related, project];
        const away = linked.filter((record) => record && record.tenantId !== tenantId).map((record) => record!.id);
        return away.length > 0 ? [[id, ...away]] : [];
      });
      expect(strays).toEqual([
        [60, 61, 8, 9, 62],
        [120, 121, 13, 14, 122],
        [180, 1, 3, 4, 2],
      ]);

      const added = found.slice(180);
      expect(new Set(added.map(({ title }) => title)).size).toBe(1005);
      expect(added.filter(({ projectId, tenantId }) => projectId !== 1 || tenantId !== TENANT_IDS[0])).toEqual([]);
      expect(new Set(added.map(({ status }) => status)).size).toBe(3);
      // MySQL counts some numbers more than it gives.
      const next = await tasks.save({ title: 'next', projectId: 1, tenantId: TENANT_IDS[0]! });
      expect(next.id).toBeGreaterThan(1185);
    } finally {
      await dataSource.destroy();
    }
  });
});
