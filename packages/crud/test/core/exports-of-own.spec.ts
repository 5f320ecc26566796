/** Exports of lists that code of the application's own reads or shapes: records become lines by the class of the list, whoever has read them. */
import { expect, jest, test } from '@jest/globals';
import { type ExecutionContext, Logger, StreamableFile } from '@nestjs/common';
import { UseGuards, UseInterceptors } from '@nestjs/common';
import { CrudResponseInterceptor, Override } from '@nestwright/crud';
import { Exclude, Expose, Transform } from 'class-transformer';
import type { ServerResponse } from 'node:http';
import { tap } from 'rxjs';
import { type Api, describeApplications } from '../support/application.js';
import { memoryOf } from '../support/memory.service.js';
import { around, handler, resource, run } from './resource.js';

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

const rows = ['one', '=two', null, ''].map((text) => ({ text, at: new Date(0), secret: 'secret' }));
class Notes extends memoryOf(rows, undefined, (row) => Object.assign(new Note(), row)) {}

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
  const serve = (options: object = {}, ...decorators: ClassDecorator[]): Promise<Api> =>
    run({ providers: [Notes] }, resource(Notes, { model: { type: Note }, query, ...options }, 'notes', ...decorators));
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

  test('what a handler returns in place of a list is answered as it is', async () => {
    const answer = () => ({ no: 'list' });
    const api = await serve({}, handler('getMany', answer, Override()));
    await api.get('/notes?format=csv').expect(200, { no: 'list' });
  });

  test('a handler of its own, within interceptors that are given a file', async () => {
    const seen: unknown[] = [];
    const watching = UseInterceptors(around(tap((value) => seen.push(value))));
    const first = async (notes: Notes, req: Notes['last']['request']) =>
      ((await notes.getMany(req)) as Note[]).filter(({ id }) => id === 1);
    const api = await serve({}, handler('getMany', first, Override()), watching);
    expect(await linesOf(api, '/notes?format=csv')).toEqual(['text,at,id', `one,${AT},1`, '']);
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
    error.mockRestore();
  });
});
