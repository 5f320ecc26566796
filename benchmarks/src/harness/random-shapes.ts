/** List requests of random shapes: columns, conditions, sorts and joins. Equal numbers give equal requests. */
import type { Call } from './workloads.js';

/** Columns of a user with a value of their type. */
const VALUES: Record<string, string> = {
  id: '77',
  email: 'user77@example.com',
  firstName: 'First 7',
  lastName: 'Last 31',
  age: '40',
  balance: '100.75',
  score: '3.5',
  isActive: 'true',
  role: 'member',
  birthDate: '1990-05-17',
  createdAt: '2023-01-01',
  updatedAt: '2025-01-01',
  companyId: '12',
  mainProjectId: '55',
};
const COLUMNS = [...Object.keys(VALUES), 'tags', 'settings'];
const COMPARABLE = Object.keys(VALUES).filter((name) => name !== 'isActive' && name !== 'role');
const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'notin', 'isnull', 'notnull', 'between'];
const JOINS: Record<string, string[]> = {
  company: ['name', 'domain', 'description', 'createdAt', 'updatedAt'],
  mainProject: ['name', 'description', 'isActive', 'budget', 'companyId', 'createdAt'],
  projects: ['name', 'description', 'isActive', 'budget', 'companyId', 'createdAt'],
};

/** Draws a request; a page is short, so that what differs between two requests is mostly their shape. */
export function randomShape(n: number): Call {
  const random = mulberry32(n);
  const below = (size: number): number => Math.floor(random() * size);
  const some = (names: string[]): string[] => names.filter(() => random() < 0.5);
  const one = (names: string[]): string => names[below(names.length)]!;
  const query = new URLSearchParams({ limit: '2' });
  const fields = some(COLUMNS);

  if (fields.length) query.set('fields', fields.join(','));
  for (let count = below(4); count > 0; count--) query.append('filter', condition(one(COMPARABLE), one(OPERATORS)));
  if (random() < 0.3) query.append('or', condition(one(COMPARABLE), one(OPERATORS)));
  for (const name of some(['lastName', 'age', 'score'])) query.append('sort', `${name},${one(['ASC', 'DESC'])}`);
  for (const [relation, columns] of Object.entries(JOINS))
    if (random() < 0.3) query.append('join', [relation, some(columns).join(',')].filter(Boolean).join('||'));

  // Few users, so that no condition has the database read its whole table.
  const first = below(90_000);

  for (const name of query.has('or') ? ['filter', 'or'] : ['filter'])
    query.append(name, `id||between||${first},${first + 20}`);

  return { method: 'GET', path: `/users?${query.toString()}` };
}

function condition(name: string, operator: string): string {
  const value = VALUES[name]!;

  if (operator === 'isnull' || operator === 'notnull') return `${name}||${operator}`;
  return `${name}||${operator}||${operator === 'between' || operator.endsWith('in') ? `${value},${value}` : value}`;
}

/** A small generator of good enough numbers, seeded: Math.random could not repeat a request. */
function mulberry32(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b9);

  return () => {
    state = (state + 0x6d2b79f5) | 0;

    let mixed = Math.imul(state ^ (state >>> 15), state | 1);

    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
