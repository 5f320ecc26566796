/** The same records on every start and every database. */
import { store, type Stored } from '@nestwright/example';
import type { DataSource } from 'typeorm';
import { Comment } from '../comments/comment.entity.js';
import { Member } from '../members/member.entity.js';
import { Project } from '../projects/project.entity.js';
import { Setting } from '../settings/setting.entity.js';
import { Status, Task } from '../tasks/task.entity.js';
import { Tenant } from '../tenants/tenant.entity.js';
import {
  comments,
  members,
  projects,
  related,
  settings,
  strayParents,
  tasks,
  tenants,
  watchers,
} from './seed-records.js';

/** What is stored where, parents first. Keys are left to the database, whose counters begin at 1, so that the next insert finds them right. */
const TABLES: readonly Stored[] = [
  [Tenant, tenants],
  [Member, members],
  [Project, projects],
  [Task, tasks],
  ['task_watchers', watchers],
  ['task_related', related],
  [Comment, comments],
  [Setting, settings],
];

/** Fills the tables; `more` tasks are added by the database itself, a million in seconds. */
export async function seed(dataSource: DataSource, more: number): Promise<void> {
  await store(dataSource, TABLES);
  for (const { id, parentId } of strayParents()) {
    // As it was all the time: neither the version nor the time of the last update advances.
    await dataSource
      .createQueryBuilder()
      .update(Task)
      .set({ parentId, version: 1, updatedAt: () => dataSource.driver.escape('updatedAt') })
      .where({ id })
      .execute();
  }
  if (more > 0) await addTasks(dataSource, more);
}

/** Numbers from 0 to count - 1, as a table expression that every database knows. */
function numbers(count: number): string {
  const digits = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ');
  const places = Array.from({ length: String(count - 1).length }, (_, place) => place);
  const sum = places.map((place) => `p${place}.d * ${10 ** place}`).join(' + ');
  const from = places.map((place) => `(${digits}) p${place}`).join(' CROSS JOIN ');

  return `(SELECT ${sum} AS n FROM ${from}) numbers WHERE n < ${count}`;
}

async function addTasks(dataSource: DataSource, count: number): Promise<void> {
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
