/** A starting application in; one line per resource names the columns that only a class in `serialize` hides, and how to open them. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { Controller, Injectable, Logger } from '@nestjs/common';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { Exclude, Expose } from 'class-transformer';
import type { Catalog } from '../../src/plan/catalog.js';
import { catalog, column } from '../plan/catalogs.js';
import { start, stopAll } from '../support/application.js';
import { MemoryService } from '../support/memory.service.js';

class Member {
  id!: number;
  name!: string;
  companyId!: number;
  @Exclude() pin!: string;
  @Expose({ groups: ['hr'] }) salary!: number;
}

@Exclude()
class MemberResponse {
  @Expose() id!: number;
  @Expose() name!: string;
  @Expose({ groups: ['hr'] }) salary!: number;
}

const members: Catalog = {
  ...catalog('Member', [
    column('id', 'integer', { primary: true }),
    column('name', 'text'),
    column('companyId', 'integer'),
    column('pin', 'text'),
    column('salary', 'integer'),
    column('byQuery', 'text'),
    column('unselected', 'text', { selectable: false }),
  ]),
  target: Member,
};

@Injectable()
class Members extends MemoryService {
  constructor() {
    super([], members);
  }
}

async function warnings(options: Partial<CrudOptions>): Promise<string[]> {
  @Crud({ model: { type: Member }, ...options })
  @Controller('members')
  class MembersController {
    constructor(public service: Members) {}
  }
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  await start({ controllers: [MembersController], providers: [Members] });
  const lines = warn.mock.calls.map(([line]) => String(line));
  warn.mockRestore();

  return lines.filter((line) => line.includes('MembersController'));
}

afterEach(stopAll);

test('columns that no answer shows to anybody, because of a class in serialize alone', async () => {
  expect(await warnings({ serialize: { get: MemberResponse }, query: { exclude: ['byQuery'] } })).toEqual([
    'MembersController: clients can neither filter nor sort by companyId, since no answer shows them: a class in serialize hides them, or a @Transform() fails for sample values. ' +
      'Name in query.conditions those by which they may.',
  ]);
});

test.each<[string, Partial<CrudOptions>]>([
  [
    'what query.conditions frees',
    { serialize: { get: MemberResponse }, query: { conditions: ['companyId', 'byQuery'] } },
  ],
  ['where GET one shows more', { serialize: { getMany: MemberResponse } }],
  ['without a class', {}],
])('nothing of %s', async (_, options) => {
  expect(await warnings(options)).toEqual([]);
});
