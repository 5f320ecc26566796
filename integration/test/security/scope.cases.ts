/** The resources of which a client sees a part, and conditions that try to reach beyond it. */
import type { Rows } from '../../test-support/rows.js';

export type Row = Record<string, unknown>;

/** A resource of which a client sees a part, with a complete body, and moves: ways to say in a body that the record is someone else's. */
export interface Scope {
  readonly title: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly table: string;
  readonly isWithin: (row: Row, tables: Rows) => boolean;
  /** Keys of a record within and of one outside. */
  readonly own: number;
  readonly foreign: number;
  /** The column that decides, as the client names it, the same by way of a relation, and values of it within and outside. */
  readonly column: string;
  readonly through?: string;
  readonly values: readonly [within: unknown, outside: unknown];
  readonly body: Row;
  readonly moves: readonly Row[];
  /** The column of a complete body that must not contradict them, since a column wins over its relation. */
  readonly contradicts?: string;
  /** Whether such a body is refused; otherwise what it says is overruled. */
  readonly refuses: boolean;
  /** Whether the resource counts, reads by cursors and writes many. */
  readonly ofMany?: true;
}

export const NORTH = { 'x-tenant': 'north' };
export const NOTE = { title: 'new', kind: 'plain', folderId: 1 };
export const EMAIL = 'scope@example.com';
const SOUTH = { tenantCode: 'south' };
const toSouth = [SOUTH, { tenant: { code: 'south' } }, { tenant: 'south' }, { ...SOUTH, tenant: { code: 'north' } }];
const toCompany = [
  ...[{ companyId: 2 }, { company: { id: 2 } }, { company: 2 }, { companyId: 2, company: { id: 1 } }],
  { company: { id: 2, name: 'stolen' } },
];

/** What the scopes of folders have in common. */
const OF_FOLDERS = {
  table: 'vault_folders',
  isWithin: ({ tenantCode }: Row) => tenantCode === 'north',
  own: 1,
  foreign: 3,
  column: 'tenantCode',
  through: 'tenant.code',
  values: ['north', 'south'] as const,
  ofMany: true,
} as const;

const OF_COMPANY = {
  isWithin: ({ companyId }: Row) => companyId === 1,
  own: 1,
  column: 'companyId',
  values: [1, 2] as const,
  moves: toCompany,
  refuses: false,
} as const;

export const SCOPES: readonly Scope[] = [
  {
    title: 'a number in the path',
    path: '/companies/1/users',
    table: 'users',
    foreign: 11,
    ...OF_COMPANY,
    through: 'company.id',
    body: { email: EMAIL, password: 'secret-0' },
  },
  {
    title: 'a text in the path',
    path: '/tenants/north/folders',
    ...OF_FOLDERS,
    body: { title: 'new' },
    moves: toSouth,
    refuses: false,
  },
  {
    title: 'an enum in the path',
    path: '/kinds/plain/notes',
    table: 'vault_notes',
    ofMany: true,
    isWithin: ({ kind }) => kind === 'plain',
    own: 1,
    foreign: 2,
    column: 'kind',
    values: ['plain', 'secret'],
    body: { title: 'new', folderId: 1 },
    moves: [{ kind: 'secret' }],
    refuses: false,
  },
  {
    title: '@CrudAuth on a column',
    path: '/my/folders',
    headers: NORTH,
    ...OF_FOLDERS,
    body: { title: 'new', tenantCode: 'north' },
    moves: toSouth.slice(0, 3),
    contradicts: 'tenantCode',
    refuses: true,
  },
  {
    title: '@CrudAuth on a column of a relation',
    path: '/my/notes',
    headers: NORTH,
    table: 'vault_notes',
    isWithin: ({ folderId }, { vault_folders: folders }) =>
      folders!.some(({ id, tenantCode }) => id === folderId && tenantCode === 'north'),
    own: 1,
    foreign: 5,
    column: 'folder.tenantCode',
    through: 'folder.tenant.code',
    values: ['north', 'south'],
    moves: [{ folderId: 3 }, { folder: { id: 3 } }, { folder: 3 }, { folder: { id: 3, tenantCode: 'north' } }],
    body: NOTE,
    contradicts: 'folderId',
    refuses: true,
    ofMany: true,
  },
  {
    title: '@CrudAuth with persist',
    path: '/my/projects',
    headers: { 'x-demo-user': '1' },
    table: 'projects',
    ...OF_COMPANY,
    foreign: 7,
    body: { name: 'new' },
  },
];

const text = encodeURIComponent;
export const json = (value: unknown): string => `s=${text(JSON.stringify(value))}`;

/** Conditions that try to reach beyond, and what of the scope they hold for: all, nothing, or the foreign record if it were within. */
export function crowbars(scope: Scope): [query: string, holds: 'all' | 'none'][] {
  const { foreign, column, through = column, values } = scope;
  const [within, outside] = values;
  const [isOutside, some] = [{ [column]: outside }, { id: { $gt: 0 } }];
  const everything = { $or: [{ id: foreign }, some, isOutside] };
  const all = [
    ...['', 'includeDeleted=1', 'fields=id&sort=id,DESC&page=1&limit=100&or=id||gt||0'],
    ...[{}, { $and: [] }, { $or: [{}, isOutside] }, { id: { $notin: [] } }, everything].map(json),
    json({ $or: [isOutside, some, { [through]: outside }] }),
    json({ [column]: { $or: { $eq: outside, $notnull: true } } }),
    json({ $and: [{ $or: [{ $and: [everything] }, { $not: { id: 0 } }] }] }),
    ...[`or=id||eq||${foreign}&or=id||gt||0`, `filter=id||gt||0&or=id||eq||${foreign}`],
    ...[`filter=${column}||eq||${within}&or=${column}||notnull`, `filter=${column}||in||${within},${outside}`],
    `${json({})}&filter=id||eq||0`,
  ];
  const none = [
    ...[{ id: foreign }, isOutside, { [column]: { $ne: within } }, { [through]: outside }, { $or: [] }].map(json),
    json({ [column]: { $or: { $eq: outside, $ne: within } } }),
    ...[{ [column]: within }, { $not: { $or: [isOutside] } }, []].map(($not) => json({ $not })),
    json({ $not: [{ $and: [{ [column]: within }, some] }] }),
    ...[`or=${through}||eq||${String(outside)}`, `filter=id||eq||${foreign}`, `or=id||eq||${foreign}`],
    `filter=id||eq||0&or=${column}||eq||${outside}`,
    `filter=id||eq||0&filter=id||eq||0&or=${column}||eq||${outside}&or=id||gt||0`,
  ];
  const ones = (queries: string[], holds: 'all' | 'none') =>
    queries.map((query): [string, typeof holds] => [query, holds]);
  return [...ones(all, 'all'), ...ones(none, 'none')];
}
