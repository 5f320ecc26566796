/** Bodies: what each column makes of values that clients send by mistake or on purpose. */
import { ODD_VALUES, type Scene, type Step, speakAs, deviceId } from '../scene.js';

const { get, patch, post } = speakAs();

const scene = (name: string, ...steps: Step[]): Scene => ({ name, app: 'example', steps });

const COLUMNS: readonly (readonly [path: string, fields: readonly string[]])[] = [
  [
    '/users/7',
    [
      'id',
      'email',
      'name',
      'password',
      'age',
      'balance',
      'score',
      'isActive',
      'role',
      'tags',
      'settings',
      'birthDate',
    ].concat(['version', 'createdAt', 'companyId', 'company', 'profileId', 'profile', 'projects', 'nope']),
  ],
  ['/companies/1', ['name', 'domain', 'description', 'deletedAt', 'users']],
  ['/projects/3', ['name', 'isActive', 'budget', 'companyId', 'company', 'users']],
  [`/devices/${deviceId(3)}`, ['id', 'serial', 'description']],
  ['/memberships/1/2', ['companyId', 'userId', 'role', 'since', 'company', 'user']],
  ['/categories/4', ['id', 'name', 'parentId', 'parent', 'children']],
];

/** A valid body, and its parts that are required. */
const CREATIONS: readonly (readonly [path: string, body: Readonly<Record<string, unknown>>])[] = [
  ['/users', { email: 'new@example.com', password: 'pw', companyId: 1 }],
  ['/companies', { name: 'New', domain: 'new.example' }],
  ['/projects', { name: 'New', companyId: 1 }],
  ['/devices', { serial: 'NEW-1' }],
  ['/memberships', { companyId: 9, userId: 1, role: 'member' }],
  ['/categories', { name: 'New' }],
  ['/events', { kind: 'new' }],
];

export const EXAMPLE_BODIES: readonly Scene[] = [
  ...COLUMNS.flatMap(([path, fields]) =>
    fields.map((field) =>
      scene(
        `odd values of ${path.split('/')[1]} ${field}`,
        ...ODD_VALUES.map((value) => patch(path, { [field]: value })),
        get(path),
      ),
    ),
  ),
  scene(
    'creations with a part missing, null or odd',
    ...CREATIONS.flatMap(([path, body]) => [
      post(path, body),
      post(path, body),
      post(path, {}),
      post(path, []),
      post(path, 'null'),
      post(path, '"text"'),
      post(path, '{'),
      post(path),
      ...Object.keys(body).flatMap((key) => [
        post(path, { ...body, [key]: undefined }),
        post(path, { ...body, [key]: null }),
        post(path, { ...body, [key]: { $gt: 1 } }),
      ]),
      post(path, { ...body, nope: 1, __proto__: { polluted: true }, constructor: 1 }),
      post(path, body, { 'content-type': 'text/plain' }),
      post(path, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
    ]),
  ),
];
