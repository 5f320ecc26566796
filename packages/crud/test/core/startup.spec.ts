/** Mistakes in options and classes: each stops the start of the application with a text naming controller, option and value. Controllers without a public property `service`, which are right where no generated handler would call it. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ModuleMetadata, Provider, Type } from '@nestjs/common';
import { All, Controller, Get, Inject, Injectable, Logger, Optional, Post, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import type { AuthOptions, CrudOptions, CrudRequest } from '@nestwright/crud';
import { Crud, CrudAuth, Override, ParsedRequest } from '@nestwright/crud';
import { CATALOG, type Catalog, CHECK_START, type ResourceDefinition } from '@nestwright/crud/adapter';
import { catalog, column, relation } from '../plan/catalogs.js';
import { start, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { handler, resource } from './resource.js';
import { MISTAKES, type Setup, SOUND, User } from './startup-mistakes.js';

const key = column('id', 'integer', { primary: true });
const companies = catalog('Company', [key, column('name', 'text')]);
const texts = ['email', 'name.first'].map((name) => column(name, 'text'));
const others = [column('settings', 'json'), column('avatar', 'binary'), column('companyId', 'integer')];
const users: Catalog = catalog(
  'User',
  [key, ...texts, ...others],
  [relation('company', 'many-to-one', () => companies), relation('friends', 'one-to-many', () => users)],
);

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

/** What the start says of a controller; its service is another module's. */
async function failure(controller: Type<object>, providers: Provider[] = [Users]): Promise<string> {
  class ServicesModule {}

  try {
    await start({
      controllers: [controller],
      imports: [{ module: ServicesModule, providers, exports: providers as ModuleMetadata['exports'] }],
    });
  } catch (error) {
    return (error as Error).message;
  }

  return 'started';
}

afterEach(async () => {
  jest.restoreAllMocks();
  await stopAll();
});

describe('the start stops at', () => {
  test.each(MISTAKES)('%s', async (message, setup) => {
    expect(await failure(controllerOf(setup))).toContain(`  - UsersController: ${message}`);
  });

  test('a record type that is none, at once, since no route can be made', () => {
    expect(() => controllerOf({ options: { model: { type: undefined } } })).toThrow(
      '@Crud() of UsersController (path "users"): model.type is undefined, but must be a class, an EntitySchema or a table. If two files import each other, import it from its own file',
    );
  });
});

test.each(SOUND)('%s: the application starts', async (_, setup) => {
  expect(await failure(controllerOf(setup))).toBe('started');
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

describe('mistakes in classes', () => {
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

  test('what is no service, and a service whose own check fails', async () => {
    @Crud({ model: { type: User } })
    @Controller('users')
    class UsersController {
      readonly service = 'users';
    }

    class Failing extends Users {
      override [CHECK_START](): never {
        throw new Error('No data source');
      }
    }

    expect(await failure(UsersController)).toMatch(
      /: the public property service is "users", but must be a CrudService \(constructor\(public service: …\)\)$/,
    );
    expect(await failure(resource(Failing, { model: { type: User } }, 'users'), [Failing])).toBe('No data source');
  });

  test('overrides of no route, of one route, with a body where there is none; methods that hide generated handlers', async () => {
    const empty = () => undefined;
    const taking = (_service: unknown, _req: unknown, _dto: unknown) => undefined;
    const own = [
      handler('getAll', empty, Override()),
      handler('getMany', empty, Override()),
      handler('list', empty, Override('getManyBase')),
      handler('deleteOne', taking, Override()),
      handler('own', taking, Get('own')),
      handler('getOneBase', empty),
    ];

    const message = await failure(resource(Users, { model: { type: User } }, 'users', ...own));
    for (const mistake of [
      '@Override() on getAll means "getAllBase", but must be one of getManyBase,',
      '@Override() on list means getManyBase, which getMany overrides already',
      '@ParsedBody() stands on deleteOne, but deleteOneBase has no body',
      '@ParsedBody() stands on own, but means something only under @Override()',
      'the method getOneBase hides the generated handler of that name: call it getOne and put @Override() on it',
    ])
      expect(message).toContain(`UsersController: ${mistake}`);
  });

  const count = (path: string) =>
    `routes has countBase, which is GET /count, and so is the method mine (${path}): put @Override('countBase') on it in place of its own path, or take countBase out of routes`;

  test.each<[own: MethodDecorator, mistake: string | undefined]>([
    [Get('count'), count('"count"')],
    [All('/Count/'), count('"/Count/"')],
    [Get(['own', '//count']), count('"//count"')],
    [Get(['own', 'count/own', 'own/count', 'c/ount']), undefined],
    [Post('count'), undefined],
  ])('a handler with the path of an optional route, whatever its method is called (%#)', async (own, mistake) => {
    class Counting extends Users {
      override countMany = () => Promise.resolve({ count: 0 });
    }

    const mine = handler('mine', () => undefined, own);
    const routes = { countBase: true };
    const told = await failure(resource(Counting, { model: { type: User }, routes }, 'users', mine), [Counting]);
    expect(told.split('\n  - UsersController: ')[1]).toBe(mistake);
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

  describe('one that cannot be made outside a request starts, with a warning', () => {
    type OfUser = { headers: Record<string, string> };
    const options = { model: { type: User }, query: { exclude: ['pasword' as string] } };

    @Crud(options)
    @Controller('users')
    class MakingController {
      readonly service = new Users();

      // To decorators, the second parameter has no type.
      constructor(@Inject(REQUEST) request: OfUser, @Optional() @Inject('nothing') _: undefined) {
        this.service.rows.push({ id: request.headers['x-user'] });
      }
    }

    @Crud(options)
    @Controller('users')
    class NamingController {
      constructor(
        @Inject('users') readonly service: Users,
        @Inject(REQUEST) request: OfUser,
      ) {
        service.rows.push({ id: request.headers['x-user'] });
      }
    }

    @Injectable({ scope: Scope.REQUEST })
    class UsersOfRequest extends Users {
      constructor(@Inject(REQUEST) request: OfUser) {
        super();
        this.rows.push({ id: request.headers['x-user'] });
      }
    }

    test.each<[string, Type<object>, Provider]>([
      ['since it makes its service itself', MakingController, Users],
      ['since its service has a name of its own', NamingController, { provide: 'users', useClass: Users }],
      ['since its service cannot', resource(UsersOfRequest, options, 'users'), UsersOfRequest],
    ])('%s', async (_, controller, provider) => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      expect(await failure(controller, [provider])).toBe('started');
      expect(warn.mock.calls).toEqual([
        [
          `${controller.name} cannot be made outside a request, so that the names in its options were not checked against its entity.`,
        ],
      ]);
    });
  });
});

class Book {
  id!: number;
}

const books = catalog('Book', [key, column('title', 'text'), column('price', 'integer', { selectable: false })]);

class Books extends MemoryService {
  constructor() {
    super([{ id: 1, title: 'one' }], books);
  }
}

class Magazines extends MemoryService {
  constructor() {
    super([], catalog('Magazine', [key]));
  }
}

const run = (controller: Type<object>) => start({ controllers: [controller], providers: [Books, Magazines] });

/** One whose service has another name, and which overrides the list alone. */
function privately(options: Partial<CrudOptions>, scope = Scope.DEFAULT): Type<object> {
  @Crud({ model: { type: Book }, routes: { only: ['getManyBase'] }, ...options } as CrudOptions)
  @Controller({ path: 'books', scope })
  class BooksController {
    constructor(
      readonly magazines: Magazines,
      private readonly books: Books,
    ) {}

    /** What is no service has no class to look at. */
    readonly nothing = null;

    @Override()
    getMany(@ParsedRequest() req: CrudRequest) {
      return this.books.getMany(req);
    }
  }

  return BooksController;
}

describe('a controller', () => {
  test('without any service starts where it overrides every route, and is told that names were not checked', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

    @Crud({ model: { type: Book }, routes: { only: ['getManyBase'] }, query: { join: { nowhere: {} } } } as never)
    @Controller('books')
    class BooksController {
      @Override()
      getMany(@ParsedRequest() req: CrudRequest) {
        return { limit: req.parsed.limit };
      }
    }

    await (await run(BooksController)).get('/books?limit=3').expect(200, { limit: 3 });
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^BooksController.* has no service of its entity/));
  });

  test('whose service has another name has names checked, at the start and in requests', async () => {
    const api = await run(privately({}));
    await api.get('/books?filter=title||$eq||one').expect(200, [{ id: 1, title: 'one' }]);
    await api.get('/books?filter=price||$eq||1').expect(400);
    await expect(run(privately({ query: { exclude: ['tilte'] } }))).rejects.toThrow('query.exclude names "tilte"');
  });

  test.each([Scope.DEFAULT, Scope.REQUEST])('in scope %s with a generated route does not start', async (scope) => {
    await expect(run(privately({ routes: { only: ['getManyBase', 'getOneBase'] } }, scope))).rejects.toThrow(
      'BooksController: the public property service is missing, but must be a CrudService',
    );
  });
});
