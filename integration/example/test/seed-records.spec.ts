/** The example's records: in sensible clothes, everything that is hard on an operator. */
import { describe, expect, test } from '@jest/globals';
import { isEmail } from 'class-validator';
import {
  collide,
  CYRILLIC,
  EAST_ASIAN,
  EMOJI,
  has,
  matches,
  patternsMatchOthers,
  repeats,
  RIGHT_TO_LEFT,
  valuesAt,
} from '../../test-support/held.js';
import { RECORDS } from '../src/database/seed-records.js';

type Column = readonly [table: keyof typeof RECORDS, path: string];
type Held = readonly [what: string, holds: (values: readonly unknown[]) => boolean, ...columns: Column[]];

const COMPANY = ['companies', 'name'] as const;
const DESCRIPTION = ['companies', 'description'] as const;
const FIRST = ['users', 'name.first'] as const;
const LAST = ['users', 'name.last'] as const;
const EMAIL = ['users', 'email'] as const;
const BIO = ['profiles', 'bio'] as const;
const CITY = ['profiles', 'city'] as const;
const PROJECT = ['projects', 'name'] as const;
const SUMMARY = ['projects', 'description'] as const;
const SERIAL = ['devices', 'serial'] as const;
const DEVICE = ['devices', 'description'] as const;
const ROLE = ['memberships', 'role'] as const;
const CATEGORY = ['categories', 'name'] as const;
const KIND = ['events', 'kind'] as const;
const PAYLOAD = ['events', 'payload'] as const;
const MOMENTS: Column[] = [
  ['companies', 'createdAt'],
  ['users', 'createdAt'],
  ['users', 'updatedAt'],
  ['projects', 'createdAt'],
];

const inUtc = (text: RegExp) => (values: readonly unknown[]) =>
  values.some((value) => text.test((value as Date).toISOString()));

/** What each of the columns holds. */
const HELD: readonly Held[] = [
  ['a percent sign', matches(/%/), COMPANY, DESCRIPTION, LAST, EMAIL, BIO, PROJECT, SUMMARY, SERIAL, DEVICE],
  ['a percent sign', matches(/%/), ROLE, CATEGORY, KIND],
  ['an underscore', matches(/_/), COMPANY, DESCRIPTION, FIRST, EMAIL, BIO, PROJECT, SUMMARY, SERIAL, ROLE],
  ['an underscore', matches(/_/), CATEGORY, KIND],
  ['a pattern that other texts match', patternsMatchOthers, FIRST, LAST, PROJECT],
  ['a comma', matches(/,/), COMPANY, DESCRIPTION, LAST, BIO, PROJECT, CATEGORY],
  ['a double bar', matches(/\|\|/), COMPANY, DESCRIPTION, LAST, BIO, PROJECT],
  ['an apostrophe', matches(/'/), COMPANY, DESCRIPTION, LAST, EMAIL, BIO, CITY, PROJECT],
  ['a double quote', matches(/"/), COMPANY, DESCRIPTION, FIRST, LAST, BIO, PROJECT, CATEGORY],
  ['a backslash', matches(/\\/), COMPANY, DESCRIPTION, LAST, BIO, PROJECT],
  ['a line break', matches(/\n/), DESCRIPTION, BIO],
  ['an ampersand', matches(/&/), COMPANY, PROJECT, CATEGORY],
  ['a plus sign', matches(/\+/), EMAIL],
  ['SQL', matches(/'\); DROP TABLE/), BIO],
  ['Chinese or Japanese', matches(EAST_ASIAN), COMPANY, FIRST, LAST, CITY, PROJECT, CATEGORY, KIND],
  ['Cyrillic', matches(CYRILLIC), FIRST, LAST, CITY, CATEGORY],
  ['a script from right to left', matches(RIGHT_TO_LEFT), FIRST, LAST, CITY],
  ['an accent', matches(/[à-ÿŁ-ź]/i), COMPANY, FIRST, LAST, BIO, CITY, PROJECT, DEVICE, CATEGORY],
  ['a sharp s', matches(/ß/), LAST],
  ['an emoji', matches(EMOJI), DESCRIPTION, FIRST, BIO],
  ['an accent composed and decomposed', collide((text) => text.normalize('NFC')), FIRST],
  ['texts that differ in case', collide((text) => text.toLowerCase()), COMPANY, FIRST, LAST, CITY, PROJECT, DEVICE],
  ['texts that differ in case', collide((text) => text.toLowerCase()), ROLE, CATEGORY, KIND],
  ['texts that differ in a space at the end', collide((text) => text.trimEnd().toLowerCase()), COMPANY],
  ['texts that differ in a space at the end', collide((text) => text.trimEnd()), FIRST, LAST],
  ['a space at the beginning', matches(/^ /), LAST],
  ['an empty text', has(''), DESCRIPTION, FIRST, BIO, SUMMARY, DEVICE],
  ['null', has(null), DESCRIPTION, FIRST, LAST, BIO, CITY, SUMMARY, DEVICE, PAYLOAD],
  ['null', has(null), ['users', 'age'], ['users', 'balance'], ['users', 'score'], ['users', 'birthDate']],
  ['null', has(null), ['users', 'tags'], ['users', 'settings'], ['users', 'profileId']],
  ['null', has(null), ['projects', 'budget'], ['memberships', 'since'], ['categories', 'parentId']],
  ['a name without any part', has({ first: null, last: null }), ['users', 'name']],
  ['texts that read as another type', (values) => ['null', 'true'].every((text) => values.includes(text)), LAST],
  ['a text that reads as a number', matches(/^\d+$/), BIO],
  ['upper case in a unique column', matches(/[A-Z]/), ['companies', 'domain'], EMAIL, SERIAL],
  ['equal sort keys', repeats, FIRST, LAST, BIO, CITY, PROJECT, SUMMARY, DEVICE, ROLE, KIND, ['events', 'at']],
  ['equal sort keys', repeats, ...MOMENTS, ['users', 'age'], ['users', 'balance'], ['users', 'score']],
  ['equal sort keys', repeats, ['users', 'birthDate'], ['projects', 'budget'], ['memberships', 'since']],
  ['zero', has(0), ['users', 'age'], ['users', 'balance'], ['users', 'score'], ['projects', 'budget']],
  ['the least amount', has(0.01), ['users', 'balance'], ['projects', 'budget']],
  ['the greatest amount', has(9_999_999_999.99), ['users', 'balance'], ['projects', 'budget']],
  ['negative amounts, the least among them', has(-9_999_999_999.99), ['users', 'balance']],
  ['a negative amount near zero', has(-0.01), ['users', 'balance']],
  ['neighbours of two decimals', (values) => has(100.5)(values) && has(100.51)(values), ['users', 'balance']],
  ['a double of seventeen digits', has(0.1 + 0.2), ['users', 'score']],
  ['doubles with exponents', (values) => has(1e21)(values) && has(1e-7)(values), ['users', 'score']],
  ['a negative double', has(-0.125), ['users', 'score']],
  [
    'both booleans',
    (values) => has(true)(values) && has(false)(values),
    ['users', 'isActive'],
    ['projects', 'isActive'],
  ],
  ['every role', (values) => ['admin', 'guest', 'member'].every((role) => values.includes(role)), ['users', 'role']],
  ['an empty list', has([]), ['users', 'tags'], PAYLOAD],
  ['an empty object', has({}), ['users', 'settings'], PAYLOAD],
  ['a leap day', has('2000-02-29'), ['users', 'birthDate']],
  [
    'the epoch and the day before',
    (values) => has('1970-01-01')(values) && has('1969-12-31')(values),
    ['users', 'birthDate'],
  ],
  ['the turn of a year', (values) => has('1990-01-01')(values) && has('1989-12-31')(values), ['users', 'birthDate']],
  ['an instant on a leap day', inUtc(/^20\d\d-02-29/), ...MOMENTS],
  ['the last millisecond of a second', inUtc(/\.999Z$/), ...MOMENTS],
  ['the first millisecond of a second', inUtc(/\.001Z$/), ['users', 'createdAt'], ['projects', 'createdAt']],
  ['an hour that a clock skipped', inUtc(/^20(20-03-29|24-03-31)T01:30:00.123Z/), ...MOMENTS],
  ['an hour that a clock showed twice', inUtc(/^20(19-11-03T05|23-11-05T06):30:00.999Z/), ...MOMENTS],
];

// Records have the columns of their table; the tests read them by name.
const records = (table: keyof typeof RECORDS) => RECORDS[table] as Record<string, any>[];

describe('the records of the example hold', () => {
  test.each(
    HELD.flatMap(([what, holds, ...columns]) =>
      columns.map(([table, path]) => [what, `${table}.${path}`, holds] as const),
    ),
  )('%s in %s', (_, place, holds) => {
    const [table, ...path] = place.split('.') as [keyof typeof RECORDS, ...string[]];

    expect(holds(valuesAt(RECORDS[table], path.join('.')))).toBe(true);
  });

  test('JSON of every kind', () => {
    const kinds = (values: unknown[]) => new Set(values.map((value) => (Array.isArray(value) ? 'list' : typeof value)));

    expect(kinds(valuesAt(RECORDS.events, 'payload'))).toEqual(
      new Set(['object', 'list', 'string', 'number', 'boolean']),
    );
    expect(valuesAt(RECORDS.events, 'payload')).toEqual(expect.arrayContaining([42, '42', false, 0]));
    expect(records('users').flatMap(({ settings }) => Object.values(settings ?? {}))).toEqual(
      expect.arrayContaining(['dark', 'Dark', null, 20, '20', true, false]),
    );
  });

  test('events whose order of time is not that of their keys', () => {
    const moments = records('events').map(({ at }) => Number(at));

    expect(moments).not.toEqual([...moments].sort((a, b) => a - b));
  });
});

describe('the records of the example are plausible', () => {
  test('there are as many as the README says', () => {
    const { companies, users, profiles, projects, devices, memberships, categories, events } = RECORDS;
    const all = [companies, users, profiles, projects, devices, memberships, categories, events];

    expect(all.map(({ length }) => length)).toEqual([10, 100, 100, 30, 20, 40, 23, 200]);
  });

  test.each([EMAIL, SERIAL, ['companies', 'domain'] as const])('%s.%s is unique in any case', (table, path) => {
    const texts = valuesAt(RECORDS[table], path).map((text) => String(text).toLowerCase());

    expect(new Set(texts).size).toBe(texts.length);
  });

  test('addresses are valid, and of the domain of the company, which nobody can own', () => {
    for (const { email, companyId } of records('users')) {
      expect([email, isEmail(email)]).toEqual([email, true]);
      expect(String(email).split('@')[1]).toBe(records('companies')[companyId - 1]!['domain']);
    }
    for (const { domain } of records('companies')) expect(domain).toMatch(/\.example$/);
  });

  test('nobody is older or younger than their birthday says', () => {
    for (const { age, birthDate } of records('users')) {
      if (age === null || birthDate === null) continue;
      const birthday = new Date(birthDate);

      birthday.setUTCFullYear(birthday.getUTCFullYear() + age);
      expect(birthday.getTime()).toBeLessThanOrEqual(Date.UTC(2026, 0, 1));
      birthday.setUTCFullYear(birthday.getUTCFullYear() + 1);
      expect(birthday.getTime()).toBeGreaterThan(Date.UTC(2026, 0, 1));
    }
  });

  test('records are changed after they are made, and made after their company, before the spring of 2026', () => {
    for (const { createdAt, updatedAt } of [...records('companies'), ...records('users')])
      expect(Number(createdAt)).toBeLessThanOrEqual(Number(updatedAt));
    for (const { createdAt, companyId } of [...records('users'), ...records('projects')])
      expect(Number(records('companies')[companyId - 1]!['createdAt'])).toBeLessThanOrEqual(Number(createdAt));
    for (const { updatedAt } of records('users')) expect(Number(updatedAt)).toBeLessThan(Date.UTC(2026, 2, 1));
  });
});
