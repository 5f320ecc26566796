/** The queries with which a member may ask for, or ask after, records of another tenant that own records lead to. */

/** Relations of tasks, by paths, with a text and another value of theirs; a list is sorted by those to one. */
const RELATIONS: readonly [path: string, text: string, other: string, toOne?: true][] = [
  ['project', 'name', 'budget', true],
  ['parent', 'title', 'priority', true],
  ['assignee', 'email', 'role', true],
  ['subtasks', 'title', 'priority'],
  ['watchers', 'name', 'createdAt'],
  ['related', 'title', 'dueOn'],
  ['comments', 'body', 'createdAt'],
  ['comments.author', 'email', 'name'],
];

const s = (condition: object): string => `s=${encodeURIComponent(JSON.stringify(condition))}`;

/** Queries of tasks about one relation. */
function about([path, text, other, toOne]: (typeof RELATIONS)[number]): string[] {
  const field = `${path}.${text}`;
  const conditions = [
    ...['notnull', 'isnull', 'cont||LEAK', 'excl||LEAK'].map((rest) => `filter=${field}||${rest}`),
    ...[`filter=${field}||gt||B&filter=${field}||lt||z`, `filter=id||gt||0&or=${field}||notnull`],
    ...[`filter=${path}.id||isnull&filter=${field}||isnull`, `filter=${path}.tenantId||notnull&includeDeleted=1`],
    s({ $not: { [field]: { $cont: 'LEAK' } } }),
    s({ $or: [{ [field]: { $isnull: true } }, { [`${path}.${other}`]: { $notnull: true } }] }),
    s({ [field]: { $or: { $starts: 'A', $isnull: true } } }),
  ];
  const joins = ['', `||id,${other}`, `||${text}||on[0]=${field}||notnull`, '&includeDeleted=1'];
  return [
    ...joins.map((rest) => `join=${path}${rest}`),
    ...conditions,
    ...conditions.slice(1, 4).flatMap((condition) => [`join=${path}&${condition}`, `${condition}&page=1&limit=2`]),
    ...(toOne ? [`sort=${field},ASC`, `sort=${path}.${other},DESC&limit=7`] : []),
  ];
}

const PROJECTS = [
  ...['join=tasks', 'join=tasks||title&page=1&limit=2', 'join=tasks&includeDeleted=1'],
  ...['filter=tasks.title||cont||LEAK', 'filter=tasks.title||isnull', s({ 'tasks.tenantId': { $notnull: true } })],
];

const COMMENTS = [
  ...['join=task', 'join=author||email', 'filter=task.id||isnull', 'filter=author.id||notnull&page=1&limit=5'],
  ...['filter=author.email||cont||LEAK', 'filter=task.title||excl||LEAK&page=3&limit=7', 'sort=author.name,ASC'],
];

/** Conditions that reach relations on either side of the tenant's border. */
const CONDITIONS = [
  'filter=assignee.name||notnull',
  'filter=parent.title||isnull&filter=project.name||notnull',
  'or=related.title||starts||A&or=subtasks.title||starts||z',
  s({ $not: { 'comments.body': { $cont: 'LEAK' } } }),
];

const AGGREGATES = [
  'groupBy=project.name,assignee.name&aggregate=sum||points&aggregate=avg||estimate',
  'groupBy=project.name&aggregate=countDistinct||id&having=project.name||cont||LEAK',
  'groupBy=assignee.name&aggregate=count||*&sort=assignee.name,DESC&page=1&limit=1',
  'groupBy=dueOn:quarter&aggregate=count||*&sort=count,DESC',
].map((query) => `/aggregate?${query}`);

const EXPORTS = [
  'format=csv&join=watchers||name&join=related||title&fields=title&includeDeleted=1',
  'format=ndjson&join=subtasks&join=comments&join=comments.author&limit=7',
  'format=ndjson&sort=assignee.name,DESC&sort=project.name,ASC&fields=title',
].map((query) => `?${query}`);

const tasks = RELATIONS.flatMap(about);

/** Paths with queries, all of them of one tenant's member. */
export const QUESTIONS: readonly string[] = [
  ...['/tasks', '/projects/4/tasks'].flatMap((path) =>
    [...AGGREGATES, ...EXPORTS].flatMap((query, index) =>
      ['', `&${CONDITIONS[index % 4]!}`].map((condition) => path + query + condition),
    ),
  ),
  ...tasks.map((query) => `/tasks?${query}`),
  ...tasks
    .filter((query, index) => index % 2 === 0 && !query.includes('limit='))
    .flatMap((query) => [`/tasks?${query}&cursor=&total=1&limit=5`, `/tasks/count?${query}`]),
  ...['/projects/4/tasks', '/tasks/60', '/tasks/1'].flatMap((at) =>
    RELATIONS.flatMap(([path, text]) =>
      [`join=${path}`, `filter=${path}.${text}||cont||LEAK&join=${path}`].map((query) => `${at}?${query}`),
    ),
  ),
  ...['/projects', '/projects/1'].flatMap((path) => PROJECTS.map((query) => `${path}?${query}`)),
  ...COMMENTS.map((query) => `/comments?${query}`),
  ...['/comments/1?join=task', '/comments/2?join=author', '/comments?cursor=&limit=9&sort=author.name,ASC'],
  ...['/projects/5/tasks/count', '/projects/5/tasks?cursor=&total=1', '/projects/5/tasks?format=csv'],
  ...['/projects/5/tasks/aggregate?aggregate=count||*', '/tasks/count?includeDeleted=1', '/audit/count'],
  ...['/audit/aggregate?groupBy=entity,kind&aggregate=count||*', '/audit?format=csv&fields=entity', '/settings/theme'],
  ...['/members?cursor=&limit=2', '/members?includeDeleted=1&page=1&limit=2', '/settings?sort=key,ASC'],
  '/tenant?join=members',
].map((path) => path.replaceAll('||', '%7C%7C'));
