/** Resources in, the relations out that a warning at the start names, since nothing says which of their records are in reach. */
import { describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type AuthOptions, type BaseRouteName, CrudAuth, type QueryOptions } from '@nestwright/crud';
import { unscopedRelations } from '../../src/startup/warnings.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { catalog, categories, column, companies, relation, users } from '../plan/catalogs.js';
import { define } from '../request/definitions.js';
import { start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { resource } from './resource.js';

const filter = () => ({ id: 1 });
const READS: BaseRouteName[] = ['getManyBase', 'getOneBase'];

interface Given {
  query?: QueryOptions;
  auth?: AuthOptions;
  routes?: BaseRouteName[];
  params?: Parameters<typeof define>[1];
}

const unscoped = (root: Catalog, { query = {}, auth = { filter }, routes = READS, params }: Given): string[] =>
  unscopedRelations({ ...define(query, params), routes: new Set(routes), auth }, root);

describe('relations that may be joined', () => {
  const query: QueryOptions = { join: { 'company.users': {}, projects: { eager: true }, 'company.users.company': {} } };

  test('those on the way to them included, each once', () => {
    expect(unscoped(users, { query })).toEqual(['company', 'company.users', 'projects']);
  });

  const persist = () => ({});
  test.each<[AuthOptions['relations'], string[]]>([
    [{ 'projects.company.users': filter, projects: false }, ['company']],
    [{ 'company.users': filter }, ['company', 'projects']],
    // Values say nothing of reach.
    [{ company: { persist }, projects: { filter: false, persist } }, ['company', 'company.users']],
  ])('but those that have a condition, or are freed, by whatever path: %j', (relations, expected) => {
    expect(unscoped(users, { query, auth: { filter, relations } })).toEqual(expected);
  });

  test('that the entity does not have are none', () => {
    const relations = { 'company.nowhere': filter };
    expect(unscoped(users, { query: { join: { nowhere: {} } }, auth: { filter, relations } })).toEqual([]);
  });

  test('to the own entity, which has the filter for links alone', () => {
    expect(unscoped(categories, { query: { join: { parent: {} } } })).toEqual(['parent']);
  });
});

describe('relations that a body may link', () => {
  test.each<BaseRouteName>(['createOneBase', 'createManyBase', 'updateOneBase', 'replaceOneBase'])(
    'where there is %s: by what the record owns, and what cascades',
    (route) => {
      expect(unscoped(users, { routes: [route] })).toEqual(['company', 'profile', 'projects']);
      expect(unscoped(companies, { routes: [route] })).toEqual(['users', 'users.profile', 'users.projects']);
    },
  );

  test('none where no route has a body', () => {
    expect(unscoped(users, { routes: ['getOneBase', 'deleteOneBase', 'recoverOneBase'] })).toEqual([]);
  });

  test('none to the own entity, unless the resource has no key', () => {
    expect(unscoped(categories, { routes: ['createOneBase'] })).toEqual([]);
    const params = { id: { primary: true, disabled: true } };
    expect(unscoped(categories, { routes: ['updateOneBase'], params })).toEqual(['parent']);
  });
});

test('none where @CrudAuth has no filter', () => {
  expect(unscoped(users, { auth: { persist: filter }, routes: ['createOneBase'] })).toEqual([]);
});

test('one line per resource tells of them at the start', async () => {
  const key = column('id', 'integer', { primary: true });
  const toUsers = [relation('assignee', 'many-to-one', () => users), relation('watchers', 'many-to-many', () => users)];

  class Tasks extends MemoryService {
    constructor() {
      super([], catalog('Task', [key], toUsers));
    }
  }

  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const controller = resource(Tasks, { query: { join: { assignee: {} } } }, 'tasks', CrudAuth({ filter }));
  await start({ controllers: [controller], providers: [Tasks] });
  const lines = warn.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('TasksController'));
  warn.mockRestore();

  expect(lines).toEqual([
    'TasksController: @CrudAuth.filter does not apply to related records, so requests may use all records of assignee, watchers. ' +
      'Give each relation a condition in @CrudAuth.relations, or false if all of its records are accessible.',
  ]);
});
