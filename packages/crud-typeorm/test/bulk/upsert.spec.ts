/** New records, some of which are there already → each is inserted or the one with its unique values changed, as PATCH would, on each database and from whatever side requests race. */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IsNotEmpty } from 'class-validator';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { empty } from '../support/connecting.js';
import { requestOf } from '../support/requests.js';
import { resource, serve } from '../support/resources.js';
import { serving } from '../support/serving.js';

const RACERS = 8;

@orm.Entity('upsert_accounts')
class Account {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 40, unique: true }) email!: string;
  @IsNotEmpty() @orm.Column({ type: 'varchar', length: 20 }) name!: string;
  @orm.Column({ type: 'varchar', length: 20, nullable: true, unique: true }) nick!: string | null;
  @orm.Column({ type: 'int', default: 1 }) tenant!: number;
  @orm.Column({ type: 'int', default: 0 }) heard!: number;
  @orm.VersionColumn() version!: number;
  @orm.CreateDateColumn() createdAt!: Date;
  @orm.DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  @orm.BeforeInsert() lower(): void {
    this.email = this.email.toLowerCase();
  }
  @orm.BeforeUpdate() hear(): void {
    this.heard += 1;
  }
}

@orm.Entity('upsert_slots')
@orm.Unique(['tenant', 'code'])
class Slot {
  @orm.PrimaryColumn({ type: 'varchar', length: 10 }) id!: string;
  @orm.Column({ type: 'int' }) tenant!: number;
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) code!: string | null;
  @orm.Column({ type: 'varchar', length: 20, default: 'none' }) label!: string;
}

const upsertBy = (...onConflict: string[]) => ({ createOneBase: { onConflict }, createManyBase: { onConflict } });
const ADA = { email: 'ada@x', name: 'Ada', nick: 'a' };
const TWICE = 'bulk.1 names the same record as bulk.0';
const byId = { id: { field: 'id', type: 'string', primary: true } } as const;

const RESOURCES = [
  resource(Account, 'accounts', {
    query: { softDelete: true },
    routes: upsertBy('email'),
    auth: { filter: () => ({ tenant: 1 }), persist: () => ({ tenant: 1 }) },
  }),
  resource(Slot, 'tenants/:tenant/slots', {
    params: { ...byId, tenant: { field: 'tenant', type: 'number' } },
    routes: upsertBy('code', 'tenant'),
  }),
  resource(Slot, 'filtered', {
    params: byId,
    routes: { ...upsertBy('id'), updateManyBase: true },
    auth: { filter: () => ({ tenant: 1 }) },
  }),
];

describeDatabases('records that are inserted or changed', (db) => {
  const app = serving(db, [Account, Slot], RESOURCES);
  const accounts = () => app.source.getRepository(Account).find({ withDeleted: true, order: { email: 'ASC' } });
  const textOf = ({ id, tenant, code, label }: Slot) => [id, tenant, code, label].join(' ');
  const slots = async () => (await app.source.getRepository(Slot).find({ order: { id: 'ASC' } })).map(textOf);

  beforeEach(async () => {
    await empty(app.source);
    await app.source
      .getRepository(Account)
      .insert([
        { ...ADA },
        { email: 'bob@x', name: 'Bob', nick: 'b', tenant: 2 },
        { email: 'cid@x', name: 'Cid', nick: 'c', deletedAt: new Date() },
        { email: 'dot@x', name: 'Dot', nick: 'd' },
      ]);
  });

  test('a new record is a 201, one that is there a 200 and changed as PATCH would', async () => {
    const { body: made } = await app.api.post('/accounts', { email: 'eva@x', name: 'Eva' }).expect(201);
    // By the value that a listener makes of it, though it violates another constraint with the same record.
    for (const nick of ['e', 'e']) {
      const { body } = await app.api.post('/accounts', { email: 'EVA@x', name: 'Eve', nick }).expect(200);
      expect(body).toEqual({ ...(made as object), name: 'Eve', nick, version: 2, heard: 1 });
    }
    expect((await accounts()).at(-1)).toMatchObject({ email: 'eva@x', name: 'Eve', nick: 'e', version: 2, heard: 1 });
  });

  const bulkOf = (...emails: string[]) => ({ bulk: emails.map((email) => ({ email, name: 'N' })) });
  const OF_OTHER = { email: 'new@x', name: 'New', nick: 'd' };
  test.each<[title: string, sent: object, status: number, message: string]>([
    ['one out of scope', { email: 'bob@x', name: 'Bert' }, 409, 'email already exists'],
    ['one deleted', { email: 'cid@x', name: 'Carl' }, 409, 'email already exists'],
    ['one of another constraint, and new by this one', OF_OTHER, 409, 'nick already exists'],
    ['one of several out of scope', bulkOf('new@x', 'bob@x'), 409, 'bulk.1.email already exists'],
    ['one twice', bulkOf('new@x', 'new@x'), 400, TWICE],
    ['one twice by a listener', bulkOf('new@x', 'NEW@x'), 400, TWICE],
    ['one of several of another constraint', { bulk: [OF_OTHER, ADA] }, 409, 'bulk.0.nick already exists'],
  ])('%s is refused as ever, and nothing is changed', async (_, sent, status, message) => {
    const before = await accounts();
    const refused = await app.send('post', 'bulk' in sent ? '/accounts/bulk' : '/accounts', sent);
    expect(refused).toMatchObject({ status, body: { message: [message] } });
    expect(await accounts()).toEqual(before);
  });

  test('a constraint over several columns, one of which the path says', async () => {
    const post = (path: string, body: object) => app.api.post(`/tenants/${path}`, body);
    await post('1/slots', { id: 'a', code: 'x', label: 'one' }).expect(201);
    await post('2/slots', { id: 'b', code: 'x', label: 'two' }).expect(201);
    const three = { id: 'a', tenant: 1, code: 'x', label: 'three' };
    await post('1/slots', { id: 'z', code: 'x', label: 'three' }).expect(200, three);
    const bulk = ['y', 'x'].map((code) => ({ id: `new ${code}`, code, label: 'four' }));
    await post('1/slots/bulk', { bulk }).expect(201);
    expect(await slots()).toEqual(['a 1 x four', 'b 2 x two', 'new y 1 y four']);
    // The key is another constraint.
    await post('1/slots', { id: 'a', code: 'new' }).expect(409);
    // What the path says is not blamed.
    const taken = await app.send('patch', '/tenants/1/slots/new y', { code: 'x' });
    expect(taken).toMatchObject({ status: 409, body: { field: 'code' } });
    // Null is equal to nothing.
    await post('1/slots', { id: 'd', code: null }).expect(201);
    await post('1/slots', { id: 'e' }).expect(201);
    expect((await slots()).slice(2)).toEqual(['d 1  none', 'e 1  none', 'new y 1 y four']);
  });

  test.each([false, true])('in a transaction of the application that is stored: %s', async (isStored) => {
    const service = new TypeOrmCrudService(app.source.getRepository(Account));
    const options = { routes: { createOneBase: { onConflict: ['email'] } } } as never;
    const work = app.source.transaction(async (manager) => {
      await manager.insert(Slot, { id: 'before', tenant: 1 });
      await service.within(manager).createOne(requestOf({ options }), { email: 'ada@x', name: 'Eve' });
      await manager.insert(Slot, { id: 'after', tenant: 1 });
      if (!isStored) throw new Error('undone');
    });
    await expect(work.catch(({ message }: Error) => message)).resolves.toBe(isStored ? undefined : 'undone');
    expect(await slots()).toHaveLength(isStored ? 2 : 0);
    expect((await accounts()).map(({ name }) => name)).toEqual([isStored ? 'Eve' : 'Ada', 'Bob', 'Cid', 'Dot']);
  });

  test('a change that leads out of scope is refused, and so is one that breaks another constraint', async () => {
    await app.source.getRepository(Slot).insert(['a', 'b'].map((id) => ({ id, tenant: 1, code: id })));
    const outside = await app.send('post', '/filtered', { id: 'a', tenant: 2 });
    expect(outside).toMatchObject({ status: 400, body: { code: 'CRUD_OUT_OF_SCOPE' } });
    const bulk = ['a', 'b'].map((id) => ({ id, tenant: 1, code: 'b' }));
    const taken = await app.send('post', '/filtered/bulk', { bulk });
    expect(taken).toMatchObject({ status: 409, body: { code: 'CRUD_UNIQUE_VIOLATION' } });
    expect(await slots()).toEqual(['a 1 a none', 'b 1 b none']);
  });

  test.each(['bulk', 'BULK'])('%s is no key where the routes of many records have that path', async (id) => {
    const slot = { id, tenant: 1, code: 'k' };
    const one = await app.send('post', '/filtered', slot);
    const many = await app.send('post', '/filtered/bulk', { bulk: [slot] });
    for (const { status, body } of [one, many, await app.send('put', `/filtered/${id}`, slot)])
      expect([status, String(body.message)]).toEqual([400, expect.stringMatching(/must not be bulk/i)]);
    expect(await slots()).toEqual([]);
  });

  test('two of one body that the collation holds to be equal are a 400', async () => {
    const { status, body } = await app.send('post', '/accounts/bulk', bulkOf('zé@x', 'ze@x'));
    expect([status, body.message]).toEqual(db.kind === 'mysql' ? [400, [TWICE]] : [201, undefined]);
  });

  test(`of ${RACERS} requests for one record one inserts it and the others change it`, async () => {
    const statusesOf = async (path: string, body: (index: number) => object) => {
      const answers = Array.from({ length: RACERS }, (_, index) => app.statusOf('post', path, body(index)));
      return (await Promise.all(answers)).sort();
    };
    for (const round of ['a', 'b', 'c']) {
      const expected = [...Array(RACERS - 1).fill(200), 201];
      const one = { email: `race${round}@x`, name: 'R' };
      expect(await statusesOf('/accounts', (index) => ({ ...one, nick: `${round}.${index}` }))).toEqual(expected);
      const slot = (index: number) => ({ code: round, id: `${round}.${index}` });
      expect(await statusesOf('/tenants/1/slots', slot)).toEqual(expected);
      expect((await accounts()).filter(({ email }) => email === one.email)).toMatchObject([{ version: RACERS }]);
      expect((await slots()).filter((text) => text.includes(` ${round} `))).toHaveLength(1);
    }
  });
});

test('the start warns that Create grants updating', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const { app } = await serve({ connection: { type: 'sqljs' } }, [Account], RESOURCES.slice(0, 1));
  await app.close();
  const grants = /routes\.createOneBase\.onConflict, users who may create records may also update those .* email/;
  expect(warn.mock.calls.flat()).toContainEqual(expect.stringMatching(grants));
  warn.mockRestore();
});
