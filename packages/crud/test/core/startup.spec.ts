/** Mistakes in the options: each stops the start of the application with a text naming controller, option and value. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Controller, Get, Inject, Injectable, Logger, Scope, type Type } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { type AuthOptions, Crud, CrudAuth, Override, ParsedBody } from '@nestwright/crud';
import { CATALOG, CHECK_START, type ResourceDefinition } from '@nestwright/crud/adapter';
import { catalog, column, relation } from '../plan/catalogs.js';
import { start, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { resource } from './resource.js';
import { MISTAKES, type Setup, User } from './startup-mistakes.js';

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

const controllerOf = ({ options = {}, auth, path = 'users' }: Setup): Type<object> =>
  resource(Users, { model: { type: User }, ...options }, path, ...(auth ? [CrudAuth(auth as AuthOptions)] : []));

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
  test.each(MISTAKES)('%s', async (message, setup) => {
    expect(await failure(controllerOf(setup))).toContain(`  - UsersController: ${message}`);
  });

  test('does not stop without a mistake', async () => {
    const query = {
      join: { company: { alias: 'c', allow: ['name'] }, friends: { persist: ['email'] } },
      exclude: ['name'],
      persist: ['email'],
      sort: [{ field: 'c.name', order: 'ASC' }],
      filter: [{ field: 'c.name', operator: '$eq', value: 'x' }],
      limits: { joins: 3 },
    };
    expect(await failure(controllerOf({ options: { query } }))).toBe('started');
  });

  test('a record type that is none, at once, since no route can be made', () => {
    expect(() => controllerOf({ options: { model: { type: undefined } } })).toThrow(
      '@Crud() of UsersController (path "users"): model.type is undefined, but must be a class, an EntitySchema or a table. If two files import each other, import it from its own file',
    );
  });
});

test('a mistaken option hides no mistake in other options, and what it takes part in is not checked', async () => {
  const options = {
    query: { maxlimit: 5, join: 5, sort: 7, exclude: ['nope'], softDelete: true },
    params: { id: { feild: 'id', type: 'number', primary: true } },
  };
  const message = await failure(controllerOf({ options, auth: { filters: () => ({}) } }));
  expect(message.split('\n  - UsersController: ')).toEqual([
    'Mistakes in the options of @Crud() (https://github.com/nestwright/nestwright/blob/main/docs/startup-errors.md):',
    'query.maxlimit is 5, but there is no such option; did you mean maxLimit?',
    'query.join is 5, but must be an object',
    'query.sort is 7, but must be a list',
    'params.id.feild is "id", but there is no such option; did you mean field?',
    '@CrudAuth: filters is a function, but there is no such option; did you mean filter?',
    'query.exclude names "nope", but User has no such field; it has id, email, name.first, settings, avatar, companyId',
    'query.softDelete is true, but User has no delete-date column',
  ]);
});

class OfUsers {
  constructor(readonly service: Users) {}
}
Reflect.defineMetadata('design:paramtypes', [Users], OfUsers);

describe('mistakes in classes', () => {
  test('no public service', async () => {
    class Hiding {
      constructor(readonly users: Users) {}
    }
    Reflect.defineMetadata('design:paramtypes', [Users], Hiding);

    @Crud({ model: { type: User } })
    @Controller('users')
    class UsersController extends Hiding {}

    expect(await failure(UsersController)).toContain(
      'UsersController: the public property service is missing, but must be a CrudService',
    );
  });

  test('a service without a verb, one that cannot describe its entity', async () => {
    class Half {
      getMany() {
        return [];
      }
    }
    class Broken extends Users {
      override get [CATALOG](): never {
        throw new Error('no metadata for User');
      }
    }
    const routes = { only: ['getManyBase', 'deleteOneBase'] };

    expect(await failure(resource(Half, { routes }, 'users'), [Half])).toMatch(
      /: service has no method deleteOne, which the route deleteOneBase calls$/,
    );
    expect(await failure(resource(Broken, {}, 'users'), [Broken])).toContain(
      'UsersController: its service cannot describe its entity: no metadata for User',
    );
  });

  test('overrides of no route, of one route, with a body where there is none; methods that hide generated handlers', async () => {
    @Crud({ model: { type: User } })
    @Controller('users')
    class UsersController extends OfUsers {
      @Override()
      getAll(): void {}

      @Override()
      getMany(): void {}

      @Override('getManyBase')
      list(): void {}

      @Override()
      deleteOne(@ParsedBody() _dto: object): void {}

      @Get('own')
      own(@ParsedBody() _dto: object): void {}

      getOneBase(): void {}
    }

    const message = await failure(UsersController);
    for (const mistake of [
      '@Override() on getAll means "getAllBase", but must be one of getManyBase,',
      '@Override() on list means getManyBase, which getMany overrides already',
      '@ParsedBody() stands on deleteOne, but deleteOneBase has no body',
      '@ParsedBody() stands on own, but means something only under @Override()',
      'the method getOneBase hides the generated handler of that name: call it getOne and put @Override() on it',
    ])
      expect(message).toContain(`UsersController: ${mistake}`);
  });

  test('request-scoped controllers are looked at too', async () => {
    const options = { model: { type: User }, query: { exclude: ['pasword' as string] } };

    @Crud(options)
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

    for (const controller of [resource(Users, options, { path: 'users', scope: Scope.REQUEST }), OthersController]) {
      expect(await failure(controller)).toContain(
        `${controller.name}: query.exclude names "pasword", but User has no such field`,
      );
    }
  });

  test('one that cannot be made outside a request starts, with a warning', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

    @Crud({ model: { type: User }, query: { exclude: ['pasword' as string] } })
    @Controller('users')
    class UsersController {
      readonly service = new Users();

      constructor(@Inject(REQUEST) request: { headers: Record<string, string> }) {
        this.service.rows.push({ id: request.headers['x-user'] });
      }
    }

    expect(await failure(UsersController)).toBe('started');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('UsersController cannot be made outside a request'));
    warn.mockRestore();
  });
});
