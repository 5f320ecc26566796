/** The records of both examples: in sensible clothes, everything that is hard on an operator. */
import { expect, test } from '@jest/globals';
import { isEmail } from 'class-validator';
import { RECORDS as WORKSPACE } from '../../workspace/src/database/seed-records.js';
import { RECORDS as EXAMPLE } from '../src/database/seed-records.js';

/** The texts of records, at every depth. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values((value as object | null) ?? {}).flatMap(textsOf);

test.each([
  ['example', EXAMPLE],
  ['workspace', WORKSPACE],
])(
  'the records of the %s hold texts that are mistaken for patterns, code and other types, and addresses that nobody owns',
  (_, records) => {
    const texts = textsOf(records);
    const hard = [/%/, /_/, /,/, /\|\|/, /'/, /"/, /\\/, /&|\+/, /[A-Z]/, /[à-ÿ]/i, /\p{Extended_Pictographic}/u];
    const scripts = [/\p{Script=Han}/u, /\p{Script=Cyrillic}/u, /[\p{Script=Hebrew}\p{Script=Arabic}]/u];
    expect([...hard, ...scripts].filter((pattern) => !texts.some((text) => pattern.test(text)))).toEqual([]);
    const { users = [], members = [] } = records as unknown as Record<string, { email: string }[]>;
    const emails = [...users, ...members].map(({ email }) => email);
    expect(emails.filter((email) => !isEmail(email) || !email.endsWith('.example'))).toEqual([]);
    expect(new Set(emails.map((email) => email.toLowerCase())).size).toBe(emails.length);
  },
);
