/** Which field a 409 names if a unique constraint begins with a column that path or `persist` sets. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { INestApplication, Type } from '@nestjs/common';
import { CrudAuth } from '@nestwright/crud';
import request from 'supertest';
import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';

@Entity('taken_names')
@Unique(['tenant', 'label'])
class Labelled {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int' }) tenant!: number;
  @Column({ type: 'varchar', length: 20 }) label!: string;
}

describeDatabases('taken names', (db) => {
  const routes = { updateManyBase: true } as const;
  const persisted = resource(Labelled as Type<Labelled>, 'labels', { routes });
  CrudAuth({ filter: () => ({ tenant: 1 }), persist: () => ({ tenant: 1 }) })(persisted.controller);
  const nested = resource(Labelled as Type<Labelled>, 'tenants/:tenant/labels', {
    routes,
    params: { tenant: { field: 'tenant', type: 'number' }, id: { field: 'id', type: 'number', primary: true } },
  } as never);
  const plain = resource(Labelled as Type<Labelled>, 'plain', {});
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    ({ app, url } = await serve(db, [Labelled], [persisted, nested, plain]));
    for (const label of ['a', 'b']) await request(url).post('/labels').send({ label }).expect(201);
  });
  afterAll(() => app?.close());

  const taken = (name: string, other: string) => ({
    code: 'CRUD_UNIQUE_VIOLATION',
    field: name,
    message: [`${name} already exists together with ${other}`],
  });

  test.each(['/labels', '/tenants/1/labels'])('the field is one that the client sent: %s', async (path) => {
    const { body: all } = await request(url).get(path).query({ sort: 'id,ASC' });
    const [, { id }] = all as [unknown, { id: number }];
    const label = 'a';

    for (const [method, at, body, prefix] of [
      ['post', path, { label }, ''],
      ['patch', `${path}/${id}`, { label }, ''],
      ['put', `${path}/${id}`, { label }, ''],
      ['post', `${path}/bulk`, { bulk: [{ label: 'c' }, { label }] }, 'bulk.1.'],
      ['patch', `${path}/bulk`, { bulk: [{ id, label }] }, 'bulk.0.'],
    ] as const) {
      const answer = await request(url)[method](at).send(body);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject(taken(`${prefix}label`, 'tenant'));
    }
  });

  test('if the client sends all of them, it is the first of the constraint', async () => {
    const { body } = await request(url).post('/plain').send({ tenant: 1, label: 'a' }).expect(409);
    expect(body).toMatchObject(taken('tenant', 'label'));
  });
});
