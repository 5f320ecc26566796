/** The examples of `docs/services.md`, `docs/transactions.md`, `docs/own-routes.md`, `docs/hooks.md` and `docs/events.md` over real HTTP, and the tests that `docs/testing.md` shows. */
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Controller, Inject, Logger, type Type } from '@nestjs/common';
import { Crud, CrudAuth, type CrudRoutesOptions } from '@nestwright/crud';
import { IsEmail } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { type Answer, resource } from '../support/resources.js';
import { type Exchange, expectAnswers, serving } from '../support/serving.js';
import { runExamples } from './examples.js';
import { Broker, Task, User as HookedUser } from './tasks.js';
import { Company, User } from './user.entity.js';

/** A resource with a service of a page. */
function resourceOf(path: string, type: Type, provider: Type, routes: CrudRoutesOptions = {}) {
  @Crud({ model: { type }, validation: false, routes })
  @CrudAuth({ property: 'user' })
  @Controller(path)
  class Resource {
    constructor(@Inject(provider) readonly service: never) {}
  }
  return { controller: Resource, provider };
}

/** For providers that no resource has. */
@Controller()
class None {}

type Classes<N extends string> = Record<N, Type>;
type Resolver = Record<'list' | 'note', (...given: unknown[]) => Promise<unknown>>;

const own = { User, Company };
const services = {
  ...runExamples<Classes<'UsersService' | 'ActiveUsersService'>>(own, 'services.md', 'An active user', 'hasMore'),
  ...runExamples<Classes<'CompaniesService'>>(own, 'transactions.md', 'Deletes a company'),
  ...runExamples<Classes<'MembersService' | 'MembersController'> & { readonly MembersResolver: Type<Resolver> }>(
    own,
    'own-routes.md',
    ...['MembersService ', 'MembersController ', 'MembersResolver '].map((name) => `export class ${name}`),
  ),
};

const has = (part: object): unknown => expect.objectContaining(part);

describeDatabases('docs/services.md', (db) => {
  const resources = [
    resourceOf('users', User, services.UsersService),
    resourceOf('active-users', User, services.ActiveUsersService),
    resourceOf('companies', Company, services.CompaniesService),
    { controller: services.MembersController, provider: services.MembersService },
    { controller: None, provider: services.MembersResolver },
  ];
  const app = serving(db, [Company, User], resources, {
    fill: async ({ manager }) => {
      for (const [at, name] of ['Acme', 'Gone', 'Members'].entries())
        await manager.insert(Company, { id: at + 1, name });
      const users = { 'a@x': 1, 'b@x': 1, 'c@x': 1, 'gone@x': 2, 'root@x': 3, 'j1@x': 3, 'j2@x': 3 };
      for (const [at, [email, companyId]] of Object.entries(users).entries())
        await manager.insert(User, { id: at + 1, email, companyId, isActive: email !== 'b@x' && email !== 'gone@x' });
    },
  });
  const inOrder = (exchanges: Exchange[]) => expectAnswers(app, exchanges);

  test('services that override a verb, or a step of one', async () => {
    const email = 'e@x';
    await inOrder([
      ['delete', '/users/1', undefined, 400, has({ message: 'An active user cannot be deleted' })],
      ['get', '/active-users?limit=1&page=1', undefined, 200, has({ data: [has({ id: 1 })], total: 5, hasMore: true })],
      ['get', '/active-users/2', undefined, 404, has({})],
      ['patch', '/active-users/2', { isActive: true }, 404, has({})],
      ['delete', '/users/2', undefined, 200, has({})],
      ['post', '/active-users', { email: 'E@X', companyId: 1 }, 201, has({ email })],
      ['post', '/active-users/bulk', { bulk: [{ email: 'F@X', companyId: 1 }] }, 201, [has({ email: 'f@x' })]],
    ]);
  });

  test('a verb in a transaction', async () => {
    const { manager } = app.source;
    await manager.insert(User, { email: 'idle@x', companyId: 1, isActive: false });
    await inOrder([
      ['delete', '/companies/1', undefined, 409, has({ code: 'CRUD_FOREIGN_KEY_VIOLATION' })],
      ['delete', '/companies/2', undefined, 200, has({})],
    ]);
    expect(await manager.countBy(User, { email: 'idle@x' })).toBe(1);
    expect(await manager.countBy(User, { companyId: 2 })).toBe(0);
  });

  test('a caller without an HTTP request', async () => {
    const members = app.app.get(services.MembersResolver);
    expect(await members.list(3, 2, 2)).toMatchObject({ data: [{ email: 'j2@x' }], total: 3, page: 2 });
    expect(await members.note(3, 6, 'away')).toMatchObject({ id: 6, note: 'away' });
    await expect(members.note(1, 6, 'stolen')).rejects.toMatchObject({ status: 404 });
  });

  test('own handlers: one calls the generated handler, others keep to the scope of the request', async () => {
    const at = '/companies/3/members';
    const refused = has({ message: 'The first member stays active' });
    await inOrder([
      ['post', at, { email: 'm@x', note: 'mine' }, 201, has({ email: 'm@x', companyId: 3, note: 'invited' })],
      ['get', `${at}/count?limit=1&page=2`, undefined, 200, { count: 3 }],
      ['get', `${at}/count?filter=companyId||$gt||0&or=email||$ne||m@x`, undefined, 200, { count: 3 }],
      ['get', `${at}/count?filter=nothing||$eq||1`, undefined, 400, has({ code: 'CRUD_UNKNOWN_FIELD' })],
      ['get', `${at}/emails?limit=1&page=2&sort=id,DESC`, undefined, 200, ['j2@x']],
      ['get', '/companies/99/members/emails', undefined, 200, []],
      ['post', `${at}/7/deactivate`, undefined, 201, has({ id: 7, isActive: false })],
      // Out of scope by its address, and of another company.
      ['post', `${at}/5/deactivate`, undefined, 404, has({})],
      ['post', `${at}/1/deactivate`, undefined, 404, has({})],
    ]);
    await app.source.manager.delete(User, { email: 'root@x' });
    await inOrder([['post', `${at}/6/deactivate`, undefined, 400, refused]]);
  });
});

/** Every route that changes records. */
const ROUTES: CrudRoutesOptions = {
  updateManyBase: { byCondition: true },
  replaceManyBase: true,
  deleteManyBase: { byCondition: true },
};

type Relay = { deliver(): Promise<void> };
const at = { User: HookedUser, Task, Broker };
const { UsersService, Audit, AuditedTasksService, OutboxMessage, OutboxTasksService, OutboxRelay } = {
  ...runExamples<Classes<'UsersService' | 'Audit' | 'AuditedTasksService'>>(
    at,
    'hooks.md',
    ...['An address stays', 'export class Audit ', 'export class AuditedTasksService '],
  ),
  ...runExamples<Classes<'OutboxMessage' | 'OutboxTasksService'> & { readonly OutboxRelay: Type<Relay> }>(
    at,
    'events.md',
    ...['OutboxMessage ', 'OutboxRelay ', 'OutboxTasksService '].map((name) => `export class ${name}`),
  ),
};

describeDatabases('docs/hooks.md', (db) => {
  const resources = [
    resourceOf('users', HookedUser, UsersService, { ...ROUTES, createOneBase: { onConflict: ['name'] } }),
    resourceOf('audited', Task, AuditedTasksService),
    resourceOf('outbox', Task, OutboxTasksService, ROUTES),
    ...[OutboxRelay, Broker].map((provider) => ({ controller: None, provider })),
  ];
  const entities = [Task, HookedUser, Audit, OutboxMessage];
  const served = serving(db, entities, resources);
  const { send } = served;
  let broker: Broker;
  beforeEach(async () => {
    broker = served.app.get(Broker);
    broker.sent.length = 0;
    for (const entity of entities) await served.source.createQueryBuilder().delete().from(entity).execute();
  });

  /** Stores a user with a manager, and tells its path. */
  const employ = async (manager: number) =>
    `/users/${(await send('post', '/users', { name: 'Bob', email: 'bob@x.org', manager })).body.id}`;

  test.each<[route: string, change: (id: number, email: string) => Promise<Answer>]>([
    ['PATCH', (id, email) => send('patch', `/users/${id}`, { email })],
    ['PUT of many', (id, email) => send('put', '/users/bulk', { bulk: [{ id, name: 'Ada', email }] })],
    ['PATCH by condition', (_, email) => send('patch', '/users/bulk?filter=name||eq||Ada', { set: { email } })],
    ['an upsert', (_, email) => send('post', '/users', { name: 'Ada', email })],
    ['a nested record', async (id, email) => send('patch', await employ(id), { manager: { id, email } })],
  ])('an address stays: %s', async (_, change) => {
    const { id } = (await send('post', '/users', { name: 'Ada', email: 'ada@x.org' })).body as HookedUser;
    expect(await change(id, 'other@x.org')).toMatchObject({ status: 409, body: { message: 'An address stays' } });
    expect(await served.source.manager.findOneBy(HookedUser, { name: 'Ada' })).toMatchObject({ email: 'ada@x.org' });
    await send('delete', '/users/bulk?filter=name||eq||Bob');
    expect((await change(id, 'ada@x.org')).status).toBeLessThan(300);
  });

  test('the audit log has each change, and nothing of what is undone', async () => {
    const { id } = (await send('post', '/audited', { title: 'a' })).body as Task;
    for (const title of ['b', 'b', null]) await send('patch', `/audited/${id}`, { title });
    await send('delete', `/audited/${id}`);
    const [entity, recordId] = ['Task', String(id)];
    expect(await served.source.manager.find(Audit, { order: { id: 1 } as object })).toMatchObject([
      { entity, recordId, kind: 'create', changes: { id: [null, id], title: [null, 'a'], status: [null, 'todo'] } },
      { entity, recordId, kind: 'update', changes: { title: ['a', 'b'] } },
      { entity, recordId, kind: 'delete', changes: { id: [id, null], title: ['b', null], status: ['todo', null] } },
    ]);
  });

  test('the outbox sends what is stored, in order and on any route, and nothing that answers hide', async () => {
    const { id } = (await send('post', '/outbox', { title: 'a', secret: 'hash' })).body as Task;
    for (const [method, path, sent] of [
      ['patch', `/outbox/${id}`, { title: null }],
      ['patch', `/outbox/${id}`, { secret: 'hash 2' }],
      ['put', `/outbox/${id}`, { title: 'a', secret: 'hash' }],
      ['patch', '/outbox/bulk', { bulk: [{ id, secret: 'hash 5' }] }],
      ['delete', '/outbox/bulk?filter=title||eq||a', undefined],
    ] as const)
      await send(method, path, sent);
    const payload = { id, title: 'a', status: 'todo' };
    expect(broker.sent.map((message) => [message.topic, message.payload])).toEqual(
      ['create', 'update', 'replace', 'update', 'delete'].map((kind) => [`Task.${kind}`, payload]),
    );
    expect(await served.source.manager.count(OutboxMessage)).toBe(0);
  });

  test('what could not be sent is kept, and is sent the next time', async () => {
    const failed = jest.spyOn(broker, 'send').mockRejectedValueOnce(new Error('no broker'));
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { status } = await send('post', '/outbox', { title: 'survives' });
    expect([status, broker.sent, log.mock.calls.length]).toEqual([201, [], 1]);
    failed.mockRestore();
    log.mockRestore();
    for (let times = 0; times < 2; times += 1) await served.app.get(OutboxRelay).deliver();
    expect(broker.sent).toMatchObject([{ topic: 'Task.create', payload: { title: 'survives' } }]);
  });
});

@Entity('users')
class Tested {
  @PrimaryGeneratedColumn() id!: number;
  @IsEmail() @Column({ type: 'varchar', unique: true }) email!: string;
  @Column({ type: 'boolean', default: true }) isActive!: boolean;
}

const { controller: UsersController, provider } = resource(Tested, 'users');

describe.each(['two users cannot', 'does not reach the service'])('docs/testing.md, where %s', (text) => {
  runExamples({ User: Tested, UsersController, UsersService: provider }, 'testing.md', text);
});
