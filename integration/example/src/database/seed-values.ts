/** The values that records of people and their times take in turn. */
import { Role } from '../users/user.entity.js';

/** Written down all over the world, some in an hour that a clock showed twice or skipped, some at the turn of a year. */
const instants = (...texts: string[]): Date[] => texts.map((text) => new Date(text));

/** When companies were entered: before everything of theirs. */
export const FOUNDED = instants(
  '2019-11-03T01:30:00.999-04:00',
  '2019-12-31T23:59:59.999Z',
  '2020-01-01T00:00:00.000+14:00',
  '2020-02-29T23:59:59.999+05:45',
  '2020-03-29T02:30:00.123+01:00',
  '2020-06-14T09:20:41.500+02:00',
  '2020-02-29T23:59:59.999+05:45',
);

/** When people, projects and profiles were. */
export const MADE = instants(
  '2021-06-14T09:20:41.500+02:00',
  '2021-12-31T23:59:59.999Z',
  '2023-11-05T01:30:00.999-05:00',
  '2024-02-29T12:00:00.050+09:30',
  '2024-03-31T02:30:00.123+01:00',
  '2025-01-01T00:00:00.000+14:00',
  '2024-12-31T23:59:59.001-11:00',
  '2024-12-31T23:59:59.001-11:00',
  '2025-03-03T08:45:12.007-03:00',
);

/** How long after its creation, in milliseconds, a record was changed last; many never were. */
export const CHANGED_AFTER = [0, 1, 0, 86_400_000, 1_234, 9 * 86_400_000 + 999, 31 * 86_400_000] as const;

/** Since when members are some. */
export const SINCE = [
  '2021-04-01',
  null,
  '2024-02-29',
  '2021-12-31',
  '2022-01-01',
  '2022-01-01',
  '2025-06-30',
  null,
  '2020-12-31',
] as const;

/** Birthdays that lie beside a leap day, an epoch or the turn of a year; those of other people follow from their number. */
export const BIRTHDAYS = [
  '1990-01-01',
  null,
  '2000-02-29',
  '1969-12-31',
  '1970-01-01',
  '1989-12-31',
  '1944-03-01',
  '1990-01-01',
  '2007-12-31',
] as const;

export const CITIES = [
  'Lisbon',
  'lisbon',
  'São Paulo',
  '東京',
  'Zürich',
  null,
  'New York',
  "L'Aquila",
  'Łódź',
  null,
  'Київ',
  'القاهرة',
  'תל אביב',
] as const;

export const BIOS = [
  'Takes the night train whenever there is one',
  null,
  'Ask me about "the old CRM".\nPrefers e-mail.',
  '50% coffee, 50% spreadsheets',
  'Elsewhere known as m_berg',
  'Émigré, gardener, early riser',
  'Notes are in C:\\Users\\me\\notes',
  null,
  '',
  'Always up for a walk 😀',
  "It's my second year here",
  'Sales || support, whoever calls first',
  '404',
  "At quizzes: Robert'); DROP TABLE users;--",
  'Trains, teams, tomatoes',
] as const;

export const AGES = [34, null, 27] as const;
export const BALANCES = [
  100.5,
  null,
  0,
  -42.75,
  1280,
  100.51,
  0.1,
  100.5,
  1234.56,
  null,
  -250,
  18_999.99,
  64.4,
] as const;
export const SCORES = [0.5, null, -0.125, 0.30000000000000004, 4, 0, 0.875, 0.5, 3, null, -2] as const;
export const TAGS = [
  ['newsletter'],
  null,
  [],
  ['vip', 'newsletter'],
  ['VIP'],
  ['10% discount', 'beta_tester'],
  ['partner', 'beta', 'early access'],
  null,
  ['São Paulo', '日本語'],
  ["founders' circle"],
] as const;
export const SETTINGS = [
  { theme: 'dark', pageSize: 20 },
  null,
  { theme: 'light', pageSize: 100, beta: true },
  {},
  { theme: null, layout: { sidebar: { width: 1 } } },
  { theme: 'Dark', beta: false },
  { pageSize: '20', pinned: [1, 'two', null] },
  { theme: 'contrast_150%', 'sign off': 'it\'s "me" \\ 😀' },
] as const;
export const ROLES = [Role.Member, Role.Guest, Role.Member, Role.Admin, Role.Member] as const;

/** Shared accounts that fill a column to its ends, by their index. */
export const EXTREMES: Readonly<Record<number, object>> = {
  17: { age: 0, balance: 0.01, score: 1e21 },
  46: { balance: 9_999_999_999.99, score: 1e-7 },
  59: { balance: -0.01 },
  94: { balance: -9_999_999_999.99, score: 0 },
};
