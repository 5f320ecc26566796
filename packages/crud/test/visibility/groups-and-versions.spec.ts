/** Groups, versions and other options of requests in; out comes what such requests, or any of them, see. */
import { expect, test } from '@jest/globals';
import { Exclude, Expose, Transform } from 'class-transformer';
import { relationSteps } from '../../src/plan/resolve-names.js';
import { isShownByClass, judgeForAnybody } from '../../src/visibility/path-states.js';
import { column, relation } from '../plan/catalogs.js';
import { definitionOf, entity, seen } from './seen.js';

class User {
  @Expose({ groups: ['hr'] }) salary!: string;
  @Expose({ groups: ['it', 'hr'] }) laptop!: string;
  @Expose({ since: 2 }) later!: string;
  @Exclude() pin!: string;
  @Expose({ groups: [] }) ungrouped!: string;
}

const names = ['id', 'salary', 'laptop', 'later', 'pin', 'ungrouped', '_internal'];
const users = entity(User, names);
const definition = definitionOf(User);

test.each<[object | undefined, string]>([
  [undefined, 'id,later,ungrouped,_internal'],
  [{ groups: ['hr'] }, 'id,salary,laptop,later,_internal'],
  [{ groups: ['it', 'x'] }, 'id,laptop,later,_internal'],
  [{ version: 1 }, 'id,ungrouped,_internal'],
  [{ version: 2 }, 'id,later,ungrouped,_internal'],
  [{ strategy: 'excludeAll' }, 'later,ungrouped'],
  [{ groups: [], excludePrefixes: ['_'] }, 'id,later,ungrouped'],
])('what a request with %j sees', (options, expected) => {
  // Twice: found out, and remembered.
  for (let time = 0; time < 2; time++) expect(seen(definition, users, names, options).join()).toBe(expected);
});

test('a class that exposes itself shows all, whatever the strategy', () => {
  @Expose()
  class Open {}

  expect(seen(definitionOf(Open), entity(Open, ['id']), ['id'], { strategy: 'excludeAll' })).toEqual(['id']);
});

test('shown to everybody, by its class, is what is selected and neither hidden nor for groups', () => {
  const unselected = column('unselected', 'text', { selectable: false });
  const shown = [...users.columns.values(), unselected].filter((one) => isShownByClass(users, one));
  expect(shown.map(({ path }) => path).join()).toBe('id,later,ungrouped,_internal');
});

test('what some groups or versions see is shown to some', () => {
  class Team {
    @Expose({ groups: ['it'] }) lead!: User;
    @Expose({ groups: ['it'] }) @Transform(() => '', { groups: ['hr'] }) budget!: string;
    @Transform(() => '', { since: 2 }) before!: string;
    @Transform(() => '', { until: 7 }) @Transform(() => '', { since: 9 }) between!: string;
    @Expose({ since: 11 }) @Transform(() => '', { until: 2 }) after!: string;
    @Exclude() never!: string;
  }

  const relations = [relation('lead', 'many-to-one', () => users)];
  const teams = entity(Team, ['budget', 'before', 'between', 'after', 'never'], { relations });
  const judge = judgeForAnybody(definitionOf(Team, { query: { join: { lead: {} } } }), teams);
  expect(judge({ steps: relationSteps(teams, 'lead')!, column: users.columns.get('salary')! })).toBe('shown');
  const states = [...teams.columns.values()].map((item) => judge({ steps: [], column: item }));
  expect(states.join()).toBe('shown,shown,shown,shown,hidden');
});

test('no more than what a hundred options of requests have shown is kept', () => {
  let looks = 0;
  const counting = {
    ...users,
    get recordClasses() {
      looks += 1;
      return undefined;
    },
  };
  const look = (...groups: number[]) => {
    const before = looks;
    for (const group of groups) seen(definition, counting, ['id'], { groups: [String(group)] });
    return looks - before;
  };
  const hundred = Array.from({ length: 100 }, (_, group) => group);
  expect([look(...hundred), look(...hundred), look(100), look(0, 0)]).toEqual([100, 0, 1, 1]);
});
