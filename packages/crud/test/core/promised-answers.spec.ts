/** Interceptors of the application that emit promises, as `map(async …)` does. */
import { expect, jest, test } from '@jest/globals';
import {
  BadRequestException,
  type CallHandler,
  Controller,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { Crud, CrudRequestInterceptor, CrudResponseInterceptor, Override, ParsedRequest } from '@nestwright/crud';
import { concatMap, map, type Observable, of } from 'rxjs';
import { describeApplications, start } from '../support/application.js';
import { Note, Notes, OfNotes, resource } from './resource.js';

const around = (pipe: (answers: Observable<Note>) => Observable<unknown>): Type<NestInterceptor> =>
  class {
    intercept(_: ExecutionContext, next: CallHandler<Note>) {
      return pipe(next.handle());
    }
  };

/** Marks each note, a turn of the event loop later. */
const Late = around(
  map(async (answer: Note | Note[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    for (const note of [answer].flat()) note.text += '!';

    return answer;
  }),
);
const Refusing = around(map(() => Promise.reject(new BadRequestException('late'))));
const later = (answer: Note) => new Promise((resolve) => setTimeout(() => resolve(answer), 5));

/** Emits two promises, of which the first one takes longer. */
const Twice = around(
  concatMap((answer) => of(later({ ...answer, text: 'first' }), Promise.resolve({ ...answer, text: 'last' }))),
);

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
    class NotesController extends OfNotes {
      @Override('getOneBase')
      @UseInterceptors(Late)
      one(@ParsedRequest() request: Parameters<Notes['getOne']>[0]) {
        return this.service.getOne(request);
      }
    }

    const api = await start({ controllers: [NotesController], providers: [Notes] });
    await api.get('/notes?filter=id||eq||2').expect(200, [{ id: 2, text: 'two!' }]);
    expect((await api.get('/notes/2').expect(200)).body).toEqual({ id: 2, text: expect.stringMatching(/^two!+$/) });
    expect((await api.post('/notes', { text: 'n' }).expect(400)).body).toMatchObject({ message: 'late' });
    expect((await api.delete('/notes/1').expect(200)).body).toMatchObject({ id: 1, text: 'last' });
  });

  test('a promise that rejects while an earlier one is awaited refuses the request', async () => {
    let handledInTime: boolean | undefined;
    const RefusingEarly = around(
      concatMap((answer) => {
        const refused = Promise.reject(new BadRequestException('early'));
        const handlers = jest.spyOn(refused, 'then');
        const first = later(answer).finally(() => {
          handledInTime = handlers.mock.calls.length > 0;
        });

        return of(first, refused);
      }),
    );
    const controller = resource(Notes, { routes: { getOneBase: { interceptors: [RefusingEarly] } } });
    const api = await start({ controllers: [controller], providers: [Notes] });

    expect((await api.get('/notes/1').expect(400)).body).toMatchObject({ message: 'early' });
    // Node ends a process for a rejection without a handler; Jest keeps that from the test.
    expect(handledInTime).toBe(true);
  });

  test('behind a CrudResponseInterceptor of the application', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController extends OfNotes {
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
