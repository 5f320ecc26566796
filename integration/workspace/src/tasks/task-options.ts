/** What /tasks and /projects/:projectId/tasks have in common. */
import type { QueryOptions } from '@nestwright/crud';
import type { Task } from './task.entity.js';

/** Relations that may be joined, each within the tenant. */
export const TASK_RELATIONS = [
  'project',
  'parent',
  'subtasks',
  'assignee',
  'watchers',
  'related',
  'comments',
  'comments.author',
] as const;

export const TASK_QUERY = {
  softDelete: true,
  maxLimit: 500,
  join: Object.fromEntries(TASK_RELATIONS.map((relation) => [relation, {}])),
} satisfies QueryOptions<Task>;
