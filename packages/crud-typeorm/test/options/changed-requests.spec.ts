/** What handlers and services read and change of a request, over HTTP: values of `filter`, compared as they were sent all the same, and options, which count for that request alone; what is wrong with them is the server's fault. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Controller, Get, Inject, Logger, Param, UseInterceptors } from '@nestjs/common';
import { Crud, type CrudController, type CrudOptions, type CrudRequest } from '@nestwright/crud';
import { CrudRequestInterceptor, type CrudRequestOptions, Override, ParsedRequest } from '@nestwright/crud';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import { TypeOrmCrudService } from '../../src/index.js';
import { Company, User } from '../guides/user.entity.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const BY_ID = { field: 'id', order: 'ASC' } as const;
const QUERY = { join: { company: { exclude: ['name'] } }, sort: [BY_ID] } as const;

/** The values of filters that code of the application was given. */
const seen: unknown[] = [];
const look = ({ parsed }: CrudRequest) => void seen.push(...parsed.filter.map(({ value }) => value as unknown));

/** What handlers do to options, by the name in the path. */
const CHANGES: Record<string, (options: CrudRequestOptions, request: CrudRequest) => void> = {
  nothing: (_, request) => look(request),
  eager: ({ query }) => (query!.join!['company']!.eager = true),
  exclude: ({ query }) => (query!.exclude = ['email', 'isActive', 'deletedAt', 'note']),
  replaced: (options, req) => (req.options = { ...options, query: { ...options.query, limit: 1 } }),
  search: (_, { parsed }) => (parsed.search = { $and: [parsed.search, { note: '00123' }] }),
  mistake: ({ query }) => (query!.sort = [{ field: 'wrong', order: 'ASC' }]),
};

const change = (request: CrudRequest, name: string) => CHANGES[name]!(request.options, request);

/** Looks at a request in a verb, and changes its options there and in a hook. */
class ChangingService extends TypeOrmCrudService<User> {
  override async getMany(req: CrudRequest) {
    look(req);
    req.options.query!.limit = 2;
    return super.getMany(req);
  }
  override async createBuilder(parsed: ParsedRequestParams, options: CrudRequestOptions, many?: boolean) {
    options.query!.join!['company']!.eager = true;
    return super.createBuilder(parsed, options, many);
  }
}

const users = resource(User, 'users');

/** An override, and a route of its own at `own/route`, that change requests; the path names the change. */
@Crud({ model: { type: User }, params: { change: { disabled: true } }, query: QUERY } as unknown as CrudOptions)
@Controller(`changing/:change`)
class ChangingController implements CrudController<User> {
  constructor(@Inject(users.provider) readonly service: TypeOrmCrudService<User>) {}
  @Override()
  getMany(@ParsedRequest() req: CrudRequest, @Param('change') named: string) {
    change(req, named);
    return this.service.getMany(req);
  }
  @Get('own/route')
  @UseInterceptors(CrudRequestInterceptor)
  own(@ParsedRequest() req: CrudRequest, @Param('change') named: string) {
    change(req, named);
    return this.service.getMany(req);
  }
}

const byService = resource(User, 'by-service', { query: QUERY, service: ChangingService });
const RESOURCES = [users, byService, { controller: ChangingController }];

describe('changed requests', () => {
  const app = serving({ connection: { type: 'sqljs' } }, [Company, User], RESOURCES, {
    nest: { logger: false },
    fill: async ({ manager }) => {
      await manager.insert(Company, { id: 1, name: 'Acme' });
      const notes = { 'b@x': '00123', 'c@x': '123', 'a@x': 'null' };
      for (const [email, note] of Object.entries(notes)) await manager.insert(User, { email, note, companyId: 1 });
    },
  });
  afterEach(() => void jest.restoreAllMocks());
  const emails = (records: unknown) => (records as User[]).map(({ email }) => email);
  const ALL = ['b@x', 'c@x', 'a@x'];
  const EXPECTED: Record<string, (body: never) => void> = {
    nothing: (body) => expect(emails(body)).toEqual(ALL),
    eager: (body) => expect((body as User[]).map(({ company }) => company)).toEqual(ALL.map(() => ({ id: 1 }))),
    exclude: (body) => expect(body).toEqual([1, 2, 3].map((id) => ({ id, companyId: 1 }))),
    replaced: (body) => expect(emails(body)).toEqual(['b@x']),
    search: (body) => expect(emails(body)).toEqual(['b@x']),
  };

  test('by an override and by an own route, many at once, each request sees its own alone', async () => {
    const changes = Array.from({ length: 5 }, () => Object.keys(EXPECTED)).flat();
    const paths = changes.flatMap((name) => [`/changing/${name}`, `/changing/${name}/own/route`]);
    const bodies = await Promise.all(paths.map((path) => app.read(path)));
    bodies.forEach((body, index) => EXPECTED[paths[index]!.split('/')[2]!]!(body as never));
  });

  test.each<[string, unknown[], string[]]>([
    ['filter=note||eq||00123', ['00123'], ['b@x']],
    ['filter=note||in||null,123', [[null, 123]], ['c@x', 'a@x']],
  ])('the values of %s are read as %j and compared as they were sent', async (query, values, found) => {
    for (const place of ['changing/nothing', 'by-service', 'changing/nothing/own/route']) {
      seen.length = 0;
      expect([place, emails(await app.read(`/${place}?${query}`)), seen]).toEqual([place, found, values]);
    }
  });

  test('a mistake is a 500 that says nothing, and a line in the log', async () => {
    const lines = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const answer = { status: 500, body: { statusCode: 500, message: 'Internal server error' } };
    for (const path of ['/changing/mistake', '/changing/mistake/own/route'])
      expect(await app.read(path)).toEqual(answer);
    const told = lines.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('changed'));
    const mistake = 'query.sort[0].field is "wrong", but User has no such field';
    expect(told).toEqual([expect.stringContaining(mistake)]);
  });

  test('a verb and a hook of the service change them, for each request anew', async () => {
    for (let round = 0; round < 2; round += 1) {
      const found = ALL.slice(0, 2).map((email) => ({ email, company: { id: 1 } }));
      expect(await app.read('/by-service')).toMatchObject(found);
      expect(await app.read('/by-service/1')).toMatchObject({ company: { id: 1 } });
    }
  });
});
