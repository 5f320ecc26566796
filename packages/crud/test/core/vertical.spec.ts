/** The eight routes over real HTTP with records in memory, on both platforms. */
import { expect, test } from '@jest/globals';
import { Controller, Injectable } from '@nestjs/common';
import { Crud, type CrudController } from '@nestwright/crud';
import { type Api, describePlatforms, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Note {
  id!: number;
  text!: string;
}

@Injectable()
class NotesService extends MemoryService<Note> {
  constructor() {
    super([
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]);
  }
}

@Crud({ model: { type: Note }, query: { softDelete: true } })
@Controller('notes')
class NotesController implements CrudController<Note> {
  constructor(public service: NotesService) {}
}

describePlatforms('eight routes', (platform) => {
  const boot = (): Promise<Api> => start({ platform, controllers: [NotesController], providers: [NotesService] });

  test('answer with the status and body of each', async () => {
    const api = await boot();

    await api.get('/notes').expect(200, [
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]);
    await api.get('/notes/2').expect(200, { id: 2, text: 'two' });
    await api.post('/notes', { text: 'three' }).expect(201, { id: 3, text: 'three' });
    await api.post('/notes/bulk', { bulk: [{ text: 'four' }, { text: 'five' }] }).expect(201, [
      { id: 4, text: 'four' },
      { id: 5, text: 'five' },
    ]);
    await api.patch('/notes/1', { text: 'uno' }).expect(200, { id: 1, text: 'uno' });
    await api.put('/notes/1', { text: 'eins' }).expect(200, { id: 1, text: 'eins' });
    await api.put('/notes/9', { text: 'nine' }).expect(201, { id: 9, text: 'nine' });
    await api.patch('/notes/1/recover').expect(200, { id: 1, text: 'eins' });
    const deleted = await api.delete('/notes/1').expect(200);
    expect(deleted.text).toBe('');
    await api.get('/notes/1').expect(404, {
      statusCode: 404,
      message: 'Note not found',
      error: 'Not Found',
      code: 'CRUD_NOT_FOUND',
    });
  });

  test('lists are filtered, paged and enveloped', async () => {
    const api = await boot();

    await api.get('/notes?filter=text||eq||two').expect(200, [{ id: 2, text: 'two' }]);
    await api
      .get('/notes?limit=1&page=2')
      .expect(200, { data: [{ id: 2, text: 'two' }], count: 1, total: 2, page: 2, pageCount: 2 });
  });
});
