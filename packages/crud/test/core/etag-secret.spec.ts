/** An application with entity tags and no secret for them → a warning at the start, once, in production. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CrudConfigService } from '@nestwright/crud';
import { describeApplications, start } from '../support/application.js';
import { Notes, resource } from './resource.js';

async function warningsIn(environment: string, etag: boolean): Promise<string[]> {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  warn.mockClear();
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = environment;
  try {
    const controllers = ['notes', 'drafts'].map((path) => resource(Notes, { query: { etag } }, path));
    await start({ controllers, providers: [Notes] });
  } finally {
    process.env['NODE_ENV'] = before;
  }

  return warn.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('etagSecret'));
}

afterEach(() => void jest.restoreAllMocks());

describeApplications('entity tags', () => {
  test('without a secret are one warning, in production alone, if they are in use', async () => {
    expect(await warningsIn('production', true)).toEqual([
      'query.etag is true, and no etagSecret is set: If-Match with a tag from another process, or from before a restart, is a 412. CrudModule.forRoot({ etagSecret }) sets one for all processes.',
    ]);
    expect(await warningsIn('production', false)).toEqual([]);
    expect(await warningsIn('test', true)).toEqual([]);
  });

  test('with a secret are none', async () => {
    CrudConfigService.load({ etagSecret: 'of all processes' });
    expect(await warningsIn('production', true)).toEqual([]);
  });
});
