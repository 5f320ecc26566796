/** Interceptors of the application that emit promises, as `map(async …)` does. */
import { expect, jest, test } from '@jest/globals';
import {
  BadRequestException,
  type CallHandler,
  Controller,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { Crud, CrudRequestInterceptor, CrudResponseInterceptor, Override, ParsedRequest } from '@nestwright/crud';
import { concatMap, map, of } from 'rxjs';
import { describeApplications, start } from '../support/application.js';
import { Note, NoteService } from '../support/notes.js';

const ROWS = [
  { id: 1, text: 'one', secret: 'a' },
  { id: 2, text: 'two', secret: 'b' },
];

class Notes extends NoteService {
  constructor() {
    super(ROWS.map((row) => ({ ...row })));
  }
}

/** Marks each note, a turn of the event loop later. */
class Late implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(
      map(async (answer: Note | Note[]) => {
        await new Promise((resolve) => setImmediate(resolve));
        for (const note of [answer].flat()) note.text += '!';

        return answer;
      }),
    );
  }
}

class Refusing implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map(() => Promise.reject(new BadRequestException('late'))));
  }
}

/** Emits two promises, of which the first one takes longer. */
class Twice implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(
      concatMap((answer: Note) => {
        const first = new Promise((resolve) => setTimeout(() => resolve({ ...answer, text: 'first' }), 5));
        return of(first, Promise.resolve({ ...answer, text: 'last' }));
      }),
    );
  }
}

/** Emits two promises, of which the second one rejects while the first is awaited. */
class RefusingEarly implements NestInterceptor {
  static handledInTime: boolean | undefined;

  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(
      concatMap((answer: Note) => {
        const refused = Promise.reject(new BadRequestException('early'));
        const handlers = jest.spyOn(refused, 'then');
        const first = new Promise((resolve) => setTimeout(() => resolve(answer), 5)).finally(() => {
          RefusingEarly.handledInTime = handlers.mock.calls.length > 0;
        });

        return of(first, refused);
      }),
    );
  }
}

class Shown extends CrudResponseInterceptor {
  protected override transform(dto: unknown, data: object): unknown {
    return { ...(super.transform(dto, data) as object), shown: true };
  }
}

describeApplications('what they resolve to is shaped', () => {
  test('on generated routes and overrides', async () => {
    @Crud({
      model: { type: Note },
      routes: {
        getManyBase: { interceptors: [Late] },
        getOneBase: { interceptors: [Late] },
        createOneBase: { interceptors: [Refusing] },
        deleteOneBase: { interceptors: [Twice], returnDeleted: true },
      },
    })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}

      @Override('getOneBase')
      @UseInterceptors(Late)
      one(@ParsedRequest() request: Parameters<Notes['getOne']>[0]) {
        return this.service.getOne(request);
      }
    }

    const api = await start({ controllers: [NotesController], providers: [Notes] });
    await api.get('/notes').expect(200, [
      { id: 1, text: 'one!' },
      { id: 2, text: 'two!' },
    ]);
    expect((await api.get('/notes/2').expect(200)).body).toEqual({ id: 2, text: expect.stringMatching(/^two!+$/) });
    expect((await api.post('/notes', { text: 'n' }).expect(400)).body).toMatchObject({ message: 'late' });
    expect((await api.delete('/notes/1').expect(200)).body).toMatchObject({ id: 1, text: 'last' });
  });

  test('a promise that rejects before its turn refuses the request', async () => {
    @Crud({ model: { type: Note }, routes: { getOneBase: { interceptors: [RefusingEarly] } } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }

    const api = await start({ controllers: [NotesController], providers: [Notes] });
    expect((await api.get('/notes/1').expect(400)).body).toMatchObject({ message: 'early' });
    // Node ends a process for a rejection without a handler; Jest keeps that from the test.
    expect(RefusingEarly.handledInTime).toBe(true);
  });

  test('behind a CrudResponseInterceptor of the application', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}

      @Override('getOneBase')
      @UseInterceptors(CrudRequestInterceptor, Shown, Late)
      one(@ParsedRequest() request: Parameters<Notes['getOne']>[0]) {
        return this.service.getOne(request);
      }
    }

    const api = await start({ controllers: [NotesController], providers: [Notes] });
    await api.get('/notes/1').expect(200, { id: 1, text: 'one!', shown: true });
  });
});
