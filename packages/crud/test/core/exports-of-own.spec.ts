/** Exports of lists that code of the application's own reads or shapes: records become lines by the class of the list, whoever has read them. */
import { expect, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import {
  Crud,
  type CrudOptions,
  type CrudRequest,
  CrudResponseInterceptor,
  Override,
  ParsedRequest,
} from '@nestwright/crud';
import { Exclude, Expose, Transform } from 'class-transformer';
import { tap } from 'rxjs';
import { type Api, describeApplications, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Note {
  id!: number;
  text!: string | null;
  at!: Date;

  @Exclude()
  secret!: string;
}

class ShownNote {
  @Expose({ name: 'number' })
  id!: number;

  @Transform(({ value }: { value: string | null }) => value?.toUpperCase() ?? null)
  text!: string | null;

  @Exclude()
  at!: Date;
}

const AT = new Date('2026-01-02T03:04:05.006Z');

@Injectable()
class Notes extends MemoryService<Note> {
  constructor() {
    super(
      ['one', '=two', null, ''].map((text) => ({ text, at: AT, secret: 'secret' })),
      undefined,
      (row) => Object.assign(new Note(), row),
    );
  }
}

const seen: unknown[] = [];

@Injectable()
class Watch implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(tap((value: unknown) => seen.push(value)));
  }
}

@Injectable()
class Shouting extends CrudResponseInterceptor {
  protected override transform(_: unknown, data: { text: string }): unknown {
    return { ...data, text: 'SHOUTED' };
  }
}

const EXPORT = { export: { formats: ['ndjson', 'csv'], maxRows: 4 } } as const;

describeApplications('exports of own lists', () => {
  const serve = (options: Partial<CrudOptions> = {}, decorate: ClassDecorator = () => undefined): Promise<Api> => {
    @Crud({ model: { type: Note }, query: EXPORT, ...options } as CrudOptions)
    @Controller('notes')
    class NotesController {
      constructor(readonly service: Notes) {}
    }
    decorate(NotesController);

    return start({ controllers: [NotesController as Type<unknown>], providers: [Notes, Shouting] });
  };
  const textOf = async (api: Api, path: string): Promise<string> => {
    const { status, text, body } = (await api.get(path).buffer(true)) as {
      status: number;
      text?: string;
      body: unknown;
    };
    expect({ status, ...(status !== 200 && { body }) }).toEqual({ status: 200 });

    return text ?? String(body);
  };

  test('a service without an adapter', async () => {
    const api = await serve();

    expect(await textOf(api, '/notes?format=csv')).toBe(
      [
        'text,at,id',
        'one,2026-01-02T03:04:05.006Z,1',
        "'=two,2026-01-02T03:04:05.006Z,2",
        ',2026-01-02T03:04:05.006Z,3',
        '"",2026-01-02T03:04:05.006Z,4',
        '',
      ].join('\r\n'),
    );
    expect(api.resolve(Notes).last.request.parsed).toMatchObject({ format: 'csv' });
  });

  test('a class that renames, changes and hides', async () => {
    const api = await serve({ serialize: { get: ShownNote } });

    expect(await textOf(api, '/notes?format=csv')).toBe(
      ['text,number', 'ONE,1', "'=TWO,2", ',3', '"",4', ''].join('\r\n'),
    );
  });

  test('a handler of its own', async () => {
    @Crud({ model: { type: Note }, query: EXPORT } as CrudOptions)
    @Controller('notes')
    class NotesController {
      constructor(readonly service: Notes) {}

      @Override()
      async getMany(@ParsedRequest() request: CrudRequest): Promise<unknown> {
        const notes = (await this.service.getMany(request)) as Note[];

        return notes.filter(({ id }) => id === 1);
      }
    }
    const api = await start({ controllers: [NotesController], providers: [Notes] });

    expect(await textOf(api, '/notes?format=csv')).toBe('text,at,id\r\none,2026-01-02T03:04:05.006Z,1\r\n');
  });

  test('a longer list than may be exported', async () => {
    const api = await serve({ query: { export: { formats: ['csv'], maxRows: 3 } } } as never);

    expect((await api.get('/notes?format=csv')).body).toMatchObject({ statusCode: 400, code: 'CRUD_LIMIT_EXCEEDED' });
    expect(await textOf(api, '/notes?format=csv&limit=1')).toBe('text,at,id\r\none,2026-01-02T03:04:05.006Z,1\r\n');
  });

  test('interceptors around the controller are given a file', async () => {
    seen.length = 0;
    const api = await serve({}, UseInterceptors(new Watch()) as ClassDecorator);

    expect((await textOf(api, '/notes?format=csv')).split('\r\n')).toHaveLength(6);
    expect(seen).toEqual([expect.any(StreamableFile)]);
  });

  test('overrides that shape records are never passed by', async () => {
    const api = await serve({}, UseInterceptors(Shouting) as ClassDecorator);

    expect((await api.get('/notes')).body).toHaveLength(4);
    expect((await api.get('/notes?format=csv')).status).toBe(500);
  });
});
