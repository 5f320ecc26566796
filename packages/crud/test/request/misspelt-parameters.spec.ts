/** Query parameters that look like misspelt ones are named in the log. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { findNearName } from '../../src/definition/wording.js';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import { reportMisspeltParameters } from '../../src/request/parameters.js';
import { resource } from '../core/resource.js';
import { describeApplications, start } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';
import { define } from './definitions.js';

const environment = process.env['NODE_ENV'];

class Users extends MemoryService {
  constructor() {
    super([{ id: 1 }]);
  }
}

test.each([
  ['filter', ['fliter', 'filte', 'filters', 'Filter']],
  ['page', ['xpage']],
  [undefined, ['filter', 'flitre', 'fltr', 'orr', '']],
])('the name one edit from %s', (meant, names) => {
  for (const name of names) expect([name, findNearName(name, ['or', 's', 'filter', 'page'])]).toEqual([name, meant]);
});

test('neither a parameter with a prefix of `extra` nor a query without parameters is reported as misspelt', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const report = (language: ResourceDefinition['language']) =>
    reportMisspeltParameters({ limi: '1' }, { ...define(), language }, new Set(['limit']));
  for (const none of [undefined, null, 'limi']) reportMisspeltParameters(none, define(), new Set(['limit']));
  report({ paramNamesMap: { extra: ['li'] } });
  expect(warn).not.toHaveBeenCalled();
  report({});
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

describeApplications('a parameter that is one edit from a known one', () => {
  let warn: jest.SpiedFunction<Logger['warn']>;
  const warnings = () => warn.mock.calls.map(([text]) => text as string).filter((text) => /parameter/.test(text));
  const open = () => start({ controllers: [resource(Users, {}, 'users')], providers: [Users] });

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    warn.mockRestore();
    process.env['NODE_ENV'] = environment;
  });

  test('is logged once for a resource', async () => {
    const api = await open();
    await api.get('/users?fliter=id||eq||1&sort=id&locale=de').expect(200);
    await api.get('/users?fliter=id||eq||2&limti[]=5').expect(200);
    expect(warnings()).toEqual([
      'Note: a request has the unknown query parameter "fliter", which is ignored. Did the client mean filter?',
      'Note: a request has the unknown query parameter "limti", which is ignored. Did the client mean limit?',
    ]);
  });

  test('is compared with the parameters that the route reads, and not one of `extra`', async () => {
    const api = await open();
    await api.get('/users?cursr=&formt=csv&extra.a=1&extra.b[]=2').expect(200);
    await api.get('/users/1?sorf=id').expect(200);
    expect(warnings()).toEqual([]);
  });

  test('is not logged in production', async () => {
    process.env['NODE_ENV'] = 'production';
    const api = await open();
    await api.get('/users?fliter=id||eq||1').expect(200);
    expect(warnings()).toEqual([]);
  });

  test('takes no more memory than a hundred names', async () => {
    const api = await open();
    for (let from = 0; from < 300; from += 50) {
      const names = Array.from({ length: 50 }, (_, index) => `filter${String.fromCharCode(0x4e00 + from + index)}=1`);
      await api.get(encodeURI(`/users?${names.join('&')}`)).expect(200);
    }
    expect(warnings()).toHaveLength(100);
  });
});
