/** The records of the workspace, computed from nothing but their number: tenants alike enough that one's would pass for another's. */
import { times, turn, uuid } from '@nestwright/example';
import { Role } from '../members/member.entity.js';
import { Status } from '../tasks/task.entity.js';
import { Plan } from '../tenants/tenant.entity.js';

const MEMBERS = 5;
const PROJECTS = 4;
const TASKS = 60;
const COMMENTS = 120;

/** Tenants by their number, from 0. */
const TENANTS = [
  { name: 'Acme', plan: Plan.Business, domain: 'acme.example' },
  { name: 'Globex', plan: Plan.Team, domain: 'globex.example' },
  { name: '株式会社ネスト', plan: Plan.Free, domain: 'nest.example' },
] as const;

/** The n-th of a list of records, from 0, by the tenant that it belongs to. */
const eachTenant = <T>(count: number, record: (index: number, tenant: number) => T): T[] =>
  TENANTS.flatMap((_, tenant) => times(count, (index) => record(index, tenant)));

/** Keys as the database generates them: those of the first tenant, then those of the second. */
const nth = (count: number) => (tenant: number, index: number) => tenant * count + index + 1;
const memberId = nth(MEMBERS);
const projectId = nth(PROJECTS);
const taskId = nth(TASKS);

const after = (seconds: number): Date => new Date(Date.UTC(2025, 0, 1, 8, 0, 0, seconds % 1000) + seconds * 1000);
const day = (index: number): string => new Date(Date.UTC(2025, 1, 1 + index)).toISOString().slice(0, 10);

/** Keys of the tenants, in their order. */
export const TENANT_IDS = TENANTS.map(({ domain }) => uuid(domain));
const tenantId = (tenant: number) => turn(TENANT_IDS, tenant);

export const tenants = (): object[] =>
  TENANTS.map(({ name, plan }, index) => ({ id: tenantId(index), name, plan, createdAt: after(index) }));

const NAMES = ['Ada', 'Grace', "Conan O'Brien", 'Åsa', '李 50%'] as const;
const ROLES = [Role.Owner, Role.Admin, Role.Member, Role.Member, Role.Member] as const;

/** Nobody knows a password to these. */
const NO_PASSWORD = '-';

export const members = (): object[] =>
  eachTenant(MEMBERS, (index, tenant) => ({
    tenantId: tenantId(tenant),
    email: `member${memberId(tenant, index)}@${TENANTS[tenant]!.domain}`,
    name: turn(NAMES, index),
    passwordHash: NO_PASSWORD,
    role: turn(ROLES, index),
    createdAt: after(index * 60),
  }));

/** Each tenant has projects of the same keys. */
const KEYS = ['WEB', 'APP', 'OPS', 'LAB'] as const;

export const projects = (): object[] =>
  eachTenant(PROJECTS, (index, tenant) => ({
    tenantId: tenantId(tenant),
    key: turn(KEYS, index),
    name: `${turn(['Website', 'Mobile app', 'Operations', '研究_100%'], index)} of ${TENANTS[tenant]!.name}`,
    budget: turn(['1000.00', null, '9999999999.99', '0.01'], index + tenant),
    createdAt: after(index * 3600),
  }));

/** The task of each tenant that, by a mistake of the past, leads to another tenant. */
const STRAY = TASKS - 1;
const neighbour = (tenant: number) => (tenant + 1) % TENANTS.length;

const TITLES = ['Plan', 'Draft', 'Review 100%', "Don't panic", 'under_score', 'a, b', '設計', 'Ship'] as const;
const LABELS = [['urgent'], null, ['ui', 'ux'], ['back end', 'ui'], null] as const;
const SETTINGS = [{ theme: 'dark', wip: 3 }, null, { theme: 'light' }, [], 'text', 0] as const;

export const tasks = (): object[] =>
  eachTenant(TASKS, (index, tenant) => ({
    tenantId: tenantId(tenant),
    projectId: projectId(tenant, index % PROJECTS),
    ...links(index, tenant),
    title: `${turn(TITLES, index)} ${index + 1}`,
    status: turn([Status.Todo, Status.Doing, Status.Done, Status.Todo], index),
    priority: turn([1, null, 3, 2, 3], index),
    estimate: turn(['2.50', null, '0.25', '100.00', '2.50', '999999.99'], index),
    points: turn([1, 2, null, 3, 5, 8, null], index),
    dueOn: index % 3 === 2 ? null : day(index % 20),
    labels: turn(LABELS, index),
    settings: turn(SETTINGS, index),
    createdAt: after(index * 900),
    updatedAt: after(index * 900 + 60),
  }));

/** Each fifth task is below the one before it. */
function links(index: number, tenant: number): object {
  if (index === STRAY) return { parentId: null, assigneeId: memberId(neighbour(tenant), 2) };

  return {
    parentId: index % 5 === 4 ? taskId(tenant, index - 1) : null,
    assigneeId: index % 4 === 3 ? null : memberId(tenant, index % MEMBERS),
  };
}

/** The parents of the stray tasks, set once all tasks are there. */
export const strayParents = (): { readonly id: number; readonly parentId: number }[] =>
  TENANTS.map((_, tenant) => ({ id: taskId(tenant, STRAY), parentId: taskId(neighbour(tenant), 0) }));

/** Each second task is watched by two members. */
export const watchers = (): object[] => [
  ...eachTenant(TASKS / 2, (index, tenant) => [
    { taskId: taskId(tenant, index * 2 + 1), memberId: memberId(tenant, index % MEMBERS) },
    { taskId: taskId(tenant, index * 2 + 1), memberId: memberId(tenant, (index + 1) % MEMBERS) },
  ]).flat(),
  ...TENANTS.map((_, tenant) => ({ taskId: taskId(tenant, STRAY), memberId: memberId(neighbour(tenant), 3) })),
];

/** Each third task is related to the next one, and the first to the third. */
export const related = (): object[] => [
  ...eachTenant(TASKS / 3, (index, tenant) => ({
    taskId: taskId(tenant, index * 3 + 1),
    relatedId: taskId(tenant, index * 3 + 2),
  })),
  ...TENANTS.flatMap((_, tenant) => [
    { taskId: taskId(tenant, 0), relatedId: taskId(tenant, 2) },
    { taskId: taskId(tenant, STRAY), relatedId: taskId(tenant, 1) },
    { taskId: taskId(tenant, STRAY), relatedId: taskId(neighbour(tenant), 1) },
  ]),
];

/** Two a task, on the whole: none on each fourth. */
export const comments = (): object[] =>
  eachTenant(COMMENTS, (index, tenant) => ({
    tenantId: tenantId(tenant),
    taskId: taskId(tenant, Math.floor((index % 45) / 3) * 4 + (index % 3)),
    authorId: memberId(tenant, index % MEMBERS),
    body: turn(['Looks good', 'Why 50%?', "It's late", '賛成', 'See a_b, c||d'], index),
    createdAt: after(index * 300),
  }));

const SETTING_KEYS = ['theme', 'locale', 'wip.limit', 'week start', 'sla/hours', 'zone', 'a_b', '50%', '色', 'last'];

/** The keys are each tenant's, the values are not. */
export const settings = (): object[] =>
  eachTenant(SETTING_KEYS.length, (index, tenant) => ({
    tenantId: tenantId(tenant),
    key: turn(SETTING_KEYS, index),
    value: turn([{ tenant, on: true }, `text ${tenant}`, tenant, [tenant]], index),
    updatedAt: after(index * 60),
  }));
