/** An application with entity tags and no secret for them → a warning at the start, once, in production. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { Controller, Injectable, Logger } from '@nestjs/common';
import { Crud, CrudConfigService } from '@nestwright/crud';
import { catalog, column } from '../plan/catalogs.js';
import { start, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Note {
  id!: number;
}

const notes = catalog('Note', [column('id', 'integer', { primary: true })]);

async function warningsIn(environment: string, etag: boolean): Promise<string[]> {
  @Injectable()
  class Notes extends MemoryService<Note> {
    constructor() {
      super([], notes);
    }
  }

  const controllers = ['notes', 'drafts'].map((path) => {
    @Crud({ model: { type: Note }, query: { etag } })
    @Controller(path)
    class NotesController {
      constructor(public service: Notes) {}
    }

    return NotesController;
  });
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  warn.mockClear();
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = environment;
  try {
    await start({ controllers, providers: [Notes] });
  } finally {
    process.env['NODE_ENV'] = before;
  }

  return warn.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('etagSecret'));
}

afterEach(async () => {
  jest.restoreAllMocks();
  await stopAll();
});

test('without a secret: one warning, in production alone, if tags are in use', async () => {
  expect(await warningsIn('production', true)).toEqual([
    'query.etag is true, and no etagSecret is set: If-Match with a tag from another process, or from before a restart, is a 412. CrudModule.forRoot({ etagSecret }) sets one for all processes.',
  ]);
  expect(await warningsIn('production', false)).toEqual([]);
  expect(await warningsIn('test', true)).toEqual([]);
});

test('with a secret: none', async () => {
  CrudConfigService.load({ etagSecret: 'of all processes' });
  expect(await warningsIn('production', true)).toEqual([]);
});
