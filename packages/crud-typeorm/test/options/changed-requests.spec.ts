/** What handlers and services read and change of a request, over HTTP: values of `filter` and `or`, compared as they were sent all the same, and options, which count for that request alone; what is wrong with them is the server's fault. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Controller, Get, Inject, Logger, Param, type Type, UseInterceptors } from '@nestjs/common';
import { Crud, type CrudController, type CrudOptions, type CrudRequest } from '@nestwright/crud';
import { CrudRequestInterceptor, type CrudRequestOptions, Override, ParsedBody, ParsedRequest } from '@nestwright/crud';
import type { ParsedRequestParams, QueryFilter, SCondition } from '@nestwright/crud-request';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Company, User } from '../services-guide/user.entity.js';
import { type Resource, resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

/** An override, and a route of its own at `own/route`, that change requests; the path names the change. */
function changing<T extends object>(
  path: string,
  type: Type<T>,
  { provider }: Resource,
  change: (request: CrudRequest, named: string) => void,
  options: Partial<CrudOptions> = {},
): { controller: Type<unknown> } {
  @Crud({ model: { type }, params: { change: { disabled: true } }, ...options } as CrudOptions)
  @Controller(`${path}/:change`)
  class ChangingController implements CrudController<T> {
    constructor(@Inject(provider) readonly service: TypeOrmCrudService<T>) {}
    get base(): CrudController<T> {
      return this;
    }
    @Override()
    getMany(@ParsedRequest() req: CrudRequest, @Param('change') named: string) {
      change(req, named);
      return this.base.getManyBase!(req);
    }
    @Override()
    async createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: T, @Param('change') named: string) {
      change(req, named);
      return this.base.createOneBase!(req, dto);
    }
    @Get('own/route')
    @UseInterceptors(CrudRequestInterceptor)
    own(@ParsedRequest() req: CrudRequest, @Param('change') named: string) {
      change(req, named);
      return this.service.getMany(req);
    }
  }
  return { controller: ChangingController };
}

@Entity()
class Parcel {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 100 }) zip!: string;
  @Column({ type: 'bigint' }) weight!: string;
  @Column({ type: Date }) sentAt!: Date;
  @Column({ type: 'boolean' }) isOpen!: boolean;
}

const LATER = { sentAt: new Date('2025-01-01T00:00:00Z'), isOpen: true };
const PARCELS = [
  { id: 1, zip: '00123', weight: '9007199254740993', sentAt: new Date('2024-01-31T00:00:00Z'), isOpen: true },
  { id: 2, zip: '123', weight: '9007199254740992', sentAt: new Date('2024-02-29T12:00:00Z'), isOpen: false },
  { id: 3, zip: '1e3', weight: '5', sentAt: new Date('2024-03-01T00:00:00Z'), isOpen: true },
  { id: 4, zip: '2024-01-31', weight: '6', ...LATER },
  { id: 5, zip: 'null', weight: '7', ...LATER },
  { id: 6, zip: '"5"', weight: '8', ...LATER },
];

/** What handlers read, and what they do with it. */
let seen: unknown[] = [];
let rewrite: (request: CrudRequest) => void = () => undefined;

function look(request: CrudRequest): void {
  seen = [...request.parsed.filter, ...request.parsed.or].map(({ value }) => value as unknown);
  rewrite(request);
}

class LookingParcels extends TypeOrmCrudService<Parcel> {
  override getMany(req: CrudRequest) {
    look(req);
    return super.getMany(req);
  }
}

const parcels = resource(Parcel, 'parcels');
const looking = resource(Parcel, 'looking', { service: LookingParcels });
const PARCEL_RESOURCES = [parcels, looking, changing('overridden', Parcel, parcels, look)];
const PLACES = ['overridden/x', 'looking', 'overridden/x/own/route'];

describeDatabases('typed values', (db) => {
  const app = serving(db, [Parcel], PARCEL_RESOURCES, { fill: ({ manager }) => manager.insert(Parcel, PARCELS) });
  beforeEach(() => {
    seen = [];
    rewrite = () => undefined;
  });

  const ids = async (path: string, query: string) =>
    ((await app.read(`/${path}?${encodeURI(query)}`)) as Parcel[]).map(({ id }) => id);

  test.each<[string, unknown[], number[]]>([
    ['filter=id||eq||2', [2], [2]],
    ['filter=id||in||1,3', [[1, 3]], [1, 3]],
    ['filter=isOpen||eq||false', [false], [2]],
    ['filter=zip||eq||00123', ['00123'], [1]],
    ['filter=zip||eq||123', [123], [2]],
    ['filter=zip||eq||2024-01-31', [new Date('2024-01-31')], [4]],
    ['filter=zip||in||null,123', [[null, 123]], [2, 5]],
    ['filter=zip||eq||"5"', ['5'], [6]],
    ['filter=weight||eq||9007199254740993', ['9007199254740993'], [1]],
    ['filter=sentAt||gt||2024-02-29T11:59:59&filter=id||lt||4', [new Date('2024-02-29T11:59:59Z'), 4], [2, 3]],
    ['filter=id||eq||1&or=zip||eq||123', [1, 123], [1, 2]],
  ])('%s is read as %j and found as sent', async (query, values, found) => {
    expect([await ids('parcels', query), seen]).toEqual([found, []]);
    for (const place of PLACES) expect([await ids(place, query), seen]).toEqual([found, values]);
  });

  test('what a handler makes of them is compared, and an impossible date stays a 400', async () => {
    rewrite = ({ parsed }) => {
      const byId = parsed.filter.find(({ field }: QueryFilter) => field === 'id');
      if (byId?.value === 1) parsed.search = { $and: [parsed.search, { zip: '00123' }] };
      if (byId?.value === 2) (parsed.search.$and![0] as { id: { $eq: number } }).id.$eq = 3;
      if (byId?.value === 4) parsed.search = { zip: { $in: [123, new Date('2024-01-31').toISOString().slice(0, 10)] } };
      if (byId?.value === 5) parsed.search = JSON.parse(JSON.stringify(parsed.search)) as SCondition;
    };
    for (const place of PLACES) {
      for (const [asked, found] of Object.entries({ 1: [1], 2: [3], 4: [2, 4] }))
        expect(await ids(place, `filter=id||$eq||${asked}`)).toEqual(found);
      expect(await ids(place, 'filter=id||$eq||5&filter=sentAt||gte||2025-01-01')).toEqual([5]);
    }
    for (const place of ['parcels', ...PLACES])
      expect(await app.statusOf('get', `/${place}?filter=sentAt||gt||2024-02-30`)).toBe(400);
  });
});

const BY_ID = { field: 'id', order: 'ASC' } as const;
const QUERY = { join: { company: { exclude: ['name'] } }, sort: [BY_ID], maxLimit: 50 } as const;
type Change = (options: CrudRequestOptions, request: CrudRequest, value: string) => void;

/** What handlers do to options, by the name in the path, which a value may follow: a mistake is logged once a minute, so that each test has its own. */
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

function changeOptions(request: CrudRequest, path: string): void {
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
const USER_RESOURCES = [
  users,
  resource(User, 'by-verb', { query: QUERY, service: VerbService }),
  resource(User, 'by-hook', { query: QUERY, service: HookService }),
  changing('changing', User, users, changeOptions, { query: QUERY } as object),
];

describe('changed options', () => {
  const app = serving({ connection: { type: 'sqljs' } }, [Company, User], USER_RESOURCES, {
    nest: { logger: false },
    fill: async ({ manager }) => {
      await manager.insert(Company, { id: 1, name: 'Acme' });
      for (const email of ['b@x', 'c@x', 'a@x']) await manager.insert(User, { email, companyId: 1 });
    },
  });
  afterEach(() => void jest.restoreAllMocks());
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

  test('by an override and by an own route, many at once, each request sees its own alone', async () => {
    const changes = Array.from({ length: 5 }, () => Object.keys(EXPECTED)).flat();
    const paths = changes.flatMap((change) => [`/changing/${change}`, `/changing/${change}/own/route`]);
    const bodies = await Promise.all(paths.map((path) => app.read(path)));
    bodies.forEach((body, index) => EXPECTED[paths[index]!.split('/')[2]!]!(body as never));
  });

  test.each([
    ['field', 'query.sort[0].field is "wrong", but User has no such field'],
    ['relation', 'query.join names "wrong"'],
    ['kind', 'query.limit is "wrong", but must be an integer above 0'],
    ['name', 'query.wrong'],
    ['cycle', 'query.wrongs'],
  ])('a mistake (%s) is a 500 that says nothing, and a line in the log', async (kind, said) => {
    const lines = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const path = `/changing/${kind}-${kind === 'cycle' ? 'wrongs' : 'wrong'}`;
    for (const one of [path, `${path}/own/route`])
      expect(await app.read(one)).toEqual({ status: 500, body: { statusCode: 500, message: 'Internal server error' } });

    const told = lines.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('changed'));
    expect(told).toEqual([expect.stringContaining(said)]);
    expect(await app.statusOf('get', '/changing/nothing')).toBe(200);
  });

  test('a write answers by them', async () => {
    const post = (change: string, email: string) => app.send('post', `/changing/${change}`, { email, companyId: 1 });
    expect(await post('exclude', 'd@x')).toEqual({ status: 201, body: { id: expect.any(Number), companyId: 1 } });
    expect((await post('nothing', 'e@x')).body).toMatchObject({ email: 'e@x', isActive: true });
    expect((await post('field-nope', 'f@x')).status).toBe(500);
    expect(await app.source.manager.countBy(User, { email: 'f@x' })).toBe(0);
    for (const email of ['d@x', 'e@x']) await app.source.manager.delete(User, { email });
  });

  test('a verb and a hook of the service change them, too', async () => {
    for (let round = 0; round < 2; round += 1) {
      expect(emails(await app.read('/by-verb'))).toEqual(['b@x', 'c@x']);
      expect(await app.read('/by-verb/1')).toMatchObject({ email: 'b@x' });
      expect(await app.read('/by-hook')).toMatchObject(ALL.map((email) => ({ email, company: { id: 1 } })));
      expect(await app.read('/by-hook/1')).toMatchObject({ company: { id: 1 } });
      const patched = await app.send('patch', '/by-hook/1', { note: `${round}` });
      expect(patched).toMatchObject({ status: 200, body: { company: { id: 1 } } });
    }
  });
});
