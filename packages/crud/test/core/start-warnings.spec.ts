/** Resources in, warnings of the start out: of relations without a scope, and of columns that no body can set. */
import { expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type AuthOptions, type BaseRouteName, CrudAuth, type QueryOptions } from '@nestwright/crud';
import { IsOptional, IsString } from 'class-validator';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import { undeclaredColumns, unscopedRelations } from '../../src/startup/warnings.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { catalog, categories, column, companies, relation, users } from '../plan/catalogs.js';
import { define, ID } from '../request/definitions.js';
import { start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { resource } from './resource.js';

const filter = () => ({ id: 1 });
const persist = () => ({});
const freed = { filter: false, persist } as const;
const join = { 'company.users': {}, projects: { eager: true }, 'company.users.company': {} };
const joinedBut = (relations: AuthOptions['relations']): Given => ({ query: { join }, auth: { filter, relations } });
const disabled = { id: { primary: true, disabled: true } };
const NOWHERE = { query: { join: { nowhere: {} } }, auth: { filter, relations: { 'company.nowhere': filter } } };

interface Given {
  query?: QueryOptions;
  auth?: AuthOptions;
  routes?: BaseRouteName[];
  params?: Parameters<typeof define>[1];
}

test.each<[what: string, Catalog, Given, unscoped: string[]]>([
  ['that may be joined, those on the way included', users, joinedBut({}), ['company', 'company.users', 'projects']],
  ['with a condition by another path', users, joinedBut({ 'projects.company.users': filter }), ['company', 'projects']],
  ['that are freed beside values', users, joinedBut({ company: freed }), ['company.users', 'projects']],
  ['that have values alone', users, joinedBut({ company: { persist }, projects: false }), ['company', 'company.users']],
  ['that the entity does not have', users, NOWHERE, []],
  ['to the own entity, joined', categories, { query: { join: { parent: {} } } }, ['parent']],
  ['of a POST, by the key of the record', users, { routes: ['createOneBase'] }, ['company', 'profile', 'projects']],
  ['that a PATCH cascades', companies, { routes: ['updateOneBase'] }, ['users', 'users.profile', 'users.projects']],
  ['of a PUT', users, { routes: ['replaceOneBase'] }, ['company', 'profile', 'projects']],
  ['of routes without a body', users, { routes: ['getOneBase', 'deleteManyBase', 'recoverOneBase'] }, []],
  ['to the own entity, linked', categories, { routes: ['createOneBase'] }, []],
  ['to the own entity, without a key', categories, { routes: ['updateOneBase'], params: disabled }, ['parent']],
  ['without a filter', users, { auth: { persist: filter }, routes: ['createOneBase'] }, []],
])(
  'of relations %s is warned',
  (_what, root, { query, auth = { filter }, routes = ['getManyBase'], params }, unscoped) =>
    expect(unscopedRelations({ ...define(query, params), routes: new Set(routes), auth }, root)).toEqual(unscoped),
);

class CreateAccount {
  @IsString() name!: string;
  @IsOptional() boss?: object;
}

class UpdateAccount {
  @IsOptional() @IsString() name?: string;
  @IsOptional() @IsString() role?: string;
  @IsOptional() bossId?: number;
  @IsOptional() address?: object;
}

class Account {
  name?: string;
}

class Unruled {}

const [id, bossId] = [column('id', 'integer', { primary: true }), column('bossId', 'integer')];
const boss = relation('boss', 'many-to-one', () => accounts, {
  references: () => [{ column: bossId, references: id }],
});
const texts = ['name', 'role', 'companyId', 'address.city', 'address.zip'].map((path) => column(path, 'text'));
const slug = column('slug', 'text', { updatable: false });
const createdAt = column('createdAt', 'datetime', { source: 'createDate' });
const accounts: Catalog = catalog('Account', [id, ...texts, slug, bossId, createdAt], [boss]);
const dto = { create: CreateAccount, update: UpdateAccount };
const params = { companyId: { field: 'companyId' }, ...ID };
const CREATES = 'CreateAccount does not declare role, companyId, address, slug';
const UPDATES = 'UpdateAccount does not declare companyId';

test.each<[what: string, Partial<ResourceDefinition>, line: string | undefined]>([
  ['by each class', { dto }, `${CREATES}; ${UPDATES}`],
  ['by a class of a route that is there', { dto, routes: new Set(['updateOneBase']) }, UPDATES],
  ['but for those of the path', { dto, options: define({}, params).options }, CREATES.replace(' companyId,', '')],
  ['not by the model', { dto: { create: CreateAccount }, model: CreateAccount }, undefined],
  ['not where whitelist: false', { dto, validation: { whitelist: false } }, undefined],
  ['not where validation: false', { dto, validation: false }, undefined],
  ['not by a class without rules', { dto: { create: Unruled } }, undefined],
])('columns that no body can set are told of %s', (_what, definition, line) => {
  const routes = new Set(['createOneBase', 'updateOneBase'] as const);
  const told = undeclaredColumns({ ...define(), model: Account, routes, ...definition }, accounts);
  const how =
    'To let a column in, put a rule of class-validator on its property (@Allow() takes any value); to let in all of ' +
    'them, set validation: { whitelist: false }.';
  expect(told).toBe(line && `bodies cannot set some columns: ${line}. ${how}`);
});

test('the start logs a line for each', async () => {
  const assignee = relation('assignee', 'many-to-one', () => users);
  const watchers = relation('watchers', 'many-to-many', () => users);

  class Tasks extends MemoryService {
    constructor() {
      super([], catalog('Task', [id, column('title', 'text')], [assignee, watchers]));
    }
  }

  const told: string[] = [];
  for (const level of ['warn', 'log'] as const) {
    const note = (line: unknown) => void told.push(`${level} ${String(line)}`);
    jest.spyOn(Logger.prototype, level).mockImplementation(note);
  }
  const replace = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };
  const options = { query: { join: { assignee: {} } }, dto: { create: UpdateAccount, update: Unruled, replace } };
  await start({ controllers: [resource(Tasks, options, 'tasks', CrudAuth({ filter }))], providers: [Tasks] });
  jest.restoreAllMocks();

  expect(told.filter((line) => line.includes('TasksController: '))).toEqual([
    expect.stringMatching(/^warn TasksController: Unruled in dto has no rules, so that bodies may set every column\./),
    'warn TasksController: @CrudAuth.filter does not apply to related records, so requests may use all records of assignee, watchers. ' +
      'Give each relation a condition in @CrudAuth.relations, or false if all of its records are accessible.',
    expect.stringContaining(
      'log TasksController: bodies cannot set some columns: UpdateAccount does not declare title',
    ),
  ]);
});
