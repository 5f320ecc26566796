/** Interceptors that call `super.intercept()` and go on with the request that it has parsed, as those written for nestjsx/crud do. */
import { expect, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import {
  Crud,
  CrudAuth,
  type CrudRequest,
  CrudRequestInterceptor,
  PARSED_CRUD_REQUEST_KEY,
  ParsedRequest,
} from '@nestwright/crud';
import type { SCondition } from '@nestwright/crud-request';
import { describeApplications, start } from '../support/application.js';
import { Note, NoteService } from '../support/notes.js';

@Injectable()
class Notes extends NoteService {
  constructor() {
    super([
      { id: 1, text: 'one', secret: 'a' },
      { id: 2, text: 'two', secret: 'b' },
      { id: 3, text: 'one', secret: 'a' },
      { id: 4, text: 'one', secret: 'b' },
    ]);
  }
}

const parsedOn = (context: ExecutionContext): CrudRequest | undefined =>
  context.switchToHttp().getRequest<Record<string, CrudRequest | undefined>>()[PARSED_CRUD_REQUEST_KEY];

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

/** Puts other options in place of the resource's. */
class TwoAtMost implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const request = parsedOn(context)!;
    request.options = { ...request.options, query: { limit: 2 } };

    return next.handle();
  }
}

describeApplications('an interceptor of a route', () => {
  test('may put other options in place of the frozen ones', async () => {
    @Crud({ model: { type: Note }, routes: { getManyBase: { interceptors: [TwoAtMost] } } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }
    const api = await start({ controllers: [NotesController], providers: [Notes] });

    expect((await api.get('/notes').expect(200)).body).toHaveLength(2);
  });
});

describeApplications('a subclass that overrides intercept()', () => {
  const serve = (interceptor: typeof OnePerPage, filter: () => SCondition | Promise<SCondition>) => {
    @Crud({ model: { type: Note } })
    @CrudAuth({ filter })
    @UseInterceptors(interceptor)
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}

      @Get('own')
      own(@ParsedRequest() { parsed }: CrudRequest) {
        return { limit: parsed.limit };
      }
    }

    return start({ controllers: [NotesController], providers: [Notes] });
  };
  const idsOf = (body: unknown) => (body as Note[]).map(({ id }) => id);

  test.each([
    [OnePerPage, [[1], [1, 3]]],
    [OneSecretPerPage, [[4], [4]]],
  ])('finds the parsed request when super.intercept() has returned: %p', async (interceptor, [one, two]) => {
    const api = await serve(interceptor, () => ({ text: 'one' }));

    expect(idsOf((await api.get('/notes').expect(200)).body)).toEqual(one);
    expect(idsOf((await api.get('/notes?limit=2').expect(200)).body)).toEqual(two);
    await api.get('/notes/own').expect(200, { limit: 1 });
  });

  test('lets nothing through that was refused', async () => {
    const api = await serve(OnePerPage, () => ({ text: 'one' }));

    expect((await api.get('/notes?limit=x').expect(400)).body).toMatchObject({ code: 'CRUD_INVALID_PAGINATION' });
    await api.get('/notes/own?filter=nope').expect(400);
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
