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
import { seed } from './seed.js';

export const ENTITIES = [Tenant, Member, Project, Task, Comment, Setting, Audit];

/** What may be said of the seed. */
export interface SeedOptions {
  /** So many more tasks in the first project of the first tenant. Default: 0. */
  readonly moreTasks?: number;
}

/** Opens the workspace's database; the tables are made anew each time. */
export const openDatabase = (url: string, { moreTasks = 0 }: SeedOptions = {}): Promise<DataSource> =>
  openTables(url, { entities: ENTITIES, seed: (dataSource) => seed(dataSource, moreTasks) });
