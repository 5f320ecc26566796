/** Where routes live: keys, parents, prefixes and versions. */
import { expect, test } from '@jest/globals';
import { Controller, Get, Injectable, Module, RequestMethod, Scope, Version, VersioningType } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { Crud, CrudAuth, type CrudRequest, CrudRequestInterceptor, Override, ParsedRequest } from '@nestwright/crud';
import { UseInterceptors } from '@nestjs/common';
import { describePlatforms, start, testOnNest12 } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Membership {
  companyId!: number;
  userId!: number;
}

class Thing {
  id!: string;
  companyId!: number;
  size!: string;
}

@Injectable()
class Things extends MemoryService {
  constructor() {
    super([
      { id: 1, companyId: 1, userId: 1, size: 'S' },
      { id: 2, companyId: 1, userId: 2, size: 'M' },
      { id: 3, companyId: 2, userId: 2, size: 'L' },
      { id: 'b0a7e9c8-0d6f-4a0e-8b0a-5f5f5f5f5f5f', companyId: 9, userId: 9, size: 'S' },
    ]);
  }
}

describePlatforms('paths', (platform) => {
  test('several primary parameters stand in the path in the order of the options', async () => {
    @Crud({
      model: { type: Membership },
      params: {
        companyId: { field: 'companyId', type: 'number', primary: true },
        userId: { field: 'userId', type: 'number', primary: true },
      },
      query: { softDelete: true },
    })
    @Controller('memberships')
    class MembershipsController {
      constructor(public service: Things) {}
    }

    const api = await start({ platform, controllers: [MembershipsController], providers: [Things] });

    expect((await api.get('/memberships/1/2').expect(200)).body.id).toBe(2);
    await api.get('/memberships/2/1').expect(404);
    await api.patch('/memberships/2/2/recover').expect(200);
    await api.patch('/memberships/2/2', { companyId: 7, size: 'XL' }).expect(200);
    expect(api.resolve(Things).last.dto).toEqual({ companyId: 2, userId: 2, size: 'XL' });
    await api.get('/memberships/1').expect(404);
  });

  test('parameters of the controller path scope every route', async () => {
    @Crud({
      model: { type: Thing },
      params: { companyId: { field: 'companyId', type: 'number' }, id: { field: 'id', type: 'number', primary: true } },
    })
    @Controller('companies/:companyId/things')
    class ThingsController {
      constructor(public service: Things) {}
    }

    const api = await start({ platform, controllers: [ThingsController], providers: [Things] });

    expect((await api.get('/companies/1/things').expect(200)).body.map(({ id }: { id: unknown }) => id)).toEqual([
      1, 2,
    ]);
    await api.get('/companies/1/things/3').expect(404);
    await api.get('/companies/2/things/3').expect(200);
    expect((await api.post('/companies/2/things', { companyId: 1 }).expect(201)).body.companyId).toBe(2);
    await api.post('/companies/2/things/bulk', { bulk: [{}, { companyId: 5 }] }).expect(201);
    expect(api.resolve(Things).last.dto).toEqual({ bulk: [{ companyId: 2 }, { companyId: 2 }] });
    expect((await api.get('/companies/one/things').expect(400)).body).toMatchObject({
      statusCode: 400,
      code: 'CRUD_INVALID_PARAM',
      field: 'companyId',
    });
  });

  test('uuids and enumerations are checked, a disabled parameter takes no part', async () => {
    enum Size {
      Small = 'S',
      Medium = 'M',
    }

    @Crud({
      model: { type: Thing },
      params: {
        id: { field: 'id', type: 'uuid', primary: true },
        size: { field: 'size', enum: Size },
        lang: { disabled: true },
      },
    })
    @Controller(':lang/things/:size')
    class ThingsController {
      constructor(public service: Things) {}
    }

    const api = await start({ platform, controllers: [ThingsController], providers: [Things] });

    await api.get('/de/things/S/b0a7e9c8-0d6f-4a0e-8b0a-5f5f5f5f5f5f').expect(200);
    await api.get('/de/things/M/b0a7e9c8-0d6f-4a0e-8b0a-5f5f5f5f5f5f').expect(404);
    expect((await api.get('/de/things/S/12').expect(400)).body).toMatchObject({
      code: 'CRUD_INVALID_PARAM',
      field: 'id',
    });
    expect((await api.get('/de/things/XXL').expect(400)).body).toMatchObject({
      code: 'CRUD_INVALID_PARAM',
      field: 'size',
    });
    expect((await api.get('/de/things/M').expect(200)).body).toHaveLength(1);
  });

  test('a disabled id leaves single-record routes at the path itself', async () => {
    @Crud({
      model: { type: Thing },
      params: { id: { disabled: true } },
      routes: { only: ['getOneBase', 'updateOneBase'] },
    })
    @CrudAuth({
      filter: ({ headers }: { headers: Record<string, string> }) =>
        headers['x-me'] ? { id: Number(headers['x-me']) } : {},
    })
    @Controller('me')
    class MeController {
      constructor(public service: Things) {}
    }

    const api = await start({ platform, controllers: [MeController], providers: [Things] });

    expect((await api.get('/me', { 'x-me': '2' }).expect(200)).body.id).toBe(2);
    await api.get('/me', { 'x-me': '77' }).expect(404);
    const nobody = await api.get('/me').expect(404);
    expect(nobody.body).toMatchObject({ code: 'CRUD_NOT_FOUND', message: 'Thing not found' });
    expect(api.resolve(Things).calls.map(({ verb }) => verb)).toEqual(['getOne', 'getOne']);
    await api.patch('/me', { size: 'S' }).set('x-me', '1').expect(200);
    expect(api.resolve(Things).last.dto).toEqual({ size: 'S' });
    await api.delete('/me').expect(404);
  });

  test('an own route beside a generated one with a parameter', async () => {
    @Crud({ model: { type: Thing } })
    @Controller('things')
    class ThingsController {
      constructor(public service: Things) {}

      @Get('me')
      me() {
        return { me: true };
      }
    }

    const api = await start({ platform, controllers: [ThingsController], providers: [Things] });
    await api.get('/things/me').expect(200, { me: true });
    expect((await api.get('/things/1').expect(200)).body.id).toBe(1);
  });

  testOnNest12(
    'an own route declared after an override with a parameter, where Nest orders routes by specificity',
    async () => {
      @Crud({ model: { type: Thing } })
      @Controller('things')
      class ThingsController {
        constructor(public service: Things) {}

        @Override()
        getOne(@ParsedRequest() req: CrudRequest) {
          return this.service.getOne(req);
        }

        @Get('me')
        me() {
          return { me: true };
        }
      }

      const api = await start({
        platform,
        controllers: [ThingsController],
        providers: [Things],
        nest: { routeResolutionStrategy: 'specificity' },
      });
      await api.get('/things/me').expect(200, { me: true });
      expect((await api.get('/things/1').expect(200)).body.id).toBe(1);
    },
  );

  test('global prefix, module path and URI version stand in front', async () => {
    @Crud({
      model: { type: Thing },
      params: { tenant: { field: 'companyId', type: 'number' }, id: { type: 'number', primary: true, field: 'id' } },
    })
    @Controller({ path: 'things', version: '2' })
    class ThingsController {
      constructor(public service: Things) {}
    }

    @Module({ controllers: [ThingsController], providers: [Things] })
    class ThingsModule {}

    const api = await start({
      platform,
      imports: [ThingsModule, RouterModule.register([{ path: 'tenants/:tenant', module: ThingsModule }])],
      configure: (app) => {
        app.setGlobalPrefix('api', { exclude: [{ path: 'health', method: RequestMethod.GET }] });
        app.enableVersioning({ type: VersioningType.URI });
      },
    });

    await api.get('/api/v2/tenants/1/things/1').expect(200);
    await api.get('/api/v2/tenants/2/things/1').expect(404);
    await api.get('/tenants/1/things/1').expect(404);
  });

  test('a parameter may come from the global prefix', async () => {
    @Crud({
      model: { type: Thing },
      params: { tenant: { field: 'companyId', type: 'number' }, id: { type: 'number', primary: true, field: 'id' } },
    })
    @Controller('things')
    class ThingsController {
      constructor(public service: Things) {}
    }

    const api = await start({
      platform,
      controllers: [ThingsController],
      providers: [Things],
      configure: (app) => app.setGlobalPrefix(':tenant'),
    });
    await api.get('/1/things/1').expect(200);
    await api.get('/2/things/1').expect(404);
  });

  test.each([
    [VersioningType.HEADER, { type: VersioningType.HEADER, header: 'x-version' } as const, { 'x-version': '2' }],
    [
      VersioningType.MEDIA_TYPE,
      { type: VersioningType.MEDIA_TYPE, key: 'v=' } as const,
      { accept: 'application/json;v=2' },
    ],
  ])('versions by header and media type (%s)', async (_, options, headers) => {
    @Crud({ model: { type: Thing }, routes: { getOneBase: { decorators: [Version('2')] } } })
    @Controller({ path: 'things', version: '1' })
    class ThingsController {
      constructor(public service: Things) {}

      @Override()
      @Version('2')
      getMany(@ParsedRequest() _req: CrudRequest) {
        return ['second'];
      }
    }

    const api = await start({
      platform,
      controllers: [ThingsController],
      providers: [Things],
      configure: (app) => app.enableVersioning(options),
    });

    await api.get('/things', headers).expect(200, ['second']);
    await api.get('/things/1', headers).expect(200);
    await api.get('/things/1').expect(404);
  });

  test('request-scoped controllers and services', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped extends Things {}

    @Crud({ model: { type: Thing } })
    @Controller('things')
    class ThingsController {
      constructor(public service: Scoped) {}

      @Get('own/route')
      @UseInterceptors(CrudRequestInterceptor)
      own(@ParsedRequest() req: CrudRequest) {
        return req.parsed.filter;
      }
    }

    const api = await start({ platform, controllers: [ThingsController], providers: [Scoped] });
    await api.get('/things/1').expect(200);
    expect((await api.get('/things/own/route?filter=id||eq||3').expect(200)).body).toEqual([
      { field: 'id', operator: 'eq', value: 3 },
    ]);
  });
});
