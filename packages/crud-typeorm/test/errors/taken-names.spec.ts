/** Which field a 409 names if a unique constraint begins with a column that path or `persist` sets. */
import { expect, test } from '@jest/globals';
import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('taken_names')
@Unique(['tenant', 'label'])
class Labelled {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int' }) tenant!: number;
  @Column({ type: 'varchar', length: 20 }) label!: string;
}

const routes = { updateManyBase: true } as const;
const ofTenant = () => ({ tenant: 1 });
const RESOURCES = [
  resource(Labelled, 'labels', { routes, auth: { filter: ofTenant, persist: ofTenant } }),
  resource(Labelled, 'tenants/:tenant/labels', {
    routes,
    params: { tenant: { field: 'tenant', type: 'number' }, id: { field: 'id', type: 'number', primary: true } },
  }),
  resource(Labelled, 'plain'),
];

describeDatabases('taken names', (db) => {
  const served = serving(db, [Labelled], RESOURCES, {
    fill: ({ manager }) =>
      manager.insert(Labelled, [
        { tenant: 1, label: 'a' },
        { tenant: 1, label: 'b' },
      ]),
  });
  const id = 2;
  const taken = (name: string, other: string) => ({
    status: 409,
    body: { code: 'CRUD_UNIQUE_VIOLATION', field: name, message: [`${name} already exists together with ${other}`] },
  });

  test.each(['/labels', '/tenants/1/labels'])('the field is one that the client sent: %s', async (path) => {
    const label = 'a';
    for (const [method, at, body, prefix] of [
      ['post', '', { label }, ''],
      ['patch', `/${id}`, { label }, ''],
      ['put', `/${id}`, { label }, ''],
      ['post', '/bulk', { bulk: [{ label: 'c' }, { label }] }, 'bulk.1.'],
      ['patch', '/bulk', { bulk: [{ id, label }] }, 'bulk.0.'],
    ] as const)
      expect(await served.send(method, path + at, body)).toMatchObject(taken(`${prefix}label`, 'tenant'));
  });

  test('if the client sends all of them, it is the first of the constraint', async () => {
    expect(await served.send('post', '/plain', { tenant: 1, label: 'a' })).toMatchObject(taken('tenant', 'label'));
  });
});
