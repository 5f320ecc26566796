/** The records of both examples: in sensible clothes, everything that is hard on an operator. */
import { describe, expect, test } from '@jest/globals';
import { isEmail } from 'class-validator';
import { RECORDS as WORKSPACE } from '../../workspace/src/database/seed-records.js';
import { RECORDS } from '../src/database/seed-records.js';

type Row = Record<string, unknown>;
const ofExample = RECORDS as unknown as Record<string, Row[]>;
const ofWorkspace = WORKSPACE as unknown as Record<string, Row[]>;

/** The texts of records, at every depth. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.values(value).flatMap(textsOf)
      : [];

describe.each([
  ['example', ofExample],
  ['workspace', ofWorkspace],
])('the records of the %s', (_, records) => {
  const texts = textsOf(records);

  test('hold texts that are mistaken for patterns, delimiters, code and other types', () => {
    const hard = [/%/, /_/, /,/, /\|\|/, /'/, /"/, /\\/, /&|\+/, /[A-Z]/, /[à-ÿ]/i, /\p{Extended_Pictographic}/u];
    const scripts = [/\p{Script=Han}/u, /\p{Script=Cyrillic}/u, /[\p{Script=Hebrew}\p{Script=Arabic}]/u];

    expect([...hard, ...scripts].filter((pattern) => !texts.some((text) => pattern.test(text)))).toEqual([]);
    expect(new Set(texts.map((text) => text.toLowerCase())).size).toBeLessThan(new Set(texts).size);
  });

  test('have valid addresses, unique in any case, of domains that nobody can own', () => {
    const emails = [...(records['users'] ?? []), ...(records['members'] ?? [])].map(({ email }) => String(email));

    expect(emails.filter((email) => !isEmail(email) || !email.endsWith('.example'))).toEqual([]);
    expect(new Set(emails.map((email) => email.toLowerCase())).size).toBe(emails.length);
  });
});

test('the columns of users hold nulls, ties and extremes', () => {
  const users = ofExample['users']!;
  const values = (name: string) => users.map((user) => JSON.stringify(user[name]));

  for (const name of ['age', 'balance', 'score', 'birthDate', 'tags', 'settings'])
    expect([name, values(name).includes('null'), new Set(values(name)).size < 100]).toEqual([name, true, true]);
  expect(values('balance')).toEqual(expect.arrayContaining(['0', '0.01', '9999999999.99', '-9999999999.99']));
  expect(values('score')).toEqual(expect.arrayContaining(['0.30000000000000004', '1e+21', '1e-7']));
  expect(values('birthDate')).toEqual(expect.arrayContaining(['"2000-02-29"', '"1970-01-01"', '"1969-12-31"']));
});

test('there are as many as the README says', () => {
  const counts = Object.fromEntries(Object.entries(ofExample).map(([table, { length }]) => [table, length]));

  expect(counts).toMatchObject({ companies: 10, users: 100, profiles: 100, projects: 30, devices: 20 });
  expect(counts).toMatchObject({ memberships: 40, categories: 23, events: 200 });
});
