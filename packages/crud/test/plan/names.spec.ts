/** Names → columns and relations; names that lead nowhere, prototype keys above all; aliases that are unique whatever the options. */
import { expect, test } from '@jest/globals';
import type { JoinOptions } from '../../src/definition/query-options.js';
import { unreadColumnsOf } from '../../src/plan/column-access.js';
import { findField, findRelation, getNames } from '../../src/plan/resolve-names.js';
import { badges, categories, companies, users } from './catalogs.js';

const JOINS: JoinOptions = { company: {}, 'company.projects': {}, projects: { alias: 'pr' }, profile: {} };
const names = getNames(users, { join: JOINS });
const field = (name: string, of = names) => {
  const found = findField(of, name);
  return found && [found.steps.at(-1)?.path ?? '', found.column.path, ...found.jsonPath];
};

test.each([
  ['settings.a.b', ['', 'settings', 'a', 'b']],
  ['company.projects.name', ['company.projects', 'name']],
  ['pr.company.name', ['projects.company', 'name']],
  ['company.users.settings.theme', ['company.users', 'settings', 'theme']],
  ['profile.user.profile.city', ['profile.user.profile', 'city']],
])('names of fields: %s', (name, expected) => expect(field(name)).toEqual(expected));

test.each([
  ...['', '.', 'email.', '.email', 'name', 'name.middle', 'email.length', 'company', 'pr', 'pr.company'],
  ...['User.email', 'Email', 'settings.', 'settings..a', 'set\0tings', 'settings.a\0', 5 as never],
  'settings' + '.a'.repeat(64),
])('names of fields: %j leads nowhere', (name) => expect(field(name)).toBeUndefined());

test('names of fields: the last segment of a path names a relation where it is unambiguous', () => {
  const one = getNames(companies, { join: { 'users.profile': {} } });
  expect(field('profile.city', one)).toEqual(['users.profile', 'city']);
  expect(field('projects.name', getNames(users, { join: { 'company.projects': {} } }))).toEqual(['projects', 'name']);
  const twice = getNames(companies, { join: { 'users.profile': {}, 'projects.users.profile': {} } });
  expect(field('profile.city', twice)).toBeUndefined();
  const taken = getNames(users, { join: { 'company.users': { alias: 'profile' } } });
  expect([field('profile.city', taken), field('profile.email', taken)]).toEqual([['profile', 'city'], undefined]);
});

test('names of fields: keys of Object.prototype are no names', () => {
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__']) {
    const join = JSON.parse(`{"${key}": {"alias": "${key}"}}`) as JoinOptions;
    const bearing = getNames(users, { join });
    for (const name of [key, `company.${key}`, `${key}.name`, `pr.${key}.${key}`, `email.${key}`])
      expect(findField(names, name) ?? findField(bearing, name) ?? findRelation(names, name)).toBeUndefined();
  }
});

test('names are made anew for options that may change, and once for those that are frozen', () => {
  const query = { join: { company: {} } as JoinOptions };
  expect(getNames(users, query).configured.size).toBe(1);
  query.join['projects'] = {};
  expect(getNames(users, query).configured.size).toBe(2);
  expect(getNames(users, Object.freeze(query))).toBe(getNames(users, query));
});

test('columns that are kept from being read in any place of their entity', () => {
  const options = { exclude: ['name'], join: { company: { exclude: ['domain'] }, 'company.users': { allow: ['id'] } } };
  const unread = (target: typeof users, query = options) => [...unreadColumnsOf(target, users, query)];
  expect(unread(companies)).toEqual(['domain']);
  expect(unread(users)).toHaveLength(users.columns.size - 1);
  const closed = { ...options, join: { ...options.join, 'company.users': { allow: [] } } };
  expect(unread(users, closed)).toEqual(['name.first', 'name.last']);
  expect(unread(categories)).toEqual([]);
});

const ALIKE: JoinOptions = { membership: { alias: 'BADGE' }, 'membership.company': { alias: 'Membership' } };
const PARENTS: JoinOptions = { parent: {}, 'parent.parent': {} };

test.each<[string, typeof users, JoinOptions, aliases: string]>([
  ['last segment, else the whole path; `alias` goes first', users, JOINS, 'User company company_projects pr profile'],
  ["none is the root's, or another's, ignoring case", badges, ALIKE, 'Badge membership membership_company'],
  ['self relations to any depth', categories, PARENTS, 'Category parent parent_parent'],
])('aliases: %s', (_, of, join, aliases) => {
  const byPath = getNames(of, { join }).aliases;
  expect(['', ...Object.keys(join)].map((path) => byPath.get(path)).join(' ')).toBe(aliases);
  expect(byPath.size).toBe(1 + Object.keys(join).length);
});
