/** What /tasks and /projects/:projectId/tasks have in common. */
import type { CrudRoutesOptions, QueryOptions } from '@nestwright/crud';
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

const TOTALS = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'] as const;

export const TASK_QUERY = {
  softDelete: true,
  maxLimit: 500,
  cursor: true,
  links: true,
  etag: true,
  export: { formats: ['ndjson', 'csv'] },
  aggregate: {
    groupBy: ['status', 'priority', 'project.name', 'assignee.name', 'createdAt', 'dueOn'],
    functions: { '*': ['count'], estimate: TOTALS, points: TOTALS, id: ['countDistinct'] },
  },
  join: Object.fromEntries(TASK_RELATIONS.map((relation) => [relation, {}])),
} satisfies QueryOptions<Task>;

export const TASK_ROUTES = {
  countBase: true,
  aggregateBase: true,
  updateManyBase: { byCondition: true, maxAffected: 200 },
  replaceManyBase: true,
  deleteManyBase: { byCondition: true, maxAffected: 200 },
  recoverManyBase: true,
} satisfies CrudRoutesOptions;
