/** The queries with which a member may ask for, or ask after, records of another tenant that own records lead to. */

/** A relation by its path, a text of it, a number of it, and a date. */
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
  const joins = [
    ...['', `||${text}`, `||id,${other}`, `||${text}||on[0]=${field}||notnull`].map((rest) => `join=${path}${rest}`),
    `join=${path}||on[0]=${field}||cont||e&join=${path}||${other}`,
    ...['includeDeleted=1', 'fields=title'].map((rest) => `join=${path}&${rest}`),
  ];
  const conditions = [
    ...['notnull', 'isnull', 'cont||LEAK', 'excl||LEAK'].map((rest) => `filter=${field}||${rest}`),
    ...[`filter=${field}||gt||B&filter=${field}||lt||z`, `filter=${field}||containsL||leak`],
    ...[`or=${field}||starts||A&or=${field}||starts||z`, `filter=id||gt||0&or=${field}||notnull`],
    ...['notnull', 'gt||60', `isnull&filter=${field}||isnull`].map((rest) => `filter=${path}.id||${rest}`),
    `filter=${path}.tenantId||notnull&includeDeleted=1`,
    s({ $not: { [field]: { $cont: 'LEAK' } } }),
    s({ $or: [{ [field]: { $isnull: true } }, { [`${path}.${other}`]: { $notnull: true } }] }),
    s({ $and: [{ $not: { $or: [{ [field]: { $starts: 'z' } }, { [field]: { $isnull: true } }] } }] }),
    s({ [field]: { $or: { $starts: 'A', $isnull: true } } }),
    s({ $not: [{ [`${path}.id`]: { $notnull: true } }] }),
  ];
  const sorts = toOne ? [`sort=${field},ASC`, `sort=${field},DESC&limit=7`, `sort=${path}.${other},DESC`] : [];
  return [
    ...joins,
    ...conditions,
    ...conditions.slice(2, 4).map((condition) => `join=${path}&${condition}`),
    ...conditions.slice(1, 4).map((condition) => `${condition}&page=1&limit=2`),
    ...sorts,
  ];
}

const TASKS = [
  ...RELATIONS.flatMap(about),
  `join=comments&join=comments.author&sort=project.name,ASC&sort=parent.title,DESC`,
];

const PROJECTS = [
  ...['join=tasks', 'join=tasks||title&page=1&limit=2', 'join=tasks&includeDeleted=1'],
  ...['filter=tasks.title||cont||LEAK', 'filter=tasks.title||isnull'],
  'filter=tasks.priority||gt||50&page=1&limit=1',
  s({ $not: { 'tasks.title': { $cont: 'LEAK' } } }),
  s({ 'tasks.tenantId': { $notnull: true } }),
];

const COMMENTS = [
  ...['task', 'author'].flatMap((path) => [
    `join=${path}`,
    `join=${path}||${path === 'task' ? 'title' : 'email'}`,
    `filter=${path}.id||isnull`,
    `filter=${path}.id||notnull&page=1&limit=5`,
  ]),
  ...['filter=author.email||cont||LEAK', 'filter=author.email||isnull', 'filter=task.title||excl||LEAK&page=3&limit=7'],
  ...['sort=author.name,ASC&limit=20', 'sort=task.title,DESC&limit=20'],
  s({ $or: [{ 'author.email': { $starts: 'z' } }, { 'task.title': { $starts: 'z' } }] }),
];

const at = (paths: readonly string[], queries: readonly string[]): string[] =>
  paths.flatMap((path) => queries.map((query) => `${path}?${query.replaceAll('||', '%7C%7C')}`));

/** The same list by a cursor, and its number alone. */
const otherwise = (question: string): string[] => {
  const [path = '', query = ''] = question.split('?');
  const isPaged = /(?:^|&)page=/.test(query);
  return [...(isPaged ? [] : [`${path}?${query}&cursor=&total=1&limit=5`]), `${path}/count?${query}`];
};

const LISTS = at(['/tasks'], RELATIONS.flatMap(about).filter((_, index) => index % 2 === 0)); // prettier-ignore

/** Conditions that reach relations on either side of the tenant's border. */
const CONDITIONS = [
  'filter=assignee.name||notnull',
  'filter=parent.title||isnull&filter=project.name||notnull',
  'filter=watchers.name||cont||LEAK',
  'or=related.title||starts||A&or=subtasks.title||starts||z',
  s({ $not: { 'comments.body': { $cont: 'LEAK' } } }),
];

const AGGREGATES = [
  'groupBy=assignee.name&aggregate=count||*',
  'groupBy=project.name,assignee.name&aggregate=sum||points&aggregate=avg||estimate',
  'groupBy=project.name&aggregate=countDistinct||id&having=project.name||cont||LEAK',
  'groupBy=assignee.name&aggregate=count||*&sort=assignee.name,DESC&page=1&limit=1',
  'groupBy=project.name||name&having=name||gt||B&sort=name,DESC&includeDeleted=1',
  'aggregate=count||*&aggregate=max||points&aggregate=min||estimate',
  'groupBy=dueOn:quarter&aggregate=count||*&sort=count,DESC',
];

const EXPORTS = [
  'format=csv&join=project||name&join=assignee||name&join=parent||title',
  'format=csv&join=watchers||name&join=related||title&fields=title&includeDeleted=1',
  'format=ndjson&join=subtasks&join=comments&join=comments.author&limit=7',
  'format=ndjson&sort=assignee.name,DESC&sort=project.name,ASC&fields=title',
];

const narrowed = (path: string, queries: readonly string[]): string[] =>
  queries.flatMap((query, index) => [`${path}?${query}`, `${path}?${query}&${CONDITIONS[index % 5]!}`]);

const MORE_QUESTIONS: readonly string[] = [
  ...['/tasks', '/projects/4/tasks'].flatMap((path) => [
    ...narrowed(`${path}/aggregate`, AGGREGATES),
    ...narrowed(path, EXPORTS),
  ]),
  '/projects/5/tasks/aggregate?aggregate=count||*',
  '/projects/5/tasks?format=csv',
  '/audit/aggregate?groupBy=entity,kind&aggregate=count||*',
  '/audit?format=csv&fields=entity',
].map((path) => path.replaceAll('||', '%7C%7C'));

/** Paths with queries, all of them of one tenant's member; the last are of single records. */
export const QUESTIONS: readonly string[] = [
  ...MORE_QUESTIONS,
  ...LISTS.filter((question) => !question.includes('limit=')).flatMap(otherwise),
  ...at(
    ['/tasks', '/projects/4/tasks'],
    ['project.name', 'parent.title', 'assignee.email', 'assignee.role'].flatMap((field) => [
      `cursor=&limit=9&sort=${field},ASC`,
      `cursor=&limit=9&sort=${field},DESC&sort=priority,ASC`,
    ]),
  ),
  ...at(['/comments'], ['cursor=&limit=9&sort=author.name,ASC', 'cursor=&limit=9&sort=task.title,DESC&total=1']),
  '/projects/5/tasks/count',
  '/projects/5/tasks?cursor=&total=1',
  '/tasks/count?includeDeleted=1',
  '/audit/count',
  '/members?cursor=&limit=2',
  ...at(['/tasks'], TASKS),
  ...at(
    ['/projects/4/tasks', '/tasks/60', '/tasks/1'],
    RELATIONS.flatMap(({ path, text }) => [`join=${path}`, `filter=${path}.${text}%7C%7Ccont%7C%7CLEAK&join=${path}`]),
  ),
  ...at(['/projects', '/projects/1'], PROJECTS),
  ...at(['/comments'], COMMENTS),
  ...at(['/comments/1', '/comments/2'], ['join=task', 'join=author', 'join=task&join=author']),
  '/projects/5/tasks?page=1&limit=1',
  '/tasks?includeDeleted=1&page=1&limit=1',
  '/members?sort=email,ASC',
  '/members?includeDeleted=1&page=1&limit=2',
  '/settings?sort=key,ASC',
  '/settings/theme',
  '/audit?page=1&limit=1',
  '/tenant?join=members',
];
