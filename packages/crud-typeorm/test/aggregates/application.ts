/** Deals behind resources that aggregate them, each with a scope or limits of its own. */
import { expect } from '@jest/globals';
import { CrudAuth, type CrudOptions } from '@nestwright/crud';
import request from 'supertest';
import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';
import { entitiesFor } from './entities.js';
import type { Row } from './oracle.js';
import { dealsOf, SELLERS } from './records.js';

export const FUNCTIONS = {
  '*': ['count'],
  id: ['countDistinct'],
  units: ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'],
  big: ['count', 'countDistinct', 'sum', 'avg'],
  price: ['count', 'sum', 'avg'],
  rate: ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'],
  region: ['count', 'countDistinct'],
  at: ['count', 'countDistinct', 'min', 'max'],
  day: ['min', 'max', 'countDistinct'],
  'seller.grade': ['count', 'sum', 'avg', 'min', 'max'],
} as const;
export const GROUPS = [
  'tenant',
  'region',
  'units',
  'big',
  'open',
  'mood',
  'at',
  'day',
  'seller.name',
  'seller.grade',
] as const;

const QUERY: CrudOptions['query'] = {
  softDelete: true,
  join: { seller: {}, lines: {} },
  aggregate: { groupBy: [...GROUPS], functions: FUNCTIONS as never },
};

export type ServedDeals = Awaited<ReturnType<typeof serveDeals>>;

/** The deals of a database, with what is asked of them. */
export async function serveDeals(db: TestDatabase) {
  const { Deal, Seller, Line } = entitiesFor(db.kind);
  const scoped = (path: string, auth: Parameters<typeof CrudAuth>[0], query = {}) => {
    const made = resource(Deal as never, path, { query: { ...QUERY, ...query } } as never);
    CrudAuth(auth as never)(made.controller);

    return made;
  };
  const resources = [
    resource(Deal as never, 'deals', { query: QUERY } as never),
    resource(Deal as never, 'few', { query: { ...QUERY, maxLimit: 2 } } as never),
    resource(Deal as never, 'paged', { query: { ...QUERY, alwaysPaginate: true, limit: 3 } } as never),
    resource(Deal as never, 'plain', {}),
    resource(Deal as never, 'tenants/:tenant/deals', {
      params: { tenant: { field: 'tenant', type: 'string' } },
      query: QUERY,
    } as never),
    scoped('red', { filter: () => ({ tenant: 'red' }) }),
    scoped('reached', { relations: { seller: () => ({ tenant: 'red' }) } }),
    scoped('required', {}, { join: { seller: { required: true, eager: true }, lines: {} } }),
  ];
  const deals = dealsOf(db.kind);
  const { app, url, source } = await serve(db, [Deal, Seller, Line] as never[], resources);
  await source.getRepository(Seller).insert(SELLERS.map((seller) => ({ ...seller })));
  await source.getRepository(Deal).insert(deals.map(({ lines: _, ...deal }) => deal));
  await source
    .getRepository(Line)
    .insert(
      deals.flatMap(({ id, lines }) =>
        Array.from({ length: lines }, (_, line) => ({ id: id * 10 + line, amount: line, deal: { id } })),
      ),
    );

  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    const { status, body } = await request(url).get(path);

    return { status, body: body as unknown };
  };
  const rows = async (path: string): Promise<Row[]> => {
    const { status, body } = await get(path);
    expect({ status, path, ...(status !== 200 && { body }) }).toEqual({ status: 200, path });

    return body as Row[];
  };
  const code = async (path: string): Promise<unknown> => {
    const { status, body } = await get(path);

    return [status, (body as { code?: string }).code];
  };

  return { app, url, repository: source.getRepository(Deal), get, rows, code };
}
