/** Options of a request that handlers and services change, over HTTP: they count for that request alone, and what is wrong with them is the server's fault. */
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { Controller, Get, Inject, Logger, Param, UseInterceptors } from '@nestjs/common';
import {
  Crud,
  type CrudController,
  type CrudRequest,
  CrudRequestInterceptor,
  type CrudRequestOptions,
  Override,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import request from 'supertest';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Company, User } from '../services-guide/user.entity.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const QUERY = {
  join: { company: { exclude: ['name'] } },
  sort: [{ field: 'id', order: 'ASC' }],
  maxLimit: 50,
} as const;

type Change = (options: CrudRequestOptions, request: CrudRequest, value: string) => void;

/** What handlers do to options, by the name in the path, which a value may follow: a mistake is logged once a minute, so that each database has its own. */
const CHANGES: Record<string, Change> = {
  nothing: () => undefined,
  eager: ({ query }) => (query!.join!['company']!.eager = true),
  limit: ({ query }) => (query!.limit = 1),
  paged: ({ query }) => Object.assign(query!, { limit: 1, alwaysPaginate: true }),
  sort: ({ query }) => (query!.sort = [{ field: 'email', order: 'DESC' }]),
  exclude: ({ query }) => (query!.exclude = ['email', 'isActive', 'deletedAt', 'note']),
  frozen: ({ query }) => Object.freeze(Object.assign(query!, { limit: 1 })),
  replaced: (options, req) => (req.options = { ...options, query: { ...options.query, limit: 1 } }),
  field: ({ query }, _, field) => (query!.sort = [{ field, order: 'ASC' }]),
  relation: ({ query }, _, relation) => (query!.join![relation] = { eager: true }),
  kind: ({ query }, _, limit) => Object.assign(query!, { limit }),
  name: ({ query }, _, name) => Object.assign(query!, { [name]: [] }),
  cycle: (options, _, name) => Object.assign(options.query!, { [name]: options }),
};

function change(request: CrudRequest, path: string): void {
  const [name, value] = path.split('-');

  CHANGES[name!]!(request.options, request, value!);
}

/** Changes options in a verb. */
class VerbService extends TypeOrmCrudService<User> {
  override async getMany(req: CrudRequest) {
    req.options.query!.limit = 2;

    return super.getMany(req);
  }
}

/** Changes options in hooks. */
class HookService extends TypeOrmCrudService<User> {
  override async createBuilder(parsed: ParsedRequestParams, options: CrudRequestOptions, many?: boolean) {
    options.query!.join!['company']!.eager = true;

    return super.createBuilder(parsed, options, many);
  }
}

const users = resource(User, 'users');
const byVerb = resource(User, 'by-verb', { query: QUERY, service: VerbService });
const byHook = resource(User, 'by-hook', { query: QUERY, service: HookService });

@Crud({ model: { type: User }, params: { change: { disabled: true } }, query: QUERY })
@Controller('changing/:change')
class ChangingController implements CrudController<User> {
  constructor(@Inject(users.provider) readonly service: TypeOrmCrudService<User>) {}

  get base(): CrudController<User> {
    return this;
  }

  @Override()
  getMany(@ParsedRequest() req: CrudRequest, @Param('change') path: string) {
    change(req, path);

    return this.base.getManyBase!(req);
  }

  @Override()
  async createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: User, @Param('change') path: string) {
    change(req, path);

    return this.base.createOneBase!(req, dto);
  }

  @Get('own/users')
  @UseInterceptors(CrudRequestInterceptor)
  own(@ParsedRequest() req: CrudRequest, @Param('change') path: string) {
    change(req, path);

    return this.service.getMany(req);
  }
}

describeDatabases(
  'changed options',
  (db) => {
    const resources = [users, byVerb, byHook, { controller: ChangingController }];
    const app = serving(db, [Company, User], resources, { nest: { logger: false } });

    beforeAll(async () => {
      await app.source.manager.insert(Company, { id: 1, name: 'Acme' });
      for (const email of ['b@x', 'c@x', 'a@x']) await app.source.manager.insert(User, { email, companyId: 1 });
    });
    afterEach(() => {
      jest.restoreAllMocks();
    });

    const get = async (path: string, status = 200) => (await request(app.url).get(path).expect(status)).body;
    const emails = (records: unknown) => (records as User[]).map(({ email }) => email);

    const ALL = ['b@x', 'c@x', 'a@x'];
    const EXPECTED: Record<string, (body: never) => void> = {
      nothing: (body) => expect(emails(body)).toEqual(ALL),
      eager: (body) => expect((body as User[]).map(({ company }) => company)).toEqual(ALL.map(() => ({ id: 1 }))),
      limit: (body) => expect(emails(body)).toEqual(['b@x']),
      paged: (body) => expect(body).toMatchObject({ data: [{ email: 'b@x' }], total: 3, pageCount: 3 }),
      sort: (body) => expect(emails(body)).toEqual(['c@x', 'b@x', 'a@x']),
      exclude: (body) => expect(body).toEqual([1, 2, 3].map((id) => ({ id, companyId: 1 }))),
      frozen: (body) => expect(emails(body)).toEqual(['b@x']),
      replaced: (body) => expect(emails(body)).toEqual(['b@x']),
    };

    test.each(Object.keys(EXPECTED))('%s, by an override and by an own route', async (change) => {
      EXPECTED[change]!((await get(`/changing/${change}`)) as never);
      EXPECTED[change]!((await get(`/changing/${change}/own/users`)) as never);
      EXPECTED['nothing']!((await get('/changing/nothing')) as never);
    });

    test('many at once see their own alone', async () => {
      const changes = Array.from({ length: 5 }, () => Object.keys(EXPECTED)).flat();
      const bodies = await Promise.all(changes.map((change) => get(`/changing/${change}`)));

      bodies.forEach((body, index) => EXPECTED[changes[index]!]!(body as never));
    });

    test.each([
      ['field', (value: string) => `query.sort[0].field is "${value}", but User has no such field`],
      ['relation', (value: string) => `query.join names "${value}"`],
      ['kind', (value: string) => `query.limit is "${value}", but must be an integer above 0`],
      ['name', (value: string) => `query.${value}`],
      ['cycle', (value: string) => `query.${value}`],
    ])('a mistake (%s) is a 500 that says nothing, and a line in the log', async (kind, said) => {
      const lines = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const value = `${kind}${db.kind}`;
      const body = await get(`/changing/${kind}-${value}`, 500);
      await get(`/changing/${kind}-${value}/own/users`, 500);

      expect(body).toEqual({ statusCode: 500, message: 'Internal server error' });
      const told = lines.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('changed'));
      expect(told).toEqual([expect.stringContaining(said(value))]);
      await get('/changing/nothing');
    });

    test('a write answers by them', async () => {
      const { body } = await request(app.url)
        .post('/changing/exclude')
        .send({ email: 'd@x', companyId: 1 })
        .expect(201);
      expect(body).toEqual({ id: expect.any(Number), companyId: 1 });
      const whole = await request(app.url).post('/changing/nothing').send({ email: 'e@x', companyId: 1 }).expect(201);
      expect(whole.body).toMatchObject({ email: 'e@x', isActive: true });
      await request(app.url).post('/changing/field-nope').send({ email: 'f@x', companyId: 1 }).expect(500);
      await app.source.manager.delete(
        User,
        ['d@x', 'e@x'].map((email) => ({ email })),
      );

      expect(await app.source.manager.countBy(User, { email: 'f@x' })).toBe(0);
    });

    test('a verb and a hook of the service change them, too', async () => {
      for (let round = 0; round < 2; round += 1) {
        expect(emails(await get('/by-verb'))).toEqual(['b@x', 'c@x']);
        expect(await get('/by-verb/1')).toMatchObject({ email: 'b@x' });
        expect(await get('/by-hook')).toMatchObject(ALL.map((email) => ({ email, company: { id: 1 } })));
        expect(await get('/by-hook/1')).toMatchObject({ company: { id: 1 } });
        const { body } = await request(app.url)
          .patch('/by-hook/1')
          .send({ note: String(round) })
          .expect(200);
        expect(body).toMatchObject({ company: { id: 1 } });
      }
    });
  },
  ['sqlite'],
);
