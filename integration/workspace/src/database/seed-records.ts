/** The records that the workspace starts with. They look like a product's; tenants are alike enough that one's would pass for another's. */
import { times, turn, uuid } from '@nestwright/example';
import { Role } from '../members/member.entity.js';
import { Status } from '../tasks/task.entity.js';
import { Plan } from '../tenants/tenant.entity.js';
import { COMMENTS, TITLES } from './seed-texts.js';
import type { Records } from './seed.js';

/** Tenants by their number, from 0. Their projects have the same keys, and those of their settings are the same. */
const TENANTS = [
  {
    name: 'Northlight Studio',
    plan: Plan.Business,
    domain: 'northlight.example',
    members: [
      ['Ada Lindqvist', 'ada.lindqvist'],
      ['Grace Okafor', 'Grace.Okafor'],
      ["Conor O'Brien", "conor.o'brien"],
      ['Åsa Nyström', 'asa_nystrom'],
      ['李娜 (50%)', 'li.na'],
    ],
    projects: [
      ['Studio website', '48000.00'],
      ['Studio app', null],
      ['Studio operations', '12500.50'],
      ['Studio lab', '0.01'],
    ],
    settings: [
      { mode: 'dark', wide: true },
      'en-GB',
      3,
      'monday',
      [4, 24],
      'Europe/Stockholm',
      'DD_MM',
      0.5,
      '#0a7d5c',
      'northlight.svg',
    ],
  },
  {
    name: 'Harbor Foods',
    plan: Plan.Team,
    domain: 'harborfoods.example',
    members: [
      ['Marta Kowalska', 'marta.kowalska'],
      ['Ravi Menon', 'ravi.menon+office'],
      ["Aoife D'Arcy", "aoife.d'arcy"],
      ['Zoë "Zee" Brandt', 'zoe_brandt'],
      ['Олена Шевченко (80%)', 'olena'],
    ],
    projects: [
      ['Harbor shop', '15000.00'],
      ['Harbor driver app', '48000.00'],
      ['Harbor warehouse', '9999999999.99'],
      ['Harbor snack_lab', null],
    ],
    settings: [
      { mode: 'light', wide: false },
      'en-US',
      5,
      'sunday',
      [8, 48],
      'America/New_York',
      'MM_DD',
      0.75,
      '#b3541e',
      'harbor.svg',
    ],
  },
  {
    name: '株式会社ネスト',
    plan: Plan.Free,
    domain: 'nest.example',
    members: [
      ['佐藤 恵', 'megumi.sato'],
      ['田中 健', 'ken.tanaka'],
      ["Luca Dell'Orto", "luca.dell'orto"],
      ['Åsa Nyström', 'asa_nystrom'],
      ['鈴木 一郎 (50%)', 'ichiro.suzuki'],
    ],
    projects: [
      ['ネスト ウェブサイト', null],
      ['ネスト アプリ', '0.00'],
      ['ネスト 社内業務', '2500000.00'],
      ['ネスト 研究_100%', '15000.00'],
    ],
    settings: [
      { mode: 'dark', wide: false },
      'ja-JP',
      2,
      'monday',
      [2, 12],
      'Asia/Tokyo',
      'MM_DD',
      0.5,
      '#c2185b',
      'nest.svg',
    ],
  },
] as const;
const MEMBERS = 5;
const KEYS = ['WEB', 'APP', 'OPS', 'LAB'] as const;
const PROJECTS = KEYS.length;
const TASKS = TITLES.length;
const COMMENTED = 120;
const SETTING_KEYS = [
  'theme',
  'locale',
  'wip.limit',
  'week start',
  'sla/hours',
  'zone',
  'date_format',
  'alert at %',
  '色',
  'logo',
] as const;

/** The n-th of a list of records, from 0, by the tenant that it belongs to. */
const eachTenant = <T>(count: number, record: (index: number, tenant: number) => T): T[] =>
  TENANTS.flatMap((_, tenant) => times(count, (index) => record(index, tenant)));

/** Keys as the database generates them: those of the first tenant, then those of the second. */
const nth = (count: number) => (tenant: number, index: number) => tenant * count + index + 1;
const memberId = nth(MEMBERS);
const projectId = nth(PROJECTS);
const taskId = nth(TASKS);

/** Keys of the tenants, in their order. */
export const TENANT_IDS = TENANTS.map(({ domain }) => uuid(domain));
const tenantId = (tenant: number) => turn(TENANT_IDS, tenant);

/** A time of the n-th working day, from Monday, 5 January 2026. */
const onDay = (day: number, minute: number): Date =>
  new Date(Date.UTC(2026, 0, 5 + day + Math.floor(day / 5) * 2, 8, minute, 0, (minute * 37) % 1000));
const dateOf = (time: Date): string => time.toISOString().slice(0, 10);

const tenants = TENANTS.map(({ name, plan }, index) => ({
  id: tenantId(index),
  name,
  plan,
  createdAt: onDay(-80 + index * 5, 15),
}));

const ROLES = [Role.Owner, Role.Admin, Role.Member, Role.Member, Role.Member] as const;

/** Nobody knows a password to these. */
const NO_PASSWORD = '-';

const members = eachTenant(MEMBERS, (index, tenant) => {
  const { members, domain } = TENANTS[tenant]!;
  const [name, mailbox] = members[index]!;

  return {
    tenantId: tenantId(tenant),
    email: `${mailbox}@${domain}`,
    name,
    passwordHash: NO_PASSWORD,
    role: turn(ROLES, index),
    createdAt: onDay(-60 + index * 5, 30),
  };
});

const projects = eachTenant(PROJECTS, (index, tenant) => {
  const [name, budget] = TENANTS[tenant]!.projects[index]!;

  return { tenantId: tenantId(tenant), key: KEYS[index]!, name, budget, createdAt: onDay(-10 + index, 45) };
});

/** The task of each tenant that, by a mistake of the past, leads to another tenant. */
const STRAY = TASKS - 1;
const neighbour = (tenant: number) => (tenant + 1) % TENANTS.length;

/** No estimate is made in earnest of this one. */
const SOMEDAY = TITLES.indexOf('Someday: rewrite everything');
const ESTIMATES = ['2.50', null, '0.25', '16.00', '2.50', '40.00', '0.00'] as const;
const LABELS = [['urgent'], null, ['ui', 'ux'], ['back end', 'ui'], null] as const;
const SETTINGS = [{ theme: 'dark', wip: 3 }, null, { theme: 'light' }, [], 'compact', 0] as const;
/** Days, and none for each third task. */
const TIME_LEFT = [14, 7, 21, 7, 30] as const;

/** In every project some of each. */
const statusOf = (index: number): Status =>
  turn([Status.Todo, Status.Doing, Status.Done, Status.Todo], index + Math.floor(index / PROJECTS));

/** Two a working day. */
const createdAt = (index: number): Date => onDay(Math.floor(index / 2), (index % 2) * 240 + index);

const tasks = eachTenant(TASKS, (index, tenant) => {
  const created = createdAt(index);
  const due = new Date(created.getTime() + turn(TIME_LEFT, index) * 86_400_000);

  return {
    tenantId: tenantId(tenant),
    projectId: projectId(tenant, index % PROJECTS),
    ...links(index, tenant),
    title: TITLES[index]!,
    status: statusOf(index),
    priority: turn([1, null, 3, 2, 3], index),
    estimate: index === SOMEDAY ? '999999.99' : turn(ESTIMATES, index),
    points: turn([1, 2, null, 3, 5, 8, null], index),
    dueOn: index % 3 === 2 ? null : dateOf(due),
    labels: turn(LABELS, index),
    settings: turn(SETTINGS, index),
    createdAt: created,
    updatedAt: statusOf(index) === Status.Todo ? created : onDay(Math.floor(index / 2) + 1 + (index % 5), index),
  };
});

/** Each fifth task is below the one before it. */
function links(index: number, tenant: number): { parentId: number | null; assigneeId: number | null } {
  if (index === STRAY) return { parentId: null, assigneeId: memberId(neighbour(tenant), 2) };

  return {
    parentId: index % 5 === 4 ? taskId(tenant, index - 1) : null,
    assigneeId: index % 4 === 3 ? null : memberId(tenant, index % MEMBERS),
  };
}

/** Each second task is watched by two members. */
const watchers = [
  ...eachTenant(TASKS / 2, (index, tenant) => [
    { taskId: taskId(tenant, index * 2 + 1), memberId: memberId(tenant, index % MEMBERS) },
    { taskId: taskId(tenant, index * 2 + 1), memberId: memberId(tenant, (index + 1) % MEMBERS) },
  ]).flat(),
  ...TENANTS.map((_, tenant) => ({ taskId: taskId(tenant, STRAY), memberId: memberId(neighbour(tenant), 3) })),
];

/** Each third task is related to the next one, and the first to the third. */
const related = [
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

/** Two a task, on the whole: none on each fourth. All were made after the tasks. */
const comments = eachTenant(COMMENTED, (index, tenant) => {
  const task = Math.floor((index % 45) / 3) * 4 + (index % 3);

  return {
    tenantId: tenantId(tenant),
    taskId: taskId(tenant, task),
    authorId: memberId(tenant, index % MEMBERS),
    body: turn(COMMENTS[statusOf(task)], index),
    createdAt: onDay(36 + Math.floor(index / 6), (index % 6) * 75 + index),
  };
});

/** The keys are each tenant's, most of the values are not. */
const settings = eachTenant(SETTING_KEYS.length, (index, tenant) => ({
  tenantId: tenantId(tenant),
  key: SETTING_KEYS[index]!,
  value: TENANTS[tenant]!.settings[index],
  updatedAt: onDay(index, 5),
}));

/** The same on every start and every database. */
export const RECORDS: Records = {
  tenants,
  members,
  projects,
  tasks,
  strayParents: TENANTS.map((_, tenant) => ({ id: taskId(tenant, STRAY), parentId: taskId(neighbour(tenant), 0) })),
  watchers,
  related,
  comments,
  settings,
};
