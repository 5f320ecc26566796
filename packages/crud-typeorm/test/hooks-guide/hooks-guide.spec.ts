/** The examples of `docs/hooks.md` and `docs/events.md` over real HTTP, and that the pages show exactly them. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { Controller, Inject, Logger, type Type } from '@nestjs/common';
import { Crud, CrudAuth, type CrudRoutesOptions } from '@nestwright/crud';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import type { Answer } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Audit } from './audit.entity.js';
import { AuditedTasksService } from './audited-tasks.service.js';
import { Broker } from './broker.js';
import { OutboxTasksService } from './outbox-tasks.service.js';
import { OutboxMessage } from './outbox.entity.js';
import { OutboxRelay } from './outbox.relay.js';
import { Task } from './task.entity.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

/** Every route that changes records. */
const ROUTES: CrudRoutesOptions = {
  updateManyBase: { byCondition: true },
  replaceManyBase: true,
  deleteManyBase: { byCondition: true },
};

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

const RESOURCES = [
  resourceOf('users', User, UsersService, { ...ROUTES, createOneBase: { onConflict: ['name'] } }),
  resourceOf('audited', Task, AuditedTasksService),
  resourceOf('outbox', Task, OutboxTasksService, ROUTES),
  ...[OutboxRelay, Broker].map((provider) => ({ controller: None, provider })),
];

test.each([
  ...['users.service', 'audit.entity', 'audited-tasks.service'].map((name) => ['hooks.md', `${name}.ts`]),
  ...['outbox.entity', 'outbox-tasks.service', 'outbox.relay'].map((name) => ['events.md', `${name}.ts`]),
] as [string, string][])('docs/%s shows %s', (page, file) => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read(`../../../../docs/${page}`)).toContain(read(`./${file}`));
});

describeDatabases('docs/hooks.md', (db) => {
  const served = serving(db, [Task, User, Audit, OutboxMessage], RESOURCES);
  const { send } = served;
  let broker: Broker;
  beforeEach(async () => {
    broker = served.app.get(Broker);
    broker.sent.length = 0;
    for (const entity of [Task, User, Audit, OutboxMessage])
      await served.source.createQueryBuilder().delete().from(entity).execute();
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
    const { id } = (await send('post', '/users', { name: 'Ada', email: 'ada@x.org' })).body as User;
    expect(await change(id, 'other@x.org')).toMatchObject({ status: 409, body: { message: 'An address stays' } });
    expect(await served.source.manager.findOneBy(User, { name: 'Ada' })).toMatchObject({ id, email: 'ada@x.org' });
    await send('delete', '/users/bulk?filter=name||eq||Bob');
    expect((await change(id, 'ada@x.org')).status).toBeLessThan(300);
  });

  test('the audit log has each change, and nothing of what is undone', async () => {
    const { id } = (await send('post', '/audited', { title: 'a' })).body as Task;
    for (const title of ['b', 'b', null]) await send('patch', `/audited/${id}`, { title });
    await send('delete', `/audited/${id}`);
    const rows = await served.source.manager.find(Audit, { order: { id: 1 } });
    expect(rows.map(({ entity, recordId, kind, changes }) => [entity, recordId, kind, changes])).toEqual([
      ['Task', String(id), 'create', { id: [null, id], title: [null, 'a'], status: [null, 'todo'] }],
      ['Task', String(id), 'update', { title: ['a', 'b'] }],
      ['Task', String(id), 'delete', { id: [id, null], title: ['b', null], status: ['todo', null] }],
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
