/** Requests and their options, changed by interceptors as nestjsx/crud let them be: in steps of parsing and after `super.intercept()`. */
import { expect, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import {
  Crud,
  CrudAuth,
  CrudConfigService,
  type CrudRequest,
  CrudRequestInterceptor,
  PARSED_CRUD_REQUEST_KEY,
  ParsedRequest,
} from '@nestwright/crud';
import type { SCondition } from '@nestwright/crud-request';
import { describeApplications, start } from '../support/application.js';
import { NoteService } from '../support/notes.js';
import { Note, resource } from './resource.js';

class Notes extends NoteService {
  constructor() {
    super(['one', 'two', 'one', 'one'].map((text, index) => ({ id: index + 1, text, secret: 'aaab'[index] })));
  }
}

const parsedOn = (context: ExecutionContext): CrudRequest | undefined =>
  context.switchToHttp().getRequest<Record<string, CrudRequest | undefined>>()[PARSED_CRUD_REQUEST_KEY];

const GIVEN = { query: { join: {}, maxLimit: 2 }, routes: {}, params: {}, operators: {} };

/** Gives options of its own, which are the same for all requests. */
class Given extends CrudRequestInterceptor {
  protected override getCrudInfo(context: ExecutionContext) {
    return { ...super.getCrudInfo(context), crudOptions: GIVEN };
  }
}

const stepping = (Base: typeof CrudRequestInterceptor) =>
  class extends Base {
    override getCrudRequest(...step: Parameters<CrudRequestInterceptor['getCrudRequest']>): CrudRequest {
      const request = super.getCrudRequest(...step);
      request.options.query!.limit = 1;

      return request;
    }
  };

/** Changes the options once the request is parsed. */
class OneByIntercept extends CrudRequestInterceptor {
  override intercept(context: ExecutionContext, next: CallHandler) {
    const result = super.intercept(context, next);
    parsedOn(context)!.options.query!.limit = 1;

    return result;
  }
}

function plain(interceptor: Type<NestInterceptor>): Type<object> {
  @Controller('plain')
  class PlainController {
    constructor(readonly notes: Notes) {}

    @Get()
    @UseInterceptors(interceptor)
    list(@ParsedRequest() req: CrudRequest) {
      return this.notes.getMany(req);
    }
  }

  return PlainController;
}

const run = (...controllers: Type<object>[]) => start({ controllers, providers: [Notes] });
const idsOf = (body: unknown) => (body as Note[]).map(({ id }) => id);

describeApplications('options', () => {
  test.each([
    ['getCrudRequest', stepping(CrudRequestInterceptor)],
    ['getCrudRequest with options of getCrudInfo', stepping(Given)],
    ['intercept', OneByIntercept],
  ])('may be changed for one request by %s, with and without @Crud()', async (_, interceptor) => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(readonly service: Notes) {}

      @Get('first')
      @UseInterceptors(interceptor)
      first(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }
    }

    const api = await run(NotesController, plain(interceptor));
    expect(idsOf((await api.get('/plain').expect(200)).body)).toEqual([1]);
    expect(idsOf((await api.get('/notes/first').expect(200)).body)).toEqual([1]);
    expect(idsOf((await api.get('/notes').expect(200)).body)).toEqual([1, 2, 3, 4]);
    expect(GIVEN.query).toEqual({ join: {}, maxLimit: 2 });
  });

  test('that getCrudInfo gives hold without @Crud(), too', async () => {
    expect((await (await run(plain(Given))).get('/plain?limit=3').expect(200)).body).toHaveLength(2);
  });

  test('of the global configuration hold without @Crud(): unknown names and the ceiling', async () => {
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
    CrudConfigService.load({});
  });

  test('may be replaced by an interceptor of a route, frozen as they are', async () => {
    class TwoAtMost implements NestInterceptor {
      intercept(context: ExecutionContext, next: CallHandler) {
        const request = parsedOn(context)!;
        request.options = { ...request.options, query: { limit: 2 } };

        return next.handle();
      }
    }
    const api = await run(resource(Notes, { routes: { getManyBase: { interceptors: [TwoAtMost] } } }));

    expect((await api.get('/notes').expect(200)).body).toHaveLength(2);
  });
});

/** Gives lists a size where the client asks for none. */
class OnePerPage extends CrudRequestInterceptor {
  override intercept(context: ExecutionContext, next: CallHandler) {
    super.intercept(context, next);
    const request = parsedOn(context);
    if (request) request.parsed.limit ??= 1;

    return next.handle();
  }
}

/** The same, with a step of parsing beside it. */
class OneSecretPerPage extends OnePerPage {
  override getSearch(...step: Parameters<CrudRequestInterceptor['getSearch']>): SCondition[] {
    return [...super.getSearch(...step), { secret: 'b' }];
  }
}

describeApplications('a subclass that overrides intercept() and calls super.intercept()', () => {
  const serve = (interceptor: typeof OnePerPage, filter: () => SCondition | Promise<SCondition>) =>
    run(resource(Notes, {}, 'notes', CrudAuth({ filter }), UseInterceptors(interceptor)));

  test.each([
    [OnePerPage, [[1], [1, 3]]],
    [OneSecretPerPage, [[4], [4]]],
  ])('finds the parsed request at once, and lets nothing through that was refused: %p', async (interceptor, found) => {
    const api = await serve(interceptor, () => ({ text: 'one' }));

    expect(idsOf((await api.get('/notes').expect(200)).body)).toEqual(found[0]);
    expect(idsOf((await api.get('/notes?limit=2').expect(200)).body)).toEqual(found[1]);
    expect((await api.get('/notes?limit=x').expect(400)).body).toMatchObject({ code: 'CRUD_INVALID_PAGINATION' });
  });

  test('with an asynchronous filter, does not find it yet, and the request is scoped all the same', async () => {
    const api = await serve(OnePerPage, () => Promise.resolve({ text: 'one' }));

    expect(idsOf((await api.get('/notes').expect(200)).body)).toEqual([1, 3, 4]);
  });

  test('with an asynchronous filter that refuses, ends the request', async () => {
    const api = await serve(OnePerPage, () => Promise.reject(new Error('nobody is signed in')));

    await api.get('/notes').expect(500);
  });
});
