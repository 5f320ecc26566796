/** Filters of `@CrudAuth()` that leave every record, on a resource without a key in its path → 404 on every route and no row touched, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { CrudAuth } from '@nestwright/crud';
import request from 'supertest';
import { Column, type DataSource, DeleteDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';

@Entity('accounts')
class Account {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'int', nullable: true }) age!: number | null;
  @DeleteDateColumn() deletedAt!: Date | null;
}

let filter: unknown;
const auth = CrudAuth({ filter: () => filter as object });

const me = resource(Account, 'me', {
  params: { id: { primary: true, disabled: true } },
  query: { softDelete: true },
  routes: {
    only: ['getOneBase', 'updateOneBase', 'replaceOneBase', 'deleteOneBase', 'recoverOneBase'],
    deleteOneBase: { returnDeleted: true },
  },
});
const accounts = resource(Account, 'accounts', { query: { sort: [{ field: 'id', order: 'ASC' }] } });
auth(me.controller);
auth(accounts.controller);

const METHODS = [
  ['get', '/me', undefined],
  ['patch', '/me', { name: 'taken' }],
  ['put', '/me', { name: 'taken' }],
  ['delete', '/me', undefined],
  ['patch', '/me/recover', undefined],
] as const;

const ALWAYS = [
  undefined,
  {},
  { $and: [] },
  { $not: { $or: [] } },
  { id: { $notin: [] } },
  { $or: [{}, { id: 7 }] },
  { $not: { id: { $in: [] } } },
  { age: { $or: { $eq: 1, $notin: [] } } },
  { id: { $ne: null } },
  { name: { $cont: '' } },
];

describeDatabases('a resource without a key', (db) => {
  let app: INestApplication;
  let url: string;
  let source: DataSource;

  beforeAll(async () => {
    ({ app, url, source } = await serve(db, [Account], [me, accounts]));
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await source.getRepository(Account).clear();
    await source.getRepository(Account).insert({ id: 1, name: 'ada', age: null });
  });

  const answers = async () => {
    const seen: unknown[] = [];
    for (const [method, path, body] of METHODS) {
      const { status, body: answer } = await request(url)[method](path).send(body);
      seen.push([method, path, status, answer]);
    }
    return seen;
  };
  const rows = () => source.getRepository(Account).find({ withDeleted: true, order: { id: 'ASC' } });
  const missing = METHODS.map(([method, path]) => [
    method,
    path,
    404,
    { statusCode: 404, message: 'Account not found', error: 'Not Found', code: 'CRUD_NOT_FOUND' },
  ]);

  describe('has no record where every record is left', () => {
    test.each(ALWAYS.map((condition) => [JSON.stringify(condition), condition]))('%s', async (_, condition) => {
      filter = condition;
      expect(await answers()).toEqual(missing);
      expect(await rows()).toEqual([{ id: 1, name: 'ada', age: null, deletedAt: null }]);
      // With a key, such a filter lets everything through, as it says.
      expect((await request(url).get('/accounts')).body).toMatchObject([{ id: 1 }]);
      expect((await request(url).get('/accounts/1')).body).toMatchObject({ id: 1 });
    });
  });

  test('has the one record that a condition leaves, null tests on nullable columns included', async () => {
    for (const condition of [{ id: 1 }, { age: null }, { $not: { id: { $gt: 1 } } }, { name: { $starts: 'a' } }]) {
      filter = condition;
      expect((await request(url).get('/me')).body).toMatchObject({ id: 1 });
      expect((await request(url).patch('/me').send({ name: 'ann' })).body).toMatchObject({ id: 1, name: 'ann' });
      expect((await request(url).delete('/me')).body).toMatchObject({ id: 1, name: 'ann' });
      expect((await request(url).patch('/me/recover')).status).toBe(200);
    }
  });

  test('is in conflict where a condition leaves several, and touches none', async () => {
    await source.getRepository(Account).insert({ id: 2, name: 'bea', age: 5 });
    filter = { id: { $gt: 0 } };
    expect((await answers()).map((answer) => (answer as unknown[])[2])).toEqual(METHODS.map(() => 409));
    expect(await rows()).toMatchObject([
      { id: 1, name: 'ada', deletedAt: null },
      { id: 2, name: 'bea', deletedAt: null },
    ]);
  });

  test.each([[[]], [[{ id: 1 }]], [new Map()], [7], ['id'], [0], [''], [false]])(
    '%p is no condition: no route answers',
    async (no) => {
      filter = no;
      const seen = [...(await answers()), ['get', '/accounts', (await request(url).get('/accounts')).status]];
      expect(seen.map((answer) => (answer as unknown[])[2])).toEqual(seen.map(() => 500));
      expect(await rows()).toEqual([{ id: 1, name: 'ada', age: null, deletedAt: null }]);
    },
  );
});
