/** The resources that the board shows, typed by the entities of the server; and who is signed in. */
import { crudClient } from '@nestwright/client';
import type { Member } from '../../workspace/src/members/member.entity.js';
import type { Project } from '../../workspace/src/projects/project.entity.js';
import type { Task } from '../../workspace/src/tasks/task.entity.js';

const MEMBER = 'board.member';

/** Stands in for real authentication, as the workspace's guard does. */
export const session = {
  member: () => localStorage.getItem(MEMBER),
  begin: (member: string) => localStorage.setItem(MEMBER, member),
  end: () => localStorage.removeItem(MEMBER),
};

const common = { headers: () => ({ 'x-demo-member': session.member() ?? '' }), timeout: 15_000 };

export const tasks = crudClient<Task>()('/tasks', common);
export const projects = crudClient<Project>()('/projects', { ...common, routes: ['getMany'] });
export const members = crudClient<Member>()('/members', {
  ...common,
  hidden: ['passwordHash'],
  routes: ['getMany', 'getOne'],
});

export const STATUSES = ['todo', 'doing', 'done'] as const;
export type Status = (typeof STATUSES)[number];

/** What the board is limited to. */
export interface Filter {
  readonly projectId: number | undefined;
  readonly text: string;
}

/** The tasks of one column, page by page. */
export const columnOf = (status: Status, { projectId, text }: Filter) =>
  tasks.queries.infinite((query) => {
    if (projectId !== undefined) query.setFilter(['projectId', '$eq', projectId]);
    if (text) query.setFilter(['title', '$contL', text]);

    return query
      .select(['title', 'status', 'dueOn', 'labels', 'version'])
      .join('project', ['key'])
      .join('assignee', ['name'])
      .setFilter(['status', '$eq', status])
      .sortBy([
        ['dueOn', 'ASC'],
        ['id', 'ASC'],
      ])
      .setLimit(10);
  });

/** All tasks that the board is limited to, as a file. */
export async function exportTasks({ projectId, text }: Filter): Promise<Blob> {
  const file = await tasks.export('csv', (query) => {
    if (projectId !== undefined) query.setFilter(['projectId', '$eq', projectId]);
    if (text) query.setFilter(['title', '$contL', text]);

    return query.select(['title', 'status', 'dueOn']).sortBy(['id', 'ASC']);
  });

  return file.blob();
}

export type Page = Awaited<ReturnType<ReturnType<typeof columnOf>['queryFn']>>;
export type Card = Page['data'][number];
