/** Filters of `@CrudAuth()` that leave every record, on a resource without a key in its path → 404 on every route and no row touched, on each database. */
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
const RESOURCES = [
  resource(Account, 'me', {
    auth,
    params: { id: { primary: true, disabled: true } },
    query: { softDelete: true },
    routes: { only: ONE_RECORD, deleteOneBase: { returnDeleted: true } },
  }),
  resource(Account, 'accounts', { auth }),
];

const ROUTES: readonly Parameters<Application['send']>[] = [
  ['get', '/me'],
  ['patch', '/me', { name: 'taken' }],
  ['put', '/me', { name: 'taken' }],
  ['delete', '/me'],
  ['patch', '/me/recover'],
];

describeDatabases('a resource without a key', (db) => {
  const own = serving(db, [Account], RESOURCES, { nest: { logger: false } });
  const ADA = { id: 1, name: 'ada', age: null, deletedAt: null };
  beforeEach(async () => {
    await own.source.getRepository(Account).clear();
    await own.source.getRepository(Account).insert({ id: 1, name: 'ada', age: null });
  });

  const answers = async () => {
    const seen = [];
    for (const route of ROUTES) seen.push(await own.send(...route));
    return seen;
  };
  const rows = () => own.source.getRepository(Account).find({ withDeleted: true, order: { id: 'ASC' } });

  // packages/crud/test/request/tautology.spec.ts has the conditions that leave every record.
  test.each([undefined, { $not: { id: { $in: [] } } }, { id: { $ne: null } }])(
    'has no record where every record is left: %j',
    async (one) => {
      filter = one;
      expect((await answers()).map(({ status, body }) => [status, body.message])).toEqual(
        ROUTES.map(() => [404, 'Account not found']),
      );
      expect(await rows()).toEqual([ADA]);
      // With a key, such a filter lets everything through, as it says.
      expect(await own.read('/accounts/1')).toMatchObject({ id: 1 });
    },
  );

  test('has the one record that a condition leaves, null tests on nullable columns included', async () => {
    for (const condition of [{ id: 1 }, { age: null }]) {
      filter = condition;
      expect(await own.read('/me')).toMatchObject({ id: 1 });
      expect(await own.send('patch', '/me', { name: 'ann' })).toMatchObject({ body: { id: 1, name: 'ann' } });
      expect(await own.send('delete', '/me')).toMatchObject({ body: { id: 1, name: 'ann' } });
      expect(await own.statusOf('patch', '/me/recover')).toBe(200);
    }
  });

  test('is in conflict where a condition leaves several, and touches none', async () => {
    await own.source.getRepository(Account).insert({ id: 2, name: 'bea', age: 5 });
    filter = { id: { $gt: 0 } };
    expect((await answers()).map(({ status }) => status)).toEqual(ROUTES.map(() => 409));
    expect(await rows()).toEqual([ADA, { id: 2, name: 'bea', age: 5, deletedAt: null }]);
  });

  test('what is no condition lets no route answer', async () => {
    for (const no of [[{ id: 1 }], new Map(), 0, false]) {
      filter = no;
      const seen = [...(await answers()), await own.send('get', '/accounts')];
      expect([no, seen.map(({ status }) => status)]).toEqual([no, seen.map(() => 500)]);
      expect(await rows()).toEqual([ADA]);
    }
  });
});
