/** Names → columns and relations; names that lead nowhere, prototype keys above all; aliases that are unique whatever the options. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JoinOptions } from '../../src/definition/query-options.js';
import { findField, findRelation, getNames } from '../../src/plan/resolve-names.js';
import { badges, categories, companies, users } from './catalogs.js';

const JOINS: JoinOptions = { company: {}, 'company.projects': {}, projects: { alias: 'pr' }, profile: {} };
const names = getNames(users, { join: JOINS });
const field = (name: string, of = names) => {
  const found = findField(of, name);
  return found && [found.steps.at(-1)?.path ?? '', found.column.path, ...found.jsonPath];
};
const relation = (name: string, of = names) => findRelation(of, name)?.at(-1)?.path;

describe('names of fields', () => {
  test.each([
    ['email', ['', 'email']],
    ['name.first', ['', 'name.first']],
    ['settings', ['', 'settings']],
    ['settings.theme', ['', 'settings', 'theme']],
    ['settings.a.b', ['', 'settings', 'a', 'b']],
    ['company.name', ['company', 'name']],
    ['company.projects.name', ['company.projects', 'name']],
    ['pr.name', ['projects', 'name']],
    ['pr.company.name', ['projects.company', 'name']],
    ['projects.name', ['projects', 'name']],
    ['company.users.settings.theme', ['company.users', 'settings', 'theme']],
    ['profile.user.profile.city', ['profile.user.profile', 'city']],
  ])('%s', (name, expected) => {
    expect(field(name)).toEqual(expected);
  });

  test.each([
    '',
    '.',
    'email.',
    '.email',
    'name',
    'name.middle',
    'email.length',
    'company',
    'pr',
    'pr.company',
    'User.email',
    'Email',
    'settings.',
    'settings..a',
    'set\0tings',
    'settings.a\0',
    'a.'.repeat(100) + 'a',
  ])('%j leads nowhere', (name) => {
    expect(field(name)).toBeUndefined();
  });

  test('the last segment of a path names a relation where it is unambiguous', () => {
    const one = getNames(companies, { join: { 'users.profile': {} } });
    expect(field('profile.city', one)).toEqual(['users.profile', 'city']);
    const borne = getNames(users, { join: { 'company.projects': {} } });
    expect(field('projects.name', borne)).toEqual(['projects', 'name']);
    const twice = getNames(companies, { join: { 'users.profile': {}, 'projects.users.profile': {} } });
    expect(field('profile.city', twice)).toBeUndefined();
  });

  test('keys of Object.prototype are no names', () => {
    const keys = fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'valueOf',
      'prototype',
      '__defineGetter__',
    );
    const known = fc.constantFrom('company', 'projects', 'pr', 'name', 'email', 'profile');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(keys, known), { maxLength: 4 }),
        keys,
        fc.array(keys, { maxLength: 2 }),
        (before, key, after) => {
          const name = [...before, key, ...after].join('.');
          expect(findField(names, name)).toBeUndefined();
          expect(findRelation(names, name)).toBeUndefined();
          expect(
            findField(getNames(users, { join: JSON.parse(`{"${key}": {"alias": "${key}"}}`) as JoinOptions }), name),
          ).toBeUndefined();
        },
      ),
    );
  });

  test('every name resolves to something in the catalogs', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'company',
            'projects',
            'users',
            'profile',
            'user',
            'name',
            'first',
            'id',
            'settings',
            'x',
            'pr',
            '',
          ),
          { maxLength: 6 },
        ),
        (segments) => {
          const found = findField(names, segments.join('.'));
          if (found) expect(found.catalog.columns.get(found.column.path)).toBe(found.column);
        },
      ),
    );
  });
});

describe('names of relations', () => {
  test.each([
    ['company', 'company'],
    ['company.projects', 'company.projects'],
    ['pr', 'projects'],
    ['pr.company', 'projects.company'],
    ['company.users.company', 'company.users.company'],
  ])('%s', (name, expected) => {
    expect(relation(name)).toBe(expected);
  });

  test.each(['', 'email', 'company.name', 'company.', 'Company', 'pr.x'])('%j leads nowhere', (name) => {
    expect(relation(name)).toBeUndefined();
  });
});

describe('aliases', () => {
  const aliases = (...args: Parameters<typeof getNames>) => Object.fromEntries(getNames(...args).aliases);

  test('last segment, else the whole path; `alias` goes first', () => {
    expect(aliases(users, { join: JOINS })).toEqual({
      '': 'User',
      company: 'company',
      'company.projects': 'company_projects',
      projects: 'pr',
      profile: 'profile',
    });
    expect(aliases(companies, { join: { 'users.projects': {} } })).toEqual({
      '': 'Company',
      users: 'users',
      'users.projects': 'projects',
    });
  });

  test("no alias is the root's, and no two are equal, ignoring case", () => {
    expect(
      aliases(badges, { join: { membership: { alias: 'BADGE' }, 'membership.company': { alias: 'Membership' } } }),
    ).toEqual({
      '': 'Badge',
      membership: 'membership',
      'membership.company': 'membership_company',
    });
  });

  test('self relations to any depth', () => {
    expect(
      aliases(categories, { join: { parent: {}, children: {}, 'parent.parent': {}, 'children.children': {} } }),
    ).toEqual({
      '': 'Category',
      parent: 'parent',
      children: 'children',
      'parent.parent': 'parent_parent',
      'children.children': 'children_children',
    });
  });

  test('unique whatever the options', () => {
    const paths = fc.constantFrom(
      'company',
      'company.projects',
      'company.users',
      'projects',
      'projects.company',
      'profile',
      'profile.user',
      'company.users.projects',
    );
    const options = fc.record({
      alias: fc.option(fc.constantFrom('User', 'company', 'COMPANY', 'company_projects', 'a', 'A'), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.dictionary(paths, options), (join) => {
        const given = [...getNames(users, { join }).aliases.values()].map((alias) => alias.toLowerCase());
        expect(new Set(given).size).toBe(given.length);
      }),
    );
  });
});
