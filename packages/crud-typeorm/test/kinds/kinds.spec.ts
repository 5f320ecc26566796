/** Requests to resources of every kind of entity, of generated columns, and without a key in their paths → answers over HTTP, the same on each database. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Column, DeleteDateColumn, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Application, resource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import * as kinds from './entities.js';

const { Being, Bird, Clerk, Fish, Heavy, Parcel, Shop, Ware } = kinds;

const RESOURCES = [
  resource(Shop, 'shops', { query: { join: { wares: {} } } }),
  resource(Ware, 'wares', { query: { join: { shop: {}, 'shop.wares': { alias: 'siblings' } } } }),
  resource(Parcel, 'parcels', { query: { join: { 'sentFrom.clerk': {} } } }),
  resource(Being, 'beings'),
  resource(Bird, 'birds'),
  resource(Heavy, 'heavy', { routes: { only: ['getManyBase', 'getOneBase'] } }),
];

describeDatabases('kinds of entities', (db) => {
  const own = serving(db, kinds.KINDS, RESOURCES, { source: { namingStrategy: new kinds.Prefixed() } });
  const { read: get, send } = own;
  const post = async (path: string, body: object) => (await send('post', path, body)).body;
  const patch = async (path: string, body: object) => (await send('patch', path, body)).body;

  test('lazy relations are written, read and joined as plain values', async () => {
    const shop = { id: 1, shopName: 'a' };
    const wares = [1, 2].map((id) => ({ id, label: `w${id}` }));
    expect(await post('/shops', { shopName: 'a', wares: [{ label: 'w1' }, { label: 'w2' }] })).toEqual(shop);
    expect(await get('/shops/1?join=wares')).toEqual({ ...shop, wares });
    expect(await post('/wares', { label: 'w3', shop: { id: 1 } })).toEqual({ id: 3, label: 'w3' });
    await post('/wares', { label: 'w4', shop: 1 });
    expect(await patch('/wares/4', { shop: null })).toEqual({ id: 4, label: 'w4' });
    const last = [null, shop].map((shop, index) => ({ id: 4 - index, label: `w${4 - index}`, shop }));
    expect(await get('/wares?join=shop&sort=id,DESC&limit=2')).toEqual(last);
    expect(await get('/wares?filter=shop.shopName||eq||a&filter=label||eq||w3')).toEqual([{ id: 3, label: 'w3' }]);
    const { shop: joined } = await get('/wares/3?join=shop&join=shop.wares');
    expect(joined).toMatchObject({ wares: [{ id: 1 }, { id: 2 }, { id: 3 }] });
  });

  test('virtual, hidden, transformed and embedded columns, and an embedded relation', async () => {
    const sentFrom = { town: 'Ulm', exactPoint: { x: 1, y: 2 } };
    const shown = { id: 1, netWeight: 7, echoed: 7, code: 'abc', sentFrom };
    const moved = { ...sentFrom, exactPoint: { x: 5, y: 2 } };
    expect(await post('/parcels', { ...shown, id: undefined, echoed: 99, pin: '1234' })).toEqual(shown);
    const columns = 'c_code, c_pin, c_sent_from_exact_point_y AS y';
    expect(await own.source.query(`SELECT ${columns} FROM t_parcel`)).toEqual([{ c_code: 'cba', c_pin: '1234', y: 2 }]);
    expect(await patch('/parcels/1', { sentFrom: { exactPoint: { x: 5 } } })).toEqual({ ...shown, sentFrom: moved });
    await post('/parcels', { netWeight: 20 });
    for (const condition of ['echoed||lt||20', 'code||eq||abc', 'sentFrom.exactPoint.y||eq||2'])
      expect(await get(`/parcels?filter=${condition}&fields=netWeight`)).toEqual([{ id: 1, netWeight: 7 }]);
    const rowOf = (id: number, echoed: number, x: number | null) => ({ id, echoed, sentFrom: { exactPoint: { x } } });
    const fields = [rowOf(2, 20, null), rowOf(1, 7, 5)];
    expect(await get('/parcels?sort=echoed,DESC&fields=echoed,sentFrom.exactPoint.x')).toEqual(fields);
    await own.source.manager.insert(Clerk, { login: 'sender' });
    const sent = { ...shown, sentFrom: { ...moved, clerk: { login: 'sender' } } };
    expect(await patch('/parcels/1?join=sentFrom.clerk', { sentFrom: { clerk: 'sender' } })).toEqual(sent);
    const others = [sent, { sentFrom: { clerk: null } }];
    expect(await get('/parcels?join=sentFrom.clerk&sort=id')).toMatchObject(others);
  });

  test('classes that share a table', async () => {
    const { id: fish } = await own.source.getRepository(Fish).save({ name: 'carp', finCount: 7 });
    const bird = { id: expect.any(Number), name: 'owl', wingSpan: 90 };
    expect(await post('/birds', { name: 'owl', wingSpan: 90, kind: 'fish' })).toEqual(bird);
    expect(await get('/birds')).toEqual([bird]);
    expect(await get(`/birds/${fish}`)).toMatchObject({ status: 404 });
    expect(await send('patch', `/birds/${fish}`, { name: 'stolen' })).toMatchObject({ status: 404 });
    expect(await get('/beings?sort=name,ASC')).toEqual([{ id: fish, name: 'carp', finCount: 7 }, bird]);
  });

  test('views are resources to read', async () => {
    await own.source.query('DELETE FROM t_parcel');
    for (const netWeight of [5, 11, 12, 13]) await post('/parcels', { netWeight });
    const [{ id }] = (await get('/heavy?filter=weight||eq||12')) as [{ id: number }];
    expect(await get(`/heavy/${id}`)).toEqual({ id, weight: 12 });
  });
});

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
