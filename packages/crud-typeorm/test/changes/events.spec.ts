/** `events: true`: each committed change is told by the application's emitter, and what is rolled back is not. */
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { ConflictException, Injectable, Logger } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { type Change, type CreateChange, CrudConfigService, CrudModule } from '@nestwright/crud';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { bare } from '../within/accounts.application.js';
import type { Note } from './application.js';
import { servingChanges } from './serving.js';

@Injectable()
class Listener {
  readonly heard: string[] = [];

  @OnEvent('crud.Note.create')
  created({ record }: CreateChange<Note>) {
    this.heard.push(`created ${record.id} ${record.title}`);
  }

  @OnEvent('crud.*.*')
  changed({ kind, model }: Change) {
    this.heard.push(`${kind} ${model}`);
  }

  @OnEvent('crud.Note.update', { suppressErrors: true })
  fails() {
    throw new Error('a listener that fails');
  }
}

describeDatabases('events', (db) => {
  // The configuration is that of the process, which runs this suite on several databases.
  beforeAll(() => void CrudConfigService.load({ events: true }));
  const { write, app, notes, plain } = servingChanges(db, {
    imports: [CrudModule.forRoot({ events: true }), EventEmitterModule.forRoot({ wildcard: true })],
    providers: [Listener],
  });
  let listener: Listener;

  beforeEach(() => {
    listener = app().get(Listener);
    listener.heard.length = 0;
  });
  afterAll(() => void CrudConfigService.load({ events: false }));

  test.each(['/plain', '/notes'])('%s: each change by model and kind', async (path) => {
    const body = await write('post', path, { title: 'new', comments: [{ text: 'a' }] }, 201);
    expect(listener.heard.sort()).toEqual(['create Comment', 'create Note', `created ${body.id} new`]);
    listener.heard.length = 0;
    await write('patch', `${path}/${body.id}`, { title: 'newer' });
    await write('patch', `${path}/${body.id}`, { title: 'newer' });
    await write('put', `${path}/${body.id}`, { title: 'newest' });
    await write('delete', `${path}/${body.id}`);
    await write('patch', `${path}/${body.id}/recover`);
    expect(listener.heard).toEqual(['update Note', 'replace Note', 'delete Note', 'recover Note']);
  });

  test('nothing of what is rolled back', async () => {
    notes.onAfter = () => Promise.reject(new ConflictException());
    await write('post', '/notes', { title: 'new' }, 409);
    expect(listener.heard).toEqual([]);
    await plain.transaction(async (manager) => {
      await plain.within(manager).createOne(bare(), { title: 'a' });
      expect(listener.heard).toEqual([]);
    });
    expect(listener.heard).toContain('create Note');
  });

  test('a listener that rejects without a reason is logged, and the process goes on', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const emitter = app().get(EventEmitter2);
    const reject = () => Promise.reject(undefined as unknown as Error);
    emitter.on('crud.Note.create', reject);
    await write('post', '/plain', { title: 'new' }, 201);
    await new Promise(setImmediate);
    emitter.off('crud.Note.create', reject);
    expect(log.mock.calls).toEqual([['A listener of crud.Note.create failed: undefined', undefined]]);
    log.mockRestore();
  });
});
