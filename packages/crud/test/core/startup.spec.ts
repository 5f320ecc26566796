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
  Override,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import { CATALOG, CHECK_START, type ResourceDefinition } from '@nestwright/crud/adapter';
import { catalog, column, relation } from '../plan/catalogs.js';
import { start, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { MISTAKES, query, type Setup, User } from './startup-mistakes.js';

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

afterEach(stopAll);

describe('the start stops at', () => {
  test.each(Object.entries(MISTAKES))('%s', async (message, setup) => {
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
