/** The queries of `GET /aggregate` and of exports with which a member may ask after records of another tenant that own records lead to. */

const s = (condition: object): string => `s=${encodeURIComponent(JSON.stringify(condition))}`;

/** Conditions that reach relations on either side of the tenant's border. */
const CONDITIONS = [
  '',
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

/** Paths with queries, all of them of one tenant's member. */
export const MORE_QUESTIONS: readonly string[] = [
  ...['/tasks', '/projects/4/tasks'].flatMap((path) => [
    ...AGGREGATES.flatMap((query, index) => [
      `${path}/aggregate?${query}`,
      `${path}/aggregate?${query}&${CONDITIONS[1 + (index % 5)]!}`,
    ]),
    ...EXPORTS.flatMap((query, index) => [`${path}?${query}`, `${path}?${query}&${CONDITIONS[1 + (index % 5)]!}`]),
  ]),
  '/projects/5/tasks/aggregate?aggregate=count||*',
  '/projects/5/tasks?format=csv',
  '/audit/aggregate?groupBy=entity,kind&aggregate=count||*',
  '/audit?format=csv&fields=entity',
].map((path) => path.replaceAll('||', '%7C%7C'));
