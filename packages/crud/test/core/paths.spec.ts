/** Where routes live: keys, parents, prefixes and versions. */
import { expect, test } from '@jest/globals';
import { Controller, Get, Injectable, Scope, Version, VersioningType } from '@nestjs/common';
import { Crud, type CrudRequest, CrudRequestInterceptor, Override, ParsedRequest } from '@nestwright/crud';
import { UseInterceptors } from '@nestjs/common';
import { describePlatforms, start, testOnNest12 } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

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
