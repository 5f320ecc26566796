/** What the options of `query` change, a row for each. */
import { expect } from '@jest/globals';
import { type CrudOptions } from '@nestwright/crud';
import { Company, type Stage, User } from './stage.js';
import { join, NoEmail, type Row, TAG, UpperCaseEmail } from './rows.js';

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

export const QUERY_ROWS: Record<string, Row> = {
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
    const made = await serve({ query: { export: { formats: ['csv'], timeout: 100 } } });
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
};
