/** How the records are stored, and more tasks made. */
import { store } from '@nestwright/example';
import type { DataSource } from 'typeorm';
import { Comment } from '../comments/comment.entity.js';
import { Member } from '../members/member.entity.js';
import { Project } from '../projects/project.entity.js';
import { Setting } from '../settings/setting.entity.js';
import { Status, Task } from '../tasks/task.entity.js';
import { Tenant } from '../tenants/tenant.entity.js';

/** What is stored, by table. Keys are left to the database. */
export interface Records {
  readonly tenants: object[];
  readonly members: object[];
  readonly projects: object[];
  readonly tasks: object[];
  /** Parents of tasks that are set once all tasks are there. */
  readonly strayParents: readonly { readonly id: number; readonly parentId: number }[];
  readonly watchers: object[];
  readonly related: object[];
  readonly comments: object[];
  readonly settings: object[];
}

/** Fills the tables, parents first. Their counters begin at 1, so that the next insert finds them right. */
export async function seed(dataSource: DataSource, records: Records): Promise<void> {
  await store(dataSource, [
    [Tenant, records.tenants],
    [Member, records.members],
    [Project, records.projects],
    [Task, records.tasks],
    ['task_watchers', records.watchers],
    ['task_related', records.related],
    [Comment, records.comments],
    [Setting, records.settings],
  ]);
  for (const { id, parentId } of records.strayParents) {
    // As it was all the time: neither the version nor the time of the last update advances.
    await dataSource
      .createQueryBuilder()
      .update(Task)
      .set({ parentId, version: 1, updatedAt: () => dataSource.driver.escape('updatedAt') })
      .where({ id })
      .execute();
  }
}

/** Numbers from 0 to count - 1, as a table expression that every database knows. */
function numbers(count: number): string {
  const digits = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ');
  const places = Array.from({ length: String(count - 1).length }, (_, place) => place);
  const sum = places.map((place) => `p${place}.d * ${10 ** place}`).join(' + ');
  const from = places.map((place) => `(${digits}) p${place}`).join(' CROSS JOIN ');

  return `(SELECT ${sum} AS n FROM ${from}) numbers WHERE n < ${count}`;
}

/** Tasks that the database itself makes, a million in seconds. */
export async function addTasks(dataSource: DataSource, count: number): Promise<void> {
  const { driver } = dataSource;
  const { tableName } = dataSource.getMetadata(Task);
  const [project] = await dataSource.getRepository(Project).find({ order: { id: 'ASC' }, take: 1 });
  const values = {
    tenantId: `'${project!.tenantId}'`,
    projectId: `${project!.id}`,
    title: `CONCAT('Bulk task ', n + 1)`,
    priority: 'CASE WHEN n % 7 = 0 THEN NULL ELSE n % 7 END',
    estimate: 'CASE WHEN n % 11 = 0 THEN NULL ELSE (n % 400) * 0.25 END',
    points: 'CASE WHEN n % 5 = 0 THEN NULL ELSE n % 13 END',
    version: '1',
  };
  const columns = ['status', ...Object.keys(values)].map((name) => driver.escape(name)).join(', ');

  await dataSource.transaction(async (manager) => {
    // A statement for each status, since a value that is computed is no enum to PostgreSQL.
    for (const [index, status] of Object.values(Status).entries()) {
      await manager.query(
        `INSERT INTO ${driver.escape(tableName)} (${columns}) ` +
          `SELECT '${status}', ${Object.values(values).join(', ')} FROM ${numbers(count)} AND n % 3 = ${index} ORDER BY n`,
      );
    }
  });
}
