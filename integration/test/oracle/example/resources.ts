/** The resources of the example application as its specification describes them. */
import type { Resource, Scope } from '../evaluator/resource.js';
import { category, company, device, event, membership, project, user } from './tables.js';

/** Companies 1 to 10 exist, 99 does not; 3 and 7 are soft-deleted, which hides their users nowhere. */
const ofCompany = (id: number): Scope => ({
  url: `/companies/${id}/users`,
  admits: (entry) => entry.get('companyId') === id,
});
/** Users 1 to 10 belong to company 1, and so on. */
const ofDemoUser = (id: number): Scope => ({
  url: '/my/projects',
  headers: { 'x-demo-user': String(id) },
  admits: (entry) => entry.get('companyId') === Math.ceil(id / 10),
});
const withoutPassword = { exclude: ['password'] };

export const EXAMPLE_RESOURCES: readonly Resource[] = [
  {
    name: '/companies',
    table: company,
    softDelete: true,
    maxLimit: 500,
    joins: { users: withoutPassword, projects: {}, 'users.projects': { alias: 'up' } },
    scopes: [{ url: '/companies' }],
  },
  {
    name: '/companies/:companyId/users',
    table: user,
    ...withoutPassword,
    joins: { company: {}, 'company.projects': {}, profile: {}, projects: {} },
    scopes: [1, 3, 4, 99].map(ofCompany),
  },
  {
    name: '/users',
    table: user,
    ...withoutPassword,
    joins: { company: { exclude: ['description'] }, profile: {}, projects: {} },
    sort: [{ path: 'id', descending: false }],
    limit: 50,
    maxLimit: 500,
    scopes: [{ url: '/users' }],
  },
  {
    name: '/projects',
    table: project,
    alwaysPaginate: true,
    limit: 10,
    joins: { company: { required: true }, users: withoutPassword },
    scopes: [{ url: '/projects' }],
  },
  { name: '/my/projects', table: project, joins: {}, scopes: [1, 11, 95].map(ofDemoUser) },
  { name: '/devices', table: device, joins: {}, scopes: [{ url: '/devices' }] },
  {
    name: '/memberships',
    table: membership,
    joins: { company: {}, user: withoutPassword },
    scopes: [{ url: '/memberships' }],
  },
  {
    name: '/categories',
    table: category,
    joins: { parent: {}, children: {}, 'parent.parent': {}, 'children.children': {} },
    scopes: [{ url: '/categories' }],
  },
  { name: '/events', table: event, joins: {}, scopes: [{ url: '/events' }] },
];

/** Keys into /users' settings and /events' payload. */
export const EXAMPLE_KEYS: readonly (readonly string[])[] = [
  ['theme'],
  ['pageSize'],
  ['beta'],
  ['nested', 'level', 'deep'],
  ['odd key'],
  ['ok'],
  ['note'],
];
