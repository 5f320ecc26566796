/** The scope of entities that share a table, over HTTP: what the one links to is limited as what the other does. */
import { beforeEach, expect, test } from '@jest/globals';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { empty } from '../support/connecting.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const cascade: ('insert' | 'update')[] = ['insert', 'update'];

@orm.Entity('animals')
// As most applications have it: no property holds the discriminator.
@orm.TableInheritance({ column: { name: 'kind', type: 'varchar', length: 20 } })
class Animal {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 20, default: 'nobody' }) tenant!: string;
  @orm.Column({ type: 'varchar', length: 20, default: 'none' }) name!: string;
  @orm.ManyToOne(() => Animal, (animal) => animal.young, { cascade }) mother!: orm.Relation<Animal> | null;
  @orm.OneToMany(() => Animal, (animal) => animal.mother, { cascade }) young!: orm.Relation<Animal>[];
  @orm.ManyToMany(() => Animal) @orm.JoinTable({ name: 'animal_friends' }) friends!: orm.Relation<Animal>[];
  @orm.ManyToOne(() => Dog, { cascade }) guard!: orm.Relation<Dog> | null;
}

@orm.ChildEntity()
class Dog extends Animal {
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) trick!: string | null;
}

const byTenant = ({ headers }: { headers: Record<string, string> }) => ({ tenant: headers['x-tenant'] });

describeDatabases('entities that share a table', (db) => {
  const auth = { filter: byTenant, persist: byTenant };
  const served = serving(db, [Animal, Dog], [resource(Animal, 'animals', { auth }), resource(Dog, 'dogs', { auth })]);
  const send = (...[method, path, body]: Parameters<typeof served.send>) =>
    served.send(method, path, body, { 'x-tenant': 'acme' });

  beforeEach(async () => {
    const { source } = served;
    const [animals, dogs] = [source.getRepository(Animal), source.getRepository(Dog)];
    await empty(source);
    await animals.insert([{ id: 1, tenant: 'acme' }, { id: 2, tenant: 'beta' }]); // prettier-ignore
    await dogs.insert([
      { id: 3, tenant: 'acme' },
      { id: 4, tenant: 'beta' },
      // By a mistake of the past, of two tenants.
      { id: 5, tenant: 'acme', mother: { id: 2 }, guard: { id: 4 } },
    ]);
  });

  test.each<readonly [resource: string, field: string, body: object]>([
    ['dogs', 'mother', { mother: 2 }],
    ['dogs', 'mother', { mother: { id: 4 } }],
    ['dogs', 'friends', { friends: [3, 2] }],
    ['dogs', 'young.0', { young: [{ id: 2, name: 'stolen' }] }],
    ['dogs', 'guard', { guard: 4 }],
    ['animals', 'guard', { guard: { id: 4 } }],
    ['animals', 'mother', { mother: 4 }],
    ['animals', 'friends', { friends: [4] }],
  ])('POST, PATCH and PUT of %s refuse what leads out of reach by %s', async (resource, field, body) => {
    const refused = { status: 400, body: { statusCode: 400, code: 'CRUD_OUT_OF_SCOPE', field } };
    expect(await send('post', `/${resource}`, { id: 9, ...body })).toMatchObject(refused);
    for (const method of ['patch', 'put'] as const)
      expect(await send(method, `/${resource}/3`, body)).toMatchObject(refused);
  });

  test('links in reach are made, and what a cascade changes has persist', async () => {
    expect((await send('patch', '/dogs/3', { mother: 1, guard: 3, friends: [1] })).status).toBe(200);
    expect((await send('patch', '/dogs/3', { mother: { id: 1, name: 'Ann', tenant: 'beta' } })).status).toBe(200);
    const changed = await served.source.getRepository(Animal).findOneBy({ id: 1 });
    expect(changed).toMatchObject({ name: 'Ann', tenant: 'acme' });
  });
});
