/** Writes of many records: by key, by condition, as upserts. */
import { type Scene, type Step, speakAs } from '../scene.js';

const { get, patch, post, put, remove } = speakAs({ 'x-demo-member': '1' });

const scene = (name: string, ...steps: Step[]): Scene => ({ name, app: 'workspace', steps });
const AUDIT = get('/audit?fields=entity,kind,recordId,changes&sort=id,DESC&limit=12&page=1');

/** Bodies that no route of many records takes. */
const refused = (write: (path: string, body?: unknown) => Step): Step[] =>
  [undefined, {}, [], { bulk: [] }, { bulk: 'x' }, { bulk: [null] }, { bulk: [{}] }, { bulk: [{ id: 'x' }] }]
    .concat([
      { bulk: [{ id: 9999, title: 'x' }] },
      { bulk: [{ id: 1 }, { id: 1 }] },
      { bulk: [{ id: 61, title: 'x' }] },
    ])
    .map((body) => write('/tasks/bulk', body));

export const WORKSPACE_MANY: readonly Scene[] = [
  scene(
    'bulk updates',
    patch('/tasks/bulk', {
      bulk: [
        { id: 1, title: 'One' },
        { id: 2, points: 9 },
        { id: 3, title: 'Three', points: 1 },
      ],
    }),
    AUDIT,
    patch('/tasks/bulk', { bulk: [{ id: 1, title: 'One' }] }),
    patch('/tasks/bulk', { bulk: [{ id: 1, title: 'Uno', version: 1 }] }),
    patch('/tasks/bulk', { bulk: [{ id: 1, title: 'Uno', version: 2 }] }),
    patch('/tasks/bulk', {
      bulk: [
        { id: 4, title: 'ok' },
        { id: 5, title: '' },
      ],
    }),
    patch('/tasks/bulk', {
      bulk: [
        { id: 4, title: 'ok' },
        { id: 5, status: 'nope' },
      ],
    }),
    patch('/tasks/bulk', {
      bulk: [
        { id: 4, title: 'ok' },
        { id: 5, projectId: 5 },
      ],
    }),
    patch('/tasks/bulk', {
      bulk: [
        { id: 4, watchers: [1, 2] },
        { id: 5, watchers: [] },
      ],
    }),
    patch('/tasks/bulk', { bulk: [{ id: 4, title: 'x' }] }, { 'if-match': '"x"' }),
    ...refused(patch),
    get('/tasks?filter=id||lte||5&fields=title,points,version&join=watchers||name'),
  ),
  scene(
    'bulk replacements, deletions and recoveries',
    put('/tasks/bulk', {
      bulk: [
        { id: 1, title: 'One', projectId: 1 },
        { id: 2, title: 'Two', projectId: 2, points: 1 },
      ],
    }),
    put('/tasks/bulk', { bulk: [{ id: 1, title: 'One' }] }),
    put('/settings/bulk', {
      bulk: [
        { key: 'theme', value: 1 },
        { key: 'brand new', value: { a: 1 } },
      ],
    }),
    put('/settings/bulk', {
      bulk: [
        { key: 'theme', value: 2 },
        { key: 'locale', value: 2 },
      ],
    }),
    put('/settings/bulk', { bulk: [{ key: 'bulk', value: 2 }] }),
    put('/settings/bulk', { bulk: [{ value: 2 }] }),
    get('/settings?fields=key,value'),
    ...refused(put),
    remove('/tasks/bulk', { bulk: [{ id: 7 }, { id: 8 }] }),
    get('/tasks/7'),
    post('/tasks/bulk/delete', { bulk: [{ id: 10 }] }),
    post('/tasks/bulk/delete', { bulk: [{ id: 10 }] }),
    ...refused(remove),
    patch('/tasks/bulk/recover', { bulk: [{ id: 7 }, { id: 8 }, { id: 10 }] }),
    patch('/tasks/bulk/recover', { bulk: [{ id: 9999 }] }),
    get('/tasks?filter=id||in||7,8,10&fields=version'),
    remove('/comments/bulk', { bulk: [{ id: 1 }, { id: 2 }] }),
    patch('/comments/bulk', { bulk: [{ id: 3, body: 'changed' }] }),
    AUDIT,
  ),
  scene(
    'writes by condition',
    patch('/tasks/bulk?filter=status||eq||done', { set: { points: 4 } }),
    patch('/tasks/bulk?filter=status||eq||done', { set: { points: 4 } }),
    get('/tasks?filter=points||eq||4&fields=status&limit=2&page=1'),
    patch('/tasks/bulk', { set: { points: 4 } }),
    patch('/tasks/bulk?filter=id||gt||0&or=id||lte||0', { set: { points: 4 } }),
    patch('/tasks/bulk?s=%7B%7D', { set: { points: 4 } }),
    patch('/tasks/bulk?filter=id||lt||3', { set: {} }),
    patch('/tasks/bulk?filter=id||lt||3', { set: { id: 7 } }),
    patch('/tasks/bulk?filter=id||lt||3', { set: { version: 7 } }),
    patch('/tasks/bulk?filter=id||lt||3', { set: { title: '' } }),
    patch('/tasks/bulk?filter=id||lt||3', { set: { tenantId: 'x', points: 5 } }),
    patch('/tasks/bulk?filter=id||lt||3', { set: { projectId: 5 } }),
    patch('/tasks/bulk?filter=id||lt||3', { set: { assignee: { id: 2 } } }),
    patch('/tasks/bulk?filter=id||lt||3', { set: { assignee: { id: 7 } } }),
    patch('/tasks/bulk?filter=id||lt||3', { bulk: [{ id: 1, points: 1 }] }),
    patch('/tasks/bulk?filter=id||lt||3&limit=1', { set: { points: 1 } }),
    patch('/tasks/bulk?filter=id||lt||3&sort=id,ASC', { set: { points: 1 } }),
    patch('/tasks/bulk?filter=nope||eq||3', { set: { points: 1 } }),
    patch('/tasks/bulk?filter=assignee.name||eq||Ada', { set: { priority: 5 } }),
    remove('/tasks/bulk?filter=title||starts||Ship'),
    remove('/tasks/bulk?filter=title||starts||Ship'),
    remove('/tasks/bulk'),
    post('/tasks/bulk/delete?filter=title||starts||Draft', {}),
    patch('/projects/1/tasks/bulk?filter=points||isnull', { set: { points: 0 } }),
    patch('/comments/bulk?filter=id||lt||3', { set: { body: 'x' } }),
    AUDIT,
    get('/tasks?fields=id&limit=1&page=1'),
  ),
  scene(
    'upserts',
    post('/projects', { key: 'WEB', name: 'Web again' }),
    post('/projects', { key: 'NEW', name: 'New' }),
    post('/projects', { key: 'NEW', name: 'New again', budget: '1.50' }),
    post('/projects/bulk', {
      bulk: [
        { key: 'WEB', name: 'a' },
        { key: 'N2', name: 'b' },
      ],
    }),
    post('/projects/bulk', {
      bulk: [
        { key: 'WEB', name: 'c' },
        { key: 'APP', name: 'd' },
      ],
    }),
    post('/projects/bulk', {
      bulk: [
        { key: 'N3', name: 'a' },
        { key: 'N3', name: 'b' },
      ],
    }),
    post('/projects', { key: 'WEB' }),
    post('/projects', { name: 'No key' }),
    remove('/projects/4'),
    post('/projects', { key: 'LAB', name: 'Deleted' }),
    get('/projects?fields=key,name,budget'),
    AUDIT,
  ),
];
