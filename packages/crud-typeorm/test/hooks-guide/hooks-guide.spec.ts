/** The examples of `docs/hooks.md` and `docs/events.md` over real HTTP, and that the pages show exactly them. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Controller, Inject, type INestApplication, Logger, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, CrudAuth, type CrudRoutesOptions } from '@nestwright/crud';
import request, { type Response } from 'supertest';
import type { DataSource } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
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

function upsertBy(name: string): CrudRoutesOptions {
  const onConflict = [name];
  return { ...ROUTES, createOneBase: { onConflict }, createManyBase: { onConflict } };
}

function controllerOf(path: string, type: Type, service: Type, routes: CrudRoutesOptions = {}): Type {
  @Crud({ model: { type }, validation: false, routes })
  @CrudAuth({ property: 'user' })
  @Controller(path)
  class Resource {
    constructor(@Inject(service) readonly service: never) {}
  }
  return Resource;
}

const CONTROLLERS = [
  controllerOf('users', User, UsersService, upsertBy('name')),
  controllerOf('merged-users', User, UsersService, { replaceOneBase: { merge: true } }),
  controllerOf('audited', Task, AuditedTasksService),
  controllerOf('outbox', Task, OutboxTasksService, upsertBy('title')),
];

test.each([
  ...['users.service', 'audit.entity', 'audited-tasks.service'].map((name) => ['hooks.md', `${name}.ts`]),
  ...['outbox.entity', 'outbox-tasks.service', 'outbox.relay'].map((name) => ['events.md', `${name}.ts`]),
] as [string, string][])('docs/%s shows %s', (page, file) => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read(`../../../../docs/${page}`)).toContain(read(`./${file}`));
});

describeDatabases('docs/hooks.md', (db) => {
  let app: INestApplication;
  let url: string;
  let source: DataSource;
  let broker: Broker;
  const write = async (method: 'post' | 'patch' | 'put' | 'delete', path: string, body?: object) =>
    request(url)[method](path).send(body);

  /** Stores a user with a manager, and tells its path. */
  const employ = async (manager: number) =>
    `/users/${(await write('post', '/users', { name: 'Bob', email: 'bob@x.org', manager })).body.id}`;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ ...db.connection, entities: [Task, User, Audit, OutboxMessage], synchronize: true }),
        TypeOrmModule.forFeature([Task, User]),
      ],
      controllers: CONTROLLERS,
      providers: [UsersService, AuditedTasksService, OutboxTasksService, OutboxRelay, Broker],
    }).compile();
    ({ app, url } = await listen(module, 'express'));
    source = app.get<DataSource>(getDataSourceToken());
    broker = app.get(Broker);
  });
  beforeEach(async () => {
    for (const entity of [Task, User, Audit, OutboxMessage])
      await source.createQueryBuilder().delete().from(entity).execute();
    broker.sent.length = 0;
  });
  afterAll(() => app.close());

  test.each<[route: string, change: (id: number, email: string) => Promise<Response>]>([
    ['PATCH', (id, email) => write('patch', `/users/${id}`, { email })],
    ['PUT', (id, email) => write('put', `/users/${id}`, { name: 'Ada', email })],
    ['PUT with merge', (id, email) => write('put', `/merged-users/${id}`, { email })],
    ['PATCH of many', (id, email) => write('patch', '/users/bulk', { bulk: [{ id, email }] })],
    ['PUT of many', (id, email) => write('put', '/users/bulk', { bulk: [{ id, name: 'Ada', email }] })],
    ['PATCH by condition', (_, email) => write('patch', '/users/bulk?filter=name||eq||Ada', { set: { email } })],
    ['an upsert', (_, email) => write('post', '/users', { name: 'Ada', email })],
    ['an upsert of many', (_, email) => write('post', '/users/bulk', { bulk: [{ name: 'Ada', email }] })],
    ['a nested record', async (id, email) => write('patch', await employ(id), { manager: { id, email } })],
  ])('an address stays: %s', async (_, change) => {
    const { body } = await write('post', '/users', { name: 'Ada', email: 'ada@x.org' });
    expect((await change(body.id, 'other@x.org')).body).toMatchObject({ statusCode: 409, message: 'An address stays' });
    expect(await source.manager.findOneBy(User, { name: 'Ada' })).toMatchObject({ id: body.id, email: 'ada@x.org' });
    await write('delete', '/users/bulk?filter=name||eq||Bob');
    expect((await change(body.id, 'ada@x.org')).status).toBeLessThan(300);
  });

  test('the audit log has each change, and nothing of what is undone', async () => {
    const { body } = await write('post', '/audited', { title: 'a' });
    for (const title of ['b', 'b', null]) await write('patch', `/audited/${body.id}`, { title });
    await write('delete', `/audited/${body.id}`);
    const rows = await source.manager.find(Audit, { order: { id: 1 } });
    expect(rows.map(({ entity, recordId }) => `${entity} ${recordId}`)).toEqual(Array(3).fill(`Task ${body.id}`));
    expect(rows.map(({ kind, changes }) => [kind, changes])).toEqual([
      ['create', { id: [null, body.id], title: [null, 'a'], status: [null, 'todo'] }],
      ['update', { title: ['a', 'b'] }],
      ['delete', { id: [body.id, null], title: ['b', null], status: ['todo', null] }],
    ]);
  });

  test('the outbox sends what is stored, in order and on any route, and nothing that answers hide', async () => {
    const { body } = await write('post', '/outbox', { title: 'a', secret: 'hash' });
    const { id } = body as Task;
    for (const [method, path, sent] of [
      ['patch', `/outbox/${id}`, { title: null }],
      ['patch', `/outbox/${id}`, { secret: 'hash 2' }],
      ['put', `/outbox/${id}`, { title: 'a', secret: 'hash' }],
      ['post', '/outbox', { title: 'a', secret: 'hash 3' }],
      ['patch', '/outbox/bulk', { bulk: [{ id, secret: 'hash 5' }] }],
      ['put', '/outbox/bulk', { bulk: [{ id, title: 'a', secret: 'hash' }] }],
      ['patch', '/outbox/bulk?filter=title||eq||a', { set: { secret: 'hash 6' } }],
      ['delete', '/outbox/bulk?filter=title||eq||a', undefined],
    ] as const)
      await write(method, path, sent);
    const kinds = ['create', 'update', 'replace', 'update', 'update', 'replace', 'update', 'delete'];
    expect(broker.sent.map(({ topic, payload }) => [topic, payload])).toEqual(
      kinds.map((kind) => [`Task.${kind}`, { id, title: 'a', status: 'todo' }]),
    );
    expect(await source.manager.count(OutboxMessage)).toBe(0);
  });

  test('what could not be sent is kept, and is sent the next time', async () => {
    const failed = jest.spyOn(broker, 'send').mockRejectedValueOnce(new Error('no broker'));
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { status } = await write('post', '/outbox', { title: 'survives' });
    expect([status, broker.sent, log.mock.calls.length]).toEqual([201, [], 1]);
    failed.mockRestore();
    log.mockRestore();
    await app.get(OutboxRelay).deliver();
    await app.get(OutboxRelay).deliver();
    expect(broker.sent).toMatchObject([{ topic: 'Task.create', payload: { title: 'survives' } }]);
  });
});
