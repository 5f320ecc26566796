/** Single writes of the workspace: nested records, hooks, tags, own routes. */
import { ODD_VALUES, type Scene, type Step, speakAs } from '../scene.js';

const { get, patch, post, put, remove } = speakAs({ 'x-demo-member': '1' });
const plain = speakAs({ 'x-demo-member': '3' });

const scene = (name: string, ...steps: Step[]): Scene => ({ name, app: 'workspace', steps });
const TASK = { title: 'New', projectId: 1 };
const AUDIT = get('/audit?fields=entity,kind,recordId,changes&sort=id,DESC&limit=12&page=1');

const TASK_FIELDS = [
  'title',
  'projectId',
  'parentId',
  'assigneeId',
  'status',
  'priority',
  'estimate',
  'points',
  'dueOn',
]
  .concat(['labels', 'settings', 'version', 'tenantId', 'deletedAt', 'project', 'parent', 'subtasks', 'assignee'])
  .concat(['watchers', 'related', 'comments']);

export const WORKSPACE_WRITES: readonly Scene[] = [
  ...TASK_FIELDS.map((field) =>
    scene(
      `odd values of tasks ${field}`,
      ...ODD_VALUES.map((value) => patch('/tasks/1', { [field]: value })),
      get('/tasks/1'),
    ),
  ),
  scene(
    'tasks written',
    post('/tasks', TASK),
    patch('/tasks/{id}', { title: 'Changed', labels: ['a', 'b'] }),
    patch('/tasks/{id}', { title: 'Changed' }),
    patch('/tasks/{id}', { version: 1, title: 'Stale' }),
    put('/tasks/{id}', { ...TASK, points: 3 }),
    put('/tasks/{id}', { points: 3 }),
    AUDIT,
    remove('/tasks/{id}'),
    patch('/tasks/{id}/recover'),
    post('/tasks', {
      ...TASK,
      subtasks: [
        { title: 'Sub', projectId: 1 },
        { title: 'Sub 2', projectId: 2 },
      ],
    }),
    get('/tasks/{id}?join=subtasks||title,tenantId,version'),
    patch('/tasks/4', {
      subtasks: [
        { id: 5, title: 'Renamed' },
        { title: 'Added', projectId: 1 },
      ],
    }),
    get('/tasks/4?join=subtasks||title'),
    patch('/tasks/4', { subtasks: [{ id: 10, title: 'Of another' }] }),
    patch('/tasks/4', { subtasks: [] }),
    patch('/tasks/1', { related: [{ id: 3 }, { title: 'Fresh', projectId: 1 }] }),
    get('/tasks/1?join=related||title'),
    patch('/tasks/1', { related: [2] }),
    patch('/tasks/1', { watchers: [1, { id: 2 }], assignee: { id: 3 } }),
    get('/tasks/1?join=watchers||name&join=assignee||name'),
    patch('/tasks/1', { assignee: null, project: { id: 2 } }),
    patch('/tasks/1', { parentId: 1 }),
    AUDIT,
    post('/projects/2/tasks', { title: 'In project 2', projectId: 3 }),
    post('/projects/2/tasks/{id}/complete', { comment: 'Done.' }),
    post('/projects/2/tasks/{id}/complete', { comment: 'Done.' }),
    post('/projects/2/tasks/{id}/complete', { comment: '' }),
    post('/projects/3/tasks/{id}/complete', { comment: 'Elsewhere' }),
    get('/comments?sort=id,DESC&limit=2'),
  ),
  scene(
    'conditional writes',
    get('/tasks/1'),
    patch('/tasks/1', { title: 'First' }, { 'if-match': '{tag}' }),
    patch('/tasks/1', { title: 'Second' }, { 'if-match': '"aaaaaaaa.bbbbbbbb"' }),
    patch('/tasks/1', { title: 'Third' }, { 'if-match': '*' }),
    patch('/tasks/1', { title: 'Third' }, { 'if-match': '{tag}' }),
    patch('/tasks/1', { title: 'Fourth' }, { 'if-match': 'W/{tag}' }),
    patch('/tasks/1', { title: 'Fifth' }, { 'if-match': 'malformed' }),
    patch('/tasks/9999', { title: 'x' }, { 'if-match': '"aaaaaaaa.bbbbbbbb"' }),
    remove('/tasks/2', undefined, { 'if-match': '"aaaaaaaa.bbbbbbbb"' }),
    patch('/projects/1', { name: 'No tag' }),
    get('/projects/1'),
    patch('/projects/1', { name: 'Tagged' }, { 'if-match': '{tag}' }),
    patch('/projects/1', { name: 'Again' }, { 'if-match': '"aaaaaaaa.bbbbbbbb"' }),
    put('/settings/fresh', { value: 1 }, { 'if-none-match': '*' }),
    put('/settings/fresh', { value: 2 }, { 'if-none-match': '*' }),
    put('/settings/fresh', { value: 2 }),
    put('/settings/fresh', { value: 3 }, { 'if-match': '{tag}' }),
    put('/settings/absent', { value: 3 }, { 'if-match': '*' }),
    patch('/settings/fresh', { value: { deep: [1] } }),
    remove('/settings/fresh'),
    put('/settings/fresh', { key: 'other', value: 1 }),
    put('/settings/bulk', { value: 1 }),
    AUDIT,
  ),
  scene(
    'members and comments',
    post('/members', { email: 'new@acme.example', name: 'New', password: 'long enough' }),
    post('/members', { email: 'new@acme.example', name: 'New', password: 'long enough' }),
    post('/members', { email: 'two@acme.example', name: 'New', password: 'short' }),
    post('/members', {
      email: 'three@acme.example',
      name: 'New',
      password: 'long enough',
      passwordHash: 'x',
      tenantId: 'x',
    }),
    patch('/members/{id}', { role: 'admin' }),
    plain.patch('/members/{id}', { role: 'owner' }),
    plain.patch('/members/{id}', { name: 'Plain' }),
    patch('/members/{id}', { password: 'another long one', email: 'ignored@acme.example' }),
    patch('/members/{id}', {}),
    put('/members/{id}', { email: 'put@acme.example', name: 'Put', password: 'long enough' }),
    remove('/members/{id}'),
    remove('/members/1'),
    post('/comments', { taskId: 1, body: 'Hello' }),
    post('/comments', { taskId: 1, body: 'Hello', authorId: 2 }),
    post('/comments', { taskId: 61, body: 'Hello' }),
    patch('/comments/{id}', { body: 'Hi' }),
    remove('/comments/{id}'),
    patch('/tenant', { name: 'Acme 2' }),
    plain.patch('/tenant', { name: 'Mine' }),
    post('/audit', { entity: 'x' }),
    remove('/audit/1'),
  ),
];
