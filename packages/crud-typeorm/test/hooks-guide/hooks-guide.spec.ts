/** The examples of `docs/hooks.md` over real HTTP, that the document shows exactly them, and an outbox whose process is killed between commit and delivery. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Controller, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, CrudAuth } from '@nestwright/crud';
import request from 'supertest';
import type { DataSource } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { Audit } from './audit.entity.js';
import { AuditedTasksService } from './audited-tasks.service.js';
import { Broker } from './broker.js';
import { OutboxTasksService } from './outbox-tasks.service.js';
import { OutboxMessage } from './outbox.entity.js';
import { OutboxRelay } from './outbox.relay.js';
import { Task } from './task.entity.js';

const LOADER = new URL('../../../../integration/test-support/typescript-sources.mjs', import.meta.url).href;

@Crud({ model: { type: Task }, validation: false })
@CrudAuth({ property: 'user' })
@Controller('audited')
class AuditedController {
  constructor(readonly service: AuditedTasksService) {}
}

@Crud({ model: { type: Task }, validation: false })
@Controller('outbox')
class OutboxController {
  constructor(readonly service: OutboxTasksService) {}
}

test.each([
  'audit.entity.ts',
  'audited-tasks.service.ts',
  'outbox.entity.ts',
  'outbox-tasks.service.ts',
  'outbox.relay.ts',
])('docs/hooks.md shows %s', (file) => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

  expect(read('../../../../docs/hooks.md')).toContain(read(`./${file}`));
});

describeDatabases('docs/hooks.md', (db) => {
  let app: INestApplication;
  let source: DataSource;
  let api: ReturnType<typeof request>;
  let broker: Broker;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ ...db.connection, entities: [Task, Audit, OutboxMessage], synchronize: true }),
        TypeOrmModule.forFeature([Task]),
      ],
      controllers: [AuditedController, OutboxController],
      providers: [AuditedTasksService, OutboxTasksService, OutboxRelay, Broker],
    }).compile();
    const { app: started, url } = await listen(module, 'express');
    app = started;
    source = app.get<DataSource>(getDataSourceToken());
    broker = app.get(Broker);
    api = request(url);
  });
  beforeEach(async () => {
    for (const entity of [Task, Audit, OutboxMessage])
      await source.createQueryBuilder().delete().from(entity).execute();
    broker.sent.length = 0;
  });
  afterAll(() => app.close());

  test('the audit log has each change, and nothing of what is undone', async () => {
    const { body } = await api.post('/audited').send({ title: 'a' }).expect(201);
    await api.patch(`/audited/${body.id}`).send({ title: 'b' }).expect(200);
    await api.patch(`/audited/${body.id}`).send({ title: 'b' }).expect(200);
    await api.patch(`/audited/${body.id}`).send({ title: null }).expect(400);
    await api.delete(`/audited/${body.id}`).expect(200);

    const rows = await source.manager.find(Audit, { order: { id: 1 } });
    expect(rows.map(({ entity, kind, recordId, changes }) => ({ entity, kind, recordId, changes }))).toEqual([
      {
        entity: 'Task',
        kind: 'create',
        recordId: String(body.id),
        changes: { id: [null, body.id], title: [null, 'a'], status: [null, 'todo'] },
      },
      { entity: 'Task', kind: 'update', recordId: String(body.id), changes: { title: ['a', 'b'] } },
      {
        entity: 'Task',
        kind: 'delete',
        recordId: String(body.id),
        changes: { id: [body.id, null], title: ['b', null], status: ['todo', null] },
      },
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
