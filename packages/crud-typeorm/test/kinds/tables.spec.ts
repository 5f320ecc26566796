/** Generated columns, with RETURNING and without; resources without a key in their paths, whose filters of `@CrudAuth()` name no record, or several. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Column, DeleteDateColumn, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Application, resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('crates')
class Crate {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int' }) net!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) label!: string | null;
  @Column({ type: 'int', asExpression: 'net + 3', generatedType: 'STORED' }) gross!: number;
  @Column({ type: 'varchar', length: 40, asExpression: "concat('#', label)", generatedType: 'STORED', nullable: true })
  tag!: string | null;
}

const KEY = { sqlite: 'integer PRIMARY KEY', postgres: 'serial PRIMARY KEY', mysql: 'int AUTO_INCREMENT PRIMARY KEY' };

describeDatabases('generated columns', (db) => {
  // Under `mariadb` TypeORM knows RETURNING, under `mysql` it does not.
  const types = db.kind === 'mysql' ? ['mysql', 'mariadb'] : [db.connection.type];
  const tag = db.kind === 'mysql' ? "(concat('#', label)) VIRTUAL" : "('#' || label) STORED";

  describe.each(types)('with the driver for %s', (type) => {
    const own = serving(db, [Crate], [resource(Crate, 'crates')], { source: { type, synchronize: false } });
    const send = async (...sent: Parameters<typeof own.send>) => Object.values(await own.send(...sent));
    beforeEach(async () => {
      await own.source.query('DROP TABLE IF EXISTS crates');
      await own.source.query(
        `CREATE TABLE crates (id ${KEY[db.kind]}, net int NOT NULL, label varchar(20),
          gross int GENERATED ALWAYS AS (net + 3) STORED, tag varchar(40) GENERATED ALWAYS AS ${tag})`,
      );
    });

    test('are read, filtered and sorted by, and never written', async () => {
      const first = { id: 1, net: 4, label: 'a', gross: 7, tag: '#a' };
      const [second, third] = [2, 3].map((id) => ({ id, net: id + 3, label: null, gross: id + 6, tag: null }));
      const bulk = [{ net: 5 }, { net: 6, gross: 1, tag: null }];
      expect(await send('post', '/crates', { ...first, id: undefined, gross: 99, tag: 'x' })).toEqual([201, first]);
      expect(await send('post', '/crates/bulk', { bulk })).toEqual([201, [second, third]]);
      const changed = { ...first, net: 1, gross: 4 };
      expect(await send('patch', '/crates/1', { gross: 5, tag: 'y', net: 1 })).toEqual([200, changed]);
      expect(await send('patch', '/crates/1', { gross: 5 })).toEqual([200, changed]);
      expect(await own.read('/crates?filter=tag||eq||%23a&filter=gross||lt||8&sort=gross')).toEqual([changed]);
      const put = { id: 1, net: 2, label: null, gross: 5, tag: null };
      expect(await send('put', '/crates/1', { net: 2, gross: 0 })).toEqual([200, put]);
    });
  });
});

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
  const stored = [null, 5].map((age, at) => ({ id: at + 1, name: 'ada', age, deletedAt: null }));
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
