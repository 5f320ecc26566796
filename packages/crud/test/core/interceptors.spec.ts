/** Requests in and responses out of generated routes, own routes and plain controllers. */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { Controller, type ExecutionContext, Get, HttpCode, Injectable, Logger, UseInterceptors } from '@nestjs/common';
import {
  Action,
  Crud,
  CrudActions,
  CrudRequestInterceptor,
  type CrudRequest,
  Override,
  PARSED_CRUD_REQUEST_KEY,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import { RequestQueryException } from '@nestwright/crud-request';
import { catalog, column } from '../plan/catalogs.js';
import { describePlatforms, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { Note, Notes, OfNotes, resource } from './resource.js';

@Controller('plain')
class PlainController {
  @Get()
  @UseInterceptors(CrudRequestInterceptor)
  list(@ParsedRequest() { parsed, options }: CrudRequest) {
    return { filter: parsed.filter, search: parsed.search, limit: parsed.limit, options };
  }

  @Get('without')
  without(@ParsedRequest() request: CrudRequest | undefined) {
    return { given: request !== undefined };
  }
}

const generated = () => ({ controllers: [resource(Notes)], providers: [Notes] });

describePlatforms('requests', (platform) => {
  test('a plain controller may use the query language', async () => {
    const api = await start({ platform, controllers: [PlainController] });

    const { body } = await api.get('/plain?filter=age||gt||3&limit=7').expect(200);
    expect(body).toMatchObject({ limit: 7, options: { query: {}, routes: {}, params: {} } });
    expect(body.filter).toHaveLength(1);
    expect(JSON.stringify(body.search)).toContain('"age"');
    await api.get('/plain/without').expect(200, { given: false });
    expect((await api.get('/plain?limit=x').expect(400)).body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Invalid limit. Number expected',
      code: 'CRUD_INVALID_PAGINATION',
      field: 'limit',
    });
  });

  test('no condition is lost behind a thousand other parameters', async () => {
    const api = await start({ platform, ...generated() });
    const junk = (count: number) => Array.from({ length: count }, (_, index) => `x${index}=1`).join('&');

    expect((await api.get(`/notes?${junk(999)}&filter=id||eq||2`).expect(200)).body).toHaveLength(1);
    const { body, status } = await api.get(`/notes?${junk(1000)}&filter=id||eq||2`);
    // Fastify's parser reads them all.
    if (platform === 'fastify') expect(body).toEqual([{ id: 2, text: 'two' }]);
    else expect([status, (body as { code: string }).code]).toEqual([400, 'CRUD_LIMIT_EXCEEDED']);
  });

  test('own routes of a resource use its options and parameters; query.filter is told whether they are lists', async () => {
    @Crud({
      model: { type: Note },
      query: { exclude: ['secret'], filter: (search, getMany) => (getMany ? { id: 2 } : search!) },
    })
    @Controller('notes')
    class NotesController extends OfNotes {
      @Get(':id/copy')
      @UseInterceptors(CrudRequestInterceptor)
      copy(@ParsedRequest() req: CrudRequest) {
        return this.service.getOne(req);
      }

      @Get('own/refused')
      @UseInterceptors(CrudRequestInterceptor)
      refused() {
        throw new RequestQueryException('No such thing', 'CRUD_INVALID_VALUE', { field: 'text' });
      }

      @Get('own/plain')
      @UseInterceptors(CrudRequestInterceptor)
      plain(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }

      @Get('own/list')
      @Action(CrudActions.ReadAll)
      @UseInterceptors(CrudRequestInterceptor)
      list(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }
    }

    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });
    expect((await api.get('/notes/2/copy').expect(200)).body).toMatchObject({ id: 2 });
    await api.get('/notes/x/copy').expect(400);
    await api.get('/notes/1/copy?filter=secret||eq||a').expect(400);
    const refused = { code: 'CRUD_INVALID_VALUE', message: 'No such thing', field: 'text' };
    expect((await api.get('/notes/own/refused').expect(400)).body).toMatchObject(refused);
    for (const [path, id] of Object.entries({ '/notes': 2, '/notes/own/plain': 1, '/notes/own/list': 2 }))
      expect((await api.get(`${path}?filter=id||eq||1`).expect(200)).body).toMatchObject([{ id }]);
  });

  test('requests that a guard has parsed, into one and the same, are left alone and hide what they hide', async () => {
    const parsed = { fields: [], search: { id: 2 }, filter: [], or: [], join: [], sort: [], paramsFilter: [] };
    const shared = { parsed, options: { query: {}, routes: {}, params: {} } };
    const canActivate = (context: ExecutionContext): boolean => {
      Object.assign(context.switchToHttp().getRequest<object>(), { [PARSED_CRUD_REQUEST_KEY]: shared });

      return true;
    };
    const configure = (app: { useGlobalGuards(guard: object): unknown }) => void app.useGlobalGuards({ canActivate });
    const api = await start({ platform, ...generated(), configure });

    const answers = await Promise.all([1, 2, 3].map((id) => api.get(`/notes?filter=id||eq||${id}`).expect(200)));
    for (const { body } of answers) expect(body).toEqual([{ id: 2, text: 'two' }]);
    await api.patch('/notes/2', { text: 'x' }).expect(200);
    expect(api.resolve(Notes).last.dto).toEqual({ text: 'x' });
  });

  test('two applications of one process have each their own service', async () => {
    const { controllers, providers } = generated();
    const columns = [column('id', 'integer', { primary: true }), column('other', 'boolean')];
    const useValue = new MemoryService([{ id: 1, other: true }], catalog('Other', columns));
    const first = await start({ platform, controllers, providers });
    const second = await start({ platform, controllers, providers: [{ provide: Notes, useValue }] });

    await first.get('/notes?sort=text,ASC').expect(200);
    await first.get('/notes?sort=other,ASC').expect(400);
    await second.get('/notes?sort=other,ASC').expect(200);
    await second.get('/notes?sort=text,ASC').expect(400);
  });
});

describePlatforms('responses', (platform) => {
  let warn: ReturnType<typeof jest.spyOn>;
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    warn.mockClear();
  });

  test('a list cut by the default ceiling says so, and the log once', async () => {
    @Injectable()
    class Many extends MemoryService {
      constructor() {
        super(Array.from({ length: 1001 }, (_, index) => ({ id: index + 1 })));
      }
    }

    const api = await start({ platform, controllers: [resource(Many, {}, 'many')], providers: [Many] });
    for (let time = 0; time < 2; time += 1) {
      const { body, headers } = await api.get('/many').expect(200);
      expect(body).toHaveLength(1000);
      expect(headers['x-crud-truncated']).toBe('true');
    }
    expect((await api.get('/many?filter=id||eq||5')).headers).not.toHaveProperty('x-crud-truncated');
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('ManyController: a list was cut'));
  });

  test('a status of the application stays', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController extends OfNotes {
      @Override()
      @HttpCode(202)
      replaceOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Note) {
        return this.service.replaceOne(req, dto);
      }
    }

    const api = await start({ platform, controllers: [NotesController], providers: [Notes] });
    await api.put('/notes/77', { text: 'n' }).expect(202);
  });
});
