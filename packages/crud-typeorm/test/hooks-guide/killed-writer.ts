/** A process that is killed when a task is committed and before its message is delivered. */
import 'reflect-metadata';
import type { CrudRequest } from '@nestwright/crud';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Audit } from './audit.entity.js';
import { OutboxTasksService } from './outbox-tasks.service.js';
import { OutboxMessage } from './outbox.entity.js';
import type { OutboxRelay } from './outbox.relay.js';
import { Task } from './task.entity.js';

const connection = JSON.parse(process.env['CONNECTION'] ?? '{}') as DataSourceOptions;
const source = await new DataSource({
  ...connection,
  entities: [Task, Audit, OutboxMessage],
}).initialize();
const relay = { deliver: () => void process.kill(process.pid, 'SIGKILL') };
const service = new OutboxTasksService(source.getRepository(Task), relay as unknown as OutboxRelay);
const request = {
  parsed: { paramsFilter: [], fields: [], join: [], sort: [], filter: [], or: [] },
  options: {},
};

await service.createOne(request as unknown as CrudRequest, { title: 'survives' });
