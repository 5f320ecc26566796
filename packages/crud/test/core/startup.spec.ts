/** Mistakes in options and classes: each stops the start of the application with a text naming controller, option and value. Controllers without a public property `service`, which are right where no generated handler would call it. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ModuleMetadata, Provider, Type } from '@nestjs/common';
import { All, Controller, Get, Inject, Injectable, Logger, Post, Scope } from '@nestjs/common';
import { ModuleRef, REQUEST } from '@nestjs/core';
import type { AuthOptions, CrudOptions, CrudRequest } from '@nestwright/crud';
import { Crud, CrudAuth, CrudRoutesFactory, Override, ParsedRequest } from '@nestwright/crud';
import { CATALOG, CHECK_START, type ResourceDefinition } from '@nestwright/crud/adapter';
import { companies, users } from '../plan/catalogs.js';
import { start, stopAll } from '../support/application.js';
import { memoryOf } from '../support/memory.service.js';
import { handler, resource } from './resource.js';
import { failing } from './rules-of.js';

class User {
  id!: number;
}

class Users extends memoryOf([{ id: 1, email: 'one' }], users) {
  override [CHECK_START]({ options }: ResourceDefinition): string[] {
    return options.query.cache ? [`query.cache is ${options.query.cache}, but there is no cache`] : [];
  }
}

type Options = Record<string, unknown>;
type Setup = { options?: Options; auth?: Options; path?: string; own?: ClassDecorator[] };

const OF_USERS = { model: { type: User } };
const controllerOf = ({ options = {}, auth, path = 'users', own = [] }: Setup): Type<object> =>
  resource(Users, { ...OF_USERS, ...options }, path, ...own, ...(auth ? [CrudAuth(auth as AuthOptions)] : []));

/** What the start says of a controller; its service is another module's. */
function failure(controller: Type<object>, providers: Provider[] = [Users]): Promise<string> {
  class ServicesModule {}
  const services = { module: ServicesModule, providers, exports: providers as ModuleMetadata['exports'] };
  const starting = start({ controllers: [controller], imports: [services] });
  return starting.then(() => 'started').catch((error: Error) => error.message);
}

afterEach(async () => {
  jest.restoreAllMocks();
  await stopAll();
});

class Lost extends CrudRoutesFactory {
  protected setSwaggerOperation(): void {}
}

class Named {
  static readonly '~standard' = { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) };
}

const id = { field: 'id', type: 'number', primary: true };
const KEYLESS = { params: { id: { disabled: true } } };
const near = { query: () => '' };
const related = { relations: { company: true } };
const ofOne = { model: { type: Named }, routes: { only: ['updateOneBase'] } };

/** Options by what the start says of them. */
const OPTIONS: Record<string, Options> = {
  'query.limits.conditionz is 5, but there is no such option': { query: { limits: { conditionz: 5 } } },
  'query.sort[0].order is "UP", but must be one of ASC, DESC': { query: { sort: [{ field: 'id', order: 'UP' }] } },
  'query.cache is 500, but there is no cache': { query: { cache: 500 } },
  'qeury is {}, but there is no such option; did you mean query?': { qeury: {} },
  'dto.insert is User, but there is no such option; known are create, update, replace': { dto: { insert: User } },
  'model.type is Named, a Standard Schema, which cannot validate the partial bodies of updateOneBase: name dto.update':
    ofOne,
  'routes has aggregateBase, but no field may be grouped or computed: list in query.aggregate what clients may group': {
    routes: { aggregateBase: true },
  },
  'service has no method updateMatching, which updateManyBase calls since routes.updateManyBase.byCondition is true': {
    routes: { updateManyBase: { byCondition: true } },
  },
  'validation is true, but must be the options of a ValidationPipe, with columns: all or declared, or false': {
    validation: true,
  },
  'routes.updateOneBase.requireMatch is true, but answers have no tags to match: set query.etag': {
    routes: { updateOneBase: { requireMatch: true } },
  },
  'params.companyId is {"field":"companyId","type":"number"}, but the path "users" has no :companyId': {
    params: { companyId: { field: 'companyId', type: 'number' } },
  },
  'params has no primary parameter, so that getOneBase cannot tell which record is meant: add @CrudAuth({ filter })': {
    ...KEYLESS,
    routes: { only: ['getOneBase'] },
  },
  'operators.custom.$eq has the name of a built-in operator': { operators: { custom: { $eq: near } } },
  'operators.custom.near.query is 5, but must be a function': { operators: { custom: { near: { query: 5 } } } },
  'routesFactory is Lost, which overrides setSwaggerOperation; nothing calls it here: override setDecorators': {
    routesFactory: Lost,
  },
};

const MISTAKES: readonly (readonly [message: string, setup: Setup])[] = [
  ...Object.entries(OPTIONS).map(([message, options]) => [message, { options }] as const),
  ['@CrudAuth: filter is {"id":1}, but must be a function', { auth: { filter: { id: 1 } } }],
  ['@CrudAuth: relations.company is true, but must be a function, or false, or an object', { auth: related }],
  [
    'the path "companies/:companyId/users" has :companyId, but params does not name it, so that getManyBase would serve the same records whatever :companyId is: ' +
      "add companyId: { field: '<a column>', type: 'string' } to params, or companyId: { disabled: true } where it selects no records",
    { path: 'companies/:companyId/users' },
  ],
  [
    'params.id is primary, so that routes of one record end in :id, but the path "users/:id" has it already',
    { options: { params: { id } }, path: 'users/:id' },
  ],
  [
    'routes has getManyBase and getOneBase, but without a primary parameter both are GET on the same path',
    { options: KEYLESS, auth: { filter: () => ({ id: 1 }) } },
  ],
];

test.each(MISTAKES)('the start stops at: %s', async (message, setup) => {
  expect(await failure(controllerOf(setup))).toContain(`  - UsersController: ${message}`);
});

const JOINED = {
  join: { company: { alias: 'c', allow: ['name'] }, 'company.users': { persist: ['email'] } },
  sort: [{ field: 'c.name', order: 'ASC' }],
  filter: [{ field: 'c.name', operator: '$eq', value: 'x' }],
};

const ofList = { routes: { only: ['getManyBase'] } };

const change = handler('updateOne', (_service, _req, dto) => dto, Override());
const typed: ClassDecorator = ({ prototype }) =>
  Reflect.defineMetadata('design:paramtypes', [Object, User], prototype as object, 'updateOne');
const matching = { query: { etag: true }, routes: { updateOneBase: { requireMatch: true } } };

test.each<[string, Options, more?: Setup]>([
  ['names of fields, of relations and of aliases', { query: JOINED }],
  [
    'a parameter of the path, where there are no routes',
    { routes: { only: ['recoverOneBase'] } },
    { path: 'of/:any/users' },
  ],
  ['a key in the path, where no route adds it', { params: { id }, ...ofList }, { path: 'users/:id' }],
  ['no key, where no route needs it', { ...KEYLESS, ...ofList }],
  ['a schema of whole records that validates nothing', { ...ofOne, validation: false }],
  ['a schema of whole records, where bodies are whole', { ...ofOne, routes: { only: ['replaceOneBase'] } }],
  ['a schema of whole records, where an override has a class', ofOne, { own: [change, typed] }],
  ['a new operator, and tags that must match', { operators: { custom: { near } }, ...matching }],
])('%s: the application starts', async (_, options, more = {}) => {
  expect(await failure(controllerOf({ options, ...more }))).toBe('started');
});

test('a mistaken option hides no mistake in other options, and what it takes part in is not checked', async () => {
  const options = {
    query: { maxlimit: 5, join: 5, sort: 7, exclude: ['nope'], softDelete: true },
    params: { id: { fild: 'id', type: 'number', primary: true } },
  };
  const message = await failure(controllerOf({ options, auth: { filters: () => ({}) } }));
  expect(message.split('\n  - UsersController: ')).toEqual([
    'Mistakes in the options of @Crud() (https://github.com/nestwright/nestwright/blob/main/docs/startup-errors.md):',
    'query.maxlimit is 5, but there is no such option; did you mean maxLimit?',
    'query.join is 5, but must be an object',
    'query.sort is 7, but must be a list',
    'params.id.fild is "id", but there is no such option; did you mean field?',
    '@CrudAuth: filters is a function, but there is no such option; did you mean filter?',
    expect.stringMatching(/^query.exclude names "nope", but User has no such field; it has id, email, name.first, /),
    'query.softDelete is true, but User has no delete-date column',
  ]);
});

describe('mistakes in classes', () => {
  test('a service without a verb, one that cannot describe its entity, one whose own check fails, and none', async () => {
    class Half {
      getMany = () => [];
    }
    class Broken extends Users {}
    Object.defineProperty(Broken.prototype, CATALOG, { get: failing(new Error('no metadata for User')) });
    class Failing extends Users {
      override [CHECK_START] = failing(new Error('No data source'));
    }
    @Crud(OF_USERS)
    @Controller('users')
    class UsersController {
      readonly service = 'users';
    }

    const routes = { only: ['getManyBase', 'deleteOneBase'] };
    const ofService = (service: Type<object>, options: object = {}) =>
      failure(resource(service, { ...OF_USERS, ...options }, 'users'), [service]);
    expect(await ofService(Half, { routes })).toMatch(
      /: service has no method deleteOne, which .* deleteOneBase calls$/,
    );
    expect(await ofService(Broken)).toMatch(/: its service cannot describe its entity: no metadata for User$/);
    expect(await ofService(Failing)).toBe('No data source');
    expect(await failure(UsersController)).toMatch(
      /: the public property service is "users", but must be a CrudService \(constructor\(public service: …\)\)$/,
    );
  });

  test('mistakes in overrides, and methods that hide generated handlers', async () => {
    const empty = () => undefined;
    const taking = (_service: unknown, _req: unknown, _dto: unknown) => undefined;
    const own = [
      handler('getAll', empty, Override()),
      handler('getMany', empty, Override()),
      handler('list', empty, Override('getManyBase')),
      handler('deleteOne', taking, Override()),
      handler('own', taking, Get('own')),
      ...['getOneBase', 'countBase', 'updateManyBase'].map((name) => handler(name, empty)),
    ];

    const routes = { countBase: true, exclude: ['getOneBase'] };
    const message = await failure(controllerOf({ options: { routes }, own }));
    expect(message.split('\n  - UsersController: ').slice(1)).toEqual([
      'service has no method countMany, which the route countBase calls',
      expect.stringContaining('@Override() on getAll means "getAllBase", but must be one of getManyBase,'),
      '@Override() on list means getManyBase, which getMany overrides already',
      '@ParsedBody() stands on deleteOne, but deleteOneBase has no body',
      '@ParsedBody() stands on own, but means something only under @Override()',
      'the method getOneBase hides the generated handler of that name: call it getOne and put @Override() on it',
      'the method countBase hides the generated handler of that name: call it count and put @Override() on it',
    ]);
  });

  const hides = (route: string, served: string, path: string) =>
    `routes has ${route}, which is ${served}, and so is the method mine ("${path}"): put @Override('${route}') on it in place of its own path, or take ${route} out of routes`;

  test.each<[own: MethodDecorator, mistake: string | undefined]>([
    [Get('count'), hides('countBase', 'GET /count', 'count')],
    [All('/Count/'), hides('countBase', 'GET /count', '/Count/')],
    [Get(['own', 'count/own', 'own/count', 'c/ount']), undefined],
    [Post('/Bulk/Delete/'), hides('deleteManyBase', 'POST /bulk/delete', '/Bulk/Delete/')],
  ])('a handler with the path of an optional route, whatever its method is called (%#)', async (own, mistake) => {
    class Counting extends Users {
      override countMany = () => Promise.resolve({ count: 0 });
      override deleteMany = () => Promise.resolve();
    }
    const mine = handler('mine', () => undefined, own);
    const options = { ...OF_USERS, routes: { countBase: true, deleteManyBase: true } };
    const told = await failure(resource(Counting, options, 'users', mine), [Counting]);
    expect(told.split('\n  - UsersController: ')[1]).toBe(mistake);
  });
});

describe('a controller in request scope', () => {
  @Injectable({ scope: Scope.REQUEST })
  class UsersOfRequest extends Users {
    constructor(@Inject(REQUEST) request: { headers: Record<string, string> }) {
      super();
      this.rows.push({ id: request.headers['x-user'] });
    }
  }

  const options = { ...OF_USERS, query: { exclude: ['pasword'] } };

  const needing: ClassDecorator = (type) => {
    Reflect.defineMetadata('design:paramtypes', [undefined, ModuleRef, Users], type);
    Inject(UsersOfRequest)(type, undefined, 0);
  };

  test.each([
    ['it can be made outside a request', resource(Users, options, { path: 'users', scope: Scope.REQUEST })],
    ['only its service can', resource(Users, options, 'users', needing)],
  ])('is looked at, too, if %s', async (_, controller) => {
    const message = await failure(controller, [Users, UsersOfRequest]);
    expect(message).toContain('UsersController: query.exclude names "pasword"');
  });

  test('starts with a warning if its service, too, cannot be made outside a request', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    expect(await failure(resource(UsersOfRequest, options, 'users'), [UsersOfRequest])).toBe('started');
    const unchecked = 'so that the names in its options were not checked against its entity.';
    expect(warn.mock.calls).toEqual([[`UsersController cannot be made outside a request, ${unchecked}`]]);
  });
});

class Companies extends memoryOf([], companies) {}

const run = (controller: Type<object>) => start({ controllers: [controller], providers: [Users, Companies] });

/** One whose service has another name, and which overrides the list alone. */
function privately(options: Partial<CrudOptions>, scope = Scope.DEFAULT): Type<object> {
  @Crud({ ...OF_USERS, ...ofList, ...options } as CrudOptions)
  @Controller({ path: 'users', scope })
  class UsersController {
    constructor(
      readonly companies: Companies,
      private readonly users: Users,
    ) {}

    /** What is no service has no class to look at. */
    readonly nothing = null;

    @Override()
    getMany(@ParsedRequest() req: CrudRequest) {
      return this.users.getMany(req);
    }
  }
  return UsersController;
}

describe('a controller without a property `service`', () => {
  test('starts where it overrides every route, and is told that names were not checked if it has no service', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

    class UsersController {}
    Controller('users')(UsersController);
    handler('getMany', (_, { parsed }) => ({ limit: parsed.limit }), Override())(UsersController);
    Crud({ ...OF_USERS, ...ofList, query: { join: { nowhere: {} } } } as never)(UsersController);
    await (await run(UsersController)).get('/users?limit=3').expect(200, { limit: 3 });
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^UsersController.* has no service of its entity/));
  });

  test('whose service has another name has names checked, at the start and in requests', async () => {
    const api = await run(privately({}));
    await api.get('/users?filter=email||$eq||one').expect(200, [{ id: 1, email: 'one' }]);
    await api.get('/users?filter=secret||$eq||1').expect(400);
    await expect(run(privately({ query: { exclude: ['emial'] } }))).rejects.toThrow('query.exclude names "emial"');
  });

  test.each([Scope.DEFAULT, Scope.REQUEST])('in scope %s with a generated route does not start', async (scope) => {
    await expect(run(privately({ routes: { only: ['getManyBase', 'getOneBase'] } }, scope))).rejects.toThrow(
      'UsersController: the public property service is missing, but must be a CrudService',
    );
  });
});
