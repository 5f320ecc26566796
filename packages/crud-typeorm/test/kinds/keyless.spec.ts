/** Filters of `@CrudAuth()` on a resource without a key in its path: what names no record, or several, is refused on every route, and no row touched, on each database. */
import { beforeEach, expect, test } from '@jest/globals';
import { Column, DeleteDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Application, resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('accounts')
class Account {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'int', nullable: true }) age!: number | null;
  @DeleteDateColumn() deletedAt!: Date | null;
}

let filter: unknown;
const auth = { filter: () => filter as object };
const ONE_RECORD = (['get', 'update', 'replace', 'delete', 'recover'] as const).map((of) => `${of}OneBase` as const);
const ME = resource(Account, 'me', {
  auth,
  params: { id: { primary: true, disabled: true } },
  query: { softDelete: true },
  routes: { only: ONE_RECORD, deleteOneBase: { returnDeleted: true } },
});

const ROUTES: readonly Parameters<Application['send']>[] = [
  ['get', '/me'],
  ['patch', '/me', { name: 'taken' }],
  ['put', '/me', { name: 'taken' }],
  ['delete', '/me'],
  ['patch', '/me/recover'],
];

describeDatabases('a resource without a key', (db) => {
  const own = serving(db, [Account], [ME, resource(Account, 'accounts', { auth })], { nest: { logger: false } });
  const rows = () => own.source.getRepository(Account).find({ withDeleted: true, order: { id: 'ASC' } });
  const stored = [
    { id: 1, name: 'ada', age: null, deletedAt: null },
    { id: 2, name: 'bea', age: 5, deletedAt: null },
  ];
  beforeEach(async () => {
    await own.source.getRepository(Account).clear();
    await own.source.getRepository(Account).insert(stored);
  });

  test.each<[filter: unknown, status: number, list: number]>([
    // packages/crud/test/request/tautology.spec.ts has all that leave every record.
    [undefined, 404, 200],
    [{ $not: { id: { $in: [] } } }, 404, 200],
    [{ id: { $ne: null } }, 404, 200],
    [{ id: { $gt: 0 } }, 409, 200],
    // What is no condition.
    [[{ id: 1 }], 500, 500],
    [new Map(), 500, 500],
    [0, 500, 500],
  ])('with the filter %j is refused with %i, where a list is a %i', async (given, status, list) => {
    filter = given;
    const answers = [];
    for (const route of ROUTES) answers.push(await own.statusOf(...route));
    expect([answers, await own.statusOf('get', '/accounts')]).toEqual([ROUTES.map(() => status), list]);
    expect(await rows()).toEqual(stored);
  });

  test('has the one record that a condition leaves, null tests on nullable columns included', async () => {
    for (const condition of [{ id: 1 }, { age: null }]) {
      filter = condition;
      expect(await own.send('patch', '/me', { name: 'ann' })).toMatchObject({ body: { id: 1, name: 'ann' } });
      expect(await own.send('delete', '/me')).toMatchObject({ body: { id: 1, name: 'ann' } });
      expect(await own.statusOf('patch', '/me/recover')).toBe(200);
      expect(await own.read('/me')).toMatchObject({ id: 1 });
    }
  });
});
