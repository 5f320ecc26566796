/** Requests to resources of every kind of entity → answers over HTTP, the same on each database. */
import { expect, test } from '@jest/globals';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import * as kinds from './entities.js';

const { Being, Bird, Clerk, Fish, Heavy, Parcel, Shop, Ware, Weight } = kinds;

const RESOURCES = [
  resource(Shop, 'shops', { query: { join: { wares: {} } } }),
  resource(Ware, 'wares', { query: { join: { shop: {}, 'shop.wares': { alias: 'siblings' } } } }),
  resource(Parcel, 'parcels', { query: { join: { 'sentFrom.clerk': {} } } }),
  resource(Being, 'beings'),
  resource(Bird, 'birds'),
  resource(Clerk, 'clerks', { params: { login: { field: 'login', type: 'string', primary: true } } }),
  resource(Heavy, 'heavy', { routes: { only: ['getManyBase', 'getOneBase'] } }),
  resource(Weight, 'weights', { params: { id: { disabled: true } }, routes: { only: ['getManyBase'] } }),
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
    const shown = { id: 1, netWeight: 7, boxWeight: 3, echoed: 7, code: 'abc', sentFrom };
    const moved = { ...sentFrom, exactPoint: { x: 5, y: 2 } };
    expect(await post('/parcels', { ...shown, id: undefined, echoed: 99, pin: '1234' })).toEqual(shown);
    const columns = 'c_code, c_pin, c_sent_from_exact_point_y AS y';
    expect(await own.source.query(`SELECT ${columns} FROM t_parcel`)).toEqual([{ c_code: 'cba', c_pin: '1234', y: 2 }]);
    expect(await patch('/parcels/1', { sentFrom: { exactPoint: { x: 5 } } })).toEqual({ ...shown, sentFrom: moved });
    await post('/parcels', { netWeight: 20, boxWeight: 1 });
    for (const condition of ['echoed||lt||20', 'code||eq||abc', 'sentFrom.exactPoint.y||eq||2'])
      expect(await get(`/parcels?filter=${condition}&fields=netWeight`)).toEqual([{ id: 1, netWeight: 7 }]);
    const rowOf = (id: number, echoed: number, x: number | null) => ({ id, echoed, sentFrom: { exactPoint: { x } } });
    const fields = [rowOf(2, 20, null), rowOf(1, 7, 5)];
    expect(await get('/parcels?sort=echoed,DESC&fields=echoed,sentFrom.exactPoint.x')).toEqual(fields);
    await post('/clerks', { login: 'sender' });
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

  test('views are resources to read, with a key or without one', async () => {
    await own.source.query('DELETE FROM t_parcel');
    for (const netWeight of [5, 11, 12, 13]) await post('/parcels', { netWeight, boxWeight: netWeight % 2 });
    const [{ id }] = (await get('/heavy?filter=weight||eq||12')) as [{ id: number }];
    expect(await get(`/heavy/${id}`)).toEqual({ id, weight: 12 });
    const page = { data: [{ weight: 5, box: 1 }], count: 1, total: 3, page: 2, pageCount: 2 };
    expect(await get('/weights?filter=box||eq||1&sort=weight,DESC&limit=2&page=2')).toEqual(page);
  });
});
