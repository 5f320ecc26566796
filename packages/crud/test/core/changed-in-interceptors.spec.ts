/** Options of one request, changed by subclasses of `CrudRequestInterceptor` as nestjsx/crud let them; and what the global configuration says to handlers without `@Crud()`. */
import { afterEach, expect, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import {
  Crud,
  CrudConfigService,
  type CrudRequest,
  CrudRequestInterceptor,
  PARSED_CRUD_REQUEST_KEY,
  ParsedRequest,
} from '@nestwright/crud';
import { catalog, column } from '../plan/catalogs.js';
import { type Api, start, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Song {
  id!: number;
}

@Injectable()
class Songs extends MemoryService {
  constructor() {
    super([{ id: 1 }, { id: 2 }, { id: 3 }], catalog('Song', [column('id', 'integer', { primary: true })]));
  }
}

/** Changes the options in the step. */
@Injectable()
class OneByStep extends CrudRequestInterceptor {
  override getCrudRequest(...step: Parameters<CrudRequestInterceptor['getCrudRequest']>): CrudRequest {
    const request = super.getCrudRequest(...step);
    request.options.query!.limit = 1;

    return request;
  }
}

const GIVEN = { query: { join: {}, maxLimit: 2 }, routes: {}, params: {}, operators: {} };

/** Gives options of its own, which are the same for all requests, and changes them in the step. */
@Injectable()
class OneOfGiven extends OneByStep {
  protected override getCrudInfo(context: ExecutionContext) {
    return { ...super.getCrudInfo(context), crudOptions: GIVEN };
  }
}

/** Gives options of its own. */
@Injectable()
class Given extends CrudRequestInterceptor {
  protected override getCrudInfo(context: ExecutionContext) {
    return { ...super.getCrudInfo(context), crudOptions: GIVEN };
  }
}

/** Changes them once the request is parsed. */
@Injectable()
class OneByIntercept extends CrudRequestInterceptor {
  override intercept(context: ExecutionContext, next: CallHandler) {
    const result = super.intercept(context, next);
    const http = context.switchToHttp().getRequest<Record<string, CrudRequest>>();
    http[PARSED_CRUD_REQUEST_KEY]!.options.query!.limit = 1;

    return result;
  }
}

const run = (controller: Type<object>): Promise<Api> => start({ controllers: [controller], providers: [Songs] });

afterEach(async () => {
  await stopAll();
  CrudConfigService.load({});
});

test.each([
  ['getCrudRequest', OneByStep],
  ['getCrudRequest with options of getCrudInfo', OneOfGiven],
  ['intercept', OneByIntercept],
])('%s may change the options of a request, with and without @Crud()', async (_, interceptor) => {
  @Controller('plain')
  class PlainController {
    constructor(readonly songs: Songs) {}

    @Get()
    @UseInterceptors(interceptor)
    list(@ParsedRequest() req: CrudRequest) {
      return this.songs.getMany(req);
    }
  }

  @Crud({ model: { type: Song } })
  @Controller('songs')
  class SongsController {
    constructor(readonly service: Songs) {}

    @Get('first')
    @UseInterceptors(interceptor)
    first(@ParsedRequest() req: CrudRequest) {
      return this.service.getMany(req);
    }
  }

  await (await run(PlainController)).get('/plain').expect(200, [{ id: 1 }]);
  const api = await run(SongsController);
  await api.get('/songs/first').expect(200, [{ id: 1 }]);
  await api.get('/songs').expect(200, [{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(GIVEN.query).toEqual({ join: {}, maxLimit: 2 });
});

test('options that getCrudInfo gives hold without @Crud(), too', async () => {
  @Controller('plain')
  class PlainController {
    constructor(readonly songs: Songs) {}

    @Get()
    @UseInterceptors(Given)
    list(@ParsedRequest() req: CrudRequest) {
      return this.songs.getMany(req);
    }
  }

  await (await run(PlainController)).get('/plain?limit=3').expect(200, [{ id: 1 }, { id: 2 }]);
});

test('what the configuration says of unknown names and of the ceiling holds without @Crud(), too', async () => {
  @Controller('plain')
  class PlainController {
    @Get()
    @UseInterceptors(CrudRequestInterceptor)
    list(@ParsedRequest() { parsed: { join }, options: { query } }: CrudRequest) {
      return { join, query };
    }
  }

  const api = await run(PlainController);
  await api.get('/plain?join=nowhere').expect(400);
  CrudConfigService.load({ query: { unknown: 'ignore', maxLimit: false, limit: 5 } });
  await api.get('/plain?join=nowhere').expect(200, { join: [], query: { unknown: 'ignore', maxLimit: false } });
});
