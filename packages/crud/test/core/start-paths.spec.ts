/** Which path parameters a start accepts: those of controllers, modules, prefixes and hosts must be named, those of own handlers need not be. */
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Controller, Get, Logger, Module, Param, type Type, UseInterceptors } from '@nestjs/common';
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
import { type Api, describeApplications, describePlatforms, start, type StartOptions } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { resource } from './resource.js';

class Task {
  id!: number;
  title!: string;
}

const tasks = catalog('Task', [
  column('id', 'integer', { primary: true }),
  column('projectId', 'integer'),
  column('title', 'text'),
]);

class Tasks extends MemoryService {
  constructor() {
    const rows = ['one', 'two'].map((title, index) => ({ id: index + 1, projectId: index + 1, title }));
    super(rows, tasks);
  }
}

const id = { field: 'id', type: 'number', primary: true } as const;
const projectId = { field: 'projectId', type: 'number' } as const;
const SCOPED: Partial<CrudOptions> = { params: { projectId, id } };

const tasksAt = (path: string | { path: string; host: string }, options: Partial<CrudOptions> = {}): Type<object> =>
  resource(Tasks, { model: { type: Task }, ...options }, path);

/** Applications in which the path of the tasks has a parameter, by what puts it there. */
const placed = (options: Partial<CrudOptions>): Record<string, StartOptions> => {
  @Module({ controllers: [tasksAt('tasks', options)], providers: [Tasks] })
  class TasksModule {}
  const controllers = [tasksAt('tasks', options)];

  return {
    'path "/projects/:projectId/tasks"': {
      imports: [TasksModule, RouterModule.register([{ path: 'projects/:projectId', module: TasksModule }])],
    },
    'path "projects/:projectId/tasks"': {
      controllers,
      configure: (app) => void app.setGlobalPrefix('projects/:projectId'),
    },
    'host ":projectId.example.com"': {
      controllers: [tasksAt({ path: 'tasks', host: ':projectId.example.com' }, options)],
    },
  };
};

const run = (options: StartOptions) => start({ providers: [Tasks], ...options });
const titles = async (api: Api, path: string, headers?: Record<string, string>): Promise<unknown> =>
  (await api.get(path, headers).expect(200)).body.map(({ title }: Task) => title);

describeApplications('a parameter that params does not name stops the start', () => {
  test('in the path of a module, in a global prefix, in a host', async () => {
    for (const [place, options] of Object.entries(placed({}))) {
      await expect(run(options)).rejects.toThrow(
        `Mistakes in the options of @Crud() (https://github.com/nestwright/nestwright/blob/main/docs/startup-errors.md):\n  - TasksController: the ${place} has :projectId, but params does not name it, `,
      );
    }
  });

  test('unless it is disabled, or there are no routes', async () => {
    const at = (options: Partial<CrudOptions>) => run({ controllers: [tasksAt('projects/:projectId/tasks', options)] });

    await expect(at({})).rejects.toThrow('has :projectId');
    await at({ params: { projectId: { disabled: true } } });
    await at({ routes: { only: ['recoverOneBase'] } });
  });

  test('unless every route is an override that reads it', async () => {
    const overriding = (...only: ('getManyBase' | 'getOneBase')[]): Type<object> => {
      @Crud({ model: { type: Task }, routes: { only } })
      @Controller('projects/:projectId/tasks')
      class TasksController {
        constructor(public service: Tasks) {}

        @Override()
        getMany(@ParsedRequest() _req: CrudRequest, @Param('projectId') projectId: string) {
          return [{ title: projectId }];
        }
      }

      return TasksController;
    };

    expect(await titles(await run({ controllers: [overriding('getManyBase')] }), '/projects/7/tasks')).toEqual(['7']);
    await expect(run({ controllers: [overriding('getManyBase', 'getOneBase')] })).rejects.toThrow(
      'so that getOneBase would serve the same records',
    );
  });
});

describePlatforms('parameters that params names', (platform) => {
  test('scope the routes, be they in the path of a module, in a prefix or in a host', async () => {
    const [routed, prefixed, hosted] = await Promise.all(
      Object.values(placed(SCOPED)).map((options) => run({ platform, ...options })),
    );

    for (const api of [routed!, prefixed!]) {
      expect(await titles(api, '/projects/2/tasks')).toEqual(['two']);
      await api.get('/projects/2/tasks/1').expect(404);
    }
    expect(await titles(hosted!, '/tasks', { host: '2.example.com' })).toEqual(['two']);
    await hosted!.get('/tasks/1', { host: '2.example.com' }).expect(404);
    await hosted!.get('/tasks/1', { host: '1.example.com' }).expect(200);
    await hosted!.get('/tasks', { host: 'x.example.com' }).expect(400);
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

    const api = await run({ platform, controllers: [TasksController] });
    expect(await titles(api, '/tasks')).toEqual(['one', 'two']);
    expect(await titles(api, '/tasks/of/2')).toEqual(['two']);
    expect((await api.get('/tasks/1').expect(200)).body.title).toBe('one');

    const { paths } = SwaggerModule.createDocument(api.app, new DocumentBuilder().build());
    const inPath = (path: string) =>
      (paths[path]?.get?.parameters ?? []).flatMap((one) => ('in' in one && one.in === 'path' ? [one.name] : []));
    expect([inPath('/tasks'), inPath('/tasks/{id}')]).toEqual([[], ['id']]);
  });

  test('several of one field all hold', async () => {
    const options = { params: { projectId, sameId: projectId, id } };
    const api = await run({ platform, controllers: [tasksAt('projects/:projectId/:sameId/tasks', options)] });

    expect(await titles(api, '/projects/1/1/tasks')).toEqual(['one']);
    expect(await titles(api, '/projects/1/2/tasks')).toEqual([]);
  });
});

describeApplications('the default key', () => {
  let warn: jest.SpiedFunction<Logger['warn']>;
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    warn.mockClear();
  });

  class Reports extends MemoryService {
    constructor() {
      super([{ id: 1, city: 'Bonn' }], catalog('Report', [column('city', 'text')]));
    }
  }
  class Documents extends MemoryService {
    constructor() {
      super([{ id: 1 }], catalog('Document', [column('uuid', 'uuid', { primary: true }), column('title', 'text')]));
    }
  }
  const serve = (service: Type<object>, options: Partial<CrudOptions>) =>
    start({ controllers: [resource(service, options, 'records')], providers: [service] });
  const only = { routes: { only: ['getManyBase', 'getOneBase', 'deleteOneBase'] } } as const;

  test('is passed over where no route addresses a record', async () => {
    const api = await serve(Reports, { routes: { only: ['getManyBase'] } });

    await api.get('/records').expect(200, [{ id: 1, city: 'Bonn' }]);
    expect(warn).not.toHaveBeenCalled();
  });

  test('that an entity does not have is a warning that names the remedy; such routes answer 404', async () => {
    const api = await serve(Documents, only as never);

    expect(warn.mock.calls).toEqual([
      [
        'RecordsController: getOneBase, deleteOneBase will answer 404, since params names no primary parameter and Document has no field id, which is the default; ' +
          "name its key: params: { uuid: { field: 'uuid', type: 'uuid', primary: true } }.",
      ],
    ]);
    expect((await api.get('/records').expect(200)).body).toHaveLength(1);
    const missing = { code: 'CRUD_NOT_FOUND', message: 'Document not found' };
    expect((await api.get('/records/1').expect(404)).body).toMatchObject(missing);
    await api.delete('/records/1').expect(404);
    await api.get('/records/9a8c2c5e-4f5e-4f0e-8f0e-000000000001').expect(404);

    warn.mockClear();
    await serve(Reports, only as never);
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('name the routes that need no key in routes.only (getManyBase, createOneBase …)')],
    ]);
  });

  test('that is configured explicitly stops the start like any other parameter', async () => {
    await expect(serve(Documents, { params: { id } })).rejects.toThrow(
      'RecordsController: params.id.field is "id", but Document has no such field; it has uuid, title',
    );
  });
});

describe('controllers that share a name', () => {
  test('are told apart by path and model', async () => {
    class Project {
      id!: number;
    }
    const make = (parent: string, type?: Type<unknown>) =>
      resource(Tasks, { model: { type }, query: { exclude: ['pasword'] } }, `${parent}/records`);

    await expect(run({ controllers: [make('tasks', Task), make('projects', Project)] })).rejects.toThrow(
      [
        '',
        '  - RecordsController (path "tasks/records", model Task): query.exclude names "pasword", but Task has no such field; it has id, projectId, title',
        '  - RecordsController (path "projects/records", model Project): query.exclude names "pasword", but Task has no such field; it has id, projectId, title',
      ].join('\n'),
    );
    expect(() => make('tasks')).toThrow('@Crud() of RecordsController (path "tasks/records"): model.type is undefined');
  });
});
