/** Exports of lists that code of the application's own reads or shapes: records become lines by the class of the list, whoever has read them. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { type CallHandler, type ExecutionContext, Logger, StreamableFile } from '@nestjs/common';
import { UseGuards, UseInterceptors } from '@nestjs/common';
import { type CrudRequestMessage, CrudResponseInterceptor, Override } from '@nestwright/crud';
import { type ExportReader, ListExport } from '@nestwright/crud/adapter';
import { Exclude, Expose, Transform } from 'class-transformer';
import { tracingChannel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { tap } from 'rxjs';
import { type Api, describeApplications, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { handler, resource } from './resource.js';

class Note {
  id!: number;
  text!: string | null;
  at!: Date;
  @Exclude() secret!: string;
}

class ShownNote {
  @Expose({ name: 'number' }) id!: number;
  @Transform(({ value }: { value: string | null }) => value?.toUpperCase() ?? null) text!: string | null;
  @Exclude() at!: Date;
}

class Notes extends MemoryService<Note> {
  constructor() {
    const rows = ['one', '=two', null, ''].map((text) => ({ text, at: new Date(0), secret: 'secret' }));
    super(rows, undefined, (row) => Object.assign(new Note(), row));
  }
}

class Shouting extends CrudResponseInterceptor {
  protected override transform(_: unknown, data: { text: string }): unknown {
    return { ...data, text: 'SHOUTED' };
  }
}

/** Sets the header before a handler, as middleware would. */
const varying = (values: readonly string[]) => (context: ExecutionContext) => {
  if (values.length > 0) context.switchToHttp().getResponse<ServerResponse>().setHeader('Vary', values);
  return true;
};

const query = { export: { formats: ['ndjson', 'csv'], maxRows: 4 } } as const;

describeApplications('exports of own lists', () => {
  const serve = (options: object = {}, ...decorators: ClassDecorator[]): Promise<Api> => {
    const controller = resource(Notes, { model: { type: Note }, query, ...options }, 'notes', ...decorators);

    return start({ controllers: [controller], providers: [Notes] });
  };
  const linesOf = async (api: Api, path: string): Promise<string[]> => {
    const { text, body } = (await api.get(path).buffer(true).expect(200)) as { text?: string; body: unknown };

    return (text ?? String(body)).split('\r\n');
  };
  const AT = '1970-01-01T00:00:00.000Z';

  test('a service without an adapter, and no more records than may be exported', async () => {
    const lines = ['text,at,id', `one,${AT},1`, `'=two,${AT},2`, `,${AT},3`, `"",${AT},4`, ''];
    const api = await serve();
    expect(await linesOf(api, '/notes?format=csv')).toEqual(lines);
    expect(api.resolve(Notes).last.request.parsed).toMatchObject({ format: 'csv' });
    const narrow = await serve({ query: { export: { formats: ['csv'], maxRows: 3 } } });
    const { body } = await narrow.get('/notes?format=csv').expect(400);
    expect(body).toMatchObject({ statusCode: 400, code: 'CRUD_LIMIT_EXCEEDED' });
    expect(await linesOf(narrow, '/notes?format=csv&limit=1')).toEqual([...lines.slice(0, 2), '']);
  });

  test('a class that renames, changes and hides', async () => {
    const api = await serve({ serialize: { get: ShownNote } });
    expect(await linesOf(api, '/notes?format=csv')).toEqual(['text,number', 'ONE,1', "'=TWO,2", ',3', '"",4', '']);
  });

  test('a handler of its own', async () => {
    const first = async (notes: Notes, req: Notes['last']['request']) =>
      ((await notes.getMany(req)) as Note[]).filter(({ id }) => id === 1);
    const api = await serve({}, handler('getMany', first, Override()));
    expect(await linesOf(api, '/notes?format=csv')).toEqual(['text,at,id', `one,${AT},1`, '']);
  });

  test('interceptors around the controller are given a file', async () => {
    const seen: unknown[] = [];
    const intercept = (_: ExecutionContext, next: CallHandler) => next.handle().pipe(tap((value) => seen.push(value)));
    const api = await serve({}, UseInterceptors({ intercept }));
    expect(await linesOf(api, '/notes?format=csv')).toHaveLength(6);
    expect(seen).toEqual([expect.any(StreamableFile)]);
  });

  test.each([
    [[], 'Accept'],
    [['Origin'], 'Origin, Accept'],
    [['Origin', 'Cookie'], 'Origin, Cookie, Accept'],
    [['Accept-Encoding,X-Accept'], 'Accept-Encoding,X-Accept, Accept'],
    ...['*', 'accept', 'Origin , Accept', 'ACCEPT ,Origin'].map((vary) => [[vary], vary] as const),
  ])('what the application varies by, %j, becomes %s', async (before, vary) => {
    const api = await serve({}, UseGuards({ canActivate: varying(before) }));
    expect((await api.get('/notes')).headers['vary']).toBe(vary);
  });

  test('overrides that shape records are never passed by', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const api = await serve({}, UseInterceptors(Shouting));
    expect((await api.get('/notes')).body).toHaveLength(4);
    expect((await api.get('/notes?format=csv')).status).toBe(500);
    expect(String(error.mock.calls)).toContain('Lists cannot be exported through overrides of CrudResponseInterceptor');
  });

  const { asyncEnd } = tracingChannel('nestwright:request');
  let end: ((message: unknown) => void) | undefined;
  afterEach(() => {
    if (end) asyncEnd.unsubscribe(end);
    jest.restoreAllMocks();
  });

  type Read = (reader: ExportReader, begun: Promise<void>) => Promise<unknown>;

  /** Asks for a list that is read so, and leaves once it has begun if told; what is logged and told of it. */
  const outcomeOf = async (read: Read, leaves: boolean) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const told = new Promise<CrudRequestMessage>((resolve) => asyncEnd.subscribe((end = resolve as never)));
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const list = new ListExport(async (reader) => void (await read(reader, begun)));
    const { app } = await serve(
      {},
      handler('getMany', () => Promise.resolve(list), Override()),
    );
    await app.listen(0, '127.0.0.1');
    const client = new AbortController();
    const { status, body } = await fetch(`${await app.getUrl()}/notes?format=ndjson`, { signal: client.signal });
    const reader = body!.getReader();
    await reader.read();
    if (leaves) client.abort();
    begin();
    const isWhole = await reader.read().then(
      () => true,
      () => false,
    );
    const { status: cutBy, code, rows } = await told;
    // The client keeps connections of its own.
    (app.getHttpServer() as Server).closeAllConnections();
    const cuts = log.mock.calls.map(([message]) => message as string).filter((message) => /cut/.test(message));
    return [status, isWhole, { cutBy, code, rows }, cuts];
  };
  const give = ({ take }: ExportReader) => take({ records: () => [{ id: 1 }, { id: 2 }] });
  const fail = () => Promise.reject(new Error('it failed'));
  const failLate: Read = (reader, begun) => Promise.all([give(reader), begun]).then(fail);
  const stay: Read = (reader) =>
    give(reader)
      .then(() => once(reader.signal, 'abort'))
      .then(fail);
  const whole = [200, true, { rows: 2 }, []];
  const refused = [500, true, { cutBy: 500 }, []];
  const cut = [200, false, { cutBy: 500, rows: 2 }, ['An export was cut: it failed']];
  const left = [200, false, { cutBy: 499, code: 'CRUD_CLIENT_CLOSED', rows: 2 }, []];

  test.each<[title: string, read: Read, outcome: unknown[]]>([
    ['is complete', give, whole],
    ['fails before its first byte', fail, refused],
    ['fails after it', failLate, cut],
    ['nobody waits for any more', stay, left],
  ])('what is answered, logged and told of a list that %s', async (_, read, outcome) => {
    expect(await outcomeOf(read, read === stay)).toEqual(outcome);
  });

  test('no more exports run at a time than `concurrent` allows', async () => {
    let release = (): void => undefined;
    const held = async (reader: ExportReader) => {
      await give(reader);
      await new Promise<void>((resolve) => (release = resolve));
    };
    const options = { query: { export: { formats: ['ndjson'], concurrent: 1 } } };
    const { app } = await serve(
      options,
      handler('getMany', () => Promise.resolve(new ListExport(held)), Override()),
    );
    await app.listen(0, '127.0.0.1');
    const url = `${await app.getUrl()}/notes?format=ndjson`;
    const first = await fetch(url);
    const second = await fetch(url);
    expect([second.status, second.headers.get('retry-after'), await second.json()]).toEqual([
      503,
      '5',
      expect.objectContaining({ code: 'CRUD_UNAVAILABLE', message: 'Too many exports are running' }),
    ]);
    release();
    expect(await first.text()).toBe('{"id":1}\n{"id":2}\n');
    const third = await fetch(url);
    release();
    expect([third.status, await third.text()]).toEqual([200, expect.stringContaining('{"id":2}')]);
  });
});
