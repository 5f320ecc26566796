/** Subclasses of CrudRequestInterceptor and CrudResponseInterceptor, bound in every way that applications bind them: each method of nestjsx/crud's that they override takes effect. */
import { expect, jest, test } from '@jest/globals';
import { type ExecutionContext, Get, Logger, type NestInterceptor, type Type, UseInterceptors } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import type { BaseRouteName, CrudOptions, CrudRequest, MergedCrudOptions } from '@nestwright/crud';
import { Action, CrudActions, CrudAuth, CrudRequestInterceptor, CrudResponseInterceptor } from '@nestwright/crud';
import { CrudRoutesFactory } from '@nestwright/crud';
import type { RequestQueryParser, SCondition } from '@nestwright/crud-request';
import { Exclude, Expose } from 'class-transformer';
import { type Api, describeApplications } from '../support/application.js';
import { expectIds, FourNotes, handler, type Note, resource, run } from './resource.js';

const ONE = { id: 1, text: 'one' };

type Options = Partial<MergedCrudOptions>;
type Search = [parser: RequestQueryParser, options: Options, action: CrudActions, params?: object];

/** Puts a condition of its own beside the others. */
class OfA extends CrudRequestInterceptor {
  override getSearch(...step: Search): SCondition[] {
    return [...super.getSearch(...step), { secret: 'a' }];
  }
}

type Binding = [options?: Partial<CrudOptions>, around?: ClassDecorator, application?: Type<NestInterceptor>];

const factoryOf = (interceptor: unknown, after: boolean): typeof CrudRoutesFactory =>
  class extends CrudRoutesFactory {
    protected override setInterceptors(name: BaseRouteName): void {
      if (after) super.setInterceptors(name);
      const all = after ? [interceptor] : [CrudRequestInterceptor, interceptor];
      UseInterceptors(...(all as Type[]))(this.targetProto, name, { value: this.targetProto[name] });
    }
  };

const onController = (one: Type<NestInterceptor>): Binding => [{}, UseInterceptors(one)];
const onRoutes = (route: object): Binding => [{ routes: { getManyBase: route, getOneBase: route } }];
const byFactoryAlone = (one: unknown): Binding => [{ routesFactory: factoryOf(one, false) }];

/** Ways to bind an interceptor to every route of a controller. */
const BINDINGS: Record<string, (interceptor: Type<NestInterceptor>) => Binding> = {
  'on the controller': onController,
  'in routes.<route>.interceptors': (one) => onRoutes({ interceptors: [one] }),
  'in setInterceptors of a routes factory, after the library': (one) => [{ routesFactory: factoryOf(one, true) }],
  'for the application': (one) => [{}, undefined, one],
};

/** An application of which one resource has an interceptor bound so. */
function serve([options, around = () => undefined, application]: Binding, more: object = {}): Promise<Api> {
  const providers = [FourNotes, ...(application ? [{ provide: APP_INTERCEPTOR, useClass: application }] : [])];
  return run({ providers }, resource(FourNotes, { ...more, ...options }, 'notes', around));
}

/** Overrides steps, as a class in TypeScript would. */
function stepping(steps: Record<string, (...step: never[]) => unknown>): typeof CrudRequestInterceptor {
  class Stepping extends CrudRequestInterceptor {}
  return Object.assign(Stepping.prototype, steps) && Stepping;
}

describeApplications('a subclass of CrudRequestInterceptor', () => {
  const on = (one: Type<NestInterceptor>, more?: Partial<CrudOptions>) => serve(onController(one), more);
  const within = (scope: ClassDecorator, one: Type<NestInterceptor>, more?: Partial<CrudOptions>) =>
    serve([{}, (target) => (scope(target), UseInterceptors(one)(target))], more);

  test.each(Object.entries(BINDINGS))('is called where it is bound %s', async (_, bind) => {
    const api = await serve(bind(OfA));
    await expectIds(api, {
      '/notes': [1, 2, 3],
      '/notes?s={"$or":[{"id":1},{"id":4}]}': [1],
      '/notes/4': '404 CRUD_NOT_FOUND',
      '/notes?filter=nope||eq||1': '400 CRUD_UNKNOWN_FIELD',
    });
    await api.get('/notes/1').expect(200, ONE);
  });

  test('getSearch: what it adds, changes and leaves out', async () => {
    class Changing extends CrudRequestInterceptor {
      override getSearch(...step: Search) {
        for (const filter of step[0].filter) {
          if (filter.value === 2) filter.value = 3;
          if (Array.isArray(filter.value)) filter.value.push(1);
        }
        step[0].filter.push({ field: 'text', operator: '$cont', value: 'n' });
        return super.getSearch(...step);
      }
    }

    await expectIds(await on(Changing), {
      '/notes': [1, 3, 4],
      '/notes?filter=id||eq||2': [3],
      '/notes?filter=id||in||3': [1, 3],
      '/notes?filter=id||gt||1&or=text||eq||two': [2, 3, 4],
    });
    const replacing = await on(stepping({ getSearch: () => [{ text: 'two' }] }));
    await expectIds(replacing, { '/notes?filter=id||eq||1': [2], '/notes/1': 2 });
  });

  test('getSearch: no record is meant where a client alone tells which', async () => {
    const grouping = (...more: SCondition[]) =>
      class extends CrudRequestInterceptor {
        override getSearch(...step: Search) {
          return [{ $and: [...super.getSearch(...step), ...more] }];
        }
      };
    const nobody = CrudAuth({ filter: () => ({}) });
    const query = { filter: { id: { $gt: 2 } } };
    const me = { params: { id: { disabled: true } }, routes: { only: ['getOneBase'] }, query } as const;
    await (await within(nobody, grouping(), me)).get('/notes?s={"id":3}').expect(404);
    await expectIds(await within(nobody, grouping({ secret: 'b' }), me), { '/notes': 4 });
  });

  test('getSearch: query.filter as a function gets what a client asks for, and may be asynchronous', async () => {
    const filter = async (search: SCondition | undefined, many: boolean) =>
      Promise.resolve({ $and: [search ?? {}, { id: { $gt: many ? 1 : 2 } }] });
    await expectIds(await on(OfA, { query: { filter } }), {
      '/notes': [2, 3],
      '/notes?filter=text||eq||one': [3],
      '/notes/2': '404 CRUD_NOT_FOUND',
    });
  });

  test('getParamsSearch: another condition for the path', async () => {
    const getParamsSearch = (_parser: unknown, _options: unknown, params?: { id?: string }) =>
      params?.id === undefined ? [] : [{ secret: params.id }];
    const bySecret = await on(stepping({ getParamsSearch }));
    await expectIds(bySecret, { '/notes/a': 1 });
    expect((await bySecret.patch('/notes/b', { text: 'x' }).expect(200)).body.id).toBe(4);
    expect(bySecret.resolve(FourNotes).last.request.scope).toEqual({ $and: [{ secret: 'b' }] });

    // No condition is left: no record is meant.
    const everything = await on(stepping({ getParamsSearch: () => [] }));
    expect((await everything.delete('/notes/1').expect(404)).body.code).toBe('CRUD_NOT_FOUND');
    await expectIds(everything, { '/notes': [1, 2, 3, 4] });
  });

  test('getAuth is asked once for filter, or, persist and user, and super.getAuth() works', async () => {
    const refused = 'super.getAuth() takes the options and the request that getAuth was given: change what it returns';

    class Tenant extends CrudRequestInterceptor {
      override getAuth(parser: RequestQueryParser, options: Options, req: { headers: Record<string, string> }) {
        const { filter, auth } = super.getAuth(parser, { auth: options.auth! }, req);
        expect(() => super.getAuth(parser, {}, req)).toThrow(refused);
        expect(() => super.getAuth(parser, options, {})).toThrow(refused);
        parser.setAuthPersist({ ...parser.authPersist, secret: 'kept' });
        return { filter: { $and: [filter, { secret: req.headers['x-secret'] }] }, auth: { of: auth.host } };
      }
    }

    const filter = () => Promise.resolve({ id: { $gt: 1 } });
    const persist = () => ({ text: 'persisted' });
    const tenant = await within(CrudAuth({ property: 'headers', filter, persist }), Tenant);
    await expectIds(tenant, { '/notes': [2, 3], '/notes/4': '404 CRUD_NOT_FOUND' }, { 'x-secret': 'a' });
    expect(tenant.resolve(FourNotes).last.request).toMatchObject({
      auth: { of: expect.any(String) },
      scope: { $and: [{ id: { $eq: 4 } }, { $and: [{ id: { $gt: 1 } }, { secret: 'a' }] }] },
    });
    await tenant.post('/notes', { text: 'x' }).set('x-secret', 'a').expect(201);
    expect(tenant.resolve(FourNotes).last.dto).toEqual({ text: 'persisted', secret: 'kept' });
    const alternative = await on(stepping({ getAuth: () => ({ or: { id: 3 } }) }));
    await expectIds(alternative, { '/notes?filter=id||eq||1': [1, 3] });
    const either = CrudAuth({ or: () => ({ id: 3 }) });
    await expectIds(await within(either, OfA), { '/notes?filter=id||eq||1': [1, 3] });
  });

  test('getCrudInfo: the options, beside which @CrudAuth holds', async () => {
    class Filtered extends CrudRequestInterceptor {
      protected override getCrudInfo(context: ExecutionContext) {
        const { crudOptions, ...info } = super.getCrudInfo(context);
        return { ...info, crudOptions: { ...crudOptions, query: { ...crudOptions.query, filter: { id: 3 } } } };
      }
    }

    await expectIds(await on(Filtered), { '/notes': [3] });
    await expectIds(await within(CrudAuth({ filter: () => ({ secret: 'b' }) }), Filtered), { '/notes': [] });
  });

  test('that would parse a request which another one has parsed before it stops the start', async () => {
    const bound = (...all: (typeof CrudRequestInterceptor)[]) => serve([{}, UseInterceptors(...all)]);
    await expect(bound(CrudRequestInterceptor, OfA)).rejects.toThrow(
      'NotesController: OfA overrides getSearch, which is never called on getManyBase, getOneBase, createOneBase, createManyBase, ' +
        'updateOneBase, replaceOneBase, deleteOneBase, since CrudRequestInterceptor parses the request before: bind OfA before it, or alone',
    );
    await bound(OfA, CrudRequestInterceptor);
  });

  test('a condition of a step that is none is the server’s mistake', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await (await on(stepping({ getAuth: () => ({ filter: 'id = 1' }) }))).get('/notes').expect(500);
    expect(JSON.stringify(error.mock.calls)).toContain('is not a condition');
    error.mockRestore();
  });
});

describeApplications('a subclass of CrudResponseInterceptor', () => {
  class Numbered extends CrudResponseInterceptor {
    protected override transform(dto: unknown, data: object, options?: object): unknown {
      return { ...(super.transform(dto, data, options) as object), dto: (dto as Type | undefined)?.name };
    }
  }

  class Wrapped extends CrudResponseInterceptor {
    protected override serialize(context: ExecutionContext, data: unknown): unknown {
      return { result: super.serialize(context, data) as unknown };
    }
  }

  class Renamed {
    @Expose({ name: 'heading' }) text!: string;
    @Exclude() secret!: string;
  }

  test.each(Object.entries({ ...BINDINGS, 'in setInterceptors of a routes factory, alone': byFactoryAlone }))(
    'is called for each record where it is bound %s',
    async (_, bind) => {
      const [api, data] = [await serve(bind(Numbered)), [{ ...ONE, dto: 'Note' }]];
      await api.get('/notes/1').expect(200, data[0]!);
      await api.get('/notes?filter=id||eq||1').expect(200, data);
      await api.get('/notes?limit=1&page=1').expect(200, { data, count: 1, total: 4, page: 1, pageCount: 4 });
    },
  );

  test('is called for each response, and keeps what its classes rename', async () => {
    for (const bind of [onController, byFactoryAlone]) {
      const api = await serve(bind(Wrapped), { serialize: { get: Renamed } });
      const result = { id: 1, heading: 'one' };
      await api.get('/notes/1').expect(200, { result });
      await api.get('/notes?filter=id||eq||1').expect(200, { result: [result] });
    }
  });

  test('shapes what handlers of the application return, by the class of their action or their own', async () => {
    const around = UseInterceptors(CrudRequestInterceptor, CrudResponseInterceptor);
    const plain = handler('first', (notes: FourNotes, req) => notes.getMany(req), Get('first/plain'), around);
    const numbered = UseInterceptors(CrudRequestInterceptor, Numbered);
    const first = async (notes: FourNotes, req: CrudRequest) => ((await notes.getMany(req)) as Note[])[0];
    const read = handler('read', first, Get('first/read'), Action(CrudActions.ReadOne), numbered);
    const api = await run({}, resource(FourNotes, { serialize: { get: Renamed } }, 'notes', plain, read));
    await api.get('/notes/first/plain?filter=id||eq||1').expect(200, [ONE]);
    await api.get('/notes/first/read').expect(200, { id: 1, heading: 'one', dto: 'Renamed' });
  });
});
