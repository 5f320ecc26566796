/** Texts of which an entity's transformer makes objects and lists, and objects in place of keys, wherever a request may carry a value → a 400, or what the driver prints of them; never SQL, never a 500. */
import { expect, test } from '@jest/globals';
import { Column, Entity, JoinColumn, JoinTable, ManyToMany, ManyToOne, Not, OneToMany, PrimaryColumn } from 'typeorm';
import { PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

/** An application that keeps documents as texts at its interface: what it makes of them is up to clients. */
const transformer = {
  to: (value: unknown): unknown => (typeof value === 'string' && /^[{[]/.test(value) ? JSON.parse(value) : value),
  from: (value: unknown) => value,
};

@Entity()
class Badge {
  @PrimaryColumn({ type: 'varchar', length: 60, transformer }) code!: string;
  @Column({ type: 'varchar', default: 'guest' }) role!: string;
}

@Entity()
class Item {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', default: 'guest' }) role!: string;
  @Column({ type: 'varchar', nullable: true, transformer }) made!: string | null;
  @Column({ type: 'varchar', length: 60, nullable: true, transformer }) badgeCode!: string | null;
  @ManyToOne(() => Badge) @JoinColumn({ name: 'badgeCode' }) badge!: Badge | null;
  @ManyToMany(() => Badge) @JoinTable() badges!: Badge[];
  @ManyToOne(() => Item, (item) => item.children) parent!: Item | null;
  @OneToMany(() => Item, (item) => item.parent, { cascade: true }) children!: Item[];
}

const ROLE = '{"role":"admin"}';
const OBJECT = { role: 'admin' };
const MADE = [ROLE, '{"id":1}', '["x","admin"]', '[]', '[[1,2]]'];
const RESOURCES = [
  resource(Item, 'items', { query: { join: { badge: {}, badges: {}, children: {} } } }),
  resource(Badge, 'badges', { params: { code: { field: 'code', type: 'string', primary: true } } }),
  resource(Item, 'trusted', { auth: { persist: () => ({ made: ROLE }) } }),
];

describeDatabases('values that transformers make', (db) => {
  const own = serving(db, [Item, Badge], RESOURCES, {
    nest: { logger: false },
    fill: async (source) => {
      await source.getRepository(Badge).insert({ code: 'gold' });
      await source.getRepository(Item).insert({ badgeCode: 'gold' });
    },
  });
  const { send, statusOf } = own;
  const count = () => own.source.getRepository(Item).count();
  const expectNoRole = async () =>
    expect(await own.source.query('SELECT role FROM item UNION SELECT role FROM badge')).toEqual([{ role: 'guest' }]);

  /** Deletes all items but the first. */
  async function clear(): Promise<void> {
    const stored = own.source.getRepository(Item);
    await stored.update({ id: Not(0) }, { parent: null });
    await stored.delete({ id: Not(1) });
  }

  // pg prints objects as JSON and lists as arrays, so that there they are values like any other.
  const isValue = db.kind === 'postgres';

  test.each<[title: string, method: 'post' | 'patch' | 'put', path: string, body: (made: unknown) => object]>([
    ['POST', 'post', '/items', (made) => ({ made })],
    ['bulk', 'post', '/items/bulk', (made) => ({ bulk: [{ role: 'guest' }, { made }] })],
    ['PATCH', 'patch', '/items/1', (made) => ({ made })],
    ['PUT', 'put', '/items/1', (made) => ({ made })],
    ['a cascade', 'post', '/items', (made) => ({ children: [{ made }] })],
    ['a cascade of a cascade', 'patch', '/items/1', (made) => ({ children: [{ children: [{ made }] }] })],
  ])('%s binds them as values or refuses them', async (_title, method, path, body) => {
    for (const made of MADE) {
      const before = await count();
      const { status, body: answer } = await send(method, path, body(made));
      const refusal = { code: 'CRUD_INVALID_VALUE', field: expect.stringMatching(/made$/) };
      expect([made, status]).toEqual([made, isValue ? (method === 'post' ? 201 : 200) : 400]);
      if (!isValue) expect([answer, await count()]).toMatchObject([refusal, before]);
      await expectNoRole();
      await clear();
    }
  });

  test('values that @CrudAuth persists are no exception', async () => {
    expect(await statusOf('post', '/trusted', { made: 'x' })).toBe(isValue ? 201 : 400);
    await clear();
    await expectNoRole();
  });

  test.each([
    ['a foreign key', { badgeCode: OBJECT }],
    ['a list as foreign key', { badgeCode: ['gold'] }],
    ['the key of a relation', { badge: { code: OBJECT } }],
    ['a list as key of a relation', { badge: { code: ['gold'] } }],
    ['the key of a link', { badges: [{ code: OBJECT }] }],
    ['the key of a child', { children: [{ id: OBJECT }] }],
  ])('an object is refused as %s', async (_title, body) => {
    expect(await statusOf('post', '/items', body)).toBe(400);
    for (const method of ['patch', 'put'] as const) expect(await statusOf(method, '/items/1', body)).toBe(400);
    expect(await count()).toBe(1);
  });

  test.each([
    ['a foreign key', (code: string) => ({ badgeCode: code })],
    ['the key of a relation', (code: string) => ({ badge: { code } })],
    ['a link', (code: string) => ({ badges: [code] })],
  ])('a text that becomes an object is no %s', async (_title, body) => {
    for (const code of MADE) {
      const statuses = [await statusOf('post', '/items', body(code)), await statusOf('patch', '/items/1', body(code))];
      expect([code, statuses.filter((status) => ![400, 409].includes(status))]).toEqual([code, []]);
    }
    expect(await count()).toBe(1);
    await expectNoRole();
  });

  test('conditions and paths compare them as values or refuse them', async () => {
    for (const made of MADE) {
      const text = encodeURIComponent(made);
      const s = encodeURIComponent(JSON.stringify({ made: { $in: [made, 'x'] } }));
      const statuses = await Promise.all([
        statusOf('get', `/items?filter=made||eq||${text}`),
        statusOf('get', `/items?s=${s}`),
        statusOf('get', `/items?join=badge&filter=badge.code||ne||${text}`),
        statusOf('get', `/badges/${text}`),
        statusOf('delete', `/badges/${text}`),
        statusOf('patch', `/badges/${text}`, { role: 'admin' }),
      ]);
      const known = [200, made.startsWith('[') ? 400 : 200, 200, 404, 404, 404];
      expect([made, statuses]).toEqual([made, isValue ? known : Array(6).fill(400)]);
    }
    await expectNoRole();
  });
});
