/** A service that has its list as text: where that is sent, and where records are, with what is said of the reason; exports of lists that code of the application's own reads or shapes. */
import { channel } from 'node:diagnostics_channel';
import { afterEach, expect, jest, test } from '@jest/globals';
import { Logger, StreamableFile, UseInterceptors } from '@nestjs/common';
import { CrudAuth, type CrudRequest, CrudResponseInterceptor, Override } from '@nestwright/crud';
import { Expose, Transform } from 'class-transformer';
import { tap } from 'rxjs';
import { jsonList, NeedsRecords, RESULT } from '../../src/adapter.js';
import { varyByAccept } from '../../src/exchange/send.js';
import { type Api, describeApplications, describePlatforms } from '../support/application.js';
import { around, handler, Note, Notes, resource, run } from './resource.js';

class Texts extends Notes {
  readonly needs: NeedsRecords | undefined = undefined;

  override getMany() {
    return Promise.resolve([{ id: 1 } as Note]);
  }

  [RESULT]() {
    return Promise.resolve({ records: () => this.getMany(), text: () => this.needs ?? jsonList(['{"id":"text"}']) });
  }
}

class Needing extends Texts {
  override readonly needs = new NeedsRecords('what the test needs');
}

class Refusing extends Texts {
  override [RESULT](): never {
    return new NeedsRecords('what the service says at once') as never;
  }
}

class Page {
  data: Note[] = [];
}

const CSV = { export: { formats: ['csv'], maxRows: 2 } };
const Watch = around((answers) => answers);
const watching = UseInterceptors(Watch);
const grouped = CrudAuth({ groups: () => ['admin'] });

/** By the reason for records: a resource that has it. */
const NEEDING: Record<string, Parameters<typeof resource>> = {
  'an interceptor of the controller': [Texts, {}, 'around', watching],
  'an interceptor of the route': [Texts, { routes: { getManyBase: { interceptors: [Watch] } } }, 'inside'],
  'a class for the envelope': [Texts, { serialize: { getMany: Page } }, 'enveloped'],
  'serialization that is turned off': [Texts, { serialize: { getMany: false } }, 'off'],
  'options of class-transformer (@CrudAuth)': [Texts, {}, 'grouped', grouped],
  'what the test needs': [Needing, {}, 'needing'],
  'what the service says at once': [Refusing, {}, 'refusing'],
};

describePlatforms('a list', (platform) => {
  afterEach(() => void jest.restoreAllMocks());

  const open = async () => {
    const debug = jest.spyOn(Logger.prototype, 'debug').mockImplementation(() => undefined);
    const controllers = [resource(Texts), ...Object.values(NEEDING).map((one) => resource(...one))];
    const api = await run({ platform, providers: [Texts, Needing, Refusing] }, ...controllers);

    /** What is sent twice, and what is logged and published of it. */
    return async (path: string) => {
      debug.mockClear();
      const told: unknown[] = [];
      const tell = (message: unknown) => void told.push(message);
      channel('nestwright:fast-path').subscribe(tell);
      const [{ body, headers }] = await Promise.all([api.get(path).expect(200), api.get(path).expect(200)]);
      channel('nestwright:fast-path').unsubscribe(tell);
      return { body, type: headers['content-type'], told, logged: debug.mock.calls.map(([text]) => text as string) };
    };
  };
  const labelOf = (path: string) => `${path.slice(0, 1).toUpperCase()}${path.slice(1)}Controller`;
  const message = (taken: boolean, reason?: string) => expect.objectContaining({ path: 'text', taken, reason });

  test('is text by default, and records for a reason, which is published each time and logged once', async () => {
    const ask = await open();
    const [type, told] = ['application/json; charset=utf-8', Array(2).fill(message(true))];
    expect(await ask('/notes')).toEqual({ body: [{ id: 'text' }], type, told, logged: [] });
    for (const [reason, [, , path]] of Object.entries(NEEDING)) {
      const why = `getManyBase: answers are made of records, not written as text, because of ${reason}`;
      const [told, logged] = [Array(2).fill(message(false, reason)), [`${labelOf(path as string)}.${why}`]];
      expect(await ask(`/${path as string}`)).toEqual({ body: [{ id: 1 }], type, told, logged });
    }
  });

  test('is not text where it is exported, and neither is what deletes', async () => {
    const api = await run({ platform, providers: [Texts] }, resource(Texts, { query: CSV }));
    expect((await api.get('/notes?format=csv').buffer(true).expect(200)).text).toBe('id,text\r\n1,\r\n');
    await api.delete('/notes/1').expect(200, '');
  });
});

class ShownNote {
  @Expose({ name: 'number' }) id!: number;
  @Transform(({ value }: { value: string }) => value.toUpperCase()) text!: string;
}

class Shouting extends CrudResponseInterceptor {
  protected override transform(_: unknown, data: { text: string }): unknown {
    return { ...data, text: 'SHOUTED' };
  }
}

describeApplications('a list as CSV', () => {
  const serve = (options: object = {}, ...decorators: ClassDecorator[]): Promise<Api> =>
    run({}, resource(Notes, { query: CSV, ...options }, 'notes', ...decorators));
  const linesOf = async (api: Api) =>
    (await api.get('/notes?format=csv').buffer(true).expect(200).expect('vary', 'Accept')).text.split('\r\n');

  test('of a service without an adapter', async () => {
    const api = await serve();
    expect(await linesOf(api)).toEqual(['id,text', '1,one', '2,two', '']);
    expect(api.resolve(Notes).last.request.parsed).toMatchObject({ format: 'csv' });
  });

  test('by a class that renames and changes', async () => {
    const lines = await linesOf(await serve({ serialize: { get: ShownNote } }));
    expect(lines).toEqual(['number,text', '1,ONE', '2,TWO', '']);
  });

  test('of a handler of its own, within interceptors that are given a file', async () => {
    const seen: unknown[] = [];
    const watching = UseInterceptors(around(tap((value) => seen.push(value))));
    const first = async (notes: Notes, req: CrudRequest) => ((await notes.getMany(req)) as Note[]).slice(0, 1);
    const api = await serve({}, handler('getMany', first, Override()), watching);
    expect(await linesOf(api)).toEqual(['id,text', '1,one', '']);
    expect(seen).toEqual([expect.any(StreamableFile)]);
  });

  test('has records as overrides shape them', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const api = await serve({}, UseInterceptors(Shouting));
    expect((await api.get('/notes')).body).toHaveLength(2);
    expect((await api.get('/notes?format=csv')).status).toBe(500);
    expect(String(error.mock.calls)).toContain('Lists cannot be exported through overrides of CrudResponseInterceptor');
    error.mockRestore();
  });
});

test.each([
  [[], 'Accept'],
  [['Origin', 'Cookie'], 'Origin, Cookie, Accept'],
  [['Accept-Encoding,X-Accept'], 'Accept-Encoding,X-Accept, Accept'],
  ...['*', 'accept', 'Origin , Accept', 'ACCEPT ,Origin'].map((vary) => [[vary], undefined] as const),
])('what the application varies by, %j, becomes %p', (before, vary) => {
  let set: unknown;
  const adapter = { getHeader: () => before, setHeader: (...[, name, value]: string[]) => (set = { [name!]: value }) };
  varyByAccept({ adapter, response: {} } as never);
  expect(set).toEqual(vary && { Vary: vary });
});
