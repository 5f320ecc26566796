/** The example's seed as the evaluator's tables. Keys count from 1 in the order of the seed; two companies are soft-deleted. */
import {
  categories,
  companies,
  devices,
  events,
  memberships,
  profiles,
  projects,
  userProjects,
  users,
} from '../../../example/src/database/seed-records.js';
import { type Column, type ColumnType, type Entry, entryOf, type Relation, type Table } from '../evaluator/tables.js';

/** Companies that are soft-deleted once the example has started. */
export const DELETED_COMPANIES = [3, 7] as const;
export const DELETED_AT = '2024-07-01T08:00:00.000Z';

const column = (type: ColumnType, ...paths: readonly string[]): Column[] => paths.map((path) => ({ path, type }));
const counted = (records: readonly object[]): Record<string, unknown>[] =>
  records.map((record, index) => ({ id: index + 1, ...record }));

/** Moments are milliseconds in the evaluator. */
const plain = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, value instanceof Date ? value.getTime() : (value as unknown)]),
  );

function table(
  name: string,
  columns: readonly Column[],
  records: readonly object[],
  relations: readonly Relation[] = [],
  more: Partial<Table> = {},
): Table {
  return {
    name,
    columns,
    key: ['id'],
    relations,
    entries: records.map((record) => entryOf(columns, plain(record))),
    ...more,
  };
}

const toOne = (name: string, target: () => Table, by: string, own = 'id'): Relation => ({
  name,
  target,
  many: false,
  of: (entry) =>
    target().entries.filter((other) => (entry.get(by) ?? null) !== null && other.get(own) === entry.get(by)),
});
const toMany = (name: string, target: () => Table, by: string): Relation => ({
  ...toOne(name, target, 'id', by),
  many: true,
});

const memberLinks = userProjects() as { userId: number; projectId: number }[];
const linked = (
  name: string,
  target: () => Table,
  near: 'userId' | 'projectId',
  far: 'userId' | 'projectId',
): Relation => ({
  name,
  target,
  many: true,
  of: (entry: Entry) => {
    const keys = new Set(memberLinks.filter((link) => link[near] === entry.get('id')).map((link) => link[far]));

    return target().entries.filter((other) => keys.has(other.get('id') as number));
  },
});

export const company: Table = table(
  'Company',
  [
    ...column('integer', 'id'),
    ...column('text', 'name', 'domain', 'description'),
    ...column('datetime', 'createdAt', 'updatedAt', 'deletedAt'),
  ],
  counted(companies()).map((record) => ({
    ...record,
    deletedAt: DELETED_COMPANIES.some((id) => id === record['id']) ? Date.parse(DELETED_AT) : null,
  })),
  [toMany('users', () => user, 'companyId'), toMany('projects', () => project, 'companyId')],
  { deleteDate: 'deletedAt' },
);

export const profile: Table = table(
  'Profile',
  [...column('integer', 'id'), ...column('text', 'bio', 'city'), ...column('datetime', 'createdAt')],
  counted(profiles()),
);

export const user: Table = table(
  'User',
  [
    ...column('integer', 'id', 'age', 'version', 'companyId', 'profileId'),
    ...column('text', 'email', 'name.first', 'name.last', 'password'),
    ...column('decimal', 'balance'),
    ...column('float', 'score'),
    ...column('boolean', 'isActive'),
    { path: 'role', type: 'enum', members: ['admin', 'guest', 'member'] },
    ...column('list', 'tags'),
    ...column('json', 'settings'),
    ...column('date', 'birthDate'),
    ...column('datetime', 'createdAt', 'updatedAt'),
  ],
  counted(users()).map((record) => ({ ...record, version: 1 })),
  [
    toOne('company', () => company, 'companyId'),
    toOne('profile', () => profile, 'profileId'),
    linked('projects', () => project, 'userId', 'projectId'),
  ],
);

export const project: Table = table(
  'Project',
  [
    ...column('integer', 'id', 'companyId'),
    ...column('text', 'name', 'description'),
    ...column('boolean', 'isActive'),
    ...column('decimal', 'budget'),
    ...column('datetime', 'createdAt'),
  ],
  counted(projects()),
  [toOne('company', () => company, 'companyId'), linked('users', () => user, 'projectId', 'userId')],
);

export const device: Table = table(
  'Device',
  [...column('uuid', 'id'), ...column('text', 'serial', 'description')],
  devices(),
);

export const membership: Table = table(
  'Membership',
  [...column('integer', 'companyId', 'userId'), ...column('text', 'role'), ...column('date', 'since')],
  memberships(),
  [toOne('company', () => company, 'companyId'), toOne('user', () => user, 'userId')],
  { key: ['companyId', 'userId'] },
);

export const category: Table = table(
  'Category',
  [...column('integer', 'id', 'parentId'), ...column('text', 'name')],
  counted(categories()),
  [toOne('parent', () => category, 'parentId'), toMany('children', () => category, 'parentId')],
);

export const event: Table = table(
  'Event',
  [...column('bigint', 'id'), ...column('text', 'kind'), ...column('json', 'payload'), ...column('datetime', 'at')],
  counted(events()).map((record) => ({ ...record, id: BigInt(record['id'] as number) })),
);
