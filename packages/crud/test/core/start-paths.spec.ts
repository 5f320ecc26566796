/** Which path parameters a start accepts: those of controllers, modules, prefixes and hosts must be named, those of own handlers need not be; its warnings: of keys that are not there, of relations without a scope, and of columns that no body can set. */
import { expect, jest, test } from '@jest/globals';
import { Get, type INestApplication, Logger, Module, Param, type Type, UseInterceptors } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { type AuthOptions, type BaseRouteName, CrudAuth, CrudRequestInterceptor } from '@nestwright/crud';
import { Override, type QueryOptions } from '@nestwright/crud';
import { IsOptional, IsString } from 'class-validator';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import type { Catalog } from '../../src/plan/catalog.js';
import { undeclaredColumns, unscopedRelations } from '../../src/startup/warnings.js';
import { catalog, categories, column, companies, relation, users } from '../plan/catalogs.js';
import { define, ID } from '../request/definitions.js';
import { describeApplications, describePlatforms, type StartOptions } from '../support/application.js';
import { memoryOf } from '../support/memory.service.js';
import { expectIds, handler, Note, Notes, resource, run } from './resource.js';

const SCOPED = { params: { text: { field: 'text', type: 'string' }, ...ID } };

/** Applications in which the path of the notes has a parameter, by what puts it there. */
const placed = (options: object): Record<string, StartOptions> => {
  const controllers = [resource(Notes, options)];
  @Module({ controllers: [resource(Notes, options)], providers: [Notes] })
  class NotesModule {}
  const [path, host] = ['of/:text', ':text.example.com'];
  const configure = (app: INestApplication) => void app.setGlobalPrefix(path);
  return {
    [`path "/${path}/notes"`]: { imports: [NotesModule, RouterModule.register([{ path, module: NotesModule }])] },
    [`path "${path}/notes"`]: { controllers, configure },
    [`host "${host}"`]: { controllers: [resource(Notes, options, { path: 'notes', host })] },
  };
};
const runPlaced = ({ controllers = [], ...more }: StartOptions) => run(more, ...(controllers as Type<object>[]));

describeApplications('a parameter that params does not name stops the start', () => {
  test('in the path of a module, in a global prefix, in a host', async () => {
    for (const [place, options] of Object.entries(placed({}))) {
      const mistake = `NotesController: the ${place} has :text, but params does not name it, `;
      await expect(runPlaced(options)).rejects.toThrow(mistake);
    }
  });

  test('unless every route is an override that reads it', async () => {
    const list = handler('getMany', (notes, req) => notes.getMany(req), Override());
    const reading: ClassDecorator = ({ prototype }) => Param('text')(prototype as object, 'getMany', 1);
    const overriding = (...only: BaseRouteName[]) =>
      run({}, resource(Notes, { routes: { only } }, 'of/:text/notes', list, reading));
    await expectIds(await overriding('getManyBase'), { '/of/7/notes': [1, 2] });
    const mistake = 'so that getOneBase would serve the same records';
    await expect(overriding('getManyBase', 'getOneBase')).rejects.toThrow(mistake);
  });
});

describePlatforms('parameters that params names', (platform) => {
  test('scope the routes, be they in the path of a module, in a prefix or in a host', async () => {
    for (const [place, options] of Object.entries(placed(SCOPED))) {
      const api = await runPlaced({ platform, ...options });
      const [path, headers] = place.startsWith('host') ? ['', { host: 'two.example.com' }] : ['/of/two', {}];
      await expectIds(api, { [`${path}/notes`]: [2], [`${path}/notes/1`]: '404 CRUD_NOT_FOUND' }, headers);
    }
  });

  test('may stand in the path of an own handler alone', async () => {
    const around = UseInterceptors(CrudRequestInterceptor);
    const own = handler('ofText', (notes, req) => notes.getMany(req), Get('of/:text'), around);
    const api = await run({ platform }, resource(Notes, SCOPED, 'notes', own));
    await expectIds(api, { '/notes': [1, 2], '/notes/of/two': [2], '/notes/1': 1 });
  });
});

describeApplications('the start', () => {
  test('warns of a default key that an entity does not have, with the remedy; such routes answer 404', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const Reports = memoryOf([{ id: 1 }], catalog('Report', [column('city', 'text')]));
    const Documents = memoryOf([{ id: 1 }], catalog('Document', [column('uuid', 'uuid', { primary: true })]));
    const serve = (service: Type<object>, only = ['getManyBase', 'getOneBase', 'deleteOneBase']) =>
      run({ providers: [service] }, resource(service, { routes: { only } }, 'records'));

    const api = await serve(Documents);
    const said =
      'RecordsController: getOneBase, deleteOneBase will answer 404, since params names no primary parameter and ' +
      'Document has no field id, which is the default; name its key: ' +
      "params: { uuid: { field: 'uuid', type: 'uuid', primary: true } }.";
    await expectIds(api, { '/records': [1] });
    const missing = { code: 'CRUD_NOT_FOUND', message: 'Document not found' };
    expect((await api.get('/records/1').expect(404)).body).toMatchObject(missing);
    await api.delete('/records/1').expect(404);
    await serve(Reports);
    const remedy = 'name the routes that need no key in routes.only (getManyBase, createOneBase …)';
    await serve(Reports, ['getManyBase']);
    expect(warn.mock.calls).toEqual([[said], [expect.stringContaining(remedy)]]);
    warn.mockRestore();
  });

  test('tells controllers that share a name apart by path and model', async () => {
    class Project {}

    const make = (parent: string, type: Type<unknown>) =>
      resource(Notes, { model: { type }, query: { exclude: ['pasword'] } }, `${parent}/records`);

    const mistake = 'query.exclude names "pasword", but Note has no such field; it has id, text, secret';
    await expect(run({}, make('notes', Note), make('projects', Project))).rejects.toThrow(
      `\n  - RecordsController (path "notes/records", model Note): ${mistake}` +
        `\n  - RecordsController (path "projects/records", model Project): ${mistake}`,
    );
  });

  test('logs a line for relations without a scope, for a Create that updates, for columns that no body can set', async () => {
    const Tasks = memoryOf([], catalog('Task', [id, column('title', 'text')], [...users.relations.values()]));
    const told: string[] = [];
    for (const level of ['warn', 'log'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation((line) => void told.push(`${level} ${String(line)}`));
    const replace = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };
    const dto = { create: UpdateAccount, update: Unruled, replace };
    const [createOneBase, createManyBase] = [['id'], ['id', 'title']].map((onConflict) => ({ onConflict }));
    const routes = { createOneBase, createManyBase, exclude: ['createOneBase'] };
    const options = { query: { join: { company: {} } }, routes, dto };
    await run({ providers: [Tasks] }, resource(Tasks, options, 'tasks', CrudAuth({ filter })));
    jest.restoreAllMocks();

    const ofTasks = told.filter((line) => line.includes(' TasksController: '));
    expect(ofTasks.map((line) => line.replace(' TasksController', ''))).toEqual([
      expect.stringMatching(/^warn: Unruled in dto has no rules, so that bodies may set every column\./),
      'warn: @CrudAuth.filter does not apply to related records, so requests may use all records of company, profile, projects. ' +
        'Give each relation a condition in @CrudAuth.relations, or false if all of its records are accessible.',
      expect.stringMatching(/^warn: .*createManyBase.onConflict, .* those with the same id and title\.$/),
      expect.stringMatching(/^log: bodies cannot set some columns: UpdateAccount does not declare title/),
    ]);
  });
});

const filter = () => ({ id: 1 });
const persist = () => ({});
const freed = { filter: false, persist } as const;
const join = { 'company.users': {}, projects: { eager: true }, 'company.users.company': {} };
const joinedBut = (relations: AuthOptions['relations']): Given => ({ query: { join }, auth: { filter, relations } });
const disabled = { id: { primary: true, disabled: true } };

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
  ['to the own entity, joined', categories, { query: { join: { parent: {} } } }, ['parent']],
  ['of a POST, by the key of the record', users, { routes: ['createOneBase'] }, ['company', 'profile', 'projects']],
  ['that a PATCH cascades', companies, { routes: ['updateOneBase'] }, ['users', 'users.profile', 'users.projects']],
  ['of routes without a body', users, { routes: ['getOneBase', 'deleteManyBase', 'recoverOneBase'] }, []],
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
const params = { company: { field: 'companyId' }, ...ID };
const CREATES = 'CreateAccount does not declare role, companyId, address, slug';
const UPDATES = 'UpdateAccount does not declare companyId';

test.each<[what: string, Partial<ResourceDefinition>, line: string | undefined]>([
  ['by each class', { dto }, `${CREATES}; ${UPDATES}`],
  ['by a class of a route that is there', { dto, routes: new Set(['updateOneBase']) }, UPDATES],
  ['but for those of the path', { dto, options: define({}, params).options }, CREATES.replace(' companyId,', '')],
  ['not by the model', { dto: { create: CreateAccount }, model: CreateAccount }, undefined],
  ['not where whitelist: false', { dto, validation: { whitelist: false } }, undefined],
  ['not by a class without rules', { dto: { create: Unruled } }, undefined],
])('columns that no body can set are told of %s', (_what, definition, line) => {
  const routes = new Set(['createOneBase', 'updateOneBase'] as const);
  const told = undeclaredColumns({ ...define(), model: Account, routes, ...definition }, accounts);
  const how =
    'To let a column in, put a rule of class-validator on its property (@Allow() takes any value); to let in all of ' +
    'them, set validation: { whitelist: false }.';
  expect(told).toBe(line && `bodies cannot set some columns: ${line}. ${how}`);
});
