/** Texts of which an entity's transformer makes objects and lists, and objects in place of keys, wherever a request may carry a value → a 400, or what the driver prints of them; never SQL, never a 500. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Controller, type INestApplication, Inject } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, CrudAuth } from '@nestwright/crud';
import {
  Column,
  type DataSource,
  type DataSourceOptions,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  Not,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';

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
  @Column({ type: 'int', nullable: true }) parentId!: number | null;
  @ManyToOne(() => Item, (item) => item.children) parent!: Item | null;
  @OneToMany(() => Item, (item) => item.parent, { cascade: true }) children!: Item[];
}

const ROLE = '{"role":"admin"}';
const LIST = '["x","admin"]';
const OBJECT = { role: 'admin' };
const MADE = [ROLE, '{"id":1}', LIST, '[]', '[[1,2]]'];

const items = resource(Item, 'items', {
  params: { id: { field: 'id', type: 'number', primary: true } },
  query: { join: { badge: {}, badges: {}, children: {} } },
});
const badges = resource(Badge, 'badges', { params: { code: { field: 'code', type: 'string', primary: true } } });

@Crud({ model: { type: Item }, params: { id: { field: 'id', type: 'number', primary: true } } })
@CrudAuth({ persist: () => ({ made: ROLE }) })
@Controller('trusted')
class TrustedController {
  constructor(@Inject(items.provider) readonly service: never) {}
}

describeDatabases('values that transformers make', (db) => {
  let app: INestApplication;
  let url: string;
  let source: DataSource;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ ...db.connection, entities: [Item, Badge], synchronize: true } as DataSourceOptions),
        TypeOrmModule.forFeature([Item, Badge]),
      ],
      controllers: [items.controller, badges.controller, TrustedController],
      providers: [items.provider, badges.provider],
    }).compile();
    ({ app, url } = await listen(module, 'express', { logger: false }));
    source = app.get<DataSource>(getDataSourceToken());
    await send('POST', '/badges', { code: 'gold' });
    await send('POST', '/items', { badge: 'gold' });
  });

  afterAll(() => app.close());

  async function send(method: string, path: string, body?: object) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, ...(body && { headers, body: JSON.stringify(body) }) });

    return { status: response.status, answer: (await response.json()) as unknown };
  }

  const roles = async () =>
    (await source.query('SELECT role FROM item UNION SELECT role FROM badge')) as { role: string }[];

  /** All items but the first. */
  async function clear(): Promise<void> {
    const stored = source.getRepository(Item);
    await stored.update({ id: Not(0) }, { parent: null });
    await stored.delete({ id: Not(1) });
  }

  // pg prints objects as JSON and lists as arrays, so that there they are values like any other.
  const isValue = db.kind === 'postgres';

  const WRITES: readonly (readonly [title: string, method: string, path: string, body: (value: unknown) => object])[] =
    [
      ['POST', 'POST', '/items', (made) => ({ made })],
      ['bulk', 'POST', '/items/bulk', (made) => ({ bulk: [{ role: 'guest' }, { made }] })],
      ['PATCH', 'PATCH', '/items/1', (made) => ({ made })],
      ['PUT', 'PUT', '/items/1', (made) => ({ made })],
      ['a cascade', 'POST', '/items', (made) => ({ children: [{ made }] })],
      ['a cascade of a cascade', 'PATCH', '/items/1', (made) => ({ children: [{ children: [{ made }] }] })],
    ];

  test.each(WRITES)('%s binds them as values or refuses them', async (_title, method, path, body) => {
    for (const made of MADE) {
      const before = await source.getRepository(Item).count();
      const { status, answer } = await send(method, path, body(made));

      expect([made, status, answer]).toEqual([
        made,
        isValue ? (method === 'PATCH' || path === '/items/1' ? 200 : 201) : 400,
        isValue
          ? expect.anything()
          : expect.objectContaining({ code: 'CRUD_INVALID_VALUE', field: expect.stringMatching(/made$/) }),
      ]);
      if (!isValue) expect(await source.getRepository(Item).count()).toBe(before);
      expect(await roles()).toEqual([{ role: 'guest' }]);
      await clear();
    }
  });

  test('values that @CrudAuth persists are no exception', async () => {
    const { status } = await send('POST', '/trusted', { made: 'x' });

    expect(status).toBe(isValue ? 201 : 400);
    await clear();
    expect(await roles()).toEqual([{ role: 'guest' }]);
  });

  test.each([
    ['a foreign key', { badgeCode: OBJECT }],
    ['a list as foreign key', { badgeCode: ['gold'] }],
    ['the key of a relation', { badge: { code: OBJECT } }],
    ['a list as key of a relation', { badge: { code: ['gold'] } }],
    ['the key of a link', { badges: [{ code: OBJECT }] }],
    ['the key of a child', { children: [{ id: OBJECT }] }],
  ])('an object is refused as %s', async (_title, body) => {
    for (const [method, path, whole] of [
      ['POST', '/items', body],
      ['PATCH', '/items/1', body],
      ['PUT', '/items/1', body],
    ] as const) {
      const { status } = await send(method, path, whole);
      expect([method, status]).toEqual([method, 400]);
    }
    expect(await source.getRepository(Item).count()).toBe(1);
  });

  test.each([
    ['a foreign key', (code: string) => ({ badgeCode: code })],
    ['the key of a relation', (code: string) => ({ badge: { code } })],
    ['a link', (code: string) => ({ badges: [code] })],
  ])('a text that becomes an object is no %s', async (_title, body) => {
    for (const code of MADE) {
      for (const [method, path, whole] of [
        ['POST', '/items', body(code)],
        ['PATCH', '/items/1', body(code)],
      ] as const) {
        const { status } = await send(method, path, whole);
        expect([code, method, [400, 409].includes(status)]).toEqual([code, method, true]);
      }
    }
    expect(await source.getRepository(Item).count()).toBe(1);
    expect(await roles()).toEqual([{ role: 'guest' }]);
  });

  test('conditions and paths compare them as values or refuse them', async () => {
    for (const made of MADE) {
      const text = encodeURIComponent(made);
      const answers = await Promise.all([
        send('GET', `/items?filter=made||eq||${text}`),
        send('GET', `/items?s=${encodeURIComponent(JSON.stringify({ made: { $in: [made, 'x'] } }))}`),
        send('GET', `/items?join=badge&filter=badge.code||ne||${text}`),
        send('GET', `/badges/${text}`),
        send('DELETE', `/badges/${text}`),
        send('PATCH', `/badges/${text}`, { role: 'admin' }),
      ]);

      expect([made, answers.map(({ status }) => status)]).toEqual([
        made,
        isValue ? [200, made.startsWith('[') ? 400 : 200, 200, 404, 404, 404] : Array(6).fill(400),
      ]);
    }
    expect(await roles()).toEqual([{ role: 'guest' }]);
  });
});
