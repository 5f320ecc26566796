/** Every member that services are promised: an override of it is called and takes effect, and what can be called answers. */
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { BadRequestException, ImATeapotException, NotFoundException } from '@nestjs/common';
import type { CrudRequest, CrudRequestOptions } from '@nestwright/crud';
import { outcomeOf } from '@nestwright/crud/adapter';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import type { SelectQueryBuilder } from 'typeorm';
import { TypeOrmCrudService } from '../src/index.js';
import { Company, User } from './guides/user.entity.js';
import { connecting } from './support/connecting.js';
import { requestOf } from './support/requests.js';

type BuilderArguments = Parameters<TypeOrmCrudService<User>['createBuilder']>;
type Given = [parsed: ParsedRequestParams, options: CrudRequestOptions];
type OneArguments = [request: CrudRequest, shallow?: boolean, withDeleted?: boolean];

/** Notes what its overrides are called with. */
class Service extends TypeOrmCrudService<User> {
  readonly calls: string[] = [];
}

class Hiding extends Service {
  override async createBuilder(...given: BuilderArguments) {
    this.calls.push(`many ${String(given[2])}, withDeleted ${String(given[3])}`);
    return (await super.createBuilder(...given)).andWhere('User.id <> 2');
  }
}

const ROUTES: CrudRequestOptions['routes'] = { deleteOneBase: { returnDeleted: true } };
const PARAMS = { id: { field: 'id', type: 'number', primary: true } } as const;
const QUERY = { softDelete: true, join: { company: {} } };

const request = (path: Record<string, unknown> = {}, parsed: Partial<ParsedRequestParams> = {}, query: object = {}) =>
  requestOf({ path, parsed, options: { query: { ...QUERY, ...query }, routes: ROUTES, params: PARAMS } });

/** All that asks for one record. */
const verbsOf = (own: TypeOrmCrudService<User>, id: number): (() => Promise<unknown>)[] => [
  () => own.getOne(request({ id })),
  () => own.updateOne(request({ id }), { email: 'x' }),
  () => own.replaceOne(request({ id }), { email: 'x', companyId: 1 }),
  () => own.deleteOne(request({ id })),
  () => own.recoverOne(request({ id })),
];

const ids = (records: unknown) => (records as User[]).map(({ id }) => id);
const source = connecting({ connection: { type: 'sqljs' } }, [Company, User]);
const users = () => source.getRepository(User);
const service = <S extends Service>(type: new (repo: ReturnType<typeof users>) => S): S => new type(users());
const stored = (id: number) => users().findOneOrFail({ where: { id }, withDeleted: true });

beforeAll(() => source.manager.insert(Company, [{ name: 'Acme' }, { name: 'Umbrella' }]));
beforeEach(async () => {
  const rows = [1, 2, 3].map((id) => ({ id, email: `${id}@x`, companyId: id === 3 ? 2 : 1 }));
  await source.manager.insert(User, rows);
});
afterEach(() => source.manager.clear(User));

test('createBuilder', async () => {
  const own = service(Hiding);
  expect(ids(await own.getMany(request()))).toEqual([1, 3]);
  const paged = request({}, { page: 1, limit: 1 }, { links: true });
  expect(await own.getMany(paged)).toMatchObject({ count: 1, total: 2, pageCount: 2 });
  expect(outcomeOf(paged).links).toEqual({ parameter: 'page', pages: { first: '1', last: '2', next: '2' } });
  expect(await own.getOne(request({ id: 1 }))).toMatchObject({ id: 1 });
  await expect(own.getOne(request({ id: 2 }))).rejects.toThrow('User not found');
  await expect(own.getOne(request({}, { search: { id: { $gt: 0 } } }))).rejects.toMatchObject({ status: 409 });
  expect(own.calls).toEqual([
    ...Array<string>(2).fill('many undefined, withDeleted undefined'),
    ...Array<string>(3).fill('many false, withDeleted false'),
  ]);
});

test('createBuilder: the builder is an ordinary one, its aliases those of the document', async () => {
  const join = { company: {}, 'company.users': { alias: 'colleague' }, 'company.users.company': {} };
  const joined = Object.keys(join).map((field) => ({ field }));
  const sort = [{ field: 'email', order: 'DESC' as const }];
  const { parsed, options } = request({}, { join: joined, sort, limit: 2, offset: 1 }, { join });
  const builder = await service(Service).createBuilder(parsed, options);
  const aliases = builder.expressionMap.aliases.map(({ name }) => name);
  expect(aliases).toEqual(['User', 'company', 'colleague', 'company_users_company']);
  expect(ids(await builder.andWhere(`colleague.email <> '2@x'`).getMany())).toEqual([2, 1]);
  expect(await builder.getCount()).toBe(3);
});

test('doGetMany', async () => {
  class Own extends Service {
    protected override doGetMany(builder: SelectQueryBuilder<User>, ...rest: Given) {
      return super.doGetMany(builder.andWhere('User.id > 1'), ...rest);
    }
  }

  const page = await service(Own).getMany(request({}, { limit: 1, page: 2 }));
  expect(page).toMatchObject({ data: [{ id: 3 }], total: 2, page: 2 });
});

test('decidePagination, createPageInfo, getTake, getSkip', async () => {
  class Own extends Service {
    override decidePagination(...given: Given): boolean {
      return given[0].page === 7 || super.decidePagination(...given);
    }
    override createPageInfo(data: User[], total: number, limit: number, offset: number) {
      return { ...super.createPageInfo(data, total, limit, offset), rest: total - offset - data.length };
    }
    override getTake(): number {
      return 1;
    }
    override getSkip(_parsed: ParsedRequestParams, take: number | null): number {
      return take!;
    }
  }

  class Built extends Own {
    override async createBuilder(...given: BuilderArguments) {
      return super.createBuilder(...given);
    }
  }

  const page = { data: [expect.objectContaining({ id: 2 })], count: 1, total: 3, page: 2, pageCount: 3, rest: 1 };
  for (const own of [service(Own), service(Built)]) {
    expect(await own.getMany(request({}, { page: 7 }))).toEqual(page);
    expect(ids(await own.getMany(request()))).toEqual([2]);
  }
});

test('createBuilder and getOneOrFail hide records from writes, and answer them', async () => {
  class Refusing extends Service {
    protected override async getOneOrFail(...given: OneArguments): Promise<User> {
      const found = await super.getOneOrFail(...given);
      if (found.id === 2) throw this.throwNotFoundException('User');
      return Object.assign(found, { note: 'read' });
    }
  }

  for (const own of [service(Hiding), service(Refusing)]) {
    for (const verb of verbsOf(own, 2)) await expect(verb()).rejects.toMatchObject({ status: 404 });
    expect(await stored(2)).toMatchObject({ email: '2@x', deletedAt: null });
  }
  const [, update, replace, remove, recover] = verbsOf(service(Refusing), 1);
  await remove!();
  for (const verb of [recover, update, replace]) expect(await verb!()).toMatchObject({ note: 'read' });
  expect(await service(Refusing).createOne(request(), { email: 'y', companyId: 1 })).toMatchObject({ note: 'read' });
});

test('prepareEntityBeforeSave: POST and every item of a bulk', async () => {
  class Own extends Service {
    protected override prepareEntityBeforeSave(...given: [Partial<User>, ParsedRequestParams]) {
      const entity = super.prepareEntityBeforeSave(...given);
      this.calls.push(`${entity?.email} of ${entity?.companyId}`);
      if (entity?.email === 'none') return undefined;
      return entity && Object.assign(entity, { note: 'prepared', companyId: 9 });
    }
  }

  const own = service(Own);
  const scoped = request({ companyId: 2 });
  // The path is in the body that the hook is given, and wins over what it returns.
  expect([
    await own.createOne(scoped, { email: 'a', companyId: 1 }),
    ...(await own.createMany(scoped, { bulk: [{ email: 'b' }, { email: 'c' }] })),
  ]).toMatchObject(['a', 'b', 'c'].map((email) => ({ email, note: 'prepared', companyId: 2 })));
  const refused = { response: { code: 'CRUD_EMPTY_BODY' } };
  await expect(own.createOne(scoped, { email: 'none' })).rejects.toMatchObject(refused);
  await own.updateOne(request({ id: 1 }), { email: 'd' });
  await own.replaceOne(request({ id: 1 }), { email: 'e', companyId: 1 });
  expect(own.calls).toEqual(['a of 2', 'b of 2', 'c of 2', 'none of 2']);
});

test('getParamFilters', async () => {
  class Own extends Service {
    protected override getParamFilters(parsed: ParsedRequestParams) {
      return { ...super.getParamFilters(parsed), note: 'path' };
    }
  }

  const [own, scope] = [service(Own), { companyId: 1 }];
  expect([
    await own.createOne(request(scope), { email: 'a' }),
    ...(await own.createMany(request(scope), { bulk: [{ email: 'b' }] })),
    await own.updateOne(request({ id: 1, ...scope }), { email: 'c' }),
    await own.replaceOne(request({ id: 2, ...scope }), { email: 'd' }),
  ]).toMatchObject(['a', 'b', 'c', 'd'].map((email) => ({ email, note: 'path', companyId: 1 })));
});

test('getPrimaryParams: by what a record just written is read again', async () => {
  class Own extends Service {
    override getPrimaryParams(options: CrudRequestOptions): string[] {
      this.calls.push(super.getPrimaryParams(options).join());
      return ['companyId'];
    }
    protected override async getOneOrFail(...given: OneArguments): Promise<User> {
      this.calls.push(JSON.stringify(given[0].parsed.search));
      return super.getOneOrFail(...given);
    }
  }

  const own = service(Own);
  await users().delete(3);
  expect(await own.createOne(request(), { email: 'a', companyId: 2 })).toMatchObject({ email: 'a' });
  expect(own.calls).toEqual(['id', expect.stringContaining('{"companyId":2}')]);
  // Two users have that company: it is really asked.
  await expect(own.createOne(request(), { email: 'b', companyId: 1 })).rejects.toMatchObject({ status: 409 });
});

test('throwNotFoundException, which throws as in services of nestjsx/crud, or returns', async () => {
  class Returning extends Service {
    override throwNotFoundException(name: string): NotFoundException {
      return new ImATeapotException(`no ${name}`);
    }
  }

  class Throwing extends Returning {
    override throwNotFoundException(name: string): NotFoundException {
      throw super.throwNotFoundException(name);
    }
  }

  for (const own of [service(Throwing), service(Returning)])
    for (const verb of verbsOf(own, 77)) await expect(verb()).rejects.toThrow('no User');
});

test('throwBadRequestException', async () => {
  class Own extends Service {
    // Upstream's parameter is untyped.
    override throwBadRequestException(message?: any): BadRequestException {
      throw new BadRequestException({ own: message as unknown });
    }
    protected override prepareEntityBeforeSave(): undefined {}
  }

  const own = { response: { own: 'Empty data. Nothing to save.' } };
  await expect(service(Own).createMany(request(), { bulk: [] })).rejects.toMatchObject(own);
  await expect(service(Own).createOne(request(), {})).rejects.toMatchObject(own);
  expect(() => service(Service).throwBadRequestException('No', 'CRUD_INVALID_BODY')).toThrow('No');
});

test('find, findOne, findOneBy and count are the repository’s', async () => {
  const own = service(Service);
  expect(ids(await own.find({ where: { companyId: 1 }, order: { id: 'DESC' } }))).toEqual([2, 1]);
  expect(await own.findOne({ where: { email: '2@x' } })).toMatchObject({ id: 2 });
  expect(await own.findOneBy({ id: 77 })).toBeNull();
  expect(await own.count({ where: { companyId: 1 } })).toBe(2);
});
