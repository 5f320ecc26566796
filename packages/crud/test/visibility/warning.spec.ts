/** A starting application in; a line per resource names the columns that a class hides from conditions, and one those that only writes show. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import type { CrudOptions } from '@nestwright/crud';
import { Exclude, Expose, Transform } from 'class-transformer';
import type { Catalog } from '../../src/plan/catalog.js';
import { resource } from '../core/resource.js';
import { catalog, column, relation } from '../plan/catalogs.js';
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

const MEMBERS: Catalog = {
  ...catalog('Member', [
    column('id', 'integer', { primary: true }),
    ...['name', 'companyId', 'pin', 'salary', 'byQuery'].map((path) => column(path, 'text')),
    column('unselected', 'text', { selectable: false }),
  ]),
  target: Member,
};

async function warnings(options: Partial<CrudOptions>, entity = MEMBERS): Promise<string[]> {
  @Injectable()
  class Members extends MemoryService {
    constructor() {
      super([], entity);
    }
  }
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const members = resource(Members, { model: { type: Member }, ...options }, 'members');
  await start({ controllers: [members], providers: [Members] });
  const lines = warn.mock.calls.map(([line]) => String(line));
  warn.mockRestore();
  return lines.filter((line) => line.includes('MembersController:'));
}

afterEach(stopAll);

test('columns that no answer shows to anybody, because of a class in serialize alone', async () => {
  const relations = new Map([['leader', relation('leader', 'many-to-one', () => MEMBERS)]]);
  const options = { serialize: { get: MemberResponse }, query: { exclude: ['byQuery'], join: { leader: {} } } };
  expect(await warnings(options, { ...MEMBERS, relations })).toEqual([
    'MembersController: clients can neither filter nor sort by companyId, since no answer shows the stored values. ' +
      "If clients may find out the stored values, add conditions: ['companyId'] to query.",
  ]);
});

test('columns that no answer shows, though the entity shows them to a group', async () => {
  class Short {
    id!: number;
    @Exclude() salary!: number;
  }

  const [line] = await warnings({ serialize: { get: Short } });
  expect(line).toContain('clients can neither filter nor sort by salary, since');
});

test('columns that a @Transform() changes, also for groups and in relations', async () => {
  class Price {
    id!: number;
    @Transform(({ value }) => Number(value)) amount!: string;
    @Transform(({ value }) => String(value), { groups: ['hr'] }) forGroup!: string;
    @Exclude() @Transform(({ value }) => Number(value)) secret!: string;
  }

  class Maker {
    @Transform(({ value }) => String(value)) grade!: number;
  }

  const makers = { ...catalog('Maker', [column('grade', 'integer')]), target: Maker };
  const prices: Catalog = {
    ...catalog(
      'Price',
      ['id', 'amount', 'forGroup', 'secret'].map((path) => column(path, 'text', { primary: path === 'id' })),
      [relation('next', 'many-to-one', (): Catalog => prices), relation('maker', 'many-to-one', () => makers)],
    ),
    target: Price,
  };

  expect(await warnings({ model: { type: Price }, query: { join: { next: {}, maker: {} } } }, prices)).toEqual([
    'MembersController: clients can neither filter nor sort by amount, next.amount, maker.grade, since no answer shows the stored values. ' +
      'A @Transform() changes amount, next.amount, maker.grade: if it only formats the values, ' +
      "add formats: ['amount', 'next.amount', 'maker.grade'] to query. " +
      "If clients may find out the stored values, add conditions: ['amount', 'next.amount', 'maker.grade'] to query.",
  ]);
  const named = { formats: ['amount', 'next.amount'], join: { next: {} } };
  expect(await warnings({ model: { type: Price }, query: named }, prices)).toEqual([]);
});

const serialize = { get: MemberResponse };

test.each<[string, Partial<CrudOptions>]>([
  ['what query.conditions frees', { serialize, query: { conditions: ['companyId', 'byQuery'] } }],
  ['where GET one shows more', { serialize: { getMany: MemberResponse } }],
  ['without a class', {}],
])('nothing of %s', async (_, options) => expect(await warnings(options)).toEqual([]));
