/** The examples of `docs/hooks.md` and `docs/events.md` over real HTTP, that the pages show exactly them, and an outbox whose process is killed between commit and delivery. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, type INestApplication } from '@nestjs/common';
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

const LOADER = new URL('../../../../integration/test-support/typescript-sources.mjs', import.meta.url).href;

/** Every route that changes records. */
const ROUTES: CrudRoutesOptions = {
  updateManyBase: { byCondition: true },
  replaceManyBase: true,
  deleteManyBase: { byCondition: true },
};
const upsertBy = (name: string): CrudRoutesOptions => ({
  ...ROUTES,
  createOneBase: { onConflict: [name] },
  createManyBase: { onConflict: [name] },
});

@Crud({ model: { type: User }, validation: false, routes: upsertBy('name') })
@Controller('users')
class UsersController {
  constructor(readonly service: UsersService) {}
}

@Crud({ model: { type: User }, validation: false, routes: { replaceOneBase: { merge: true } } })
@Controller('merged-users')
class MergedUsersController {
  constructor(readonly service: UsersService) {}
}

@Crud({ model: { type: Task }, validation: false })
@CrudAuth({ property: 'user' })
@Controller('audited')
class AuditedController {
  constructor(readonly service: AuditedTasksService) {}
}

@Crud({ model: { type: Task }, validation: false, routes: upsertBy('title') })
@Controller('outbox')
class OutboxController {
  constructor(readonly service: OutboxTasksService) {}
}

test.each([
  ['hooks.md', 'users.service.ts'],
  ['hooks.md', 'audit.entity.ts'],
  ['hooks.md', 'audited-tasks.service.ts'],
  ['events.md', 'outbox.entity.ts'],
  ['events.md', 'outbox-tasks.service.ts'],
  ['events.md', 'outbox.relay.ts'],
])('docs/%s shows %s', (page, file) => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

  expect(read(`../../../../docs/${page}`)).toContain(read(`./${file}`));
});

describeDatabases('docs/hooks.md', (db) => {
  let app: INestApplication;
  let source: DataSource;
  let api: ReturnType<typeof request>;
  let broker: Broker;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ ...db.connection, entities: [Task, User, Audit, OutboxMessage], synchronize: true }),
        TypeOrmModule.forFeature([Task, User]),
      ],
      controllers: [UsersController, MergedUsersController, AuditedController, OutboxController],
      providers: [UsersService, AuditedTasksService, OutboxTasksService, OutboxRelay, Broker],
    }).compile();
    const { app: started, url } = await listen(module, 'express');
    app = started;
    source = app.get<DataSource>(getDataSourceToken());
    broker = app.get(Broker);
    api = request(url);
  });
  beforeEach(async () => {
    for (const entity of [Task, User, Audit, OutboxMessage])
      await source.createQueryBuilder().delete().from(entity).execute();
    broker.sent.length = 0;
  });
  afterAll(() => app.close());

  describe('an address stays', () => {
    const CHANGES: [route: string, change: (id: number, email: string) => PromiseLike<Response>][] = [
      ['PATCH', (id, email) => api.patch(`/users/${id}`).send({ email })],
      ['PUT', (id, email) => api.put(`/users/${id}`).send({ name: 'Ada', email })],
      ['PUT with merge', (id, email) => api.put(`/merged-users/${id}`).send({ email })],
      ['PATCH of many', (id, email) => api.patch('/users/bulk').send({ bulk: [{ id, email }] })],
      ['PUT of many', (id, email) => api.put('/users/bulk').send({ bulk: [{ id, name: 'Ada', email }] })],
      ['PATCH by condition', (_, email) => api.patch('/users/bulk?filter=name||eq||Ada').send({ set: { email } })],
      ['an upsert', (_, email) => api.post('/users').send({ name: 'Ada', email })],
      ['an upsert of many', (_, email) => api.post('/users/bulk').send({ bulk: [{ name: 'Ada', email }] })],
      [
        'a nested record',
        async (id, email) => {
          const { body } = await api.post('/users').send({ name: 'Bob', email: 'bob@x.org', manager: id });

          return api.patch(`/users/${body.id}`).send({ manager: { id, email } });
        },
      ],
    ];

    test.each(CHANGES)('%s', async (_, change) => {
      const { body } = await api.post('/users').send({ name: 'Ada', email: 'ada@x.org' }).expect(201);

      const refused = { statusCode: 409, message: 'An address stays' };
      expect((await change(body.id, 'other@x.org')).body).toMatchObject(refused);
      const stored = { id: body.id, name: 'Ada', email: 'ada@x.org' };
      expect(await source.manager.findBy(User, { name: 'Ada' })).toEqual([stored]);
      await api.delete('/users/bulk?filter=name||eq||Bob').expect(200);
      expect((await change(body.id, 'ada@x.org')).status).toBeLessThan(300);
    });
  });

  test('the audit log has each change, and nothing of what is undone', async () => {
    const { body } = await api.post('/audited').send({ title: 'a' }).expect(201);
    await api.patch(`/audited/${body.id}`).send({ title: 'b' }).expect(200);
    await api.patch(`/audited/${body.id}`).send({ title: 'b' }).expect(200);
    await api.patch(`/audited/${body.id}`).send({ title: null }).expect(400);
    await api.delete(`/audited/${body.id}`).expect(200);

    const rows = await source.manager.find(Audit, { order: { id: 1 } });
    expect(rows.map(({ entity, recordId }) => `${entity} ${recordId}`)).toEqual(Array(3).fill(`Task ${body.id}`));
    expect(rows.map(({ kind, changes }) => [kind, changes])).toEqual([
      ['create', { id: [null, body.id], title: [null, 'a'], status: [null, 'todo'] }],
      ['update', { title: ['a', 'b'] }],
      ['delete', { id: [body.id, null], title: ['b', null], status: ['todo', null] }],
    ]);
  });

  test('the outbox sends what is stored, in order, and keeps what could not be sent', async () => {
    const { body } = await api.post('/outbox').send({ title: 'a' }).expect(201);
    await api.patch(`/outbox/${body.id}`).send({ title: null }).expect(400);
    await api.patch(`/outbox/${body.id}`).send({ title: 'b' }).expect(200);

    expect(broker.sent).toMatchObject([
      { topic: 'Task.create', payload: { id: body.id, title: 'a' } },
      { topic: 'Task.update', payload: { id: body.id, title: 'b' } },
    ]);
    expect(await source.manager.count(OutboxMessage)).toBe(0);
  });

  test('the outbox tells nothing that answers hide, on any route', async () => {
    const task = { title: 'a', secret: 'hash' };
    const { body } = await api.post('/outbox').send(task).expect(201);
    const { id } = body as Task;

    const writes: [method: 'patch' | 'put' | 'post', path: string, sent: object][] = [
      ['patch', `/outbox/${id}`, { secret: 'hash 2' }],
      ['put', `/outbox/${id}`, task],
      ['post', '/outbox', { ...task, secret: 'hash 3' }],
      ['post', '/outbox/bulk', { bulk: [{ ...task, secret: 'hash 4' }] }],
      ['patch', '/outbox/bulk', { bulk: [{ id, secret: 'hash 5' }] }],
      ['put', '/outbox/bulk', { bulk: [{ id, ...task }] }],
      ['patch', '/outbox/bulk?filter=title||eq||a', { set: { secret: 'hash 6' } }],
    ];
    for (const [method, path, sent] of writes) await api[method](path).send(sent).expect(200);
    await api.delete('/outbox/bulk?filter=title||eq||a').expect(200);

    const kinds = ['create', 'update', 'replace', 'update', 'update', 'update', 'replace', 'update', 'delete'];
    expect(broker.sent.map(({ topic, payload }) => [topic, payload])).toEqual(
      kinds.map((kind) => [`Task.${kind}`, { id, title: 'a', status: 'todo' }]),
    );
  });

  // The database of SQLite lives in the process.
  if (db.kind !== 'sqlite') {
    test('a process that is killed between commit and delivery loses no message', async () => {
      const child = spawn(
        process.execPath,
        ['--no-warnings', '--import', LOADER, new URL('./killed-writer.ts', import.meta.url).pathname],
        {
          env: { ...process.env, CONNECTION: JSON.stringify(db.connection) },
          stdio: ['ignore', 'inherit', 'inherit'],
        },
      );
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];

      expect(signal).toBe('SIGKILL');
      expect(await source.manager.find(Task)).toMatchObject([{ title: 'survives' }]);
      expect(broker.sent).toEqual([]);
      await app.get(OutboxRelay).deliver();
      expect(broker.sent).toMatchObject([{ topic: 'Task.create', payload: { title: 'survives' } }]);
    });
  }
});
