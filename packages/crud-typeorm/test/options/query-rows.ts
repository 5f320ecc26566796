/** What the options of `query` change, a row for each. */
import { expect } from '@jest/globals';
import { type CrudOptions } from '@nestwright/crud';
import { setTimeout as delay } from 'node:timers/promises';
import { serialized } from '../../../sql/src/connections/queue.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { asks, having, join, NoEmail, type Row, type Stage, UpperCaseEmail, User } from './stage.js';

/** Does work while somebody has the only connection; what it returns may wait for that. */
async function withoutConnection({ source }: Stage, work: () => Promise<unknown>): Promise<void> {
  const held = serialized(toDatabase(source), () => delay(200));
  await work();
  await held;
}

/** A bound of {@link CrudOptions.query}'s `limits`: the query that keeps to it and the one that does not. */
const bounded = (limit: string, bound: number, within: string, beyond: string): Row => {
  const query = { join: { company: {} }, aggregate: { functions: { age: ['max', 'min'] as const } } };
  const bounds = { [`/users${within}`]: 200, [`/users${beyond}`]: 'CRUD_LIMIT_EXCEEDED' };
  return asks([{ query }, { [`/users${beyond}`]: 200 }], [{ query: { ...query, limits: { [limit]: bound } } }, bounds]);
};

const ACME = { id: 1, name: 'Acme' };
const WITH_ACME = having({ company: having(ACME) });
const UNCODED = having({ company: ACME });
const WITH_CODE = having({ company: { ...ACME, code: 'secret' } });
const BY_CODE = '/users?filter=company.code||$eq||secret';
const MAX = 'aggregate=max||age';
const ALONE = expect.not.objectContaining({ company: expect.anything() }) as object;
const ADA = { id: 1, name: 'Ada' };
const GUEST = { id: 5, role: 'guest', age: null, companyId: 1, deletedAt: null };
const ALL = ['Ada', 'Bea', 'Cid', 'Dot'];
const FIRST_TWO = ['Ada', 'Bea'];
const HIDDEN = 'CRUD_UNKNOWN_FIELD';
const BY_EMAIL = '/users?filter=email||$eq||ada@x.org';
export const QUERY_ROWS: Record<string, Row> = {
  'query.allow': asks([
    { query: { allow: ['name'] } },
    { '/users/1': ADA, '/users?fields=email': 400, '/users?filter=email||$notnull': 400, '/users?sort=email,ASC': 400 },
  ]),
  'query.exclude': asks([
    { query: { exclude: ['email'] } },
    {
      '/users/1': { ...ADA, role: 'owner', age: 30, companyId: 1, deletedAt: null },
      'post /users {"email":"e","name":"E","companyId":1}': { ...GUEST, name: 'E' },
      [BY_EMAIL]: 400,
    },
  ]),
  'query.persist': asks([{ query: { persist: ['age'] } }, { '/users/1?fields=name': { ...ADA, age: 30 } }]),
  'query.conditions': asks(
    [
      { query: { exclude: ['age'], conditions: ['email', 'age'] }, serialize: { get: NoEmail } },
      {
        [BY_EMAIL]: ['Ada'],
        '/users?filter=age||$gt||30': ['Cid'],
        '/users?fields=email': [1, 2, 3, 4].map((id) => ({ id })),
      },
    ],
    [{ query: { exclude: ['age'] } }, { '/users?sort=age': HIDDEN, '/users?filter=age||$gt||1': HIDDEN }],
  ),
  'query.formats': asks(
    [{ query: { formats: ['email'] }, serialize: { get: UpperCaseEmail } }, { [BY_EMAIL]: ['Ada'] }],
    [{ serialize: { get: UpperCaseEmail } }, { [BY_EMAIL]: HIDDEN }],
  ),
  'query.filter': asks(
    [
      { query: { filter: [{ field: 'role', operator: '$eq', value: 'guest' }] } },
      { '/users': ALL.slice(1), '/users?or=name||$eq||Ada': [], '/users/1': 404 },
    ],
    [
      { query: { filter: (search: object | undefined) => Promise.resolve(search && { $not: search }) } },
      { '/users?filter=name||$eq||Ada': ALL.slice(1), '/users': ALL },
    ],
  ),
  'query.join.*.alias': asks([
    join({ alias: 'employer' }),
    { '/users/1?join=employer': WITH_ACME, '/users?filter=employer.name||$eq||Beta': ['Cid'] },
  ]),
  'query.join.*.allow': asks([
    join({ allow: ['name'] }),
    { '/users/1?join=company': UNCODED, '/users/1?join=company||code': 400, [BY_CODE]: 400 },
  ]),
  'query.join.*.exclude': asks([join({ exclude: ['code'] }), { '/users/1?join=company': UNCODED, [BY_CODE]: 400 }]),
  'query.join.*.persist': asks([join({ persist: ['code'] }), { '/users/1?join=company||name': WITH_CODE }]),
  'query.join.*.eager': asks([join({ eager: true }), { '/users/1': WITH_ACME }], [join({}), { '/users/1': ALONE }]),
  'query.join.*.select': asks([
    join({ eager: true, select: false }),
    { '/users/1?join=company': ALONE, '/users?filter=company.name||$eq||Beta': ['Cid'] },
  ]),
  'query.join.*.required': asks([join({ eager: true, required: true }), { '/users': ALL.slice(0, 3) }]),
  'query.sort.*.field': asks([
    { query: { sort: [{ field: 'age', order: 'ASC' }] } },
    { '/users': ['Dot', 'Bea', 'Ada', 'Cid'], '/users?sort=name,DESC': ALL.toReversed() },
  ]),
  'query.sort.*.order': asks([
    { query: { sort: ['role', 'age'].map((field) => ({ field, order: 'DESC' })) } } as Partial<CrudOptions>,
    { '/users': ['Ada', 'Cid', 'Bea', 'Dot'] },
  ]),
  'query.limit': asks([
    { query: { limit: 2 } },
    { '/users': FIRST_TWO, '/users?page=2': having({ count: 2, total: 4, page: 2, pageCount: 2 }) },
  ]),
  'query.maxLimit': asks([{ query: { maxLimit: 2 } }, { '/users?limit=9': FIRST_TWO, '/users': FIRST_TWO }]),
  'query.cache': async (serve) => {
    const { read, source } = await serve({ query: { cache: 60_000 } });
    await read('/users/1');
    await source.getRepository(User).update(1, { name: 'Eva' });
    expect([(await read('/users/1')).name, (await read('/users/1?cache=0')).name]).toEqual(['Ada', 'Eva']);
  },
  'query.alwaysPaginate': asks([{ query: { alwaysPaginate: true } }, { '/users': having({ count: 4, total: 4 }) }]),
  'query.softDelete': async (serve) => {
    const soft = await serve({ query: { softDelete: true } });
    await soft.api.delete('/users/1').expect(200);
    expect((await soft.stored(1))?.deletedAt).toBeInstanceOf(Date);
    expect([await soft.names('/users?includeDeleted=1'), await soft.names()]).toEqual([ALL, ALL.slice(1)]);
    await soft.api.patch('/users/1/recover').expect(200);
  },
  'query.export.formats': async (serve) => {
    const made = await serve({ query: { export: { formats: ['csv'] } } });
    const { text } = await made.api.get('/users?format=csv&fields=name&sort=id,ASC').expect(200);
    expect(text).toBe('id,name\r\n1,Ada\r\n2,Bea\r\n3,Cid\r\n4,Dot\r\n');
    await made.api.get('/users?format=ndjson').expect(400);
  },
  'query.export.csv.formulas': async (serve) => {
    const made = await serve({ query: { export: { formats: ['csv'], csv: { formulas: true } } } });
    await made.source.getRepository(User).update(1, { name: '=1+1' });
    expect((await made.api.get('/users?format=csv&fields=name&limit=1')).text).toBe('id,name\r\n1,=1+1\r\n');
  },
  'query.export.maxRows': asks([
    { query: { export: { formats: ['ndjson'], maxRows: 3 } } },
    { '/users?format=ndjson': 400, '/users?format=ndjson&limit=3': 200 },
  ]),
  'query.export.concurrent': async (serve) => {
    const made = await serve({ query: { export: { formats: ['csv'], concurrent: 1 } } });
    await withoutConnection(made, async () => {
      const exports = [1, 2].map(async () => await made.api.get('/users?format=csv'));
      expect(await Promise.race(exports)).toMatchObject({ status: 503, body: { code: 'CRUD_UNAVAILABLE' } });
      await Promise.all(exports);
    });
  },
  'query.export.timeout': async (serve) => {
    const made = await serve({ query: { export: { formats: ['csv'], timeout: 100 } } });
    await withoutConnection(made, () => made.api.get('/users?format=csv').expect(503));
  },
  'query.cursor': asks([
    { query: { cursor: true } },
    {
      '/users?limit=3&cursor=': having({ next: expect.any(String) }),
      '/users?limit=4&cursor=': having({ next: null }),
    },
  ]),
  'query.links': async (serve) => {
    const { headers } = await (await serve({ query: { links: true } })).api.get('/users?limit=2&page=1').expect(200);
    expect(headers['link']).toContain('</users?limit=2&page=2>; rel="next"');
  },
  'query.aggregate.groupBy': asks([
    { query: { aggregate: { groupBy: ['role'] } } },
    { '/users/aggregate?groupBy=role': [{ role: 'guest' }, { role: 'owner' }], '/users/aggregate?groupBy=name': 400 },
  ]),
  'query.aggregate.functions.*': asks([
    { query: { aggregate: { functions: { age: ['max'] } } } },
    { '/users/aggregate?aggregate=max||age': [{ max_age: 40 }], '/users/aggregate?aggregate=min||age': 400 },
  ]),
  'query.etag': async (serve) => {
    const { api } = await serve({ query: { etag: true } });
    const { etag } = (await api.get('/users/1').expect(200)).headers as Record<string, string>;
    await api.get('/users/1', { 'If-None-Match': etag! }).expect(304);
  },
  'query.unknown': asks([
    { query: { unknown: 'ignore' } },
    { '/users/1?fields=name,nope&join=nope': ADA, '/users?or=nope||$eq||1': 400 },
  ]),
  'query.limits.conditions': bounded('conditions', 1, '?filter=age||$gt||1', '?filter=age||$gt||1&filter=age||$lt||9'),
  'query.limits.nesting': bounded('nesting', 2, '?s={"age":1}', '?s={"$and":[{"$and":[{"$and":[{"age":1}]}]}]}'),
  'query.limits.listValues': bounded('listValues', 2, '?filter=age||$in||1,2', '?filter=age||$in||1,2,3'),
  'query.limits.joins': bounded('joins', 1, '?join=company', '?join=company&join=company||name'),
  'query.limits.sorts': bounded('sorts', 1, '?sort=age,ASC', '?sort=age,ASC&sort=name,ASC'),
  'query.limits.aggregates': bounded('aggregates', 1, `/aggregate?${MAX}`, `/aggregate?${MAX}&aggregate=min||age`),
  'query.limits.valueLength': bounded('valueLength', 4, '?filter=name||$eq||Adam', '?filter=name||$eq||Adams'),
};
