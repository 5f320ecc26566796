/** Every option of a resource, of its scope and of all resources: what it changes over HTTP on a real database. An option without a row fails the suite. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type CallHandler, type ExecutionContext, Header, HttpException } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import {
  type BaseRouteName,
  CrudConfigService,
  type CrudOptions,
  CrudRoutesFactory,
  type SerializeOptions,
} from '@nestwright/crud';
import { definitionOf } from '@nestwright/crud/adapter';
import { RequestQueryBuilder } from '@nestwright/crud-request';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Exclude, Expose, Transform } from 'class-transformer';
import { IsEmpty, IsString } from 'class-validator';
import { z } from 'zod';
import { GLOBAL_STATE_KEY } from '../../../crud/src/constants.js';
import { OPTION_PATHS } from '../../../crud/test/support/option-paths.js';
import { describePlatforms } from '../../../crud/test/support/application.js';
import { bulkRows } from './bulk-rows.js';
import { closeSources, Company, type Stage, stage, type StageOptions, Token, TOKEN, User } from './stage.js';

/** Starts an application with options. */
type Serve = (options?: Partial<CrudOptions>, more?: Omit<StageOptions, 'platform' | 'options'>) => Promise<Stage>;
type Row = (serve: Serve) => Promise<unknown>;

/** One request of each route, on a resource with soft delete whose DELETE and recover answer with the record. */
const REQUESTS: Record<BaseRouteName, (stage: Stage) => ReturnType<Stage['api']['get']>> = {
  getManyBase: ({ api }) => api.get('/users'),
  getOneBase: ({ api }) => api.get('/users/1'),
  createOneBase: ({ api }) => api.post('/users', { name: 'Eva', email: 'eva@x.org' }),
  createManyBase: ({ api }) => api.post('/users/bulk', { bulk: [{ name: 'Eva', email: 'eva@x.org' }] }),
  updateOneBase: ({ api }) => api.patch('/users/1', { age: 31 }),
  replaceOneBase: ({ api }) => api.put('/users/1', { name: 'Ada', email: 'ada@x.org' }),
  deleteOneBase: ({ api }) => api.delete('/users/1'),
  recoverOneBase: ({ api }) => api.patch('/users/1/recover'),
  countBase: ({ api }) => api.get('/users/count'),
  aggregateBase: ({ api }) => api.get('/users/aggregate?aggregate=count||*'),
  updateManyBase: ({ api }) => api.patch('/users/bulk', { bulk: [{ id: 1, age: 31 }] }),
  replaceManyBase: ({ api }) => api.put('/users/bulk', { bulk: [{ id: 1, name: 'Ada', email: 'ada@x.org' }] }),
  deleteManyBase: ({ api }) => api.post('/users/bulk/delete', { bulk: [{ id: 1 }] }),
  recoverManyBase: ({ api }) => api.patch('/users/bulk/recover', { bulk: [{ id: 1 }] }),
};
const ROUTE_NAMES = Object.keys(REQUESTS) as BaseRouteName[];
const ANSWERING: Partial<CrudOptions> = {
  query: { softDelete: true, aggregate: { functions: { '*': ['count'] } } },
  routes: {
    deleteOneBase: { returnDeleted: true },
    countBase: true,
    aggregateBase: true,
    updateManyBase: true,
    replaceManyBase: true,
    deleteManyBase: true,
    recoverManyBase: true,
  },
};

/** Does work while somebody has the only connection; what it returns may wait for that. */
async function withoutConnection({ source }: Stage, work: () => Promise<unknown>): Promise<void> {
  let giveBack!: () => void;
  let taken!: () => void;
  const isTaken = new Promise<void>((resolve) => (taken = resolve));
  const held = source.transaction(
    () =>
      new Promise<void>((resolve) => {
        giveBack = resolve;
        taken();
      }),
  );
  await isTaken;
  setTimeout(giveBack, 200);
  await work();
  await held;
}

const TAG = /^"[\w-]{22}\.[\w-]{22}"$/;

/** A route that requires a match, and one that does not. */
const matched =
  (route: BaseRouteName): Row =>
  async (serve) => {
    const query = { softDelete: true, etag: true };
    const strict = await serve({ query, routes: { [route]: { requireMatch: true } } });

    expect((await REQUESTS[route](strict)).body).toMatchObject({ statusCode: 428, code: 'CRUD_PRECONDITION_REQUIRED' });
    expect((await REQUESTS[route](await serve({ query }))).status).toBe(200);
  };

const marking = {
  intercept(context: ExecutionContext, next: CallHandler) {
    context.switchToHttp().getResponse<{ header(name: string, value: string): void }>().header('x-option', 'yes');

    return next.handle();
  },
};

/** `interceptors` and `decorators`, which every route takes. */
const ROUTE_ROWS = Object.fromEntries(
  ROUTE_NAMES.flatMap((route): [string, Row][] =>
    Object.entries({ interceptors: [marking], decorators: [Header('x-option', 'yes')] }).map(([option, value]) => [
      `routes.${route}.${option}`,
      async (serve) => {
        const routes = {
          ...ANSWERING.routes,
          [route]: { ...ANSWERING.routes?.[route as 'deleteOneBase'], [option]: value },
        };
        const made = await serve({ ...ANSWERING, routes });

        for (const name of ROUTE_NAMES) {
          const { headers, status } = await REQUESTS[name](made);
          expect([name, headers['x-option'], status < 300]).toEqual([name, name === route ? 'yes' : undefined, true]);
        }
      },
    ]),
  ),
);

const SHORT_NAMES = { operationIds: 'short', schemas: 'short' } as const;

/** The names in the document of an application. */
function documented({ api: { app } }: Stage): { readonly ids: string[]; readonly schemas: string[] } {
  const { paths, components } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as { operationId: string }[]);

  return { ids: operations.map(({ operationId }) => operationId), schemas: Object.keys(components?.schemas ?? {}) };
}

const INVALID_BODIES: Partial<Record<BaseRouteName, (stage: Stage) => ReturnType<Stage['api']['get']>>> = {
  createOneBase: ({ api }) => api.post('/users', { name: 1 }),
  createManyBase: ({ api }) => api.post('/users/bulk', { bulk: [{ name: 1 }] }),
  updateOneBase: ({ api }) => api.patch('/users/1', { name: 1 }),
  replaceOneBase: ({ api }) => api.put('/users/1', { name: 1 }),
};

/** `routes.*.validation`: over the options of the resource, for that route alone. */
const VALIDATION_ROWS = Object.fromEntries(
  Object.entries(INVALID_BODIES).map(([route, send]): [string, Row] => [
    `routes.${route}.validation`,
    async (serve) => {
      const resource = { dto: { create: Named, update: Named }, validation: { errorHttpStatusCode: 422 } };
      const made = await serve({ ...resource, routes: { [route]: { validation: { errorHttpStatusCode: 418 } } } });
      for (const [name, sendTo] of Object.entries(INVALID_BODIES))
        expect([name, (await sendTo(made)).status]).toEqual([name, name === route ? 418 : 422]);

      const off = await serve({ ...resource, routes: { [route]: { validation: false } } });
      expect((await send(off)).status).toBeLessThan(300);
      const on = await serve({ ...resource, validation: false, routes: { [route]: { validation: {} } } });
      expect((await send(on)).status).toBe(400);
    },
  ]),
);

class NoEmail {
  @Exclude()
  email!: string;
}

class UpperCaseEmail {
  @Transform(({ value }: { value?: string }) => value?.toUpperCase())
  email!: string;
}

const SERIALIZED: Record<keyof SerializeOptions, BaseRouteName> = {
  getMany: 'getManyBase',
  get: 'getOneBase',
  create: 'createOneBase',
  createMany: 'createManyBase',
  update: 'updateOneBase',
  replace: 'replaceOneBase',
  delete: 'deleteOneBase',
  recover: 'recoverOneBase',
};

/** `serialize.*`: a class that leaves out what the model shows. */
const SERIALIZE_ROWS = Object.fromEntries(
  Object.entries(SERIALIZED).map(([option, route]): [string, Row] => [
    `serialize.${option}`,
    async (serve) => {
      const shown = async (type: typeof NoEmail | false): Promise<unknown> => {
        const { body } = await REQUESTS[route](await serve({ ...ANSWERING, serialize: { [option]: type } }));

        return [body].flat()[0];
      };

      expect(await shown(false)).toMatchObject({ email: expect.stringMatching(/^(ada|eva)@x\.org$/) });
      const record = await shown(NoEmail);
      expect(record).toMatchObject({ name: expect.any(String) });
      expect(record).not.toHaveProperty('email');
    },
  ]),
);

class Named {
  @IsString()
  name!: string;
}

const join = (option: object, relation = 'company'): Partial<CrudOptions> => ({
  query: { join: { [relation]: option } },
});
const inCompany = (more: Partial<CrudOptions> = {}): Parameters<Serve> => [
  { params: { company: { field: 'companyId', type: 'number' } }, ...more },
  { path: 'companies/:company/users' },
];

/** A bound of {@link CrudOptions.query}'s `limits`: the query that keeps to it and the one that does not. */
const bounded =
  (limit: string, bound: number, within: string, beyond: string): Row =>
  async (serve) => {
    const options = (limits: object): Partial<CrudOptions> => ({ query: { limits, join: { company: {} } } });
    const free = await serve(options({}));
    const made = await serve(options({ [limit]: bound }));

    await free.api.get(`/users?${beyond}`).expect(200);
    await made.api.get(`/users?${within}`).expect(200);
    expect((await made.api.get(`/users?${beyond}`).expect(400)).body).toMatchObject({ code: 'CRUD_LIMIT_EXCEEDED' });
  };

const ROWS: Record<string, Row> = {
  ...ROUTE_ROWS,
  ...VALIDATION_ROWS,
  ...SERIALIZE_ROWS,
  ...bulkRows(Named),

  'model.type': async (serve) => {
    const users = await serve();
    const companies = await serve({}, { entity: Company, path: 'companies' });

    expect((await users.api.get('/users/9').expect(404)).body).toMatchObject({ message: 'User not found' });
    expect((await companies.api.get('/companies/9').expect(404)).body).toMatchObject({ message: 'Company not found' });
  },

  'dto.create': async (serve) => {
    const { api } = await serve({ dto: { create: Named } });

    await api.post('/users', { age: 3 }).expect(400);
    await api.post('/users/bulk', { bulk: [{ age: 3 }] }).expect(400);
    await api.put('/users/1', { age: 3 }).expect(400);
    await api.patch('/users/1', { age: 3 }).expect(200);

    // A schema may let anything pass; only what the entity has is stored.
    const loose = await serve({ dto: { create: z.looseObject({ name: z.string().trim() }) } });
    const { body } = await loose.api.post('/users', { name: ' Eva ', hacker: 1, deletedAt: '2020-01-01' }).expect(201);
    expect(body).not.toHaveProperty('hacker');
    expect(await loose.stored(5)).toMatchObject({ name: 'Eva', deletedAt: null });
    await loose.api.post('/users', { hacker: 1 }).expect(400);
  },
  'dto.update': async (serve) => {
    const { api } = await serve({ dto: { update: Named } });

    await api.patch('/users/1', { age: 3 }).expect(400);
    await api.put('/users/1', { name: 'A' }).expect(200);
  },
  'dto.replace': async (serve) => {
    class Nameless {
      @IsEmpty()
      email?: string;
    }
    const { api } = await serve({ dto: { create: Named, replace: Nameless } });

    expect((await api.put('/users/1', { name: 'A', email: 'e' }).expect(400)).body.message).toEqual([
      'email must be empty',
    ]);
    await api.post('/users', { name: 'A', email: 'e' }).expect(201);
  },

  'query.allow': async (serve) => {
    const { api, read } = await serve({ query: { allow: ['name'] } });

    expect(await read('/users/1')).toEqual({ id: 1, name: 'Ada' });
    await api.get('/users?fields=email').expect(400);
    await api.get('/users?filter=email||$notnull').expect(400);
    await api.get('/users?sort=email,ASC').expect(400);
  },
  'query.exclude': async (serve) => {
    const { api, read } = await serve({ query: { exclude: ['email'] } });

    expect(await read('/users/1')).not.toHaveProperty('email');
    expect((await api.post('/users', { name: 'E', email: 'e' }).expect(201)).body).not.toHaveProperty('email');
    await api.get('/users?filter=email||$eq||ada@x.org').expect(400);
  },
  'query.persist': async (serve) => {
    const { read } = await serve({ query: { persist: ['email'] } });

    expect(await read('/users/1?fields=name')).toEqual({ id: 1, name: 'Ada', email: 'ada@x.org' });
  },
  'query.conditions': async (serve) => {
    const { api, names } = await serve({
      query: { exclude: ['age'], conditions: ['email', 'age'] },
      serialize: { get: NoEmail },
    });

    expect(await names('/users?filter=email||$eq||ada@x.org')).toEqual(['Ada']);
    expect(await names('/users?sort=email,DESC&limit=1')).toHaveLength(1);
    await api.get('/users?filter=age||$gt||1').expect(200);
    for (const { email, age } of (await api.get('/users?fields=email').expect(200)).body as Record<string, unknown>[])
      expect([email, age]).toEqual([undefined, undefined]);

    const closed = await serve({ query: { exclude: ['age'] }, serialize: { get: NoEmail } });
    for (const query of ['filter=email||$eq||ada@x.org', 'sort=email', 'filter=age||$gt||1', 'fields=email'])
      expect((await closed.api.get(`/users?${query}`).expect(400)).body).toMatchObject({ code: 'CRUD_UNKNOWN_FIELD' });
  },
  'query.formats': async (serve) => {
    const serialize = { get: UpperCaseEmail };
    const open = await serve({ query: { formats: ['email'] }, serialize });
    const closed = await serve({ serialize });

    expect(await open.names('/users?filter=email||$eq||ada@x.org')).toEqual(['Ada']);
    expect((await closed.api.get('/users?filter=email||$eq||ada@x.org').expect(400)).body).toMatchObject({
      code: 'CRUD_UNKNOWN_FIELD',
    });
  },
  'query.filter': async (serve) => {
    type Of = { headers: Record<string, string> };
    const list = await serve({ query: { filter: [{ field: 'role', operator: '$eq', value: 'guest' }] } });
    const condition = await serve({ query: { filter: { age: { $gt: 25 } } } });
    const seen: unknown[] = [];
    const sync = await serve({
      query: {
        filter: (search: object | undefined, getMany: boolean, { headers }: Of) => {
          seen.push([search, getMany]);

          return { role: headers['x-role'] ?? 'guest' };
        },
      },
    });
    const later = await serve({
      query: { filter: (search: object | undefined) => Promise.resolve(search && { $not: search }) },
    });

    expect(await list.names()).toEqual(['Bea', 'Cid', 'Dot']);
    expect(await list.names('/users?or=name||$eq||Ada')).toEqual([]);
    await list.api.get('/users/1').expect(404);
    expect(await condition.names()).toEqual(['Ada', 'Cid']);
    expect(await condition.names('/users?filter=role||$eq||guest')).toEqual(['Cid']);
    expect(await sync.names('/users?filter=age||$gt||99')).toEqual(['Bea', 'Cid', 'Dot']);
    expect(await sync.names('/users', { 'x-role': 'owner' })).toEqual(['Ada']);
    await sync.api.get('/users/1').expect(404);
    expect(seen).toEqual([
      [{ age: { $gt: 99 } }, true],
      [undefined, true],
      [undefined, false],
    ]);
    expect(await later.names('/users?filter=name||$eq||Ada')).toEqual(['Bea', 'Cid', 'Dot']);
    expect(await later.names()).toEqual(['Ada', 'Bea', 'Cid', 'Dot']);
  },
  'query.join.*.alias': async (serve) => {
    const made = await serve(join({ alias: 'employer' }));

    expect(await made.read('/users/1?join=employer')).toHaveProperty('company.name', 'Acme');
    expect(await made.names('/users?filter=employer.name||$eq||Beta')).toEqual(['Cid']);
    await (await serve(join({}))).api.get('/users/1?join=employer').expect(400);
  },
  'query.join.*.allow': async (serve) => {
    const { api, read } = await serve(join({ allow: ['name'] }));

    expect(await read('/users/1?join=company')).toHaveProperty('company', { id: 1, name: 'Acme' });
    await api.get('/users/1?join=company||code').expect(400);
    await api.get('/users?filter=company.code||$eq||secret').expect(400);
  },
  'query.join.*.exclude': async (serve) => {
    const { api, read } = await serve(join({ exclude: ['code'] }));

    expect(await read('/users/1?join=company')).toHaveProperty('company', { id: 1, name: 'Acme' });
    await api.get('/users?filter=company.code||$eq||secret').expect(400);
  },
  'query.join.*.persist': async (serve) => {
    const { read } = await serve(join({ persist: ['code'] }));

    expect(await read('/users/1?join=company||name')).toHaveProperty('company', {
      id: 1,
      name: 'Acme',
      code: 'secret',
    });
  },
  'query.join.*.eager': async (serve) => {
    expect(await (await serve(join({ eager: true }))).read('/users/1')).toHaveProperty('company.name', 'Acme');
    expect(await (await serve(join({}))).read('/users/1')).not.toHaveProperty('company');
  },
  'query.join.*.select': async (serve) => {
    const made = await serve(join({ eager: true, select: false }));

    expect(await made.read('/users/1?join=company')).not.toHaveProperty('company');
    expect(await made.names('/users?filter=company.name||$eq||Beta')).toEqual(['Cid']);
  },
  'query.join.*.required': async (serve) => {
    expect(await (await serve(join({ eager: true, required: true }))).names()).toEqual(['Ada', 'Bea', 'Cid']);
    expect(await (await serve(join({ eager: true }))).names()).toHaveLength(4);
  },
  'query.sort.*.field': async (serve) => {
    const made = await serve({ query: { sort: [{ field: 'age', order: 'ASC' }] } });

    expect(await made.names()).toEqual(['Dot', 'Bea', 'Ada', 'Cid']);
    expect(await made.names('/users?sort=name,DESC')).toEqual(['Dot', 'Cid', 'Bea', 'Ada']);
  },
  'query.sort.*.order': async (serve) => {
    const sort = [{ field: 'role', order: 'DESC' }, { field: 'age', order: 'DESC' }] as const; // prettier-ignore

    expect(await (await serve({ query: { sort } })).names()).toEqual(['Ada', 'Cid', 'Bea', 'Dot']);
  },
  'query.limit': async (serve) => {
    const made = await serve({ query: { limit: 2 } });

    expect(await made.names()).toEqual(['Ada', 'Bea']);
    expect(await made.names('/users?limit=3')).toHaveLength(3);
    expect(await made.read('/users?page=2')).toMatchObject({ count: 2, total: 4, page: 2, pageCount: 2 });
  },
  'query.maxLimit': async (serve) => {
    const many = (): { name: string }[] => Array.from({ length: 500 }, (_, index) => ({ name: `company ${index}` }));
    const capped = await serve({ query: { maxLimit: 2 } });
    const usual = await serve({}, { entity: Company, path: 'companies' });
    const lifted = await serve({ query: { maxLimit: false } }, { entity: Company, path: 'companies' });
    for (const { source } of [usual, lifted, usual, lifted]) await source.getRepository(Company).insert(many());

    expect(await capped.names('/users?limit=100')).toEqual(['Ada', 'Bea']);
    expect(await capped.names()).toEqual(['Ada', 'Bea']);
    expect(await usual.names('/companies')).toHaveLength(1000);
    expect(await lifted.names('/companies')).toHaveLength(1002);
  },
  'query.cache': async (serve) => {
    const after = async (cache: number | false): Promise<unknown[]> => {
      const { read, source } = await serve({ query: { cache } });
      await read('/users/1');
      await source.getRepository(User).update(1, { name: 'Eva' });

      return [(await read('/users/1')).name, (await read('/users/1?cache=0')).name, (await read('/users/1')).name];
    };

    expect(await after(60_000)).toEqual(['Ada', 'Eva', 'Eva']);
    expect(await after(false)).toEqual(['Eva', 'Eva', 'Eva']);
  },
  'query.alwaysPaginate': async (serve) => {
    expect(await (await serve({ query: { alwaysPaginate: true } })).read('/users')).toMatchObject({
      count: 4,
      total: 4,
    });
    expect(await (await serve()).read('/users')).toHaveLength(4);
  },
  'query.softDelete': async (serve) => {
    const soft = await serve({ query: { softDelete: true } });
    const hard = await serve();

    await Promise.all([soft, hard].map(({ api }) => api.delete('/users/1').expect(200)));
    expect((await soft.stored(1))?.deletedAt).toBeInstanceOf(Date);
    expect(await hard.stored(1)).toBeNull();
    expect(await soft.names('/users?includeDeleted=1')).toContain('Ada');
    await soft.api.patch('/users/1/recover').expect(200);
    expect(await soft.names()).toContain('Ada');
    await hard.api.patch('/users/1/recover').expect(404);
  },
  'query.export.formats': async (serve) => {
    const made = await serve({ query: { export: { formats: ['csv'] } } });

    const { text } = await made.api.get('/users?format=csv&fields=name&sort=id,ASC').expect(200);
    expect(text).toBe('id,name\r\n1,Ada\r\n2,Bea\r\n3,Cid\r\n4,Dot\r\n');
    await made.api.get('/users?format=ndjson').expect(400);
    expect(await (await serve()).read('/users?format=csv')).toHaveLength(4);
  },
  'query.export.csv.formulas': async (serve) => {
    const firstName = async (formulas: boolean): Promise<string | undefined> => {
      const made = await serve({ query: { export: { formats: ['csv'], csv: { formulas } } } });
      await made.source.getRepository(User).update(1, { name: '=1+1' });

      return (await made.api.get('/users?format=csv&fields=name')).text.split('\r\n')[1];
    };

    expect(await firstName(true)).toBe('1,=1+1');
    expect(await firstName(false)).toBe("1,'=1+1");
  },
  'query.export.maxRows': async (serve) => {
    const made = await serve({ query: { export: { formats: ['ndjson'], maxRows: 3 } } });

    expect((await made.api.get('/users?format=ndjson').expect(400)).body).toMatchObject({
      code: 'CRUD_LIMIT_EXCEEDED',
    });
    await made.api.get('/users?format=ndjson&limit=3').expect(200);
  },
  'query.export.concurrent': async (serve) => {
    const made = await serve({ query: { export: { formats: ['csv'], concurrent: 1 } } });
    await withoutConnection(made, async () => {
      const exports = [1, 2].map(async () => await made.api.get('/users?format=csv'));
      const { status, body, headers } = await Promise.race(exports);
      expect({ status, body: body as unknown }).toMatchObject({ status: 503, body: { code: 'CRUD_UNAVAILABLE' } });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);

      return Promise.all(exports);
    });
    await made.api.get('/users?format=csv').expect(200);
  },
  'query.export.timeout': async (serve) => {
    const made = await serve({ query: { export: { formats: ['csv'], timeout: 30 } } });
    await withoutConnection(made, async () => {
      expect((await made.api.get('/users?format=csv').expect(503)).body).toMatchObject({ code: 'CRUD_TIMEOUT' });
    });
    await made.api.get('/users?format=csv').expect(200);
  },
  'query.cursor': async (serve) => {
    const made = await serve({ query: { cursor: true } });
    type Page = { data: { id: number }[]; next: string | null; previous: string | null };
    const ids = [];
    let next: string | null = '';

    while (next !== null) {
      const page = (await made.read(`/users?limit=3&cursor=${next}`)) as Page;
      ids.push(page.data.map(({ id }) => id));
      ({ next } = page);
    }
    expect(ids).toEqual([[1, 2, 3], [4]]);
    await (await serve()).api.get('/users?limit=3&cursor=nope').expect(200);
  },
  'query.links': async (serve) => {
    const linked = await (await serve({ query: { links: true } })).api.get('/users?limit=2&page=1').expect(200);
    const plain = await (await serve()).api.get('/users?limit=2&page=1').expect(200);

    expect(linked.headers['link']).toBe(
      '</users?limit=2&page=1>; rel="first", </users?limit=2&page=2>; rel="next", </users?limit=2&page=2>; rel="last"',
    );
    expect(plain.headers).not.toHaveProperty('link');
  },
  'query.aggregate.groupBy': async (serve) => {
    const { api, read } = await serve({ query: { aggregate: { groupBy: ['role'] } } });

    expect(await read('/users/aggregate?groupBy=role')).toEqual([{ role: 'guest' }, { role: 'owner' }]);
    await api.get('/users/aggregate?groupBy=name').expect(400);
  },
  'query.aggregate.functions.*': async (serve) => {
    const { api, read } = await serve({ query: { aggregate: { functions: { age: ['max'] } } } });

    expect(await read('/users/aggregate?aggregate=max||age')).toEqual([{ max_age: 40 }]);
    await api.get('/users/aggregate?aggregate=min||age').expect(400);
    await (await serve()).api.get('/users/aggregate?aggregate=max||age').expect(400);
  },
  'query.etag': async (serve) => {
    const { api } = await serve({ query: { etag: true } });
    const { etag } = (await api.get('/users/1').expect(200)).headers as Record<string, string>;

    expect(etag).toMatch(TAG);
    await api.get('/users/1', { 'If-None-Match': etag! }).expect(304);
    expect((await (await serve()).api.get('/users/1').expect(200)).headers['etag'] ?? '').not.toMatch(TAG);
  },
  'query.unknown': async (serve) => {
    await (await serve()).api.get('/users/1?fields=name,nope').expect(400);
    const made = await serve({ query: { unknown: 'ignore' } });

    expect(await made.read('/users/1?fields=name,nope&join=nope')).toEqual({ id: 1, name: 'Ada' });
    await made.api.get('/users?filter=nope||$eq||1').expect(400);
  },
  'query.limits.conditions': bounded('conditions', 1, 'filter=age||$gt||1', 'filter=age||$gt||1&filter=age||$lt||9'),
  'query.limits.nesting': bounded('nesting', 2, 's={"age":1}', 's={"$and":[{"$and":[{"$and":[{"age":1}]}]}]}'),
  'query.limits.listValues': bounded('listValues', 2, 'filter=age||$in||1,2', 'filter=age||$in||1,2,3'),
  'query.limits.joins': bounded('joins', 1, 'join=company', 'join=company&join=company||name'),
  'query.limits.sorts': bounded('sorts', 1, 'sort=age,ASC', 'sort=age,ASC&sort=name,ASC'),
  'query.limits.aggregates': async (serve) => {
    const query = { aggregate: { functions: { age: ['max', 'min'] as const } } };
    const most = await serve({ query: { ...query, limits: { aggregates: 1 } } });

    await most.api.get('/users/aggregate?aggregate=max||age').expect(200);
    await most.api.get('/users/aggregate?aggregate=max||age&aggregate=min||age').expect(400);
    await (await serve({ query })).api.get('/users/aggregate?aggregate=max||age&aggregate=min||age').expect(200);
  },
  'query.limits.valueLength': bounded('valueLength', 4, 'filter=name||$eq||Adam', 'filter=name||$eq||Adams'),

  'routes.exclude': async (serve) => {
    const { api } = await serve({ routes: { exclude: ['getManyBase', 'deleteOneBase'] } });

    await api.get('/users').expect(404);
    await api.delete('/users/1').expect(404);
    await api.get('/users/1').expect(200);
  },
  'routes.only': async (serve) => {
    const made = await serve({ query: { softDelete: true }, routes: { only: ['getOneBase'] } });

    for (const route of ROUTE_NAMES.filter((name) => name !== 'countBase' && name !== 'aggregateBase'))
      expect([route, (await REQUESTS[route](made)).status]).toEqual([route, route === 'getOneBase' ? 200 : 404]);
  },
  'routes.createOneBase.returnShallow': async (serve) => {
    for (const returnShallow of [true, false]) {
      const { api } = await serve({ ...join({ eager: true }), routes: { createOneBase: { returnShallow } } });
      const { body } = await api.post('/users', { name: 'Eva', companyId: 2 }).expect(201);

      expect(body).toMatchObject({ id: 5, name: 'Eva', companyId: 2 });
      expect('company' in (body as object)).toBe(!returnShallow);
    }
  },
  'routes.createOneBase.allowGeneratedKey': async (serve) => {
    await (await serve()).api.post('/users', { id: 50, name: 'Eva' }).expect(400);
    const { api, stored } = await serve({ routes: { createOneBase: { allowGeneratedKey: true } } });

    await api.post('/users', { id: 50, name: 'Eva' }).expect(201);
    expect(await stored(50)).toMatchObject({ name: 'Eva' });
    await api.post('/users', { id: 50, name: 'Eva' }).expect(409);
  },
  'routes.updateOneBase.allowParamsOverride': async (serve) => {
    for (const allowParamsOverride of [true, false]) {
      const { api, stored } = await serve(...inCompany({ routes: { updateOneBase: { allowParamsOverride } } }));

      await api.patch('/companies/1/users/1', { companyId: 2, id: 9 }).expect(200);
      expect(await stored(1)).toMatchObject({ companyId: allowParamsOverride ? 2 : 1 });
    }
  },
  'routes.updateOneBase.returnShallow': async (serve) => {
    for (const returnShallow of [true, false]) {
      const { api } = await serve({ ...join({ eager: true }), routes: { updateOneBase: { returnShallow } } });
      const { body } = await api.patch('/users/1', { age: 31 }).expect(200);

      expect(body).toMatchObject({ age: 31 });
      expect('company' in (body as object)).toBe(!returnShallow);
    }
  },
  'routes.replaceOneBase.allowParamsOverride': async (serve) => {
    for (const allowParamsOverride of [true, false]) {
      const { api, stored } = await serve(...inCompany({ routes: { replaceOneBase: { allowParamsOverride } } }));

      await api.put('/companies/1/users/1', { name: 'Eva', companyId: 2 }).expect(200);
      expect(await stored(1)).toMatchObject({ name: 'Eva', companyId: allowParamsOverride ? 2 : 1 });
    }
  },
  'routes.replaceOneBase.returnShallow': async (serve) => {
    for (const returnShallow of [true, false]) {
      const { api } = await serve({ ...join({ eager: true }), routes: { replaceOneBase: { returnShallow } } });
      const { body } = await api.put('/users/1', { name: 'Eva', companyId: 2 }).expect(200);

      expect(body).toMatchObject({ name: 'Eva', role: 'guest' });
      expect('company' in (body as object)).toBe(!returnShallow);
    }
  },
  'routes.updateOneBase.requireMatch': matched('updateOneBase'),
  'routes.replaceOneBase.requireMatch': matched('replaceOneBase'),
  'routes.deleteOneBase.requireMatch': matched('deleteOneBase'),
  'routes.recoverOneBase.requireMatch': matched('recoverOneBase'),
  'routes.replaceOneBase.merge': async (serve) => {
    for (const merge of [true, false]) {
      const { api, stored } = await serve({ routes: { replaceOneBase: { merge } } });

      await api.put('/users/1', { name: 'Eva' }).expect(200);
      expect(await stored(1)).toMatchObject({ name: 'Eva', role: merge ? 'owner' : 'guest', age: merge ? 30 : null });
    }
  },
  'routes.deleteOneBase.returnDeleted': async (serve) => {
    const made = await serve({ routes: { deleteOneBase: { returnDeleted: true } } });

    expect((await made.api.delete('/users/1').expect(200)).body).toMatchObject({ id: 1, name: 'Ada' });
    expect((await (await serve()).api.delete('/users/1').expect(200)).text).toBe('');
  },
  'routes.recoverOneBase.returnRecovered': async (serve) => {
    const silent = await serve({ query: { softDelete: true }, routes: { recoverOneBase: { returnRecovered: false } } });

    expect((await silent.api.patch('/users/1/recover').expect(200)).text).toBe('');
    const usual = await serve({ query: { softDelete: true } });
    expect((await usual.api.patch('/users/1/recover').expect(200)).body).toMatchObject({ name: 'Ada' });
  },

  routesFactory: async (serve) => {
    class Elsewhere extends CrudRoutesFactory {
      protected override getRoutesSchema() {
        return super
          .getRoutesSchema()
          .map((route) => (route.name === 'getManyBase' ? { ...route, path: '/all' } : route));
      }
    }
    const { api, names } = await serve({ routesFactory: Elsewhere });

    expect(await names('/users/all')).toHaveLength(4);
    await api.get('/users').expect(404);
  },

  'params.*.field': async (serve) => {
    expect(await (await serve(...inCompany())).names('/companies/1/users')).toEqual(['Ada', 'Bea']);
  },
  'params.*.type': async (serve) => {
    const number = await serve(...inCompany());
    const uuid = await serve({ params: { id: { type: 'uuid', primary: true } } }, { entity: Token, path: 'tokens' });
    const text = await serve({ params: { id: { type: 'string', primary: true } } }, { entity: Token, path: 'tokens' });

    await number.api.get('/companies/1x/users').expect(400);
    await uuid.api.get('/tokens/12').expect(400);
    await text.api.get('/tokens/12').expect(404);
    await uuid.api.get(`/tokens/${TOKEN}`).expect(200);
    await text.api.get(`/tokens/${TOKEN}`).expect(200);
  },
  'params.*.enum': async (serve) => {
    const params = { role: { type: 'string', enum: { Owner: 'owner', Guest: 'guest' } } } as const;
    const { api, names } = await serve({ params }, { path: ':role/users' });

    expect(await names('/guest/users')).toEqual(['Bea', 'Cid', 'Dot']);
    await api.get('/admin/users').expect(400);
  },
  'params.*.primary': async (serve) => {
    const { api, read } = await serve({ params: { name: { type: 'string', primary: true } } });

    expect(await read('/users/Bea')).toMatchObject({ id: 2 });
    await api.get('/users/2').expect(404);
  },
  'params.*.disabled': async (serve) => {
    const made = await serve(
      { params: { company: { field: 'companyId', type: 'number', disabled: true } } },
      { path: 'companies/:company/users' },
    );

    expect(await made.names('/companies/1/users')).toHaveLength(4);
    expect(await made.names('/companies/any/users')).toHaveLength(4);
  },

  validation: async (serve) => {
    const dto = { create: Named };

    await (await serve({ dto, validation: false })).api.post('/users', { name: 'E', age: 1 }).expect(201);
    await (await serve({ dto, validation: { errorHttpStatusCode: 422 } })).api.post('/users', {}).expect(422);
    const validation = { exceptionFactory: () => new HttpException('own', 418) };
    await (await serve({ dto, validation })).api.post('/users', {}).expect(418);
  },
  'operators.custom': async (serve) => {
    const custom = { half: { query: (column: string, param: string) => `${column} = ${param} / 2` } };

    const made = await serve({ operators: { custom } });

    expect(await made.names('/users?filter=age||half||40')).toEqual(['Bea']);
    const { body } = await made.api.get('/users?filter=age||twice||40').expect(400);
    expect(body).toMatchObject({
      code: 'CRUD_UNKNOWN_OPERATOR',
      message: expect.stringMatching(/^Unknown operator.*; allowed: eq, eqL, ne, neL, .*, intersectsArr, half$/),
    });
    await (await serve()).api.get('/users?filter=age||half||40').expect(400);
  },
  'openapi.operationIds': async (serve) => {
    expect(documented(await serve()).ids).toContain('getManyBaseUsersControllerUser');
    expect(documented(await serve({ openapi: { operationIds: 'short' } })).ids).toContain('getManyUsers');
  },
  'openapi.schemas': async (serve) => {
    expect(documented(await serve()).schemas).toContain('GetManyUserResponseDto');
    expect(documented(await serve({ openapi: { schemas: 'short' } })).schemas).toContain('UserPage');
  },
  'openapi.singular': async (serve) => {
    const { ids, schemas } = documented(await serve({ openapi: { ...SHORT_NAMES, singular: 'Member' } }));

    expect(ids).toEqual(expect.arrayContaining(['getOneMember', 'getManyMembers']));
    expect(schemas).toContain('MemberPage');
  },
  'openapi.plural': async (serve) => {
    const { ids } = documented(await serve({ openapi: { ...SHORT_NAMES, plural: 'People' } }));

    expect(ids).toEqual(expect.arrayContaining(['getOneUser', 'getManyPeople', 'createManyPeople']));
  },

  'auth.property': async (serve) => {
    const of = (from: { role?: string; headers?: object }) => ({
      role: from.role ?? (from.headers ? 'owner' : 'nobody'),
    });

    expect(await (await serve({}, { auth: { filter: of } })).names()).toEqual(['Ada']);
    // Nobody has logged in: there is no such property.
    const { api } = await serve({}, { auth: { property: 'user', filter: (user?: object) => (user ? {} : { id: 2 }) } });
    expect((await api.get('/users').expect(200)).body).toMatchObject([{ id: 2 }]);
  },
  'auth.filter': async (serve) => {
    const made = await serve({}, { auth: { filter: () => ({ companyId: 1 }) } });

    expect(await made.names('/users?or=id||$gt||0')).toEqual(['Ada', 'Bea']);
    await made.api.get('/users/3').expect(404);
    await made.api.patch('/users/3', { age: 1 }).expect(404);
    await made.api.delete('/users/3').expect(404);
  },
  'auth.or': async (serve) => {
    const made = await serve({}, { auth: { or: () => ({ name: 'Dot' }) } });

    expect(await made.names('/users?filter=name||$eq||Ada')).toEqual(['Ada', 'Dot']);
  },
  'auth.relations.*': async (serve) => {
    const made = await serve(
      { query: { join: { company: {} } } },
      { auth: { relations: { company: async () => Promise.resolve({ name: 'Acme' }) } } },
    );

    expect(await made.read('/users?join=company&fields=name')).toMatchObject([
      { name: 'Ada', company: { name: 'Acme' } },
      { name: 'Bea', company: { name: 'Acme' } },
      { name: 'Cid', company: null },
      { name: 'Dot', company: null },
    ]);
    expect(await made.names('/users?filter=company.name||$eq||Beta')).toEqual([]);
    expect(await made.names('/users?filter=company.id||$isnull')).toEqual(['Cid', 'Dot']);
    await expect(serve({}, { auth: { relations: { country: false } } })).rejects.toThrow(
      '@CrudAuth: relations names "country", but User has no relation country; it has company',
    );
  },
  'auth.relations.*.filter': async (serve) => {
    const query = { join: { company: {} } };
    const made = await serve({ query }, { auth: { relations: { company: { filter: () => ({ name: 'Acme' }) } } } });
    const open = await serve({ query }, { auth: { relations: { company: { filter: false } } } });

    expect(await made.names('/users?filter=company.id||$isnull')).toEqual(['Cid', 'Dot']);
    expect(await open.names('/users?filter=company.id||$isnull')).toEqual(['Dot']);
  },
  'auth.relations.*.persist': async (serve) => {
    const made = await serve({}, { auth: { relations: { company: { persist: () => ({ code: 'set' }) } } } });

    await made.api.post('/users', { name: 'Eva', company: { name: 'New', code: 'sent' } }).expect(201);
    expect(await made.source.getRepository(Company).findOneBy({ name: 'New' })).toMatchObject({ code: 'set' });
    await expect(serve({}, { auth: { relations: { company: { persist: () => ({ coed: 'set' }) } } } })).rejects.toThrow(
      '@CrudAuth: relations.company.persist names "coed", but Company has no such field',
    );
  },
  'auth.persist': async (serve) => {
    const made = await serve({}, { auth: { persist: () => ({ companyId: 2 }) } });

    await made.api.post('/users', { name: 'Eva', companyId: 1 }).expect(201);
    expect(await made.stored(5)).toMatchObject({ companyId: 2 });
    await made.api.patch('/users/1', { age: 3 }).expect(200);
    expect(await made.stored(1)).toMatchObject({ companyId: 2 });
  },
  'auth.groups': async (serve) => {
    class Guarded {
      @Expose({ groups: ['staff'] })
      email!: string;
    }
    const shown = async (groups: string[]): Promise<object> =>
      (await serve({ serialize: { get: Guarded } }, { auth: { groups: () => groups } })).read('/users/1');

    expect(await shown(['staff'])).toHaveProperty('email');
    expect(await shown([])).not.toHaveProperty('email');
  },
  'auth.classTransformOptions': async (serve) => {
    class Aged {
      @Expose({ since: 2 })
      email!: string;
    }
    const shown = async (version: number): Promise<object> =>
      (await serve({ serialize: { get: Aged } }, { auth: { classTransformOptions: () => ({ version }) } })).read(
        '/users/1',
      );

    expect(await shown(2)).toHaveProperty('email');
    expect(await shown(1)).not.toHaveProperty('email');
  },
  'auth.checkWrites': async (serve) => {
    const filter = () => ({ companyId: 1 });
    const strict = await serve({}, { auth: { filter } });
    const lax = await serve({}, { auth: { filter, checkWrites: false } });

    expect((await strict.api.patch('/users/1', { companyId: 2 }).expect(400)).body.code).toBe('CRUD_OUT_OF_SCOPE');
    expect(await strict.stored(1)).toMatchObject({ companyId: 1 });
    await lax.api.patch('/users/1', { companyId: 2 }).expect(200);
    expect(await lax.stored(1)).toMatchObject({ companyId: 2 });
  },

  'global.query': async (serve) => {
    const made = await serve({}, { global: { query: { limit: 1 } } });

    expect(await made.names()).toEqual(['Ada']);
    expect(await (await serve({ query: { limit: 3 } })).names()).toHaveLength(3);
  },
  'global.routes': async (serve) => {
    const { api } = await serve({}, { global: { routes: { exclude: ['getOneBase'] } } });

    await api.get('/users/1').expect(404);
    await api.get('/users').expect(200);
  },
  'global.params': async (serve) => {
    const params = { name: { field: 'name', type: 'string', primary: true } } as const;

    expect(await (await serve({}, { global: { params } })).read('/users/Cid')).toMatchObject({ id: 3 });
  },
  'global.auth': async (serve) => {
    const global = { auth: { filter: () => ({ role: 'guest' }) } };

    await (await serve({}, { global })).api.get('/users/1').expect(404);
    expect(await (await serve({}, { auth: { filter: () => ({ id: 1 }) } })).names()).toEqual(['Ada']);
  },
  'global.serialize': async (serve) => {
    class Loud {
      @Transform(({ value }: { value: string }) => value.toUpperCase())
      name!: string;
    }
    const { names } = await serve({}, { global: { serialize: { getMany: Loud } } });

    expect(await names()).toEqual(['ADA', 'BEA', 'CID', 'DOT']);
  },
  'global.validation': async (serve) => {
    const global = { validation: { errorHttpStatusCode: 422, disableErrorMessages: true } } as const;
    const { api } = await serve({ dto: { create: Named }, validation: { errorHttpStatusCode: 418 } }, { global });

    expect((await api.post('/users', {}).expect(418)).body).not.toHaveProperty('field');
    await (await serve({ dto: { create: Named } })).api.post('/users', {}).expect(422);
    await (await serve({}, { global: { validation: false } })).api.post('/users', { name: 'Eva' }).expect(201);
  },
  'global.queryParser': async (serve) => {
    const { api, names } = await serve(
      {},
      { global: { queryParser: { delim: '~', paramNamesMap: { filter: ['where'] } } } },
    );

    expect(await names('/users?where=name~$eq~Cid')).toEqual(['Cid']);
    expect(await names('/users?filter=name~$eq~Cid')).toHaveLength(4);
    await api.get('/users?where=name||$eq||Cid').expect(400);
  },
  'global.openapi': async (serve) => {
    const global = { openapi: { operationIds: 'short' } } as const;

    expect(documented(await serve({}, { global })).ids).toContain('getOneUser');
    expect(documented(await serve({ openapi: { operationIds: 'long' } })).ids).toContain(
      'getOneBaseUsersControllerUser',
    );
  },
  'global.events': async (serve) => {
    await expect(serve({}, { global: { events: true } })).rejects.toThrow('the application has no EventEmitter2');
    CrudConfigService.load({ events: false });
    await serve();
  },
  'global.etagSecret': async (serve) => {
    const { api } = await serve({ query: { etag: true } }, { global: { etagSecret: 'one' } });
    const row = async () => ((await api.get('/users/1').expect(200)).headers['etag'] as string).split('.')[0];
    const before = await row();

    CrudConfigService.load({ etagSecret: 'two' });
    expect(await row()).not.toBe(before);
    CrudConfigService.load({ etagSecret: 'one' });
    expect(await row()).toBe(before);
  },
  'global.operators': async (serve) => {
    const custom = { half: { query: (column: string, param: string) => `${column} = ${param} / 2` } };

    expect(await (await serve({}, { global: { operators: { custom } } })).names('/users?filter=age||half||40')).toEqual(
      ['Bea'],
    );
  },
};

const LANGUAGE = RequestQueryBuilder.getOptions();

// Each application begins without the configuration of the one before.
const forget = (): void => {
  delete (globalThis as { [GLOBAL_STATE_KEY]?: unknown })[GLOBAL_STATE_KEY];
  RequestQueryBuilder.setOptions(LANGUAGE);
};
beforeEach(forget);
afterEach(async () => {
  forget();
  await closeSources();
});

test('there is a row for every option, and none for what is no option', () => {
  expect(Object.keys(ROWS).toSorted()).toEqual(OPTION_PATHS.toSorted());
});

test('the reference names every option', () => {
  const reference = readFileSync(new URL('../../../../docs/reference/README.md', import.meta.url), 'utf8');
  const named = new Set([...reference.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(/[^A-Za-z]+/)));

  expect(OPTION_PATHS.filter((path) => !named.has(path.replace(/\.\*$/, '').split('.').at(-1) ?? ''))).toEqual([]);
});

describePlatforms('option', (platform) => {
  test.each(Object.entries(ROWS))('%s', async (_, row) => {
    await row((options = {}, more = {}) => stage({ platform, options, ...more }));
  });

  test('no request changes the options of its resource', async () => {
    const made = await stage({
      platform,
      options: { ...ANSWERING, query: { ...ANSWERING.query, join: { company: {} } } },
    });
    const before = JSON.stringify(definitionOf(made.controller));

    for (const route of ROUTE_NAMES) expect((await REQUESTS[route](made)).status).toBeLessThan(300);
    await made.read('/users?join=company&fields=name&sort=age,DESC&limit=2&page=1&filter=age||$gt||1');
    expect(JSON.stringify(definitionOf(made.controller))).toBe(before);
  });
});
