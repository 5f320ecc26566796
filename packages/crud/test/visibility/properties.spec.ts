/** Groups, versions and types that decorators name, and names of options in; out comes what requests, or any of them, see, and under which names. */
import { expect, test } from '@jest/globals';
import type { Type as Class } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import type { Catalog, ColumnKind } from '../../src/plan/catalog.js';
import { relationSteps } from '../../src/plan/resolve-names.js';
import { findProperty } from '../../src/visibility/levels.js';
import { findAppearances, isShownByClass, judgeForAnybody } from '../../src/visibility/path-states.js';
import { formatsWhatIsTransformed } from '../../src/visibility/start-warnings.js';
import { catalog, column, recordClass, relation, users as staff } from '../plan/catalogs.js';
import { decorated, definitionOf, entity, seen } from './seen.js';

class User {
  @Expose({ groups: ['hr'] }) salary!: string;
  @Expose({ groups: ['it', 'hr'] }) laptop!: string;
  @Expose({ since: 2 }) later!: string;
  @Exclude() pin!: string;
  @Expose({ groups: [] }) ungrouped!: string;
}

const names = ['id', 'salary', 'laptop', 'later', 'pin', 'ungrouped', '_internal'];
const [users, definition] = [entity(User, names), definitionOf(User)];

test.each<[object | undefined, string]>([
  [undefined, 'id,later,ungrouped,_internal'],
  [{ groups: ['hr'] }, 'id,salary,laptop,later,_internal'],
  [{ version: 1 }, 'id,ungrouped,_internal'],
  [{ strategy: 'excludeAll' }, 'later,ungrouped'],
  [{ groups: [], excludePrefixes: ['_'] }, 'id,later,ungrouped'],
])('what a request with %j sees', (options, expected) => {
  // Twice: found out, and remembered.
  for (let time = 0; time < 2; time++) expect(seen(definition, users, names, options).join()).toBe(expected);
});

test('a class shows everybody what is selected, not hidden, and for no group', () => {
  const unselected = column('unselected', 'text', { selectable: false });
  const shown = [...users.columns.values(), unselected].filter((one) => isShownByClass(users, one));
  expect(shown.map(({ path }) => path).join()).toBe('id,later,ungrouped,_internal');
});

test('a property is shown if any group or version sees it', () => {
  class Team {
    @Expose({ groups: ['it'] }) lead!: User;
    @Expose({ groups: ['it'] }) @Transform(() => '', { groups: ['hr'] }) budget!: string;
    @Transform(() => '', { since: 2 }) before!: string;
    @Transform(() => '', { until: 7 }) @Transform(() => '', { since: 9 }) between!: string;
    @Expose({ since: 11 }) @Transform(() => '', { until: 2 }) after!: string;
    @Transform(() => '') always!: string;
    @Exclude() never!: string;
  }

  const relations = [relation('lead', 'many-to-one', () => users)];
  const teams = entity(Team, ['budget', 'before', 'between', 'after', 'always', 'never'], { relations });
  const judge = judgeForAnybody(definitionOf(Team, { query: { join: { lead: {} } } }), teams);
  expect(judge({ steps: relationSteps(teams, 'lead')!, column: users.columns.get('salary')! })).toBe('shown');
  const states = [...teams.columns.values()].map((item) => judge({ steps: [], column: item }));
  expect(states.join()).toBe('shown,shown,shown,shown,changed,hidden');
});

test('what requests see is kept for a hundred sets of options at most', () => {
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

const Open = decorated({ next: Type(() => Open) });
const Closed = decorated({ token: Exclude() });
const AroundClosed = decorated({ open: Type(() => Open), inner: Type(() => Closed) });
const Dated = decorated({ at: Type(() => Date) });

const NUMBERS = ['integer', 'bigint', 'decimal', 'float'] as const;
const SCALARS = ['text', ...NUMBERS, 'boolean', 'uuid', 'enum', 'date', 'time', 'datetime'] as const;
const KINDS = [...SCALARS, 'json', 'array', 'binary'] as const;

test.each<[type: unknown, kept: readonly ColumnKind[]]>([
  [String, SCALARS],
  [Number, NUMBERS],
  [Boolean, ['boolean']],
  [Date, ['date', 'datetime']],
  [Buffer, []],
  [Open, KINDS],
  [AroundClosed, SCALARS],
  [Dated, SCALARS],
])('@Type(() => %p) keeps the values of some kinds of columns', (type, kept) => {
  class Record {}

  for (const kind of KINDS) Type(() => type as Class<unknown>)(Record.prototype, kind);
  const columns = KINDS.map((kind) => column(kind, kind));
  const records = { ...catalog('Record', columns), target: Record };
  expect(seen(definitionOf(Record), records, KINDS)).toEqual(kept);
  const copying = definitionOf(Record, { serialize: { get: Record } });
  expect(seen(copying, { ...records, target: 'no class' }, KINDS)).toEqual(kept);
});

test('a list is judged by its items, and the value of an ORM’s transformer as an object', () => {
  class User {
    @Type(() => Number) amounts!: number[];
    @Type(() => Number) words!: string[];
    @Type(() => Open) made!: object;
    @Type(() => Closed) hiding!: object;
  }

  const columns = [
    column('amounts', 'array', { elementKind: 'integer' }),
    column('words', 'array', { elementKind: 'text' }),
    ...['made', 'hiding'].map((path) => column(path, 'text', { transformed: true })),
  ];
  const users: Catalog = { ...catalog('User', columns), target: User };
  const names = [...users.columns.keys()];
  expect(seen(definitionOf(User), users, names)).toEqual(['amounts', 'made']);
  expect(seen(definitionOf(User), users, names, { excludePrefixes: ['_'] })).toEqual(['amounts']);
});

test('JSON values are seen key by key', () => {
  class Settings {
    @Exclude() token!: string;
    @Expose({ name: 'shade' }) colour!: string;
    @Transform(({ value }: { value: unknown }) => value) size!: number;
  }

  const User = decorated({ settings: Type(() => Settings), printed: Type(() => String) });

  const columns = ['settings', 'free', 'printed'].map((path) => column(path, 'json'));
  const users: Catalog = { ...catalog('User', columns), target: User };
  const keys = ['theme', 'token', 'a.token', 'colour'].map((key) => `settings.${key}`);
  const names = [...keys, 'free.a.token', 'free.__proto__', 'free.constructor', 'printed.theme'];
  const shown = ['settings.theme', 'settings.a.token', 'free.a.token'];
  const plain = { ...users, target: 'no class' };
  for (const [of, get] of [[users], [plain, User]] as const)
    expect(seen(definitionOf(User, { serialize: { get } }), of, names)).toEqual(shown);
  const formats = ['settings.size'];
  expect(seen(definitionOf(User, { query: { formats } }), users, formats)).toEqual(formats);
  expect(seen(definitionOf(User), users, formats)).toEqual([]);
});

test.each<[name: string, steps: string, path?: string, json?: string]>([
  ['company', 'company'],
  ['company.users.settings.theme', 'company company.users', undefined, 'theme'],
])('%s means a property', (name, ...[steps, path, json]) => {
  const found = findProperty(staff, name)!;
  const names = found.steps.map((step) => step.path).join(' ');
  expect([names, found.path, found.jsonPath?.join('.')]).toEqual([steps, path, json]);
  expect(found.column?.path).toBe(json && 'settings');
});

test.each(['email.x', 'company.nope'])('%s means none', (name) => expect(findProperty(staff, name)).toBeUndefined());

const Masked = decorated({ made: Transform(() => '*') });
const MaskedInLists = decorated({ plain: Transform(() => '*') });

test('formats name what a transform for answers stands on', () => {
  const formats = ['made', 'plain', 'nope'];
  const tell = (serialize: object) => {
    const definition = definitionOf(Masked, { query: { formats }, serialize });
    return [...formatsWhatIsTransformed(definition, entity(Masked, ['made', 'plain']))].join();
  };
  const unknown = 'query.formats names "nope", but Decorated has no such field';
  expect(tell({})).toBe(`query.formats names "plain", but no @Transform() changes it in answers,${unknown}`);
  expect(tell({ getMany: MaskedInLists })).toBe(unknown);
});

test('a getter appears where records of each class have the property as their own', () => {
  class Person {
    get full(): string {
      return '';
    }
  }

  class Box {
    get area(): number {
      return 1;
    }
  }

  const paths = ['full', 'box.area'];
  const ownClass = { ...recordClass(Person, paths, { box: Box }), assigned: new Set(['full']) };
  const people = entity(Person, paths, { recordClasses: [ownClass, { ...ownClass, assigned: new Set(paths) }] });
  for (const answer of [{}, { target: false } as const, { target: class {} }]) {
    const find = findAppearances(people, answer);
    const found = paths.map((path) => find({ steps: [], path }));
    expect(found.map(({ name, presence }) => `${name} ${presence}`)).toEqual(['full always', 'area never']);
  }
});

test('a property counts as changed if another one of its own object has its new name', () => {
  const Box = decorated({ renamed: Expose({ name: 'other' }) });

  class Owner {}

  const see = (other: string, more = {}) => {
    const paths = ['box.renamed', other];
    const recordClasses = [recordClass(Owner, paths, { box: Box })];
    return seen(definitionOf(Owner), entity(Owner, paths, { recordClasses, ...more }), ['box.renamed']);
  };
  const relations = [relation('box.other', 'many-to-one', () => staff)];
  expect([see('box.other'), see('box.plain', { relations }), see('bag.other')]).toEqual([[], [], ['box.renamed']]);
});

test('a renamed property is changed if what an initialiser makes, or a record has, stands in its way', () => {
  const Person = decorated({ name: Expose({ name: 'title' }) });
  const made = (initial: object) =>
    class {
      constructor() {
        Object.assign(this, initial);
      }
    };
  const see = (get: Class<unknown>, paths = ['name']) =>
    seen(definitionOf(Person, { serialize: { get } }), entity(Person, paths), ['name', 'label'].slice(0, paths.length));
  const initials = [{ name: new Map() }, { title: new Map() }, { name: '' }, { title: '' }];
  expect(initials.map((initial) => see(made(initial)))).toEqual([[], [], ['name'], ['name']]);

  const Copy = decorated({ label: Expose({ name: 'title' }) });
  expect(see(Copy, ['name', 'label'])).toEqual([]);
});

test('a property that one class of records hides or changes counts as hidden or changed', () => {
  class Parent {}

  class Child extends Parent {
    @Expose({ name: 'title' }) name!: string;
    @Type(() => Parent) part!: object;
    @Transform(() => '*') masked!: string;
    @Exclude() tag!: string;
    @Exclude() boss!: Parent;
  }

  const paths = ['name', 'part', 'masked', 'tag', 'id'];
  const recordClasses = [Parent, Child].map((target) => recordClass(target, [...paths, 'boss']));
  const relations = [relation('boss', 'many-to-one', () => parents)];
  const parents: Catalog = entity(Parent, paths, { recordClasses, relations });
  expect(seen(definitionOf(Parent), parents, paths)).toEqual(['id']);
  const found = paths.map((path) => [path, findAppearances(parents, {})({ steps: [], path })] as const);
  expect(found.filter(([, { isTransformed }]) => isTransformed).map(([path]) => path)).toEqual(['masked']);
  expect(found.filter(([, { presence }]) => presence === 'sometimes').map(([path]) => path)).toEqual(['tag']);
  const boss = { steps: relationSteps(parents, 'boss')!, path: 'tag' };
  expect(findAppearances(parents, {})(boss).presence).toBe('sometimes');
});
