/** The workspace's tables and records: as many as they should be, the same on every database, with one stray task a tenant. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../test-support/index.js';
import { Audit } from '../src/audit/audit.entity.js';
import { Comment } from '../src/comments/comment.entity.js';
import { openDatabase } from '../src/database/database.js';
import { RECORDS, TENANT_IDS } from '../src/database/seed-records.js';
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

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describeDatabases('workspace database', ({ kind, url }) => {
  let dataSource: DataSource;

  beforeAll(async () => {
    dataSource = await openDatabase(url, { moreTasks: 1005 });
  });
  afterAll(() => dataSource?.destroy());

  const seeded = async (entity: EntityTarget<ObjectLiteral>, order: object = { id: 'ASC' }) =>
    (await dataSource.getRepository(entity).find({ order })).slice(0, 360);

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

  test.each([
    ['projects', Project, RECORDS.projects],
    ['tasks', Task, RECORDS.tasks],
    ['comments', Comment, RECORDS.comments],
  ] as const)('%s are as they were written, numbered from 1', async (_, entity, records) => {
    const parents = new Map(entity === Task ? RECORDS.strayParents.map(({ id, parentId }) => [id, parentId]) : []);
    const expected = records.map((record, index) => ({
      id: index + 1,
      ...(json(record) as object),
      ...(parents.has(index + 1) && { parentId: parents.get(index + 1) }),
    }));
    const found = (await seeded(entity)).slice(0, expected.length);

    expect(json(found)).toMatchObject(expected);
  });

  test('settings of one key are told apart by their tenant', async () => {
    const byKey = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    const found = (await seeded(Setting, { key: 'ASC' })).map(({ tenantId, key, value, updatedAt }) => ({
      tenantId: tenantId as unknown,
      key: key as unknown,
      value: value as unknown,
      updatedAt: updatedAt as unknown,
    }));

    expect(byKey(json(found) as unknown[])).toEqual(byKey(json(RECORDS.settings) as unknown[]));
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

  test('members are numbered by tenant: an owner, an admin, and members', async () => {
    const found = await seeded(Member);

    expect(found.map(({ role }) => role as unknown)).toEqual(
      TENANT_IDS.flatMap(() => ['owner', 'admin', 'member', 'member', 'member']),
    );
    expect(found.map(({ tenantId }) => TENANT_IDS.indexOf(tenantId as string))).toEqual(
      [0, 1, 2].flatMap((tenant) => [tenant, tenant, tenant, tenant, tenant]),
    );
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

  test('times of tasks have microseconds where the database has them, others milliseconds', async () => {
    const precision = (entity: EntityTarget<ObjectLiteral>) =>
      dataSource.getMetadata(entity).findColumnWithPropertyName('createdAt')?.precision;

    expect([precision(Task), precision(Comment)]).toEqual([6, 3]);
    if (kind === 'sqlite') return;

    await dataSource.query(
      {
        postgres: `UPDATE tasks SET "createdAt" = '2025-01-01T00:00:00.123456Z' WHERE id = 1`,
        mysql: `UPDATE tasks SET createdAt = '2025-01-01 00:00:00.123456' WHERE id = 1`,
      }[kind],
    );
    const [row] = await dataSource.query(
      {
        postgres: `SELECT to_char("createdAt" AT TIME ZONE 'UTC', 'SS.US') AS text FROM tasks WHERE id = 1`,
        mysql: `SELECT DATE_FORMAT(createdAt, '%s.%f') AS text FROM tasks WHERE id = 1`,
      }[kind],
    );

    expect(row.text).toBe('00.123456');
  });
});
