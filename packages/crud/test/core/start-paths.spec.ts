/** Which path parameters a start accepts: those of controllers, modules, prefixes and hosts must be named, those of own handlers need not be. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  Controller,
  Get,
  HostParam,
  Injectable,
  Logger,
  Module,
  Param,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import {
  Crud,
  type CrudOptions,
  type CrudRequest,
  CrudRequestInterceptor,
  Override,
  ParsedRequest,
} from '@nestwright/crud';
import { catalog, column } from '../plan/catalogs.js';
import { type Api, describePlatforms, start, type StartOptions, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Task {
  id!: number;
  projectId!: number;
  title!: string;
}

const tasks = catalog('Task', [
  column('id', 'integer', { primary: true }),
  column('projectId', 'integer'),
  column('title', 'text'),
]);

@Injectable()
class Tasks extends MemoryService {
  constructor() {
    super(
      [
        { id: 1, projectId: 1, title: 'one' },
        { id: 2, projectId: 2, title: 'two' },
      ],
      tasks,
    );
  }
}

const SCOPED: Partial<CrudOptions> = {
  params: {
    projectId: { field: 'projectId', type: 'number' },
    id: { field: 'id', type: 'number', primary: true },
  },
};

function tasksAt(path: string | { path: string; host: string }, options: Partial<CrudOptions> = {}): Type<object> {
  class TasksController {
    constructor(public service: Tasks) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Tasks], TasksController);
  Controller(path as string)(TasksController);
  Crud({ model: { type: Task }, ...options } as CrudOptions)(TasksController);

  return TasksController;
}

async function failure(options: StartOptions): Promise<string> {
  try {
    await start({ providers: [Tasks], ...options });
  } catch (error) {
    return (error as Error).message;
  }

  return 'started';
}

const titles = async (api: Api, path: string, headers?: Record<string, string>): Promise<unknown> =>
  (await api.get(path, headers).expect(200)).body.map(({ title }: Task) => title);

afterEach(stopAll);

describe('a parameter that params does not name stops the start', () => {
  test('in the path of a module, in a global prefix, in a host', async () => {
    @Module({ controllers: [tasksAt('tasks')], providers: [Tasks] })
    class TasksModule {}

    const message = (place: string) =>
      `Mistakes in the options of @Crud() (https://github.com/nestwright/nestwright/blob/main/docs/startup-errors.md):\n  - TasksController: the ${place} has :projectId, but params does not name it, `;

    expect(
      await failure({
        imports: [TasksModule, RouterModule.register([{ path: 'projects/:projectId', module: TasksModule }])],
      }),
    ).toContain(message('path "/projects/:projectId/tasks"'));
    expect(
      await failure({
        controllers: [tasksAt('tasks')],
        configure: (app) => void app.setGlobalPrefix('projects/:projectId'),
      }),
    ).toContain(message('path "projects/:projectId/tasks"'));
    expect(await failure({ controllers: [tasksAt({ path: 'tasks', host: ':projectId.example.com' })] })).toContain(
      message('host ":projectId.example.com"'),
    );
  });

  test('unless it is disabled, or there are no routes', async () => {
    const path = 'projects/:projectId/tasks';

    expect(await failure({ controllers: [tasksAt(path)] })).toContain('has :projectId');
    expect(await failure({ controllers: [tasksAt(path, { params: { projectId: { disabled: true } } })] })).toBe(
      'started',
    );
    expect(
      await failure({
        controllers: [
          tasksAt(path, {
            routes: {
              exclude: [
                'getManyBase',
                'getOneBase',
                'createOneBase',
                'createManyBase',
                'updateOneBase',
                'replaceOneBase',
                'deleteOneBase',
              ],
            },
          }),
        ],
      }),
    ).toBe('started');
  });

  test('unless every route is an override that reads it', async () => {
    @Crud({ model: { type: Task }, routes: { only: ['getManyBase'] } })
    @Controller('projects/:projectId/tasks')
    class TasksController {
      constructor(public service: Tasks) {}

      @Override()
      getMany(@ParsedRequest() _req: CrudRequest, @Param('projectId') projectId: string) {
        return [{ title: projectId }];
      }
    }

    @Crud({ model: { type: Task }, routes: { only: ['getManyBase', 'getOneBase'] } })
    @Controller('projects/:projectId/tasks')
    class HalfController {
      constructor(public service: Tasks) {}

      @Override()
      getMany(@ParsedRequest() _req: CrudRequest, @Param('projectId') projectId: string) {
        return [{ title: projectId }];
      }
    }

    const api = await start({ controllers: [TasksController], providers: [Tasks] });
    expect(await titles(api, '/projects/7/tasks')).toEqual(['7']);
    expect(await failure({ controllers: [HalfController] })).toContain(
      'so that getOneBase would serve the same records',
    );
  });
});

describePlatforms('parameters that params names', (platform) => {
  test('scope the routes, be they in the path of a module, in a prefix or in a host', async () => {
    @Module({ controllers: [tasksAt('tasks', SCOPED)], providers: [Tasks] })
    class TasksModule {}

    const routed = await start({
      platform,
      imports: [TasksModule, RouterModule.register([{ path: 'projects/:projectId', module: TasksModule }])],
    });
    expect(await titles(routed, '/projects/2/tasks')).toEqual(['two']);
    await routed.get('/projects/2/tasks/1').expect(404);

    const prefixed = await start({
      platform,
      controllers: [tasksAt('tasks', SCOPED)],
      providers: [Tasks],
      configure: (app) => void app.setGlobalPrefix('projects/:projectId'),
    });
    expect(await titles(prefixed, '/projects/2/tasks')).toEqual(['two']);

    const hosted = await start({
      platform,
      controllers: [tasksAt({ path: 'tasks', host: ':projectId.example.com' }, SCOPED)],
      providers: [Tasks],
    });
    expect(await titles(hosted, '/tasks', { host: '2.example.com' })).toEqual(['two']);
    await hosted.get('/tasks/1', { host: '2.example.com' }).expect(404);
    await hosted.get('/tasks/1', { host: '1.example.com' }).expect(200);
    await hosted.get('/tasks', { host: 'x.example.com' }).expect(400);
  });

  test('may stand in the path of an own handler alone', async () => {
    @Crud({ model: { type: Task }, ...SCOPED })
    @Controller('tasks')
    class TasksController {
      constructor(public service: Tasks) {}

      @Get('of/:projectId')
      @UseInterceptors(CrudRequestInterceptor)
      ofProject(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }
    }

    const api = await start({ platform, controllers: [TasksController], providers: [Tasks] });
    expect(await titles(api, '/tasks')).toEqual(['one', 'two']);
    expect(await titles(api, '/tasks/of/2')).toEqual(['two']);
    expect((await api.get('/tasks/1').expect(200)).body.title).toBe('one');

    const document = SwaggerModule.createDocument(api.app, new DocumentBuilder().build());
    const inPath = (path: string) =>
      (document.paths[path]?.get?.parameters ?? []).flatMap((one) =>
        'in' in one && one.in === 'path' ? [one.name] : [],
      );
    expect([inPath('/tasks'), inPath('/tasks/{id}')]).toEqual([[], ['id']]);
  });

  test('several of one field all hold', async () => {
    @Crud({
      model: { type: Task },
      params: {
        projectId: { field: 'projectId', type: 'number' },
        sameId: { field: 'projectId', type: 'number' },
        id: { field: 'id', type: 'number', primary: true },
      },
    })
    @Controller('projects/:projectId/:sameId/tasks')
    class TasksController {
      constructor(public service: Tasks) {}
    }

    const api = await start({ platform, controllers: [TasksController], providers: [Tasks] });
    expect(await titles(api, '/projects/1/1/tasks')).toEqual(['one']);
    expect(await titles(api, '/projects/1/2/tasks')).toEqual([]);
  });

  test('of a host are read by own handlers as before', async () => {
    @Crud({ model: { type: Task }, routes: { only: ['getManyBase'] } })
    @Controller({ path: 'tasks', host: ':account.example.com' })
    class TasksController {
      constructor(public service: Tasks) {}

      @Override()
      getMany(@HostParam('account') account: string) {
        return [{ title: account }];
      }
    }

    const api = await start({ platform, controllers: [TasksController], providers: [Tasks] });
    expect(await titles(api, '/tasks', { host: 'acme.example.com' })).toEqual(['acme']);
  });
});

describe('the default key', () => {
  const reports = catalog('Report', [column('city', 'text'), column('total', 'integer')]);
  const documents = catalog('Document', [column('uuid', 'uuid', { primary: true }), column('title', 'text')]);
  let warn: jest.SpiedFunction<Logger['warn']>;

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => warn.mockRestore());

  class Reports extends MemoryService {
    constructor() {
      super([{ id: 1, city: 'Bonn', total: 3 }], reports);
    }
  }

  class Documents extends MemoryService {
    constructor() {
      super([{ id: 1, uuid: 'b0a7e9c8-0d6f-4a0e-8b0a-5f5f5f5f5f5f', title: 'a' }], documents);
    }
  }

  function controllerOf(service: Type<object>, options: Partial<CrudOptions>): Type<object> {
    class RecordsController {
      constructor(readonly service: object) {}
    }
    Reflect.defineMetadata('design:paramtypes', [service], RecordsController);
    Controller('records')(RecordsController);
    Crud({ model: { type: Task }, ...options } as CrudOptions)(RecordsController);

    return RecordsController;
  }

  test('is passed over where no route addresses a record', async () => {
    const api = await start({
      controllers: [controllerOf(Reports, { routes: { only: ['getManyBase'] } })],
      providers: [Reports],
    });

    expect((await api.get('/records').expect(200)).body).toEqual([{ id: 1, city: 'Bonn', total: 3 }]);
    expect(warn).not.toHaveBeenCalled();
  });

  test('that an entity does not have is a warning that names the remedy; such routes answer 404', async () => {
    const only = { routes: { only: ['getManyBase', 'getOneBase', 'deleteOneBase'] } } as const;
    const api = await start({ controllers: [controllerOf(Documents, only)], providers: [Documents] });

    expect(warn.mock.calls).toEqual([
      [
        'RecordsController: getOneBase, deleteOneBase will answer 404, since params names no primary parameter and Document has no field id, which is the default; ' +
          "name its key: params: { uuid: { field: 'uuid', type: 'uuid', primary: true } }.",
      ],
    ]);
    expect((await api.get('/records').expect(200)).body).toHaveLength(1);
    expect((await api.get('/records/1').expect(404)).body).toMatchObject({
      code: 'CRUD_NOT_FOUND',
      message: 'Document not found',
    });
    await api.delete('/records/1').expect(404);
    await api.get('/records/9a8c2c5e-4f5e-4f0e-8f0e-000000000001').expect(404);

    warn.mockClear();
    await start({ controllers: [controllerOf(Reports, only)], providers: [Reports] });
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('name the routes that need no key in routes.only (getManyBase, createOneBase …)')],
    ]);
  });

  test('that is configured explicitly stops the start like any other parameter', async () => {
    const params = { id: { field: 'id', type: 'number', primary: true } } as const;

    expect(await failure({ controllers: [controllerOf(Documents, { params })], providers: [Documents] })).toBe(
      'Mistakes in the options of @Crud() (https://github.com/nestwright/nestwright/blob/main/docs/startup-errors.md):\n  - RecordsController: params.id.field is "id", but Document has no such field; it has uuid, title',
    );
  });
});

describe('controllers that share a name', () => {
  test('are told apart by path and model', async () => {
    class Project {
      id!: number;
    }
    const make = (path: string, type: Type<unknown>): Type<object> => {
      class EntityController {
        constructor(public service: Tasks) {}
      }
      Reflect.defineMetadata('design:paramtypes', [Tasks], EntityController);
      Controller(path)(EntityController);
      Crud({ model: { type }, query: { exclude: ['pasword'] } } as CrudOptions)(EntityController);

      return EntityController;
    };

    expect((await failure({ controllers: [make('tasks', Task), make('projects', Project)] })).split('\n')).toEqual([
      'Mistakes in the options of @Crud() (https://github.com/nestwright/nestwright/blob/main/docs/startup-errors.md):',
      '  - EntityController (path "tasks", model Task): query.exclude names "pasword", but Task has no such field; it has id, projectId, title',
      '  - EntityController (path "projects", model Project): query.exclude names "pasword", but Task has no such field; it has id, projectId, title',
    ]);
    expect(() => make('tasks', undefined as unknown as Type<unknown>)).toThrow(
      '@Crud() of EntityController (path "tasks"): model.type is undefined',
    );
  });
});
