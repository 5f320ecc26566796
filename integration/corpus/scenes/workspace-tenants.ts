/** One tenant asks for what belongs to another. */
import { encode, type Scene, type Step, speakAs } from '../scene.js';

const member = { 'x-demo-member': '6' };
const { get, patch, post, put, remove, queries } = speakAs(member);
const nobody = speakAs();

const scene = (name: string, ...steps: Step[]): Scene => ({ name, app: 'workspace', steps });
const PATHS = ['/tasks', '/projects', '/members', '/comments', '/audit', '/settings', '/tenant', '/projects/1/tasks'];

export const WORKSPACE_TENANTS: readonly Scene[] = [
  scene(
    'nobody and strangers',
    ...PATHS.flatMap((path) => [
      nobody.get(path),
      nobody.post(path, {}),
      get(`${path}?limit=1`),
      get(`${path}/1`),
      patch(`${path}/1`, {}),
      remove(`${path}/1`),
    ]),
    ...['', 'abc', '0', '-1', '99', '1 OR 1=1', '1,6'].map((id) => nobody.get('/tenant', { 'x-demo-member': id })),
  ),
  scene(
    'reads across tenants',
    ...queries(
      '/tasks',
      'filter=id||lt||61&fields=id&page=1&limit=2',
      'or=id||lt||61&fields=id&page=1&limit=2',
      'filter=id||gt||0&or=id||lt||61&fields=id&page=1&limit=2',
      `s=${encode('{"$or":[{"id":1},{"tenantId":{"$notnull":true}}]}')}&fields=id&page=1&limit=2`,
      `s=${encode('{"$not":{"id":-1}}')}&fields=id&page=1&limit=2`,
      'filter=project.name||cont||Acme&page=1&fields=id&limit=2',
      'filter=assignee.name||notnull&filter=assigneeId||lt||6&page=1&fields=id&limit=2',
      'filter=parent.tenantId||notnull&filter=parentId||lt||61&page=1&fields=id&limit=2',
      'includeDeleted=1&filter=id||lt||61&page=1&fields=id&limit=2',
    ),
    get('/tasks/120?join=assignee&join=parent&join=watchers&join=related&fields=assigneeId,parentId'),
    get('/tasks/count?filter=id||lt||61'),
    get('/tasks/aggregate?groupBy=assignee.name&aggregate=count||*'),
    get('/tasks?format=csv&filter=id||lt||61&fields=id'),
    get('/projects/1/tasks/count'),
  ),
  scene(
    'writes across tenants',
    patch('/tasks/1', { title: 'x' }),
    put('/tasks/1', { title: 'x', projectId: 5 }),
    remove('/tasks/1'),
    patch('/tasks/1/recover'),
    patch('/tasks/bulk', {
      bulk: [
        { id: 61, title: 'ok' },
        { id: 1, title: 'x' },
      ],
    }),
    patch('/tasks/bulk?filter=id||lt||61', { set: { title: 'x' } }),
    remove('/tasks/bulk?filter=id||lt||61'),
    post('/tasks', { title: 'x', projectId: 1 }),
    post('/tasks', { title: 'x', projectId: 5, tenantId: 'x' }),
    post('/tasks', { title: 'x', projectId: 5, assigneeId: 1 }),
    post('/tasks', { title: 'x', projectId: 5, assignee: { id: 1 } }),
    post('/tasks', { title: 'x', projectId: 5, parent: { id: 1 } }),
    post('/tasks', { title: 'x', projectId: 5, watchers: [1, 6] }),
    post('/tasks', { title: 'x', projectId: 5, related: [{ id: 1 }] }),
    post('/tasks', { title: 'x', projectId: 5, subtasks: [{ id: 1, title: 'x' }] }),
    post('/tasks', { title: 'x', projectId: 5, subtasks: [{ title: 'x', projectId: 1 }] }),
    patch('/tasks/61', { project: { id: 1 } }),
    patch('/tasks/120', { watchers: [6] }),
    patch('/tasks/120', { assigneeId: null }),
    patch('/tasks/120', { parent: null }),
    get('/tasks/120?join=watchers||name&fields=assigneeId,parentId,version'),
    put('/settings/theme', { value: 'mine', tenantId: 'x' }),
    put('/settings/bulk', { bulk: [{ key: 'theme', value: 7, tenantId: 'x' }] }),
    post('/projects', { key: 'WEB', name: 'mine' }),
    post('/projects/1/tasks', { title: 'x' }),
    post('/projects/1/tasks/1/complete', { comment: 'x' }),
    post('/members', { email: 'member1@acme.example', name: 'x', password: 'long enough' }),
    get('/audit?fields=entity,kind,recordId&page=1&limit=5&sort=id,DESC'),
  ),
];
