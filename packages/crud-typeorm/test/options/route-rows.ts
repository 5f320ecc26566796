/** What the options of `routes` and `serialize` change, a row for each. */
import { expect } from '@jest/globals';
import { type CallHandler, type ExecutionContext, Header } from '@nestjs/common';
import { type BaseRouteName, type SerializeOptions } from '@nestwright/crud';
import { type Stage } from './stage.js';
import { ANSWERING, inCompany, join, Named, NoEmail, REQUESTS, type Row, ROUTE_NAMES } from './rows.js';

const BODY = { name: 'Eva', companyId: 2 };
/** A write of one user by each route. */
const WRITE = {
  createOneBase: ({ api }: Stage) => api.post('/users', BODY),
  updateOneBase: ({ api }: Stage, within = '') => api.patch(`${within}/users/1`, BODY),
  replaceOneBase: ({ api }: Stage, within = '') => api.put(`${within}/users/1`, BODY),
};

const shallow =
  (route: keyof typeof WRITE): Row =>
  async (serve) => {
    for (const returnShallow of [true, false]) {
      const made = await serve({ ...join({ eager: true }), routes: { [route]: { returnShallow } } });
      const { body } = await WRITE[route](made);

      expect(body).toMatchObject(BODY);
      expect('company' in (body as object)).toBe(!returnShallow);
    }
  };

const overriding =
  (route: 'updateOneBase' | 'replaceOneBase'): Row =>
  async (serve) => {
    for (const allowParamsOverride of [true, false]) {
      const made = await serve(...inCompany({ routes: { [route]: { allowParamsOverride } } }));

      await WRITE[route](made, '/companies/1').expect(200);
      expect(await made.stored(1)).toMatchObject({ name: 'Eva', companyId: allowParamsOverride ? 2 : 1 });
    }
  };

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

export const ALL_ROUTE_ROWS: Record<string, Row> = {
  ...ROUTE_ROWS,
  ...VALIDATION_ROWS,
  ...SERIALIZE_ROWS,
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
  'routes.createOneBase.returnShallow': shallow('createOneBase'),
  'routes.createOneBase.allowGeneratedKey': async (serve) => {
    await (await serve()).api.post('/users', { id: 50, name: 'Eva' }).expect(400);
    const { api, stored } = await serve({ routes: { createOneBase: { allowGeneratedKey: true } } });

    await api.post('/users', { id: 50, name: 'Eva' }).expect(201);
    expect(await stored(50)).toMatchObject({ name: 'Eva' });
    await api.post('/users', { id: 50, name: 'Eva' }).expect(409);
  },
  'routes.updateOneBase.returnShallow': shallow('updateOneBase'),
  'routes.replaceOneBase.returnShallow': shallow('replaceOneBase'),
  'routes.updateOneBase.allowParamsOverride': overriding('updateOneBase'),
  'routes.replaceOneBase.allowParamsOverride': overriding('replaceOneBase'),
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
};
