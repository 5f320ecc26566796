/** The records that the example starts with. They look like a product's, and have all that is hard on an operator: see `test/seed-records.spec.ts`. */
import { PEOPLE } from './seed-people.js';
import {
  AGES,
  BALANCES,
  BIOS,
  BIRTHDAYS,
  CHANGED_AFTER,
  CITIES,
  EXTREMES,
  FOUNDED,
  MADE,
  ROLES,
  SCORES,
  SETTINGS,
  SINCE,
  TAGS,
} from './seed-values.js';
import type { Records } from './seed.js';
import { times, turn, uuid } from './seeding.js';

const COMPANIES: readonly (readonly [name: string, domain: string, description: string | null])[] = [
  ['Lumen Software', 'lumen.example', 'Invoicing, payroll and time sheets for small firms'],
  ['lumen software', 'lumen-nordic.example', null],
  ['50% Off Outlet', 'outlet.example', 'Last season, at 50% of its price or less'],
  ['snake_case Labs', 'snake-case.example', 'Style guides, linters and code_reviews'],
  ['Smith, Jones & Partners', 'smith-jones.example', 'Contracts, mergers, and estates'],
  ['Müller || Söhne', 'MuellerSoehne.example', 'Tische || Stühle || Schränke'],
  [`O'Hara's "Old" Bakery`, 'oharas.example', `It's the "old" one since 1921`],
  ['Art\\Work Gallery', 'artwork.example', 'Price lists are in W:\\lists\nBy appointment only'],
  ['東京商事', 'tokyo-shoji.example', '世界中へお届けします 😀'],
  ['LUMEN SOFTWARE ', 'lumen-archive.example', ''],
];

/** When the record of an index was made and changed. */
function timesOf(index: number, made: readonly Date[]): { createdAt: Date; updatedAt: Date } {
  const createdAt = turn(made, index);

  return { createdAt, updatedAt: new Date(createdAt.getTime() + turn(CHANGED_AFTER, index)) };
}

const companies = COMPANIES.map(([name, domain, description], index) => ({
  name,
  domain,
  description,
  ...timesOf(index, FOUNDED),
}));

/** As many profiles as users; those of the users without one (see below) belong to nobody. */
const profiles = times(100, (index) => ({
  bio: turn(BIOS, index),
  city: turn(CITIES, index),
  createdAt: turn(MADE, index),
}));

function birthDateOf(index: number): string | null {
  if (index < BIRTHDAYS.length) return turn(BIRTHDAYS, index);
  if (index % 9 === 1) return null;

  return new Date(Date.UTC(1958 + ((index * 17) % 49), (index * 7) % 12, ((index * 11) % 28) + 1))
    .toISOString()
    .slice(0, 10);
}

/** On New Year's Day of 2026; some have told one of the two only. */
function ageOf(index: number, birthDate: string | null): number | null {
  if (birthDate === null) return turn(AGES, index);
  if (index % 13 === 12) return null;

  return 2025 - Number(birthDate.slice(0, 4)) + (birthDate.endsWith('-01-01') ? 1 : 0);
}

/** Ten users a company, in its order; each tenth is without profile. */
const users = PEOPLE.map(([first, last, mailbox, isShared], index) => {
  const birthDate = isShared ? null : birthDateOf(index);

  return {
    email: `${mailbox}@${COMPANIES[Math.floor(index / 10)]![1]}`,
    name: { first, last },
    password: `secret-${index + 1}`,
    age: isShared ? null : ageOf(index, birthDate),
    balance: turn(BALANCES, index),
    score: turn(SCORES, index),
    isActive: index % 4 !== 3,
    role: turn(ROLES, index),
    tags: turn(TAGS, index),
    settings: turn(SETTINGS, index),
    birthDate,
    ...timesOf(index, MADE),
    companyId: Math.floor(index / 10) + 1,
    profileId: index % 10 === 9 ? null : index + 1,
    ...EXTREMES[index],
  };
});

/** The projects of each company, uneven, and none of the last. */
const PROJECTS: readonly (readonly (readonly [name: string, budget: number | null])[])[] = [
  [
    ['Customer portal', 48_000],
    ['customer portal', null],
    ['Intranet clean-up', 0],
    ['Pro bono: food bank site', 0.01],
    ['Raise conversion by 10%', 48_000],
    ['Maintenance, uncapped', 9_999_999_999.99],
  ],
  [
    ['Δ-sync for accountants', 26_500.75],
    ['Customer portal', 30_000],
    ['road_map 2026', null],
    ['A || B test of the sign-up', 4_200.5],
    ["Founder's dashboard", 0],
  ],
  [
    ['Spring sale 50%', 12_000],
    ['Loyalty card', 48_000],
    ['loyalty card', null],
    ['New store in Łódź', 350_000],
  ],
  [
    ['snake_case naming guide', 900],
    ['road-map 2026', null],
    ['Linter rules', 7_800.1],
    ['Naming "bake-off"', 0],
  ],
  [
    ['Merger of Hill, Park & Co.', 120_000],
    ['Archive on \\\\files\\1998', 15_500],
    ['Client intake', null],
  ],
  [
    ['Ausbau der Werkstatt', 85_000],
    ['Q&A, phase 2', 4_200.5],
    ['Fuhrpark', 48_000],
  ],
  [
    ['Sourdough by post', 5_600],
    ['Café at the harbour', null],
  ],
  [
    ['Summer exhibition', 64_000],
    ['Catalogue raisonné', 18_000],
  ],
  [['新基幹システム', 5_000_000]],
];
const SUMMARIES = ['Kick-off held, plan agreed', null, '', 'Scope is 80% settled, see plan_v2', null] as const;

const projects = PROJECTS.flatMap((own, index) =>
  own.map(([name, budget]) => ({ name, budget, companyId: index + 1 })),
).map((project, index) => ({
  ...project,
  description: turn(SUMMARIES, index),
  isActive: index % 3 !== 2,
  createdAt: turn(MADE, index + 2),
}));

/** None to four projects a user, of any company; the last two projects have no users. */
const userProjects = times(100, (index) =>
  times(index % 5, (nth) => ({ userId: index + 1, projectId: ((index * 3 + nth * 11) % 28) + 1 })),
).flat();

/** Four a company: two of its own users, two of the next company's. */
const memberships = times(40, (index) => {
  const company = Math.floor(index / 4);
  const nth = index % 4;

  return {
    companyId: company + 1,
    userId: nth < 2 ? company * 10 + nth + 1 : ((company + 1) % 10) * 10 + nth + 1,
    role: turn(['owner', 'member', 'Member', 'guest', 'partner_50%'], index),
    since: turn(SINCE, index),
  };
});

const DEVICES = [
  'Label printer',
  null,
  'label printer',
  'Łódź: scanner, 100% charged',
  '',
  'Till',
  'Badge reader',
] as const;

/** Some serial numbers come from a list in which a hyphen became `%2D`. */
const devices = times(20, (index) => ({
  id: uuid(`device ${index + 1}`),
  serial: `${turn(['SN-', 'sn_', 'SN%2D'], index)}${String(index + 1).padStart(3, '0')}`,
  description: turn(DEVICES, index),
}));

/** Names, indented by their depth. */
const TREE = `
Electronics
  Phones
    Smartphones
      Refurbished
      refurbished
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
    Åkerbär
    Apples
Gift cards
`;

/** A tree four levels deep, parents before their children. */
function branchesOf(tree: string): { name: string; parentId: number | null }[] {
  const path: number[] = [];

  return tree
    .trim()
    .split('\n')
    .map((line, index) => {
      const name = line.trimStart();
      const depth = (line.length - name.length) / 2;

      path[depth] = index + 1;

      return { name, parentId: path[depth - 1] ?? null };
    });
}

const KINDS = ['login', 'logout', 'Login', 'order_placed', 'discount.50%', '購入', 'error'] as const;
const PAYLOADS = [
  { ok: true },
  null,
  [],
  { items: [1, 2, { gift: null }], note: 'it\'s "urgent" \\ 😀' },
  'web',
  42,
  false,
  '42',
  {},
  [null, 'retry', 1.5],
  0,
] as const;

/** Two hundred, some in the same millisecond, the later ones not always with the higher key; they begin where clocks in Europe go back. */
const events = times(200, (index) => ({
  kind: turn(KINDS, index),
  payload: turn(PAYLOADS, index),
  at: new Date(Date.UTC(2025, 9, 26, 0, 59, 58, 900) + ((index * 37) % 100) * 45_678),
}));

/** The same on every start and every database. */
export const RECORDS: Records = {
  companies,
  profiles,
  users,
  projects,
  userProjects,
  memberships,
  devices,
  categories: branchesOf(TREE),
  events,
};
