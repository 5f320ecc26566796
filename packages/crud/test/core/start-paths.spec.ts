/** Which path parameters a start accepts: those of controllers, modules, prefixes and hosts must be named, those of own handlers need not be. */
import { expect, jest, test } from '@jest/globals';
import type { INestApplication, Type } from '@nestjs/common';
import { Get, Logger, Module, Param, UseInterceptors } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { CrudOptions } from '@nestwright/crud';
import { CrudRequestInterceptor, Override } from '@nestwright/crud';
import { catalog, column } from '../plan/catalogs.js';
import { describeApplications, describePlatforms, start, type StartOptions } from '../support/application.js';
import { memoryOf } from '../support/memory.service.js';
import { expectIds, handler, resource } from './resource.js';

class Task {
  id!: number;
}

const key = column('id', 'integer', { primary: true });
const tasks = catalog('Task', [key, column('projectId', 'integer'), column('title', 'text')]);

const rows = [1, 2].map((id) => ({ id, projectId: id }));
class Tasks extends memoryOf(rows, tasks) {}

const id = { field: 'id', type: 'number', primary: true } as const;
const projectId = { field: 'projectId', type: 'number' } as const;
const SCOPED: Partial<CrudOptions> = { params: { projectId, id } };

const PATH = 'projects/:projectId/tasks';
const OF_TASKS = { model: { type: Task } };
const tasksAt = (path: string | { path: string; host: string }, options: Partial<CrudOptions> = {}): Type<object> =>
  resource(Tasks, { ...OF_TASKS, ...options }, path);

/** Applications in which the path of the tasks has a parameter, by what puts it there. */
const placed = (options: Partial<CrudOptions>): Record<string, StartOptions> => {
  @Module({ controllers: [tasksAt('tasks', options)], providers: [Tasks] })
  class TasksModule {}
  const controllers = [tasksAt('tasks', options)];
  const [path, host] = ['projects/:projectId', ':projectId.example.com'];
  const configure = (app: INestApplication) => void app.setGlobalPrefix(path);
  return {
    [`path "/${path}/tasks"`]: { imports: [TasksModule, RouterModule.register([{ path, module: TasksModule }])] },
    [`path "${path}/tasks"`]: { controllers, configure },
    [`host "${host}"`]: { controllers: [tasksAt({ path: 'tasks', host }, options)] },
  };
};

const run = (options: StartOptions) => start({ providers: [Tasks], ...options });

describeApplications('a parameter that params does not name stops the start', () => {
  test('in the path of a module, in a global prefix, in a host', async () => {
    for (const [place, options] of Object.entries(placed({}))) {
      const mistake = `TasksController: the ${place} has :projectId, but params does not name it, `;
      await expect(run(options)).rejects.toThrow(mistake);
    }
  });

  test('unless it is disabled, or there are no routes', async () => {
    for (const options of [{ params: { projectId: { disabled: true } } }, { routes: { only: ['recoverOneBase'] } }])
      await run({ controllers: [tasksAt(PATH, options as Partial<CrudOptions>)] });
  });

  test('unless every route is an override that reads it', async () => {
    const list = handler('getMany', (tasks: Tasks, req) => tasks.getMany(req), Override());
    const reading: ClassDecorator = ({ prototype }) => Param('projectId')(prototype as object, 'getMany', 1);
    const overriding = (...only: ('getManyBase' | 'getOneBase')[]) =>
      run({ controllers: [resource(Tasks, { ...OF_TASKS, routes: { only } }, PATH, list, reading)] });
    await expectIds(await overriding('getManyBase'), { '/projects/7/tasks': [1, 2] });
    const mistake = 'so that getOneBase would serve the same records';
    await expect(overriding('getManyBase', 'getOneBase')).rejects.toThrow(mistake);
  });
});

describePlatforms('parameters that params names', (platform) => {
  test('scope the routes, be they in the path of a module, in a prefix or in a host', async () => {
    const [routed, prefixed, hosted] = await Promise.all(
      Object.values(placed(SCOPED)).map((options) => run({ platform, ...options })),
    );

    const missing = '404 CRUD_NOT_FOUND';
    for (const api of [routed!, prefixed!])
      await expectIds(api, { '/projects/2/tasks': [2], '/projects/2/tasks/1': missing });
    await expectIds(hosted!, { '/tasks': [2], '/tasks/1': missing }, { host: '2.example.com' });
    await expectIds(hosted!, { '/tasks/1': 1 }, { host: '1.example.com' });
    await expectIds(hosted!, { '/tasks': '400 CRUD_INVALID_PARAM' }, { host: 'x.example.com' });
  });

  test('may stand in the path of an own handler alone', async () => {
    const around = UseInterceptors(CrudRequestInterceptor);
    const own = handler('ofProject', (tasks: Tasks, req) => tasks.getMany(req), Get('of/:projectId'), around);
    const api = await run({ platform, controllers: [resource(Tasks, { ...OF_TASKS, ...SCOPED }, 'tasks', own)] });
    await expectIds(api, { '/tasks': [1, 2], '/tasks/of/2': [2], '/tasks/1': 1 });
    const { paths } = SwaggerModule.createDocument(api.app, new DocumentBuilder().build());
    const inPath = (path: string) =>
      (paths[path]?.get?.parameters ?? []).flatMap((one) => ('in' in one && one.in === 'path' ? [one.name] : []));
    expect([inPath('/tasks'), inPath('/tasks/{id}')]).toEqual([[], ['id']]);
  });

  test('several of one field all hold', async () => {
    const options = { params: { projectId, sameId: projectId, id } };
    const api = await run({ platform, controllers: [tasksAt('projects/:projectId/:sameId/tasks', options)] });
    await expectIds(api, { '/projects/1/1/tasks': [1], '/projects/1/2/tasks': [] });
  });
});

describeApplications('the default key', () => {
  test('that an entity does not have is a warning that names the remedy; such routes answer 404', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const Reports = memoryOf([{ id: 1 }], catalog('Report', [column('city', 'text')]));
    const Documents = memoryOf([{ id: 1 }], catalog('Document', [column('uuid', 'uuid', { primary: true })]));
    const serve = (service: Type<object>, only = ['getManyBase', 'getOneBase', 'deleteOneBase']) =>
      run({ controllers: [resource(service, { routes: { only } }, 'records')], providers: [service] });

    const api = await serve(Documents);
    const said =
      'RecordsController: getOneBase, deleteOneBase will answer 404, since params names no primary parameter and ' +
      'Document has no field id, which is the default; name its key: ' +
      "params: { uuid: { field: 'uuid', type: 'uuid', primary: true } }.";
    expect((await api.get('/records').expect(200)).body).toHaveLength(1);
    const missing = { code: 'CRUD_NOT_FOUND', message: 'Document not found' };
    expect((await api.get('/records/1').expect(404)).body).toMatchObject(missing);
    for (const request of [api.delete('/records/1'), api.get('/records/9a8c2c5e-4f5e-4f0e-8f0e-000000000001')])
      await request.expect(404);
    await serve(Reports);
    const remedy = 'name the routes that need no key in routes.only (getManyBase, createOneBase …)';
    await serve(Reports, ['getManyBase']);
    expect(warn.mock.calls).toEqual([[said], [expect.stringContaining(remedy)]]);
    warn.mockRestore();
  });
});

test('controllers that share a name are told apart by path and model', async () => {
  class Project {
    id!: number;
  }

  const make = (parent: string, type: Type<unknown>) =>
    resource(Tasks, { model: { type }, query: { exclude: ['pasword'] } }, `${parent}/records`);

  const mistake = 'query.exclude names "pasword", but Task has no such field; it has id, projectId, title';
  await expect(run({ controllers: [make('tasks', Task), make('projects', Project)] })).rejects.toThrow(
    `\n  - RecordsController (path "tasks/records", model Task): ${mistake}` +
      `\n  - RecordsController (path "projects/records", model Project): ${mistake}`,
  );
});
