/** The records of the example, computed from nothing but their number: enough nulls, ties, cases, quotes and scripts to keep every operator honest. */
import {
  AGES,
  BALANCES,
  BIOS,
  BIRTHDAYS,
  CITIES,
  EMAILS,
  FIRST,
  INSTANTS,
  LAST,
  ROLES,
  SCORES,
  SETTINGS,
  TAGS,
} from './seed-values.js';
import { times, turn, uuid } from './seeding.js';

const COMPANIES: readonly (readonly [name: string, domain: string, description: string | null])[] = [
  ['Acme', 'acme.example', 'Makes everything, from anvils to zips'],
  ['acme', 'acme-subsidiary.example', null],
  ['100% Pure', 'pure.example', 'Sells 100% of what it has'],
  ['under_score', 'under-score.example', 'snake_case, all of it'],
  ['Comma, Inc.', 'comma.example', 'Lists, lists, and lists'],
  ['Pipe||Line', 'Pipeline.example', 'a||b||c'],
  [`O'Neil & "Sons"`, 'oneil.example', `It's "quoted"`],
  ['Back\\slash', 'backslash.example', 'C:\\temp\\new\nsecond line'],
  ['株式会社ネスト', 'nest.example', '世界中 😀'],
  ['ACME ', 'acme-holding.example', ''],
];

/** The list `GET /companies` shows; ids count from 1. */
export const companies = (): object[] =>
  COMPANIES.map(([name, domain, description], index) => ({
    name,
    domain,
    description,
    createdAt: turn(INSTANTS, index),
    updatedAt: turn(INSTANTS, index + 1),
  }));

/** As many profiles as users; those of the users without one (see below) belong to nobody. */
export const profiles = (): object[] =>
  times(100, (index) => ({ bio: turn(BIOS, index), city: turn(CITIES, index), createdAt: turn(INSTANTS, index) }));

/** Ten users a company, in its order; each tenth is without profile. */
export const users = (): object[] =>
  times(100, (index) => ({
    email: `${turn(EMAILS, index)}${index + 1}@${turn(['Example.com', 'example.org', 'mail.example'], index)}`,
    name: { first: turn(FIRST, index), last: turn(LAST, index) },
    password: `secret-${index + 1}`,
    age: turn(AGES, index),
    balance: turn(BALANCES, index),
    score: turn(SCORES, index),
    isActive: index % 4 !== 3,
    role: turn(ROLES, index),
    tags: turn(TAGS, index),
    settings: turn(SETTINGS, index),
    birthDate: turn(BIRTHDAYS, index),
    createdAt: turn(INSTANTS, index),
    updatedAt: turn(INSTANTS, index + 3),
    companyId: Math.floor(index / 10) + 1,
    profileId: index % 10 === 9 ? null : index + 1,
  }));

/** Companies of the thirty projects: uneven, and none for the last. */
const PROJECT_COMPANIES = [6, 5, 4, 4, 3, 3, 2, 2, 1, 0].flatMap((count, index) => times(count, () => index + 1));
const PROJECTS = [
  'Apollo',
  'apollo',
  'Gemini',
  'Mercury 50%',
  'Δelta',
  'road_map',
  'Q&A, phase 2',
  'Apollo',
  'a||b',
  'Ünder \\ over',
  "Founder's",
  '計画',
  'zzz',
] as const;
const BUDGETS = [1000, null, 0, 0.01, 1000, 9999999999.99, 250.75] as const;

export const projects = (): object[] =>
  times(30, (index) => ({
    name: turn(PROJECTS, index),
    description: turn(['To the moon', null, '', 'under_way 100%', null], index),
    isActive: index % 3 !== 2,
    budget: turn(BUDGETS, index),
    companyId: turn(PROJECT_COMPANIES, index),
    createdAt: turn(INSTANTS, index + 2),
  }));

/** None to four projects a user, of any company; the last two projects have no users. */
export const userProjects = (): object[] =>
  times(100, (index) =>
    times(index % 5, (nth) => ({ userId: index + 1, projectId: ((index * 3 + nth * 11) % 28) + 1 })),
  ).flat();

/** Four a company: two of its own users, two of the next company's. */
export const memberships = (): object[] =>
  times(40, (index) => {
    const company = Math.floor(index / 4);
    const nth = index % 4;

    return {
      companyId: company + 1,
      userId: nth < 2 ? company * 10 + nth + 1 : ((company + 1) % 10) * 10 + nth + 1,
      role: turn(['owner', 'member', 'Member', 'guest', '50%_'], index),
      since: turn(BIRTHDAYS, index),
    };
  });

export const devices = (): object[] =>
  times(20, (index) => ({
    id: uuid(`device ${index + 1}`),
    serial: `${turn(['SN', 'sn_', 'X%'], index)}-${String(index + 1).padStart(3, '0')}`,
    description: turn(['Printer', null, 'printer', 'Łaser 100%', ''], index),
  }));

/** Names, indented by their depth. */
const TREE = `
Electronics
  Phones
    Smartphones
      Android
      android
    Feature phones
  Computers
    Laptops
      15" & 17"
      100% recycled
    Desktops
Books
  Fiction
    Science_fiction
      Космос
    Comics, manga
      漫画
  Non-fiction
Food
  Fruit
    Åpples
    Apples
Empty
`;

/** A tree four levels deep, parents before their children. */
export const categories = (): object[] => {
  const path: number[] = [];

  return TREE.trim()
    .split('\n')
    .map((line, index) => {
      const name = line.trimStart();
      const depth = (line.length - name.length) / 2;

      path[depth] = index + 1;

      return { name, parentId: path[depth - 1] ?? null };
    });
};

const KINDS = ['login', 'logout', 'Login', 'order_placed', 'order.100%', '購入', 'error'] as const;
const PAYLOADS = [
  { ok: true },
  null,
  [],
  { items: [1, 2, { deep: null }], note: 'it\'s "fine" \\ 😀' },
  'text',
  42,
  false,
  '42',
  {},
  [null, 'a', 1.5],
  0,
] as const;

/** Two hundred, some in the same millisecond, the later ones not always with the higher key. */
export const events = (): object[] =>
  times(200, (index) => ({
    kind: turn(KINDS, index),
    payload: turn(PAYLOADS, index),
    at: new Date(Date.UTC(2024, 9, 27, 0, 59, 58, 900) + ((index * 37) % 100) * 45_678),
  }));
