/** Requests to resources of every kind of entity → answers over HTTP, the same on each database. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import type { DataSource } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import {
  Being,
  Berth,
  Bird,
  Clerk,
  Crate,
  Fish,
  Heavy,
  KINDS,
  Letter,
  Parcel,
  Prefixed,
  Receipt,
  Shop,
  Twig,
  Ware,
  Weight,
} from './entities.js';
import { resource, serve } from '../support/resources.js';

const deep = (segment: string) =>
  Object.fromEntries([1, 2, 3, 4].map((depth) => [Array(depth).fill(segment).join('.'), {}]));

const RESOURCES = [
  resource(Shop, 'shops', { query: { join: { wares: {} } } }),
  resource(Ware, 'wares', { query: { join: { shop: {}, 'shop.wares': { alias: 'siblings' } } } }),
  resource(Parcel, 'parcels'),
  resource(Being, 'beings'),
  resource(Bird, 'birds'),
  resource(Twig, 'twigs', { query: { join: { ...deep('children'), ...deep('parent') } } }),
  resource(Clerk, 'clerks', {
    params: { login: { field: 'login', type: 'string', primary: true } },
    query: { join: { ...deep('boss'), ...deep('reports') } },
  }),
  resource(Letter, 'letters', {
    params: { id: { field: 'id', type: 'number', primary: true } },
    query: {
      join: { sender: {}, receiver: {}, copies: {}, 'sender.boss': { alias: 'senderBoss' }, 'receiver.boss': {} },
    },
  }),
  resource(Berth, 'letters/:letterId/berths', {
    params: {
      letterId: { field: 'letterId', type: 'number' },
      slot: { field: 'slot', type: 'number', primary: true },
    },
    query: { join: { letter: {}, 'letter.sender': {} } },
  }),
  resource(Receipt, 'receipts', {
    params: { copy: { field: 'copy', type: 'string', primary: true } },
    query: { join: { letter: {} } },
  }),
  resource(Heavy, 'heavy', { routes: { only: ['getManyBase', 'getOneBase'] } }),
  resource(Weight, 'weights', { params: { id: { disabled: true } }, routes: { only: ['getManyBase'] } }),
];

describeDatabases('kinds of entities', (db) => {
  const generates = db.kind !== 'mysql';
  const resources = [...RESOURCES, ...(generates ? [resource(Crate, 'crates')] : [])];
  const entities = [...KINDS, ...(generates ? [Crate] : [])];
  let app: INestApplication;
  let url: string;
  let source: DataSource;

  beforeAll(async () => {
    ({ app, url, source } = await serve(db, entities, resources, { source: { namingStrategy: new Prefixed() } }));
  });

  afterAll(() => app?.close());

  /** An answer's body; a refusal shows as one. */
  const answer = async (sent: request.Test): Promise<unknown> => {
    const { status, body } = await sent;

    return status < 300 ? body : { status, body };
  };
  const get = (path: string) => answer(request(url).get(path));
  const post = (path: string, body: object) => answer(request(url).post(path).send(body));
  const patch = (path: string, body: object) => answer(request(url).patch(path).send(body));

  test('lazy relations are written, read and joined as plain values', async () => {
    const shop = await post('/shops', { shopName: 'a', wares: [{ label: 'w1' }, { label: 'w2' }] });
    const { id } = shop as { id: number };
    expect(shop).toEqual({ id, shopName: 'a' });
    expect(await get(`/shops/${id}?join=wares&sort=id,ASC`)).toEqual({
      id,
      shopName: 'a',
      wares: [
        { id: 1, label: 'w1' },
        { id: 2, label: 'w2' },
      ],
    });
    expect(await post('/wares', { label: 'w3', shop: { id } })).toEqual({ id: 3, label: 'w3' });
    expect(await post('/wares', { label: 'w4', shop: id })).toEqual({ id: 4, label: 'w4' });
    expect(await patch('/wares/4', { shop: null })).toEqual({ id: 4, label: 'w4' });
    expect(await get('/wares?join=shop&sort=id,ASC&fields=label')).toEqual([
      { id: 1, label: 'w1', shop: { id, shopName: 'a' } },
      { id: 2, label: 'w2', shop: { id, shopName: 'a' } },
      { id: 3, label: 'w3', shop: { id, shopName: 'a' } },
      { id: 4, label: 'w4', shop: null },
    ]);
    expect(await get('/wares?filter=shop.shopName||eq||a&filter=label||eq||w3')).toEqual([{ id: 3, label: 'w3' }]);
    expect(await get('/wares/3?join=shop&join=shop.wares')).toMatchObject({
      shop: { wares: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    });
    expect(await (await source.getRepository(Ware).findOneByOrFail({ id: 3 })).shop).toMatchObject({ id });
  });

  test('virtual, hidden, transformed and embedded columns', async () => {
    const sentFrom = { town: 'Ulm', exactPoint: { x: 1, y: 2 } };
    const shown = { id: 1, netWeight: 7, boxWeight: 3, echoed: 7, code: 'abc', sentFrom };
    const sent = { netWeight: 7, boxWeight: 3, echoed: 99, code: 'abc', pin: '1234', sentFrom };

    expect(await post('/parcels', sent)).toEqual(shown);
    expect(await source.query('SELECT c_code, c_pin, c_sent_from_exact_point_y FROM t_parcel')).toEqual([
      { c_code: 'cba', c_pin: '1234', c_sent_from_exact_point_y: 2 },
    ]);
    expect(await patch('/parcels/1', { sentFrom: { exactPoint: { x: 5 } } })).toEqual({
      ...shown,
      sentFrom: { town: 'Ulm', exactPoint: { x: 5, y: 2 } },
    });
    await post('/parcels', { netWeight: 20, boxWeight: 1 });
    for (const condition of [
      'echoed||lt||20',
      'code||eq||abc',
      'sentFrom.exactPoint.y||eq||2',
      'sentFrom.town||starts||U',
    ]) {
      expect([condition, await get(`/parcels?filter=${condition}&fields=netWeight`)]).toEqual([
        condition,
        [{ id: 1, netWeight: 7 }],
      ]);
    }
    expect(await get('/parcels?sort=echoed,DESC&fields=echoed,sentFrom.exactPoint.x')).toEqual([
      { id: 2, echoed: 20, sentFrom: { exactPoint: { x: null } } },
      { id: 1, echoed: 7, sentFrom: { exactPoint: { x: 5 } } },
    ]);
    expect(await get('/parcels?filter=pin||eq||1234')).toMatchObject({ status: 400 });
    expect(await get('/parcels?fields=pin')).toMatchObject({ status: 400 });
  });

  if (generates) {
    test('a generated column is read, never written', async () => {
      expect(await post('/crates', { net: 4, gross: 99 })).toEqual({ id: 1, net: 4, gross: 7 });
      expect(await post('/crates/bulk', { bulk: [{ net: 5 }, { net: 6, gross: 1 }] })).toEqual([
        { id: 2, net: 5, gross: 8 },
        { id: 3, net: 6, gross: 9 },
      ]);
      expect(await patch('/crates/1', { gross: 5, net: 1 })).toEqual({ id: 1, net: 1, gross: 4 });
      expect((await request(url).put('/crates/1').send({ net: 2 })).body).toEqual({ id: 1, net: 2, gross: 5 });
      expect(await get('/crates?filter=gross||gt||7&sort=gross,DESC&fields=gross')).toEqual([
        { id: 3, gross: 9 },
        { id: 2, gross: 8 },
      ]);
    });
  }

  test('classes that share a table', async () => {
    const { id: fish } = await source.getRepository(Fish).save({ name: 'carp', finCount: 7 });
    const bird = await post('/birds', { name: 'owl', wingSpan: 90, kind: 'fish' });
    const { id } = bird as { id: number };

    expect(bird).toEqual({ id, name: 'owl', wingSpan: 90 });
    expect(await get('/birds')).toEqual([{ id, name: 'owl', wingSpan: 90 }]);
    expect(await get(`/birds/${fish}`)).toMatchObject({ status: 404 });
    expect(await patch(`/birds/${fish}`, { name: 'stolen' })).toMatchObject({ status: 404 });
    expect(await get('/beings?sort=name,ASC')).toEqual([
      { id: fish, name: 'carp', finCount: 7 },
      { id, name: 'owl', wingSpan: 90 },
    ]);
  });

  test('trees and self relations to depth four', async () => {
    let parent: number | undefined;
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names)
      ({ id: parent } = (await post('/twigs', { name, ...(parent && { parent: { id: parent } }) })) as { id: number });

    for (const [index, login] of names.entries())
      await post('/clerks', { login, ...(index > 0 && { boss: names[index - 1] }) });

    const down = Object.keys(deep('children')).map((path) => `join=${path}`);
    const up = Object.keys(deep('boss')).map((path) => `join=${path}`);

    expect(await get(`/twigs?filter=name||eq||a&${down.join('&')}`)).toMatchObject([
      {
        name: 'a',
        children: [{ name: 'b', children: [{ name: 'c', children: [{ name: 'd', children: [{ name: 'e' }] }] }] }],
      },
    ]);
    expect(await get('/twigs?filter=parent.parent.parent.parent.name||eq||a&fields=name')).toMatchObject([
      { name: 'e' },
    ]);
    expect(await get('/twigs?filter=children.children.children.children.name||eq||e&fields=name')).toMatchObject([
      { name: 'a' },
    ]);
    expect(await get(`/clerks/e?${up.join('&')}`)).toEqual({
      login: 'e',
      boss: { login: 'd', boss: { login: 'c', boss: { login: 'b', boss: { login: 'a' } } } },
    });
    expect(await get('/clerks?filter=reports.reports.login||eq||c')).toEqual([{ login: 'a' }]);
    expect(await get('/clerks?filter=boss.boss.boss.boss.login||eq||a&filter=boss.login||eq||d')).toEqual([
      { login: 'e' },
    ]);
    expect(await source.getTreeRepository(Twig).countDescendants({ id: 1 } as Twig)).toBe(5);
  });

  describe('keys and ways', () => {
    const big = '9007199254740993';
    const odd = 'ø/?&=%||x';

    beforeAll(async () => {
      await post('/clerks', { login: 'boss-1' });
      await post('/clerks', { login: odd, boss: 'boss-1' });
      await post('/clerks', { login: 'r', boss: odd });
    });

    test('keys are texts with any character, and integers of any length', async () => {
      expect(await get(`/clerks/${encodeURIComponent(odd)}`)).toEqual({ login: odd });
      expect(await post('/clerks', { login: odd })).toMatchObject({ status: 409 });
      expect(
        await post('/letters', { id: big, subject: 's', sender: odd, receiver: { login: 'r' }, copies: ['r'] }),
      ).toEqual({ id: big, subject: 's' });
      expect(await post('/letters', { id: '9007199254740992', subject: 't', sender: 'r' })).toMatchObject({
        subject: 't',
      });
      expect(await get(`/letters/${big}`)).toEqual({ id: big, subject: 's' });
      expect(await get(`/letters?filter=id||in||${big},1`)).toEqual([{ id: big, subject: 's' }]);
      expect(await patch(`/letters/${big}`, { subject: 'u' })).toEqual({ id: big, subject: 'u' });
    });

    test('one entity on several ways, of which an eager one comes only when it is asked for', async () => {
      expect(
        await get(`/letters/${big}?join=sender&join=receiver&join=copies&join=sender.boss&join=receiver.boss`),
      ).toEqual({
        id: big,
        subject: 'u',
        sender: { login: odd, boss: { login: 'boss-1' } },
        receiver: { login: 'r', boss: { login: odd } },
        copies: [{ login: 'r' }],
      });
      const s = JSON.stringify({
        $and: [{ 'sender.boss.login': 'boss-1' }, { 'receiver.boss.login': odd }, { 'copies.login': 'r' }],
      });
      expect(await get(`/letters?s=${encodeURIComponent(s)}`)).toEqual([{ id: big, subject: 'u' }]);
      expect(await get('/letters?filter=senderBoss.login||eq||boss-1')).toEqual([{ id: big, subject: 'u' }]);
      expect(await get('/letters?sort=receiver.login,DESC&sort=id,ASC&filter=receiver.login||notnull')).toEqual([
        { id: big, subject: 'u' },
      ]);
    });

    test('a relation is part of a key', async () => {
      const path = `/letters/${big}/berths`;

      expect(await post(path, { slot: 1, note: 'n' })).toEqual({ letterId: big, slot: 1, note: 'n' });
      expect(await post(path, { slot: 1 })).toMatchObject({ status: 409 });
      expect(await patch(`${path}/1`, { note: 'm' })).toEqual({ letterId: big, slot: 1, note: 'm' });
      expect(await get(`${path}/1?join=letter&join=letter.sender`)).toEqual({
        letterId: big,
        slot: 1,
        note: 'm',
        letter: { id: big, subject: 'u', sender: { login: odd } },
      });
      expect(await get('/letters/9007199254740992/berths')).toEqual([]);
      expect((await request(url).put(`${path}/2`).send({ note: 'p' })).status).toBe(201);
      expect((await request(url).delete(`${path}/1`)).status).toBe(200);
      expect(await get(path)).toEqual([{ letterId: big, slot: 2, note: 'p' }]);
    });

    test('a foreign key without a property', async () => {
      expect(await post('/receipts', { copy: 'x', letter: big })).toEqual({ copy: 'x' });
      expect(await get(`/receipts?join=letter&filter=letter.id||eq||${big}`)).toEqual([
        { copy: 'x', letter: { id: big, subject: 'u' } },
      ]);
    });
  });

  test('views are resources to read, with a key or without one', async () => {
    await source.query('DELETE FROM t_parcel');
    for (const netWeight of [5, 11, 12, 13]) await post('/parcels', { netWeight, boxWeight: netWeight % 2 });
    const [{ id }] = (await get('/heavy?filter=weight||eq||12')) as [{ id: number }];

    expect(await get(`/heavy/${id}`)).toEqual({ id, weight: 12 });
    expect(await get('/heavy?sort=weight,DESC&limit=2&page=1')).toMatchObject({
      data: [{ weight: 13 }, { weight: 12 }],
      total: 3,
      pageCount: 2,
    });
    expect(await get('/weights?sort=weight,ASC')).toEqual([
      { weight: 5, box: 1 },
      { weight: 11, box: 1 },
      { weight: 12, box: 0 },
      { weight: 13, box: 1 },
    ]);
    expect(await get('/weights?filter=box||eq||1&sort=weight,DESC&limit=2&page=2')).toEqual({
      data: [{ weight: 5, box: 1 }],
      count: 1,
      total: 3,
      page: 2,
      pageCount: 2,
    });
    expect(await get('/weights?fields=box&sort=weight,ASC&limit=1')).toEqual([{ box: 1 }]);
  });
});
