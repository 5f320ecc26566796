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

const OBJECT = { role: 'admin' };
const ROLE = JSON.stringify(OBJECT);
const MADE = [ROLE, '["x","admin"]', '[]', '[[1,2]]'];
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
  const items = () => own.source.getRepository(Item);
  const expectNoRole = async () =>
    expect(await own.source.query('SELECT role FROM item UNION SELECT role FROM badge')).toEqual([{ role: 'guest' }]);

  // pg prints objects as JSON and lists as arrays, so that there they are values like any other.
  const isValue = db.kind === 'postgres';

  test.each<[title: string, method: 'post' | 'patch' | 'put', path: string, body: (made: unknown) => object]>([
    ['POST', 'post', '/items', (made) => ({ made })],
    ['bulk', 'post', '/items/bulk', (made) => ({ bulk: [{ role: 'guest' }, { made }] })],
    ['PATCH', 'patch', '/items/1', (made) => ({ made })],
    ['PUT', 'put', '/items/1', (made) => ({ made })],
    ['a cascade of a cascade', 'patch', '/items/1', (made) => ({ children: [{ children: [{ made }] }] })],
    // What @CrudAuth() persists is no exception.
    ['a trusted value', 'post', '/trusted', () => ({ made: 'x' })],
  ])('%s binds them as values or refuses them', async (_title, method, path, body) => {
    for (const made of MADE) {
      const before = await items().count();
      const { status, body: answer } = await send(method, path, body(made));
      expect([made, status]).toEqual([made, isValue ? (method === 'post' ? 201 : 200) : 400]);
      const refusal = { code: 'CRUD_INVALID_VALUE', field: expect.stringMatching(/made$/) };
      if (!isValue) expect([answer, await items().count()]).toMatchObject([refusal, before]);
      await expectNoRole();
      await items().update({ id: Not(0) }, { parent: null });
      await items().delete({ id: Not(1) });
    }
  });

  test.each<[what: string, body: (code: unknown) => object, values: readonly unknown[]]>([
    ['a foreign key', (code) => ({ badgeCode: code }), [OBJECT, ['gold'], ...MADE]],
    ['the key of a relation', (code) => ({ badge: { code } }), [OBJECT, ['gold'], ...MADE]],
    ['the key of a link', (code) => ({ badges: [{ code }] }), [OBJECT, ...MADE]],
    ['the key of a child', (id) => ({ children: [{ id }] }), [OBJECT]],
  ])('objects, and texts that become objects, are refused as %s', async (_title, body, values) => {
    for (const value of values) {
      const expected = typeof value === 'string' ? [400, 409] : [400];
      expect(expected).toContain(await statusOf('post', '/items', body(value)));
      expect(expected).toContain(await statusOf('patch', '/items/1', body(value)));
    }
    expect(await items().count()).toBe(1);
    await expectNoRole();
  });

  test('conditions and paths compare them as values or refuse them', async () => {
    for (const made of MADE) {
      const text = encodeURIComponent(made);
      const s = encodeURIComponent(JSON.stringify({ made: { $in: [made, 'x'] } }));
      const paths = [`/items?filter=made||eq||${text}`, `/items?s=${s}`, `/badges/${text}`];
      const statuses = await Promise.all(paths.map((path) => statusOf('get', path)));
      statuses.push(await statusOf('patch', `/badges/${text}`, { role: 'admin' }));
      const known = [200, made.startsWith('[') ? 400 : 200, 404, 404];
      expect([made, statuses]).toEqual([made, isValue ? known : Array(4).fill(400)]);
    }
    await expectNoRole();
  });
});
