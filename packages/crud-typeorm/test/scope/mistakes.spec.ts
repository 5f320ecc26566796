/** Mistakes in what the application itself wrote, over HTTP: a 500 that says nothing, on every route, and nothing is stored; a client's own stay a 400. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Controller, type INestApplication, Logger, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type AuthOptions, Crud, CrudAuth, type CrudRequest, Override, ParsedRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { SCondition } from '@nestwright/crud-request';
import request from 'supertest';
import { DataSource } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { Member, seed, Task, Team } from './entities.js';
import { connect } from '../support/resources.js';

interface Http {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

class Tasks extends TypeOrmCrudService<Task> {}

/** The condition that a request asks the application to make. */
const conditionIn = ({ headers }: Http) => JSON.parse(headers['x-condition'] ?? '{}') as SCondition;

function controllerOf(
  path: string,
  auth: AuthOptions,
  filter?: (search: SCondition | undefined, http: Http) => SCondition,
) {
  @Crud({
    model: { type: Task },
    query: {
      join: { assignee: {} },
      ...(filter && { filter: (search, _, http: Http) => filter(search, http) }),
    },
  })
  @CrudAuth({ filter: () => ({}), ...auth })
  @Controller(path)
  class TasksController {
    constructor(readonly service: Tasks) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Tasks], TasksController);

  return TasksController;
}

@Crud({ model: { type: Task } })
@Controller('overridden')
class Overridden {
  constructor(readonly service: Tasks) {}

  @Override()
  getMany(@ParsedRequest() req: CrudRequest) {
    req.parsed.search = { $and: [req.parsed.search!, { id: { $eq: req.parsed.extra?.['only'] as string } }] };

    return this.service.getMany(req);
  }
}

const CONTROLLERS: Type<object>[] = [
  controllerOf('filter', { filter: conditionIn }),
  controllerOf('or', { or: conditionIn }),
  controllerOf('relation', { relations: { assignee: conditionIn } }),
  controllerOf('function', {}, (search, http) => ({ $and: [...(search ? [search] : []), conditionIn(http)] })),
  Overridden,
];

const WRONG = ['{"nope":1}', '{"id":"abc"}', '{"id":{"$nope":1}}', '[{"id":1}]', '{"$or":1}', '5', '"text"'];

describeDatabases('mistakes of the application', (db) => {
  let source: DataSource;
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    source = await connect(db, [Team, Member, Task]);
    await seed(source);
    for (const level of ['warn', 'error'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
    const module = await Test.createTestingModule({
      controllers: CONTROLLERS,
      providers: [{ provide: Tasks, useFactory: () => new Tasks(source.getRepository(Task)) }],
    }).compile();
    ({ app, url } = await listen(module, 'express'));
  });

  afterAll(async () => {
    await app.close();
    await source.destroy();
    jest.restoreAllMocks();
  });

  const ask = async (method: 'get' | 'patch' | 'put' | 'post' | 'delete', path: string, condition = '{}') => {
    const asked = request(url)[method](path).set('x-condition', condition);
    const { status, body } = await (method === 'get' || method === 'delete'
      ? asked
      : asked.send({ id: method === 'post' ? 9 : 1, tenant: 'acme', title: 'stolen' }));

    return [status, (body as { code?: string }).code ?? body];
  };
  const HIDDEN = [500, { statusCode: 500, message: 'Internal server error' }];

  test.each(WRONG)('%s in @CrudAuth.filter is a 500 on every route', async (condition) => {
    const before = await source.getRepository(Task).find({ order: { id: 'ASC' } });

    expect(await ask('get', '/filter', condition)).toEqual(HIDDEN);
    expect(await ask('get', '/filter?limit=1&page=1&s={"id":1}', condition)).toEqual(HIDDEN);
    expect(await ask('get', '/filter/1', condition)).toEqual(HIDDEN);
    for (const method of ['patch', 'put', 'delete'] as const)
      expect(await ask(method, '/filter/1', condition)).toEqual(HIDDEN);
    expect(await ask('post', '/filter', condition)).toEqual(HIDDEN);
    expect(await source.getRepository(Task).find({ order: { id: 'ASC' } })).toEqual(before);
  });

  test.each(WRONG)('%s in the other conditions of the application is a 500', async (condition) => {
    expect(await ask('get', '/or?s={"id":1}', condition)).toEqual(HIDDEN);
    expect(await ask('get', '/function?s={"id":1}', condition)).toEqual(HIDDEN);
    expect(await ask('get', '/relation?join=assignee', condition)).toEqual(HIDDEN);
    expect(await ask('get', '/relation?sort=assignee.name,ASC', condition)).toEqual(HIDDEN);
    expect(await ask('get', '/relation?filter=assignee.id||$isnull', condition)).toEqual(HIDDEN);
    expect((await ask('get', '/relation', condition))[0]).toBe(200);
  });

  describe('what is the client’s stays a 400', () => {
    test.each(['filter', 'or', 'function', 'relation'])('beside a condition on /%s', async (path) => {
      expect(await ask('get', `/${path}?filter=id||$eq||abc`)).toEqual([400, 'CRUD_INVALID_VALUE']);
      expect(await ask('get', `/${path}?s={"id":"abc"}`)).toEqual([400, 'CRUD_INVALID_VALUE']);
      expect(await ask('get', `/${path}?filter=nope||$eq||1`)).toEqual([400, 'CRUD_UNKNOWN_FIELD']);
      expect(await ask('get', `/${path}?s={"id":{"$nope":1}}`)).toEqual([400, 'CRUD_UNKNOWN_OPERATOR']);
    });

    test('in a condition that an override makes of it', async () => {
      expect(await ask('get', '/overridden?extra.only=abc')).toEqual([400, 'CRUD_INVALID_VALUE']);
      expect((await ask('get', '/overridden?extra.only=2'))[0]).toBe(200);
    });
  });
});
