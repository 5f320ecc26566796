/** Mistakes in what the application itself wrote, over HTTP: a 500 that says nothing, on every route, and nothing is stored; a client's own stay a 400. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Controller, Inject, Logger } from '@nestjs/common';
import { Crud, type CrudRequest, Override, ParsedRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { SCondition } from '@nestwright/crud-request';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Member, seed, Task, Team } from './entities.js';

interface Http {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The condition that a request asks the application to make. */
const conditionIn = ({ headers }: Http) => JSON.parse(headers['x-condition'] ?? '{}') as SCondition;
const filter = () => ({});
const query = { join: { assignee: {} } };

const filtered = resource(Task, 'filter', { query, auth: { filter: conditionIn } });

@Crud({ model: { type: Task } })
@Controller('overridden')
class Overridden {
  constructor(@Inject(filtered.provider) readonly service: TypeOrmCrudService<Task>) {}

  @Override()
  getMany(@ParsedRequest() req: CrudRequest) {
    req.parsed.search = { $and: [req.parsed.search!, { id: { $eq: req.parsed.extra?.['only'] as string } }] };

    return this.service.getMany(req);
  }
}

const RESOURCES = [
  filtered,
  resource(Task, 'or', { query, auth: { filter, or: conditionIn } }),
  resource(Task, 'relation', { query, auth: { filter, relations: { assignee: conditionIn } } }),
  resource(Task, 'function', {
    auth: { filter },
    query: {
      ...query,
      filter: (search, _, http: Http) => ({ $and: [...(search ? [search] : []), conditionIn(http)] }),
    },
  }),
  { controller: Overridden },
];

const WRONG = ['{"nope":1}', '{"id":"abc"}', '{"id":{"$nope":1}}', '[{"id":1}]', '{"$or":1}', '5', '"text"'];

describeDatabases('mistakes of the application', (db) => {
  beforeAll(() => {
    for (const level of ['warn', 'error'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined);
  });
  const served = serving(db, [Team, Member, Task], RESOURCES, { fill: seed });
  afterAll(() => void jest.restoreAllMocks());

  const ask = async (method: 'get' | 'patch' | 'put' | 'post' | 'delete', path: string, condition = '{}') => {
    const sent = { id: method === 'post' ? 9 : 1, tenant: 'acme', title: 'stolen' };
    const body = method === 'get' || method === 'delete' ? undefined : sent;
    const answer = await served.send(method, path, body, { 'x-condition': condition });

    return [answer.status, (answer.body as { code?: string }).code ?? answer.body];
  };
  const stored = () => served.source.getRepository(Task).find({ order: { id: 'ASC' } });
  const HIDDEN = [500, { statusCode: 500, message: 'Internal server error' }];

  test.each(WRONG)('%s in @CrudAuth.filter is a 500 on every route', async (condition) => {
    const before = await stored();

    for (const path of ['/filter', '/filter?limit=1&page=1&s={"id":1}', '/filter/1'])
      expect(await ask('get', path, condition)).toEqual(HIDDEN);
    for (const method of ['patch', 'put', 'delete'] as const)
      expect(await ask(method, '/filter/1', condition)).toEqual(HIDDEN);
    expect(await ask('post', '/filter', condition)).toEqual(HIDDEN);
    expect(await stored()).toEqual(before);
  });

  test.each(WRONG)('%s in the other conditions of the application is a 500', async (condition) => {
    const queries = ['join=assignee', 'sort=assignee.name,ASC', 'filter=assignee.id||$isnull'];

    for (const path of ['/or?s={"id":1}', '/function?s={"id":1}', ...queries.map((query) => `/relation?${query}`)])
      expect(await ask('get', path, condition)).toEqual(HIDDEN);
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
