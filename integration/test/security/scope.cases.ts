/** The resources of which a client sees a part, and conditions that try to reach beyond it. */
import type { Rows } from '../../test-support/rows.js';

export type Row = Record<string, unknown>;

/** A resource of which a client sees a part, with a complete body, and moves: ways to say in a body that the record is someone else's. */
interface Scope {
  readonly title: string;
  readonly path: string;
  readonly table: string;
  readonly isWithin: (row: Row, tables: Rows) => boolean;
  /** The key of a record outside; that of one within is 1. */
  readonly foreign: number;
  /** The column that decides, as the client names it, the same by way of a relation, and values of it within and outside. */
  readonly column: string;
  readonly through?: string;
  readonly values: readonly [within: string, outside: string];
  readonly body: Row;
  readonly moves: readonly Row[];
  /** The column of a complete body that must not contradict them, since a column wins over its relation: such bodies are refused. Without one, what they say is overruled. */
  readonly contradicts?: string;
}

export const NOTE = { title: 'new', kind: 'plain', folderId: 1 };
const SOUTH = { tenantCode: 'south' };
const TO_SOUTH = [SOUTH, { tenant: { code: 'south' } }, { tenant: 'south' }];
const OF_FOLDERS = {
  table: 'vault_folders',
  isWithin: ({ tenantCode }: Row) => tenantCode === 'north',
  foreign: 3,
  column: 'tenantCode',
  through: 'tenant.code',
  values: ['north', 'south'],
} as const;

export const SCOPES: readonly Scope[] = [
  {
    title: 'a text in the path',
    path: '/tenants/north/folders',
    ...OF_FOLDERS,
    body: { title: 'new' },
    moves: [...TO_SOUTH, { ...SOUTH, tenant: { code: 'north' } }],
  },
  {
    title: 'an enum in the path',
    path: '/kinds/plain/notes',
    table: 'vault_notes',
    isWithin: ({ kind }) => kind === 'plain',
    foreign: 2,
    column: 'kind',
    values: ['plain', 'secret'],
    body: { title: 'new', folderId: 1 },
    moves: [{ kind: 'secret' }],
  },
  {
    title: '@CrudAuth on a column',
    path: '/my/folders',
    ...OF_FOLDERS,
    body: { title: 'new', tenantCode: 'north' },
    moves: TO_SOUTH,
    contradicts: 'tenantCode',
  },
  {
    title: '@CrudAuth on a column of a relation',
    path: '/my/notes',
    table: 'vault_notes',
    isWithin: ({ folderId }, { vault_folders: folders }) =>
      folders!.some(({ id, tenantCode }) => id === folderId && tenantCode === 'north'),
    foreign: 5,
    column: 'folder.tenantCode',
    through: 'folder.tenant.code',
    values: ['north', 'south'],
    body: NOTE,
    moves: [{ folderId: 3 }, { folder: { id: 3 } }, { folder: 3 }, { folder: { id: 3, tenantCode: 'north' } }],
    contradicts: 'folderId',
  },
];

export const json = (value: unknown): string => `s=${encodeURIComponent(JSON.stringify(value))}`;

/** Conditions that try to reach beyond, and what of the scope they hold for: all or nothing. */
export function crowbars({ foreign, column, through = column, values: [within, outside] }: Scope) {
  const [isOutside, some] = [{ [column]: outside }, { id: { $gt: 0 } }];
  const everything = { $or: [{ id: foreign }, some, isOutside, { [through]: outside }] };
  const all = [
    ...['', 'includeDeleted=1', `or=id||eq||${foreign}&or=id||gt||0`],
    ...[{}, { $or: [{}, isOutside] }, everything, { [column]: { $or: { $eq: outside, $notnull: true } } }].map(json),
    json({ $and: [{ $or: [{ $and: [everything] }, { $not: { id: 0 } }] }] }),
    ...[`filter=${column}||eq||${within}&or=${column}||notnull`, `${json({})}&filter=id||eq||0`],
  ];
  const none = [
    ...[{ id: foreign }, isOutside, { [column]: { $ne: within } }, { [through]: outside }, { $or: [] }].map(json),
    ...[{ [column]: within }, { $not: { $or: [isOutside] } }, []].map(($not) => json({ $not })),
    ...[`or=${through}||eq||${outside}`, `filter=id||eq||${foreign}`],
    `filter=id||eq||0&filter=id||eq||0&or=${column}||eq||${outside}&or=id||gt||0`,
  ];
  const ones = (queries: string[], holds: boolean) =>
    queries.map((query) => [query.replaceAll('||', '%7C%7C'), holds] as const);
  return [...ones(all, true), ...ones(none, false)];
}
