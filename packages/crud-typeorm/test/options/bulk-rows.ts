/** What the options of the routes of many records change, a row for each. */
import { expect } from '@jest/globals';
import type { BaseRouteName, CrudOptions } from '@nestwright/crud';
import type { Row } from './rows.js';
import { type Stage, Token, TOKEN } from './stage.js';

/** A request with as many records as are given. */
const SEND = {
  createManyBase: ({ api }: Stage, bulk: object[]) => api.post('/users/bulk', { bulk }),
  updateManyBase: ({ api }: Stage, bulk: object[]) => api.patch('/users/bulk', { bulk }),
  replaceManyBase: ({ api }: Stage, bulk: object[]) => api.put('/users/bulk', { bulk }),
  deleteManyBase: ({ api }: Stage, bulk: object[]) => api.delete('/users/bulk').send({ bulk }),
  recoverManyBase: ({ api }: Stage, bulk: object[]) => api.patch('/users/bulk/recover', { bulk }),
} as const;

type BulkRoute = keyof typeof SEND;

const BULK: { readonly [Route in BulkRoute]: object[] } = {
  createManyBase: [{ name: 'Eva' }, { name: 'Eve' }],
  updateManyBase: [{ id: 1, age: 31 }, { id: 2 }],
  replaceManyBase: [
    { id: 1, name: 'Eva', companyId: 2 },
    { id: 2, name: 'Eve' },
  ],
  deleteManyBase: [{ id: 1 }, { id: 2 }],
  recoverManyBase: [{ id: 1 }, { id: 2 }],
};

const softly = (route: BulkRoute, options: object | true, more: Partial<CrudOptions> = {}): Partial<CrudOptions> => ({
  ...more,
  query: { softDelete: true, ...more.query },
  routes: { [route]: options, ...more.routes },
});

const most =
  (route: BulkRoute): Row =>
  async (serve) => {
    for (const [maxBulk, status] of [
      [1, 400],
      [2, route === 'createManyBase' ? 201 : 200],
      [false, route === 'createManyBase' ? 201 : 200],
    ] as const) {
      const made = await serve(softly(route, { maxBulk }));
      const { body, status: answered } = await SEND[route](made, BULK[route]);

      expect([maxBulk, answered]).toEqual([maxBulk, status]);
      if (status === 400) expect(body).toMatchObject({ code: 'CRUD_LIMIT_EXCEEDED', field: 'bulk' });
    }
  };

const overriding =
  (route: 'updateManyBase' | 'replaceManyBase'): Row =>
  async (serve) => {
    for (const allowParamsOverride of [true, false]) {
      const { api, stored } = await serve(
        {
          params: { company: { field: 'companyId', type: 'number' } },
          routes: { [route]: { allowParamsOverride } },
        },
        { path: 'companies/:company/users' },
      );
      const bulk = [{ id: 1, name: 'Eva', companyId: 2 }];
      const path = '/companies/1/users/bulk';

      await (route === 'updateManyBase' ? api.patch(path, { bulk }) : api.put(path, { bulk })).expect(200);
      expect(await stored(1)).toMatchObject({ name: 'Eva', companyId: allowParamsOverride ? 2 : 1 });
    }
  };

const shallow =
  (route: 'updateManyBase' | 'replaceManyBase', single: BaseRouteName): Row =>
  async (serve) => {
    const query = { join: { company: { eager: true } } };

    for (const [own, ofOne, isShallow] of [
      [{ returnShallow: true }, {}, true],
      [{ returnShallow: false }, { returnShallow: true }, false],
      [{}, { returnShallow: true }, true],
    ] as const) {
      const made = await serve({ query, routes: { [route]: own, [single]: ofOne } });
      const { body } = await SEND[route](made, BULK[route]).expect(200);

      expect('company' in (body as object[])[0]!).toBe(!isShallow);
    }
  };

const validated =
  (route: 'updateManyBase' | 'replaceManyBase', dto: new () => object): Row =>
  async (serve) => {
    const send = (made: Stage) => SEND[route](made, [{ id: 1, name: 5, age: 3 }]);
    const options = (validation: object | false) => ({
      dto: { create: dto, update: dto },
      routes: { [route]: { validation } },
    });

    expect((await send(await serve(options({ errorHttpStatusCode: 418 })))).status).toBe(418);
    expect((await send(await serve(options(false)))).status).not.toBe(418);
    expect((await send(await serve(options({})))).body).toMatchObject({ code: 'CRUD_INVALID_BODY' });
  };

const matched =
  (route: Exclude<BulkRoute, 'createManyBase'>, single: BaseRouteName): Row =>
  async (serve) => {
    const query = { softDelete: true, etag: true };
    const strict = { [single]: { requireMatch: true } };

    await expect(serve({ query, routes: { ...strict, [route]: true } })).rejects.toThrow(`routes.${route}`);
    const free = await serve({ query, routes: { ...strict, [route]: { requireMatch: false } } });
    await SEND[route](free, BULK[route]).expect(200);
  };

type MatchingRoute = 'updateManyBase' | 'deleteManyBase';

/** A request that writes the three users of thirty or less. */
const MATCH = {
  updateManyBase: ({ api }: Stage) => api.patch('/users/bulk?filter=age||lte||30', { set: { role: 'young' } }),
  deleteManyBase: ({ api }: Stage) => api.delete('/users/bulk?filter=age||lte||30'),
} as const;

const byCondition =
  (route: MatchingRoute): Row =>
  async (serve) => {
    const plain = await serve({ routes: { [route]: { byCondition: false } } });
    expect((await MATCH[route](plain)).body).toMatchObject({ code: 'CRUD_EMPTY_BODY' });

    const made = await serve({ routes: { [route]: { byCondition: true } } });
    await MATCH[route](made).expect(200, { affected: 3 });
  };

const mostAffected =
  (route: MatchingRoute): Row =>
  async (serve) => {
    const narrow = await serve({ routes: { [route]: { byCondition: true, maxAffected: 2 } } });
    expect((await MATCH[route](narrow).expect(400)).body).toMatchObject({ code: 'CRUD_LIMIT_EXCEEDED' });

    const wide = await serve({ routes: { [route]: { byCondition: true, maxAffected: 3 } } });
    await MATCH[route](wide).expect(200, { affected: 3 });
  };

const upserted =
  (route: 'createOneBase' | 'createManyBase'): Row =>
  async (serve) => {
    const params = { id: { field: 'id', type: 'string', primary: true } } as const;
    const send = ({ api }: Stage) => {
      const token = { id: TOKEN, label: 'two' };

      return route === 'createOneBase' ? api.post('/users', token) : api.post('/users/bulk', { bulk: [token] });
    };

    await send(await serve({ params }, { entity: Token })).expect(409);
    await send(await serve({ params, routes: { [route]: { onConflict: ['id'] } } }, { entity: Token })).expect(200);
  };

/** @param dto A class whose rules a number as `name` breaks. */
export function bulkRows(dto: new () => object): Record<string, Row> {
  return {
    ...Object.fromEntries((Object.keys(SEND) as BulkRoute[]).map((route) => [`routes.${route}.maxBulk`, most(route)])),
    'routes.createOneBase.onConflict': upserted('createOneBase'),
    'routes.createManyBase.onConflict': upserted('createManyBase'),
    'routes.updateManyBase.byCondition': byCondition('updateManyBase'),
    'routes.deleteManyBase.byCondition': byCondition('deleteManyBase'),
    'routes.updateManyBase.maxAffected': mostAffected('updateManyBase'),
    'routes.deleteManyBase.maxAffected': mostAffected('deleteManyBase'),
    'routes.updateManyBase.allowParamsOverride': overriding('updateManyBase'),
    'routes.replaceManyBase.allowParamsOverride': overriding('replaceManyBase'),
    'routes.updateManyBase.returnShallow': shallow('updateManyBase', 'updateOneBase'),
    'routes.replaceManyBase.returnShallow': shallow('replaceManyBase', 'replaceOneBase'),
    'routes.updateManyBase.validation': validated('updateManyBase', dto),
    'routes.replaceManyBase.validation': validated('replaceManyBase', dto),
    'routes.updateManyBase.requireMatch': matched('updateManyBase', 'updateOneBase'),
    'routes.replaceManyBase.requireMatch': matched('replaceManyBase', 'replaceOneBase'),
    'routes.deleteManyBase.requireMatch': matched('deleteManyBase', 'deleteOneBase'),
    'routes.recoverManyBase.requireMatch': matched('recoverManyBase', 'recoverOneBase'),
    'routes.replaceManyBase.merge': async (serve) => {
      for (const merge of [true, false]) {
        const made = await serve({ routes: { replaceManyBase: { merge } } });

        await SEND.replaceManyBase(made, [{ id: 1, name: 'Eva' }]).expect(200);
        expect(await made.stored(1)).toMatchObject({ name: 'Eva', age: merge ? 30 : null });
      }
    },
    'routes.deleteManyBase.returnDeleted': async (serve) => {
      const made = await serve({ routes: { deleteManyBase: { returnDeleted: true } } });
      expect((await SEND.deleteManyBase(made, BULK.deleteManyBase)).body).toMatchObject([{ id: 1 }, { id: 2 }]);

      const silent = await serve({ routes: { deleteManyBase: true } });
      expect((await SEND.deleteManyBase(silent, BULK.deleteManyBase).expect(200)).text).toBe('');
    },
    'routes.recoverManyBase.returnRecovered': async (serve) => {
      const silent = await serve(softly('recoverManyBase', { returnRecovered: false }));
      expect((await SEND.recoverManyBase(silent, BULK.recoverManyBase).expect(200)).text).toBe('');

      const usual = await serve(softly('recoverManyBase', true));
      expect((await SEND.recoverManyBase(usual, BULK.recoverManyBase)).body).toMatchObject([{ id: 1 }, { id: 2 }]);
    },
  };
}
