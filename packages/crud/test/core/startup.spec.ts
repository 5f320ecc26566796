/** Mistakes in the options: each stops the start of the application with a text naming controller, option and value. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Controller, Get, Inject, Injectable, Logger, Scope, type Type } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import {
  type AuthOptions,
  Crud,
  CrudAuth,
  type CrudOptions,
  type CrudRequest,
  CrudRoutesFactory,
  Override,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import { CATALOG, CHECK_START, type ResourceDefinition } from '@nestwright/crud/adapter';
import { catalog, column, relation } from '../plan/catalogs.js';
import { start, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class User {
  id!: number;
}

const companies = catalog('Company', [column('id', 'integer', { primary: true }), column('name', 'text')]);
const users = catalog(
  'User',
  [
    column('id', 'integer', { primary: true }),
    column('email', 'text'),
    column('name.first', 'text'),
    column('settings', 'json'),
    column('avatar', 'binary'),
    column('companyId', 'integer'),
  ],
  [relation('company', 'many-to-one', () => companies), relation('friends', 'one-to-many', () => users)],
);

@Injectable()
class Users extends MemoryService {
  constructor() {
    super([], users);
  }

  override [CHECK_START]({ options }: ResourceDefinition): string[] {
    return options.query.cache ? [`query.cache is ${options.query.cache}, but there is no cache`] : [];
  }
}

interface Setup {
  options?: Record<string, unknown>;
  auth?: Record<string, unknown>;
  path?: string;
  /** Puts methods on the class, in the manner of decorators. */
  build?: () => Type<object>;
}

function controllerOf({ options = {}, auth, path = 'users' }: Setup): Type<object> {
  class UsersController {
    constructor(public service: Users) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Users], UsersController);
  Controller(path)(UsersController);
  Crud({ model: { type: User }, ...options } as CrudOptions)(UsersController);
  if (auth) CrudAuth(auth as AuthOptions)(UsersController);

  return UsersController;
}

async function failure(controller: Type<object>, providers: Type<object>[] = [Users]): Promise<string> {
  try {
    await start({ controllers: [controller], providers });
  } catch (error) {
    return (error as Error).message;
  }

  return 'started';
}

const query = (value: object): Setup => ({ options: { query: value } });
const routes = (value: object): Setup => ({ options: { routes: value } });
const params = (value: object, path?: string): Setup => ({ options: { params: value }, ...(path && { path }) });

class Lost extends CrudRoutesFactory {
  protected setSwaggerOperation(): void {
    // Nothing calls it.
  }
}

class Named {
  static readonly '~standard' = { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) };
}

const MISTAKES: [name: string, setup: Setup, message: string][] = [
  [
    'an option that does not exist',
    { options: { qeury: {} } },
    'qeury is {}, but there is no such option; did you mean query?',
  ],
  [
    'a query option that does not exist',
    query({ maxlimit: 5 }),
    'query.maxlimit is 5, but there is no such option; did you mean maxLimit?',
  ],
  [
    'a body that is neither a class nor a schema',
    { options: { dto: { create: { name: 'text' } } } },
    'dto.create is {"name":"text"}, but must be a class or a Standard Schema',
  ],
  [
    'a model that is a schema, and no dto.update',
    { options: { model: { type: Named }, routes: { only: ['updateOneBase'] } } },
    'model.type is Named, a Standard Schema, which cannot validate the partial bodies of updateOneBase: name dto.update',
  ],
  [
    'a match that is required where there are no tags',
    routes({ updateOneBase: { requireMatch: true } }),
    'routes.updateOneBase.requireMatch is true, but answers have no tags to match: set query.etag',
  ],
  [
    'a way to name operations that does not exist',
    { options: { openapi: { operationIds: 'tiny' } } },
    'openapi.operationIds is "tiny", but must be one of long, short',
  ],
  [
    'a name for OpenAPI that is none',
    { options: { openapi: { singular: 'a user' } } },
    'openapi.singular is "a user", but must be a name of letters, digits and _',
  ],
  [
    'a join option that does not exist',
    query({ join: { company: { eagre: true } } }),
    'query.join.company.eagre is true, but there is no such option',
  ],
  [
    'a route option that does not exist',
    routes({ deleteOneBase: { returnDelete: true } }),
    'routes.deleteOneBase.returnDelete is true, but there is no such option',
  ],
  [
    'an option of a route that does not exist',
    routes({ getAllBase: {} }),
    'routes.getAllBase is {}, but there is no such option; known are exclude, only, getManyBase,',
  ],
  [
    'a parameter option that does not exist',
    params({ id: { feild: 'id' } }),
    'params.id.feild is "id", but there is no such option; did you mean field?',
  ],
  [
    'a limit that does not exist',
    query({ limits: { conditionz: 5 } }),
    'query.limits.conditionz is 5, but there is no such option',
  ],
  [
    'a serialize option that does not exist',
    { options: { serialize: { getAll: User } } },
    'serialize.getAll is User, but there is no such option',
  ],
  [
    'a dto that does not exist',
    { options: { dto: { insert: User } } },
    'dto.insert is User, but there is no such option; known are create, update, replace',
  ],
  [
    'an unknown route in only',
    routes({ only: ['getMany'] }),
    'routes.only is ["getMany"], but must name routes: getManyBase,',
  ],
  [
    'an unknown route in exclude',
    routes({ exclude: ['deleteBase'] }),
    'routes.exclude is ["deleteBase"], but must name routes:',
  ],
  ['a limit that is not positive', query({ limit: 0 }), 'query.limit is 0, but must be an integer above 0'],
  [
    'a page size that is no number',
    query({ maxLimit: '100' }),
    'query.maxLimit is "100", but must be an integer above 0, or false',
  ],
  ['a negative cache', query({ cache: -1 }), 'query.cache is -1, but must be milliseconds from 0, or false'],
  [
    'a bound that is not positive',
    query({ limits: { joins: 0 } }),
    'query.limits.joins is 0, but must be an integer above 0',
  ],
  [
    'a switch that is no boolean',
    query({ alwaysPaginate: 'yes' }),
    'query.alwaysPaginate is "yes", but must be true or false',
  ],
  [
    'an order that does not exist',
    query({ sort: [{ field: 'id', order: 'UP' }] }),
    'query.sort[0].order is "UP", but must be one of ASC, DESC',
  ],
  [
    'a way to treat unknown names that does not exist',
    query({ unknown: 'skip' }),
    'query.unknown is "skip", but must be one of error, ignore',
  ],
  ['a join that is a list', query({ join: ['company'] }), 'query.join is ["company"], but must be an object'],
  [
    'a list of conditions that is none',
    query({ conditions: 'email' }),
    'query.conditions is "email", but must be a list of names',
  ],
  [
    'conditions on a field that does not exist',
    query({ conditions: ['emial'] }),
    'query.conditions names "emial", but User has no such field; it has id, email,',
  ],
  [
    'conditions on a field that a relation does not have',
    query({ conditions: ['company.nmae'], join: { company: {} } }),
    'query.conditions names "company.nmae", but Company has no such field; it has id, name',
  ],
  [
    'conditions on a relation that is not configured',
    query({ conditions: ['company.name'] }),
    'query.conditions names "company.name", but User has no such field; it has id, email,',
  ],
  [
    'a list of fields that is none',
    query({ exclude: 'email' }),
    'query.exclude is "email", but must be a list of names',
  ],
  ['a dto that is no class', { options: { dto: { create: {} } } }, 'dto.create is {}, but must be a class'],
  [
    'validation that is true',
    { options: { validation: true } },
    'validation is true, but must be the options of a ValidationPipe, with columns: all or declared, or false',
  ],
  [
    'a parameter type that does not exist',
    params({ id: { type: 'int', primary: true } }),
    'params.id.type is "int", but must be one of number, string, uuid',
  ],
  [
    'an option of @CrudAuth that does not exist',
    { auth: { fliter: () => ({}) } },
    '@CrudAuth: fliter is a function, but there is no such option; did you mean filter?',
  ],
  [
    'a scope of a relation that is neither a function nor false',
    { auth: { relations: { company: true } } },
    '@CrudAuth: relations.company is true, but must be a function, or false, or an object',
  ],
  [
    'a condition in the place of the options of a relation',
    { auth: { relations: { company: { id: 1 } } } },
    '@CrudAuth: relations.company.id is 1, but there is no such option; known are filter, persist',
  ],
  [
    'a misspelt option of a relation',
    { auth: { relations: { company: { presist: () => ({ name: 'x' }) } } } },
    '@CrudAuth: relations.company.presist is a function, but there is no such option; did you mean persist?',
  ],
  [
    'options of a relation of the wrong kind',
    { auth: { relations: { company: { persist: { name: 'x' } } } } },
    '@CrudAuth: relations.company.persist is {"name":"x"}, but must be a function',
  ],
  [
    'values of a relation that its entity does not have',
    { auth: { relations: { friends: { persist: (user: { id: number }) => ({ company: user.id, mail: 'x' }) } } } },
    '@CrudAuth: relations.friends.persist names "mail", but User has no such field; it has id, email',
  ],
  [
    'values of a relation that there is not',
    { auth: { relations: { compnay: { persist: () => ({ name: 'x' }) } } } },
    '@CrudAuth: relations names "compnay", but User has no relation compnay; it has company, friends',
  ],
  [
    'a scope of a relation that there is not',
    { auth: { relations: { company: () => ({ id: 1 }), 'company.nope': false } } },
    '@CrudAuth: relations names "company.nope", but Company has no relation nope; it has none',
  ],
  [
    'a filter of @CrudAuth that is no function',
    { auth: { filter: { id: 1 } } },
    '@CrudAuth: filter is {"id":1}, but must be a function',
  ],
  [
    'an unknown field in allow',
    query({ allow: ['id', 'mail'] }),
    'query.allow names "mail", but User has no such field; it has id, email, name.first, settings, avatar, companyId',
  ],
  [
    'an unknown field in exclude',
    query({ exclude: ['pasword'] }),
    'query.exclude names "pasword", but User has no such field',
  ],
  [
    'an unknown field in persist',
    query({ persist: ['created'] }),
    'query.persist names "created", but User has no such field',
  ],
  [
    'a persisted field that is excluded',
    query({ persist: ['email'], exclude: ['email'] }),
    'query.persist names "email", which query.exclude keeps from every response',
  ],
  [
    'an unknown relation',
    query({ join: { compnay: {} } }),
    'query.join names "compnay", but User has no relation compnay; it has company, friends',
  ],
  [
    'an unknown nested relation',
    query({ join: { company: {}, 'company.owner': {} } }),
    'query.join names "company.owner", but Company has no relation owner; it has none',
  ],
  [
    'a relation below an unknown one',
    query({ join: { company: {}, 'company.owner.role': {} } }),
    'query.join names "company.owner.role", but Company has no relation owner; it has none',
  ],
  [
    'an unknown field of a relation',
    query({ join: { company: { exclude: ['secret'] } } }),
    'query.join.company.exclude names "secret", but Company has no such field; it has id, name',
  ],
  [
    'a persisted field of a relation that is excluded',
    query({ join: { company: { persist: ['name'], exclude: ['name'] } } }),
    'query.join.company.persist names "name", which query.join.company.exclude keeps from every response',
  ],
  [
    'an alias given twice',
    query({ join: { company: { alias: 'x' }, friends: { alias: 'X' } } }),
    'query.join.friends.alias is "X", which is the name of query.join.company',
  ],
  [
    'an alias that is the name of the model',
    query({ join: { company: { alias: 'user' } } }),
    'query.join.company.alias is "user", which is the name of the model itself',
  ],
  [
    'an unknown field in sort',
    query({ sort: [{ field: 'age', order: 'ASC' }] }),
    'query.sort[0].field is "age", but User has no such field',
  ],
  [
    'an unknown field of a relation in sort',
    query({ join: { company: {} }, sort: [{ field: 'company.nmae', order: 'ASC' }] }),
    'query.sort[0].field is "company.nmae", but Company has no field nmae',
  ],
  [
    'a sort by several values',
    query({ join: { friends: {} }, sort: [{ field: 'friends.email', order: 'ASC' }] }),
    'query.sort[0].field is "friends.email", which may be several values of one record',
  ],
  [
    'a sort by JSON',
    query({ sort: [{ field: 'settings.theme', order: 'ASC' }] }),
    'query.sort[0].field is "settings.theme", which has no order (json)',
  ],
  [
    'a sort by bytes',
    query({ sort: [{ field: 'avatar', order: 'ASC' }] }),
    'query.sort[0].field is "avatar", which has no order (binary)',
  ],
  [
    'an unknown field in filter',
    query({ filter: { $and: [{ emial: 'x' }] } }),
    'query.filter names "emial", but User has no such field',
  ],
  [
    'an unknown field in a list of filters',
    query({ filter: [{ field: 'emial', operator: '$eq', value: 1 }] }),
    'query.filter names "emial", but User has no such field',
  ],
  ['a filter that is none', query({ filter: { email: { $like: 'x' } } }), 'query.filter is {"email":{"$like":"x"}}: '],
  [
    'an unknown field of a parameter',
    params({ id: { field: 'uid', type: 'number', primary: true } }),
    'params.id.field is "uid", but User has no such field',
  ],
  [
    'a parameter that the path does not have',
    params({ companyId: { field: 'companyId', type: 'number' } }),
    'params.companyId is {"field":"companyId","type":"number"}, but the path "users" has no :companyId',
  ],
  [
    'a parameter of the path that params does not name',
    { path: 'companies/:companyId/users' },
    'the path "companies/:companyId/users" has :companyId, but params does not name it, so that getManyBase would serve the same records whatever :companyId is: ' +
      "add companyId: { field: '<a column>', type: 'string' } to params, or companyId: { disabled: true } where it selects no records",
  ],
  [
    'a key that the path has already',
    params({ id: { field: 'id', type: 'number', primary: true } }, 'users/:id'),
    'params.id is primary, so that routes of one record end in :id, but the path "users/:id" has it already',
  ],
  [
    'a soft delete without a column',
    query({ softDelete: true }),
    'query.softDelete is true, but User has no delete-date column',
  ],
  ['what the adapter refuses', query({ cache: 500 }), 'query.cache is 500, but there is no cache'],
  [
    'no key and no scope',
    { options: { params: { id: { disabled: true } }, routes: { only: ['getOneBase'] } } },
    'params has no primary parameter, so that getOneBase cannot tell which record is meant: add @CrudAuth({ filter })',
  ],
  [
    'no key, with lists and single records',
    { options: { params: { id: { disabled: true } } }, auth: { filter: () => ({ id: 1 }) } },
    'routes has getManyBase and getOneBase, but without a primary parameter both are GET on the same path',
  ],
  [
    'a custom operator with the name of another',
    { options: { operators: { custom: { eq: { query: () => '' } } } } },
    'operators.custom.eq has the name of a built-in operator',
  ],
  [
    'a custom operator without a query',
    { options: { operators: { custom: { near: {} } } } },
    'operators.custom.near.query is undefined, but must be a function',
  ],
  [
    'a routes factory with a step that nothing calls',
    { options: { routesFactory: Lost } },
    'routesFactory is Lost, which overrides setSwaggerOperation; nothing calls it here: override setDecorators',
  ],
];

afterEach(stopAll);

describe('the start stops at', () => {
  test.each(MISTAKES)('%s', async (_, setup, message) => {
    expect(await failure(controllerOf(setup))).toContain(`  - UsersController: ${message}`);
  });

  test('does not stop without a mistake', async () => {
    const right = {
      join: { company: { alias: 'c', allow: ['name'] }, friends: { persist: ['email'] } },
      exclude: ['name'],
      persist: ['email'],
      sort: [{ field: 'c.name', order: 'ASC' }],
      filter: [{ field: 'c.name', operator: '$eq', value: 'x' }],
      limits: { joins: 3 },
    };
    expect(await failure(controllerOf(query(right)))).toBe('started');
  });

  test('a record type that is none, at once, since no route can be made', () => {
    expect(() => controllerOf({ options: { model: { type: undefined } } })).toThrow(
      '@Crud() of UsersController (path "users"): model.type is undefined, but must be a class, an EntitySchema or a table. If two files import each other, import it from its own file',
    );
  });

  test('all mistakes of all controllers are listed', async () => {
    const message = await failure(controllerOf(query({ exclude: ['a', 'b'], softDelete: true })));
    expect(message.split('\n')).toEqual([
      'Mistakes in the options of @Crud() (https://github.com/nestwright/nestwright/blob/main/docs/startup-errors.md):',
      expect.stringContaining('query.exclude names "a"'),
      expect.stringContaining('query.exclude names "b"'),
      expect.stringContaining('query.softDelete is true'),
    ]);
  });
});

test('a mistaken option hides no mistake in other options, and what it takes part in is not checked', async () => {
  const options = {
    query: { maxlimit: 5, exclude: ['nope'], softDelete: true },
    params: { id: { feild: 'id', type: 'number', primary: true } },
  };
  const message = await failure(controllerOf({ options, auth: { filters: () => ({}) } }));
  expect(message.split('\n  - UsersController: ')).toEqual([
    'Mistakes in the options of @Crud() (https://github.com/nestwright/nestwright/blob/main/docs/startup-errors.md):',
    'query.maxlimit is 5, but there is no such option; did you mean maxLimit?',
    'params.id.feild is "id", but there is no such option; did you mean field?',
    '@CrudAuth: filters is a function, but there is no such option; did you mean filter?',
    'query.exclude names "nope", but User has no such field; it has id, email, name.first, settings, avatar, companyId',
    'query.softDelete is true, but User has no delete-date column',
  ]);
});

test('a check that fails on a mistaken option is left out', async () => {
  const message = await failure(controllerOf({ options: { query: { join: 5, sort: 7, softDelete: true } } }));
  expect(message.split('\n  - UsersController: ').slice(1)).toEqual([
    'query.join is 5, but must be an object',
    'query.sort is 7, but must be a list',
    'query.softDelete is true, but User has no delete-date column',
  ]);
});

describe('mistakes in classes', () => {
  test('no public service', async () => {
    @Crud({ model: { type: User } })
    @Controller('users')
    class UsersController {
      constructor(readonly users: Users) {}
    }

    expect(await failure(UsersController)).toContain(
      'UsersController: the public property service is missing, but must be a CrudService',
    );
  });

  test('a service without a verb', async () => {
    @Injectable()
    class Half {
      getMany() {
        return [];
      }
    }

    @Crud({ model: { type: User }, routes: { only: ['getManyBase', 'deleteOneBase'] } })
    @Controller('users')
    class UsersController {
      constructor(readonly service: Half) {}
    }

    expect(await failure(UsersController, [Half])).toMatch(
      /: service has no method deleteOne, which the route deleteOneBase calls$/,
    );
  });

  test('an override of a route that does not exist', async () => {
    @Crud({ model: { type: User } })
    @Controller('users')
    class UsersController {
      constructor(readonly service: Users) {}

      @Override()
      getAll() {
        return [];
      }
    }

    expect(await failure(UsersController)).toContain(
      'UsersController: @Override() on getAll means "getAllBase", but must be one of getManyBase,',
    );
  });

  test('two overrides of one route', async () => {
    @Crud({ model: { type: User } })
    @Controller('users')
    class UsersController {
      constructor(readonly service: Users) {}

      @Override()
      getMany() {
        return [];
      }

      @Override('getManyBase')
      list() {
        return [];
      }
    }

    expect(await failure(UsersController)).toContain(
      'UsersController: @Override() on list means getManyBase, which getMany overrides already',
    );
  });

  test('a parsed body where there is none', async () => {
    @Crud({ model: { type: User } })
    @Controller('users')
    class UsersController {
      constructor(readonly service: Users) {}

      @Override()
      deleteOne(@ParsedRequest() _req: CrudRequest, @ParsedBody() _dto: object) {
        return {};
      }

      @Get('own')
      own(@ParsedBody() _dto: object) {
        return {};
      }
    }

    const message = await failure(UsersController);
    expect(message).toContain('UsersController: @ParsedBody() stands on deleteOne, but deleteOneBase has no body');
    expect(message).toContain(
      'UsersController: @ParsedBody() stands on own, but means something only under @Override()',
    );
  });

  test('a method with the name of a generated handler', async () => {
    @Crud({ model: { type: User } })
    @Controller('users')
    class UsersController {
      constructor(readonly service: Users) {}

      getManyBase() {
        return [];
      }
    }

    expect(await failure(UsersController)).toContain(
      'UsersController: the method getManyBase hides the generated handler of that name: call it getMany and put @Override() on it',
    );
  });

  test('a service that cannot describe its entity', async () => {
    @Injectable()
    class Broken extends Users {
      override get [CATALOG](): never {
        throw new Error('no metadata for User');
      }
    }

    @Crud({ model: { type: User } })
    @Controller('users')
    class UsersController {
      constructor(readonly service: Broken) {}
    }

    expect(await failure(UsersController, [Broken])).toContain(
      'UsersController: its service cannot describe its entity: no metadata for User',
    );
  });

  test('request-scoped controllers are looked at too', async () => {
    @Crud({ model: { type: User }, query: { exclude: ['pasword' as string] } })
    @Controller({ path: 'users', scope: Scope.REQUEST })
    class UsersController {
      constructor(readonly service: Users) {}
    }

    @Crud({ model: { type: User }, query: { exclude: ['pasword' as string] } })
    @Controller('others')
    class OthersController {
      readonly user: string;

      constructor(
        readonly service: Users,
        @Inject(REQUEST) request: { headers: Record<string, string> },
      ) {
        this.user = request.headers['x-user'] ?? '';
      }
    }

    expect(await failure(UsersController)).toContain(
      'UsersController: query.exclude names "pasword", but User has no such field',
    );
    expect(await failure(OthersController)).toContain(
      'OthersController: query.exclude names "pasword", but User has no such field',
    );
  });

  test('one that cannot be made outside a request starts, with a warning', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

    @Crud({ model: { type: User }, query: { exclude: ['pasword' as string] } })
    @Controller('users')
    class UsersController {
      readonly service: Users;

      constructor(@Inject(REQUEST) request: { headers: Record<string, string> }) {
        this.service = new Users();
        this.service.rows.push({ id: request.headers['x-user'] });
      }
    }

    expect(await failure(UsersController)).toBe('started');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('UsersController cannot be made outside a request'));
    warn.mockRestore();
  });
});
