/** The queries with which a member may ask for, or ask after, records of another tenant that own records lead to. */

/** A relation by its path, a text of it, and a number or a date. */
const RELATIONS = [
  { path: 'project', text: 'name', other: 'budget', toOne: true },
  { path: 'parent', text: 'title', other: 'priority', toOne: true },
  { path: 'assignee', text: 'email', other: 'role', toOne: true },
  { path: 'subtasks', text: 'title', other: 'priority', toOne: false },
  { path: 'watchers', text: 'name', other: 'createdAt', toOne: false },
  { path: 'related', text: 'title', other: 'dueOn', toOne: false },
  { path: 'comments', text: 'body', other: 'createdAt', toOne: false },
  { path: 'comments.author', text: 'email', other: 'name', toOne: false },
] as const;

const s = (condition: object): string => `s=${encodeURIComponent(JSON.stringify(condition))}`;

/** Queries of tasks about one relation. */
function about({ path, text, other, toOne }: (typeof RELATIONS)[number]): string[] {
  const field = `${path}.${text}`;
  return [
    ...['', `||id,${other}`, `||${text}||on[0]=${field}||notnull`].map((rest) => `join=${path}${rest}`),
    `join=${path}&includeDeleted=1`,
    ...['notnull', 'isnull', 'cont||LEAK'].map((rest) => `filter=${field}||${rest}`),
    `filter=${field}||excl||LEAK&page=1&limit=2`,
    `filter=id||gt||0&or=${field}||notnull`,
    `filter=${path}.tenantId||notnull&includeDeleted=1`,
    `join=${path}&cursor=&total=1&limit=5&filter=${path}.id||gt||60`,
    s({ $not: { [field]: { $cont: 'LEAK' } } }),
    s({ $or: [{ [field]: { $isnull: true } }, { [`${path}.${other}`]: { $notnull: true } }] }),
    s({ [field]: { $or: { $starts: 'A', $isnull: true } } }),
    ...(toOne ? [`sort=${field},ASC`, `sort=${path}.${other},DESC&limit=7`, `cursor=&limit=9&sort=${field},DESC`] : []),
  ];
}

const AGGREGATES = [
  'groupBy=assignee.name&aggregate=count||*&filter=parent.title||isnull',
  'groupBy=project.name,assignee.name&aggregate=sum||points&aggregate=avg||estimate',
  'groupBy=project.name&aggregate=countDistinct||id&having=project.name||cont||LEAK',
  'groupBy=assignee.name&aggregate=count||*&sort=assignee.name,DESC&page=1&limit=1',
  'groupBy=project.name||name&having=name||gt||B&sort=name,DESC&includeDeleted=1',
  'aggregate=count||*&aggregate=max||points&aggregate=min||estimate&filter=watchers.name||cont||LEAK',
];

const EXPORTS = [
  'format=csv&join=project||name&join=assignee||name&join=parent||title',
  'format=csv&join=watchers||name&join=related||title&fields=title&includeDeleted=1',
  'format=ndjson&join=subtasks&join=comments&join=comments.author&limit=7',
  'format=ndjson&sort=assignee.name,DESC&sort=project.name,ASC&fields=title&filter=related.title||notnull',
];

const PROJECTS = [
  ...['join=tasks', 'join=tasks||title&page=1&limit=2', 'join=tasks&includeDeleted=1'],
  ...['filter=tasks.title||cont||LEAK', 'filter=tasks.title||isnull'],
  s({ 'tasks.tenantId': { $notnull: true } }),
];

const COMMENTS = [
  ...['join=task', 'join=author||email', 'filter=task.id||isnull', 'filter=author.id||notnull&page=1&limit=5'],
  ...['filter=author.email||cont||LEAK', 'sort=author.name,ASC&limit=20', 'cursor=&limit=9&sort=task.title,DESC'],
];

const at = (paths: readonly string[], queries: readonly string[]): string[] =>
  paths.flatMap((path) => queries.map((query) => `${path}?${query.replaceAll('||', '%7C%7C')}`));

/** Paths with queries, all of them of one tenant's member. */
export const QUESTIONS: readonly string[] = [
  ...at(['/tasks'], [...RELATIONS.flatMap(about), ...EXPORTS, 'includeDeleted=1&page=1&limit=1']),
  ...at(['/tasks/count'], RELATIONS.map(({ path, text }) => `filter=${path}.${text}||cont||LEAK`)), // prettier-ignore
  ...at(
    ['/projects/4/tasks', '/tasks/60', '/tasks/1'],
    RELATIONS.map(({ path }) => `join=${path}`),
  ),
  ...at(['/tasks/aggregate', '/projects/4/tasks/aggregate'], AGGREGATES),
  ...at(['/projects', '/projects/1'], PROJECTS),
  ...at(['/comments', '/comments/1', '/comments/2'], COMMENTS),
  '/projects/5/tasks?page=1&limit=1',
  '/projects/5/tasks/aggregate?aggregate=count%7C%7C*',
  '/projects/5/tasks?format=csv',
  '/members?cursor=&limit=2&includeDeleted=1',
  '/settings?sort=key,ASC',
  '/settings/theme',
  '/audit?page=1&limit=1',
  '/audit?format=csv&fields=entity',
  '/audit/count',
  '/audit/aggregate?groupBy=entity,kind&aggregate=count%7C%7C*',
  '/tenant?join=members',
];
