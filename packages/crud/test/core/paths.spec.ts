/** Where routes live: their order and their versions. */
import { expect, test } from '@jest/globals';
import { Controller, Get, Injectable, Version, VersioningType } from '@nestjs/common';
import { Crud, type CrudRequest, Override, ParsedRequest } from '@nestwright/crud';
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
    super([{ id: 1, companyId: 1, userId: 1, size: 'S' }]);
  }
}

describePlatforms('paths', (platform) => {
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
});
