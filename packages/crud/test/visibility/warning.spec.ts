/** A resource in; out comes a line that names the columns that a class hides from conditions, unless only writes show them. */
import { expect, test } from '@jest/globals';
import type { CrudOptions } from '@nestwright/crud';
import { Exclude, Expose, Transform } from 'class-transformer';
import type { Catalog } from '../../src/plan/catalog.js';
import { warnAfterChecks } from '../../src/startup/warnings.js';
import { warnOfHidden } from '../../src/visibility/start-warnings.js';
import { column, relation } from '../plan/catalogs.js';
import { decorated, definitionOf, entity } from './seen.js';

const Member = decorated({ pin: Exclude(), salary: Expose({ groups: ['hr'] }) });

@Exclude()
class MemberResponse {
  @Expose() id!: number;
  @Expose() name!: string;
  @Expose({ groups: ['hr'] }) salary!: number;
}

const [id, unread] = [column('id', 'integer', { primary: true }), column('unread', 'text', { selectable: false })];
const members = entity(Member, [id, 'name', 'companyId', 'pin', 'salary', 'byQuery', unread]);
const serialize = { get: MemberResponse };
const warn = (options: Partial<CrudOptions>) => warnOfHidden(definitionOf(Member, options), members);

test('at the start, columns that no answer shows to anybody, because of a class in serialize alone', () => {
  const relations = new Map([['leader', relation('leader', 'many-to-one', () => members)]]);
  const definition = definitionOf(Member, { serialize, query: { exclude: ['byQuery'], join: { leader: {} } } });
  const started = { definition: { ...definition, controller: 'MembersController' }, controller: class {} } as never;
  expect([...warnAfterChecks(started, { ...members, relations })]).toEqual([
    'MembersController: clients can neither filter nor sort by companyId, since no answer shows the stored values. ' +
      "If clients may find out the stored values, add conditions: ['companyId'] to query.",
  ]);
});

test('columns that a @Transform() changes, also for groups and in relations', () => {
  class Price {
    @Transform(({ value }) => Number(value)) amount!: string;
    @Transform(({ value }) => String(value), { groups: ['hr'] }) forGroup!: string;
    @Exclude() @Transform(({ value }) => Number(value)) secret!: string;
  }

  const Maker = decorated({ grade: Transform(({ value }) => String(value)) });

  const prices: Catalog = entity(Price, ['id', 'amount', 'forGroup', 'secret'], {
    relations: [
      relation('next', 'many-to-one', () => prices),
      relation('maker', 'many-to-one', () => entity(Maker, ['grade'])),
    ],
  });
  const of = (query: Partial<CrudOptions>['query']) => warnOfHidden(definitionOf(Price, { query }), prices);
  expect(of({ join: { next: {}, maker: {} } })).toBe(
    'clients can neither filter nor sort by amount, next.amount, maker.grade, since no answer shows the stored values. ' +
      'A @Transform() changes amount, next.amount, maker.grade: if it only formats the values, ' +
      "add formats: ['amount', 'next.amount', 'maker.grade'] to query. " +
      "If clients may find out the stored values, add conditions: ['amount', 'next.amount', 'maker.grade'] to query.",
  );
  expect(of({ formats: ['amount', 'next.amount'], join: { next: {} } })).toBeUndefined();
});

test('warns of columns that are shown to a group only, unless query.conditions frees them or GET one shows them', () => {
  const Short = decorated({ salary: Exclude() });

  expect(warn({ serialize: { get: Short } })).toContain('clients can neither filter nor sort by salary, since');
  expect(warn({ serialize, query: { conditions: ['companyId', 'byQuery'] } })).toBeUndefined();
  expect([warn({ serialize: { getMany: MemberResponse } }), warn({})]).toEqual([undefined, undefined]);
});
