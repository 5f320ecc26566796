/** Methods in the place of generated routes: what they are given, and where they may be declared. */
import { expect, test } from '@jest/globals';
import { Controller, Header, Scope } from '@nestjs/common';
import {
  type CreateManyDto,
  Crud,
  type CrudController,
  type CrudRequest,
  Override,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import { IsString, Validate, ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';
import { describeApplications, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { Note, NotesService } from './overrides.application.js';

describeApplications('@Override()', () => {
  test('takes the place of the route that its name means; the generated handler stays callable', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController implements CrudController<Note> {
      constructor(public service: NotesService) {}

      get base(): CrudController<Note> {
        return this;
      }

      @Override()
      async getMany(@ParsedRequest() req: CrudRequest) {
        return { wrapped: await this.base.getManyBase?.(req) };
      }

      @Override('getOneBase')
      async single(@ParsedRequest() req: CrudRequest) {
        return { ...(await this.base.getOneBase?.(req)), single: true };
      }

      @Override()
      createOne(@ParsedBody() dto: Note, @ParsedRequest() req: CrudRequest) {
        return this.base.createOneBase?.(req, { ...dto, text: dto.text.toUpperCase() });
      }

      @Override()
      createMany(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: CreateManyDto<Note>) {
        return this.base.createManyBase?.(req, { bulk: dto.bulk.slice(0, 1) });
      }
    }

    const api = await start({ controllers: [NotesController], providers: [NotesService] });

    await api.get('/notes?filter=id||eq||1').expect(200, { wrapped: [{ id: 1, text: 'one' }] });
    await api.get('/notes/2').expect(200, { id: 2, text: 'two', single: true });
    await api.post('/notes', { text: 'x' }).expect(201, { id: 3, text: 'X' });
    await api.post('/notes/bulk', { bulk: [{ text: 'a' }, { text: 'b' }] }).expect(201, [{ id: 4, text: 'a' }]);
    await api.post('/notes/bulk', { bulk: [] }).expect(400);
    await api.post('/notes', '[]').expect(400);
  });

  test("works in a request-scoped controller, whose instance is the request's own", async () => {
    @Crud({ model: { type: Note }, routes: { getOneBase: { decorators: [Header('X-Of', 'route')] } } })
    @Controller({ path: 'notes', scope: Scope.REQUEST })
    class NotesController implements CrudController<Note> {
      private asked = 0;
      constructor(public service: NotesService) {}

      get base(): CrudController<Note> {
        return this;
      }

      @Override()
      async getOne(@ParsedRequest() req: CrudRequest) {
        this.asked += 1;

        return { ...(await this.base.getOneBase?.(req)), asked: this.asked };
      }

      @Override('createOneBase')
      add(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Note) {
        return this.base.createOneBase?.(req, dto);
      }
    }
    const api = await start({ controllers: [NotesController], providers: [NotesService] });

    for (const id of [1, 1]) {
      const { body, headers } = await api.get(`/notes/${id}`).expect(200);
      expect([body, headers['x-of']]).toEqual([{ id: 1, text: 'one', asked: 1 }, 'route']);
    }
    await api.post('/notes', { text: 'x' }).expect(201, { id: 3, text: 'x' });
  });

  test('in a generic base class serves each controller with its own options', async () => {
    abstract class Base<T extends object> implements CrudController<T> {
      abstract service: MemoryService<T>;

      get base(): CrudController<T> {
        return this;
      }

      @Override()
      async getOne(@ParsedRequest() req: CrudRequest) {
        return { of: this.constructor.name, record: await this.base.getOneBase?.(req) };
      }

      @Override()
      createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: T) {
        return this.base.createOneBase?.(req, { ...dto, by: this.constructor.name });
      }
    }

    @Crud({ model: { type: Note }, routes: { getOneBase: { decorators: [Header('X-Of', 'notes')] } } })
    @Controller('notes')
    class NotesController extends Base<Note> {
      constructor(public service: NotesService) {
        super();
      }
    }

    @Crud({ model: { type: Note }, params: { key: { field: 'text', type: 'string', primary: true } } })
    @Controller('memos')
    class MemosController extends Base<Note> {
      constructor(public service: NotesService) {
        super();
      }
    }

    const api = await start({ controllers: [NotesController, MemosController], providers: [NotesService] });

    const note = await api.get('/notes/1').expect(200, { of: 'NotesController', record: { id: 1, text: 'one' } });
    expect(note.headers['x-of']).toBe('notes');
    const memo = await api.get('/memos/two').expect(200, { of: 'MemosController', record: { id: 2, text: 'two' } });
    expect(memo.headers).not.toHaveProperty('x-of');
    await api.post('/notes', { text: 'n' }).expect(201, { id: 3, text: 'n', by: 'NotesController' });
    await api.post('/memos', { text: 'm' }).expect(201, { id: 4, text: 'm', by: 'MemosController' });
  });

  test('of a route that does not exist is an ordinary method', async () => {
    @Crud({ model: { type: Note }, routes: { exclude: ['deleteOneBase'] } })
    @Controller('notes')
    class NotesController {
      constructor(public service: NotesService) {}

      @Override()
      deleteOne(@ParsedRequest() req: CrudRequest) {
        return this.service.deleteOne(req);
      }
    }

    const api = await start({ controllers: [NotesController], providers: [NotesService] });
    await api.delete('/notes/1').expect(404);
  });

  test('a controller that inherits @Crud() from another serves the same routes on its own path', async () => {
    @Crud({ model: { type: Note } })
    @Controller('notes')
    class NotesController {
      constructor(public service: NotesService) {}

      @Override()
      getMany(@ParsedRequest() req: CrudRequest) {
        return this.service.getMany(req);
      }
    }

    @Controller('others')
    class OthersController extends NotesController {}

    Reflect.defineMetadata('design:paramtypes', [NotesService], OthersController);
    const api = await start({ controllers: [NotesController, OthersController], providers: [NotesService] });

    await api.get('/others?filter=id||eq||2').expect(200, [{ id: 2, text: 'two' }]);
    await api.get('/others/2').expect(200, { id: 2, text: 'two' });
  });

  test('a resource that extends another keeps the class of an inherited body, and validates once by its own rules', async () => {
    let validated = 0;

    @ValidatorConstraint()
    class Counted implements ValidatorConstraintInterface {
      validate(): boolean {
        validated += 1;

        return true;
      }
    }

    class Body {
      @IsString()
      @Validate(Counted)
      text!: string;
    }

    @Crud({ model: { type: Note }, validation: { whitelist: true } })
    @Controller('notes')
    class NotesController {
      constructor(public service: NotesService) {}

      @Override()
      createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Body) {
        return this.service.createOne(req, dto);
      }
    }

    @Crud({ model: { type: Note } })
    @Controller('memos')
    class MemosController extends NotesController {
      constructor(service: NotesService) {
        super(service);
      }
    }

    const api = await start({
      controllers: [NotesController, MemosController],
      providers: [NotesService],
    });

    await api.post('/notes', { text: 'n', extra: 1 }).expect(201, { text: 'n', id: 3 });
    expect(validated).toBe(1);
    await api.post('/memos', { text: 'm', extra: 1 }).expect(201, { text: 'm', extra: 1, id: 4 });
    expect(validated).toBe(2);
    await api.post('/memos', { text: 5 }).expect(400);
  });
});
