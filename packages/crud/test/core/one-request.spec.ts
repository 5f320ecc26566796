/** What holds of a request whichever way its handler is driven: alone, behind interceptors, in several applications. */
import { tracingChannel } from 'node:diagnostics_channel';
import { afterEach, expect, test } from '@jest/globals';
import { Controller, Injectable, type PipeTransform, UseInterceptors } from '@nestjs/common';
import {
  Crud,
  type CrudRequest,
  type CrudRequestMessage,
  CrudRequestInterceptor,
  Override,
  ParsedRequest,
} from '@nestwright/crud';
import { describePlatforms, start } from '../support/application.js';
import { Note, NoteService } from '../support/notes.js';

@Injectable()
class Notes extends NoteService {
  constructor() {
    super([{ id: 1, text: 'one', secret: 'a' }]);
  }
}

const ended: CrudRequestMessage[] = [];
const { asyncEnd } = tracingChannel('nestwright:request');
const onEnd = (message: unknown): void => void ended.push(message as CrudRequestMessage);

afterEach(() => {
  asyncEnd.unsubscribe(onEnd);
});

describePlatforms('a request', (platform) => {
  test('is traced once, also behind a CrudRequestInterceptor around its controller', async () => {
    @UseInterceptors(CrudRequestInterceptor)
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }

    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });
    asyncEnd.subscribe(onEnd);
    ended.length = 0;

    await api.get('/notes/1').expect(200, { id: 1, text: 'one' });
    await api.get('/notes/2').expect(404);
    expect(ended.map(({ route, status }) => [route, status])).toEqual([
      ['getOneBase', undefined],
      ['getOneBase', 404],
    ]);
  });

  test('is answered with what an override returns, be it named as the library names its results', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}

      @Override()
      getOne(@ParsedRequest() _: CrudRequest) {
        return { records: [1], text: 'two', status: 500, headers: {}, body: 'three' };
      }
    }

    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });
    await api.get('/notes/1').expect(200, { records: [1], text: 'two', status: 500, headers: {}, body: 'three' });
  });

  test('meets the global pipes of its own application, where two have one controller', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: Notes) {}
    }

    const writes = (text: string): PipeTransform => ({
      transform: (value: unknown) => (typeof value === 'object' ? { ...value, text } : value),
    });
    const boot = (text: string) =>
      start({
        platform,
        controllers: [NotesController],
        providers: [Notes],
        configure: (app) => app.useGlobalPipes(writes(text)),
      });
    const [first, second] = [await boot('first'), await boot('second')];

    for (let turn = 0; turn < 2; turn += 1) {
      const answers = await Promise.all([first, second].map((api) => api.post('/notes', { text: 'sent' }).expect(201)));
      expect(answers.map(({ body }) => (body as Note).text)).toEqual(['first', 'second']);
    }
  });
});
