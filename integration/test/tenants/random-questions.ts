/** Queries drawn at random, the same in every run: `TENANT_QUESTIONS` says how many, `TENANT_SEED` which. */
import fc from 'fast-check';
import { TASK_RELATIONS } from '../../workspace/src/tasks/task-options.js';

export const SEED = Number(process.env['TENANT_SEED'] ?? 20_250_101);

const FIELDS: Record<string, readonly string[]> = {
  project: ['id', 'tenantId', 'key', 'name', 'budget', 'createdAt'],
  parent: ['id', 'title', 'status', 'priority', 'estimate', 'dueOn', 'labels', 'parentId', 'updatedAt'],
  subtasks: ['id', 'title', 'points', 'assigneeId', 'settings.theme'],
  assignee: ['id', 'email', 'name', 'role', 'createdAt'],
  watchers: ['id', 'email', 'name', 'role'],
  related: ['id', 'title', 'status', 'projectId', 'version'],
  comments: ['id', 'body', 'authorId', 'createdAt'],
  'comments.author': ['id', 'name', 'email', 'role'],
};

const relation = fc.constantFrom(...TASK_RELATIONS);
const field = relation.chain((path) => fc.constantFrom(...FIELDS[path]!).map((name) => `${path}.${name}`));
const test = fc.oneof(
  fc.constantFrom({ $isnull: true }, { $notnull: true }),
  fc
    .tuple(
      fc.constantFrom('$eq', '$ne', '$gt', '$lte', '$cont', '$starts', '$contL', '$in', '$notin'),
      fc.constantFrom('1', '61', 'A', 'LEAK', 'todo', '2025-01-02'),
    )
    .map(([operator, value]) => ({ [operator]: value })),
);

const { condition } = fc.letrec<{ condition: object }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(field, test).map(([name, holds]) => ({ [name]: holds })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((list) => ({ $or: list })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((list) => ({ $and: list })),
    tie('condition').map((inner) => ({ $not: inner })),
  ),
}));

const toOne = fc
  .constantFrom('project', 'parent', 'assignee')
  .chain((path) => fc.constantFrom(...FIELDS[path]!).map((name) => `${path}.${name}`));

const question = fc
  .record({
    joins: fc.uniqueArray(relation, { maxLength: 3 }),
    condition: fc.option(condition, { freq: 5 }),
    sort: fc.option(fc.tuple(toOne, fc.constantFrom('ASC', 'DESC'))),
    page: fc.option(fc.integer({ min: 1, max: 4 })),
    limit: fc.integer({ min: 1, max: 30 }),
    path: fc.constantFrom('/tasks', '/tasks', '/projects/4/tasks', '/tasks/60'),
  })
  .map(({ joins, condition: search, sort, page, limit, path }) => {
    const parts = [
      ...joins.map((join) => `join=${join}`),
      ...(search ? [`s=${encodeURIComponent(JSON.stringify(search))}`] : []),
      ...(sort ? [`sort=${sort.join()}`] : []),
      ...(page ? [`page=${page}`] : []),
      `limit=${limit}`,
    ];

    return `${path}?${parts.join('&')}`;
  });

export const randomQuestions = (): string[] =>
  fc.sample(question, { seed: SEED, numRuns: Number(process.env['TENANT_QUESTIONS'] ?? 40) });
