/** The workspace's data source with fresh, seeded tables. */
import { openTables } from '@nestwright/example';
import type { DataSource } from 'typeorm';
import { Audit } from '../audit/audit.entity.js';
import { Comment } from '../comments/comment.entity.js';
import { Member } from '../members/member.entity.js';
import { Project } from '../projects/project.entity.js';
import { Setting } from '../settings/setting.entity.js';
import { Task } from '../tasks/task.entity.js';
import { Tenant } from '../tenants/tenant.entity.js';
import { RECORDS } from './seed-records.js';
import { addTasks, type Records, seed } from './seed.js';

export const ENTITIES = [Tenant, Member, Project, Task, Comment, Setting, Audit];

/** What may be said of the seed. */
export interface SeedOptions {
  /** Default: those of `seed-records.ts`, the same on every start and every database. */
  readonly records?: Records;
  /** So many more tasks in the first project of the first tenant. Default: 0. */
  readonly moreTasks?: number;
}

/** Opens the workspace's database; the tables are made anew each time. */
export const openDatabase = (
  url: string,
  { records = RECORDS, moreTasks = 0 }: SeedOptions = {},
): Promise<DataSource> =>
  openTables(url, {
    entities: ENTITIES,
    seed: async (dataSource) => {
      await seed(dataSource, records);
      if (moreTasks > 0) await addTasks(dataSource, moreTasks);
    },
  });
