/** The workspace's tables and records: as many as they should be on every database, with one stray task a tenant. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../test-support/index.js';
import { Audit } from '../src/audit/audit.entity.js';
import { Comment } from '../src/comments/comment.entity.js';
import { openDatabase } from '../src/database/database.js';
import { TENANT_IDS } from '../src/database/seed-records.js';
import { Member } from '../src/members/member.entity.js';
import { Project } from '../src/projects/project.entity.js';
import { Setting } from '../src/settings/setting.entity.js';
import { Task } from '../src/tasks/task.entity.js';
import { Tenant } from '../src/tenants/tenant.entity.js';

const COUNTS: readonly (readonly [EntityTarget<ObjectLiteral> & { name: string }, number])[] = [
  [Member, 5],
  [Project, 4],
  [Task, 60],
  [Comment, 120],
  [Setting, 10],
];

describeDatabases('workspace database', ({ url }) => {
  let dataSource: DataSource;

  beforeAll(async () => {
    dataSource = await openDatabase(url, { moreTasks: 1005 });
  });
  afterAll(() => dataSource?.destroy());

  test('every tenant has as many records as every other', async () => {
    expect(await dataSource.getRepository(Tenant).count()).toBe(3);
    expect(await dataSource.getRepository(Audit).count()).toBe(0);
    for (const [entity, count] of COUNTS) {
      for (const [index, tenantId] of TENANT_IDS.entries()) {
        const more = entity === Task && index === 0 ? 1005 : 0;

        expect([entity.name, await dataSource.getRepository(entity).countBy({ tenantId })]).toEqual([
          entity.name,
          count + more,
        ]);
      }
    }
  });

  test('one task a tenant leads to another tenant four times, and no other task does', async () => {
    const found = await dataSource
      .getRepository(Task)
      .find({ relations: { parent: true, assignee: true, watchers: true, related: true, project: true } });
    const strays = found.flatMap(({ id, tenantId, parent, assignee, watchers, related, project }) => {
      const away = (records: readonly ({ tenantId: string; id: number } | null | undefined)[]) =>
        records.filter((record) => record && record.tenantId !== tenantId).map((record) => record!.id);
      const links = [away([parent]), away([assignee]), away(watchers ?? []), away(related ?? []), away([project])];

      return links.flat().length > 0 ? [[id, ...links]] : [];
    });

    expect(strays).toEqual([
      [60, [61], [8], [9], [62], []],
      [120, [121], [13], [14], [122], []],
      [180, [1], [3], [4], [2], []],
    ]);
  });

  test('tasks added by number are of the first project, distinct, and of every status', async () => {
    const added = (await dataSource.getRepository(Task).find({ order: { id: 'ASC' } })).slice(180);

    expect(new Set(added.map(({ title }) => title)).size).toBe(1005);
    expect(added.map(({ title }) => title)).toContain('Bulk task 1005');
    expect(new Set(added.map(({ projectId, tenantId }) => `${projectId} ${tenantId}`))).toEqual(
      new Set([`1 ${TENANT_IDS[0]}`]),
    );
    expect(new Set(added.map(({ status }) => status)).size).toBe(3);
    expect(new Set(added.map(({ estimate }) => estimate))).toContain('0.25');
    const { id } = await dataSource.getRepository(Task).save({ title: 'next', projectId: 1, tenantId: TENANT_IDS[0] });

    // MySQL counts some numbers more than it gives.
    expect(id).toBeGreaterThan(1185);
  });
});
