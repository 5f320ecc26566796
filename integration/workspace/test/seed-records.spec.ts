/** The workspace's records: in sensible clothes, everything that is hard on an operator. */
import { describe, expect, test } from '@jest/globals';
import { isEmail } from 'class-validator';
import {
  collide,
  CYRILLIC,
  EAST_ASIAN,
  EMOJI,
  has,
  matches,
  repeats,
  RIGHT_TO_LEFT,
  valuesAt,
} from '../../test-support/held.js';
import { RECORDS } from '../src/database/seed-records.js';

type Column = readonly [table: keyof typeof RECORDS, path: string];
type Held = readonly [what: string, holds: (values: readonly unknown[]) => boolean, ...columns: Column[]];

const MEMBER = ['members', 'name'] as const;
const EMAIL = ['members', 'email'] as const;
const PROJECT = ['projects', 'name'] as const;
const BUDGET = ['projects', 'budget'] as const;
const TITLE = ['tasks', 'title'] as const;
const ESTIMATE = ['tasks', 'estimate'] as const;
const LABELS = ['tasks', 'labels'] as const;
const SETTINGS = ['tasks', 'settings'] as const;
const BODY = ['comments', 'body'] as const;
const KEY = ['settings', 'key'] as const;
const DUE = ['tasks', 'dueOn'] as const;

/** What each of the columns holds. */
const HELD: readonly Held[] = [
  ['a percent sign', matches(/%/), MEMBER, PROJECT, TITLE, BODY, KEY],
  ['an underscore', matches(/_/), EMAIL, PROJECT, TITLE, BODY, KEY],
  ['a comma', matches(/,/), TITLE, BODY],
  ['a double bar', matches(/\|\|/), TITLE, BODY],
  ['an apostrophe', matches(/'/), MEMBER, EMAIL, TITLE, BODY],
  ['a double quote', matches(/"/), MEMBER, TITLE, BODY],
  ['a backslash', matches(/\\/), TITLE],
  ['a slash, a dot and a space', (values) => ['/', '\\.', ' '].every((sign) => matches(RegExp(sign))(values)), KEY],
  ['a plus sign and upper case', (values) => matches(/\+/)(values) && matches(/[A-Z]/)(values), EMAIL],
  ['Chinese or Japanese', matches(EAST_ASIAN), ['tenants', 'name'], MEMBER, PROJECT, TITLE, BODY, KEY],
  ['Cyrillic', matches(CYRILLIC), MEMBER],
  ['a script from right to left', matches(RIGHT_TO_LEFT), TITLE],
  ['an accent', matches(/[à-ÿ]/i), MEMBER],
  ['an emoji', matches(EMOJI), TITLE, BODY],
  ['texts that differ in case', collide((text) => text.toLowerCase()), TITLE],
  ['null', has(null), BUDGET, ESTIMATE, LABELS, SETTINGS, DUE],
  ['null', has(null), ['tasks', 'parentId'], ['tasks', 'assigneeId'], ['tasks', 'priority'], ['tasks', 'points']],
  ['equal sort keys', repeats, MEMBER, TITLE, BODY, KEY, DUE, ESTIMATE, BUDGET, ['tasks', 'createdAt']],
  ['equal sort keys', repeats, ['tasks', 'status'], ['tasks', 'priority'], ['tasks', 'points']],
  ['zero', has('0.00'), BUDGET, ESTIMATE],
  ['the least amount', has('0.01'), BUDGET],
  ['the greatest amount', (values) => has('9999999999.99')(values) || has('999999.99')(values), BUDGET, ESTIMATE],
  ['an empty list', has([]), SETTINGS],
  ['a list of more than one', (values) => values.some((value) => Array.isArray(value) && value.length > 1), LABELS],
  ['values of several types', (values) => has('compact')(values) && has(0)(values), SETTINGS],
];

const TENANTS = RECORDS.tenants as { id: string }[];
// Records have the columns of their table; the tests read them by name.
const records = (table: keyof typeof RECORDS) => RECORDS[table] as Record<string, any>[];

describe('the records of the workspace hold', () => {
  test.each(
    HELD.flatMap(([what, holds, ...columns]) =>
      columns.map(([table, path]) => [what, `${table}.${path}`, holds] as const),
    ),
  )('%s in %s', (_, place, holds) => {
    const [table, path] = place.split('.') as [keyof typeof RECORDS, string];

    expect(holds(valuesAt(RECORDS[table], path))).toBe(true);
  });

  test.each([TITLE, ['projects', 'key'] as const, KEY])('the same %s.%s in every tenant', (table, path) => {
    const [first, ...others] = TENANTS.map(({ id }) =>
      valuesAt(
        records(table).filter(({ tenantId }) => tenantId === id),
        path,
      ),
    );

    for (const other of others) expect(other).toEqual(first);
  });
});

describe('the records of the workspace are plausible', () => {
  test('addresses are valid, unique in any case, and of domains that nobody can own', () => {
    const emails = records('members').map(({ email }) => String(email));

    expect(emails.filter((email) => !isEmail(email) || !email.endsWith('.example'))).toEqual([]);
    expect(new Set(emails.map((email) => email.toLowerCase())).size).toBe(15);
  });

  test('every project has tasks of every status', () => {
    const found = new Set(records('tasks').map(({ projectId, status }) => `${projectId} ${status}`));

    expect(found.size).toBe(12 * 3);
  });

  test('tasks are changed after they are made, due after that, and made before the spring of 2026', () => {
    for (const { createdAt, updatedAt, dueOn } of records('tasks')) {
      expect(Number(createdAt)).toBeLessThanOrEqual(Number(updatedAt));
      expect(Number(updatedAt)).toBeLessThan(Date.UTC(2026, 2, 1));
      if (dueOn !== null) expect(Date.parse(dueOn)).toBeGreaterThan(Number(createdAt));
    }
  });

  test('tenants, members, projects, tasks and comments are made one after the other', () => {
    const ofTenant = (table: keyof typeof RECORDS, id: string) =>
      records(table).filter((record) => (table === 'tenants' ? record['id'] : record['tenantId']) === id);

    for (const { id } of TENANTS) {
      const spans = (['tenants', 'members', 'projects', 'tasks', 'comments'] as const).map((table) =>
        ofTenant(table, id).map(({ createdAt }) => Number(createdAt)),
      );

      for (const [index, span] of spans.slice(1).entries())
        expect(Math.min(...span)).toBeGreaterThan(Math.max(...spans[index]!));
    }
  });
});
