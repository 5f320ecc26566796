/** What it costs to change 100 records: by one request, by 100, and by code written by hand. `npm run bench:many`, with POSTGRES_URL. */
import 'reflect-metadata';
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { Controller, Module, Patch, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Crud } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import pg from 'pg';
import { Column, DataSource, Entity, In, PrimaryGeneratedColumn } from 'typeorm';

const RECORDS = 100;
const ROUNDS = Number(process.env.ROUNDS ?? 30);
const CONNECTIONS = 8;
const server = process.env.POSTGRES_URL;
if (!server) throw new Error('POSTGRES_URL names no server');

class Task {}
PrimaryGeneratedColumn()(Task.prototype, 'id');
Column({ type: 'varchar', length: 40 })(Task.prototype, 'title');
Column({ type: 'varchar', length: 20 })(Task.prototype, 'state');
Column({ type: 'int' })(Task.prototype, 'points');
Entity('tasks')(Task);

const statements = { count: 0 };
const logger = {
  logQuery: (sql) => void (statements.count += /^(?:START|BEGIN|COMMIT|ROLLBACK)/.test(sql) ? 0 : 1),
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};

/** As one would write it with TypeORM: the records are found and locked, changed and saved, in one transaction. */
class HandWritten {
  constructor(source) {
    this.source = source;
  }

  async change({ bulk }) {
    const wanted = new Map(bulk.map((item) => [item.id, item]));
    for (const { id, points } of bulk)
      if (!Number.isInteger(id) || !Number.isInteger(points)) throw new Error('points must be an integer');

    return this.source.transaction(async (manager) => {
      const found = await manager.find(Task, {
        where: { id: In([...wanted.keys()]) },
        lock: { mode: 'pessimistic_write' },
      });
      if (found.length < wanted.size) throw new Error('not found');
      for (const task of found) Object.assign(task, wanted.get(task.id));

      return manager.save(found);
    });
  }
}

async function main() {
  const name = `bench_many_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;

  const source = new DataSource({
    type: 'postgres',
    url: url.href,
    entities: [Task],
    synchronize: true,
    logging: true,
    logger,
  });
  await source.initialize();
  const app = await serve(source);

  try {
    await measure(app, source);
  } finally {
    await app.close();
    await source.destroy();
    await admin.query(`DROP DATABASE ${name}`);
    await admin.end();
  }
}

async function serve(source) {
  class TasksController {
    service = new TypeOrmCrudService(source.getRepository(Task));
  }
  Controller('tasks')(TasksController);
  Crud({ model: { type: Task }, routes: { updateManyBase: { byCondition: true } } })(TasksController);

  const byHand = new HandWritten(source);
  class HandController {
    change(http) {
      return byHand.change(http.body);
    }
  }
  const change = Object.getOwnPropertyDescriptor(HandController.prototype, 'change');
  Patch('bulk')(HandController.prototype, 'change', change);
  Req()(HandController.prototype, 'change', 0);
  Controller('hand')(HandController);

  class App {}
  Module({ controllers: [TasksController, HandController] })(App);
  const app = await NestFactory.create(App, { logger: false });
  await app.listen(0);

  return app;
}

async function measure(app, source) {
  const { port } = app.getHttpServer().address();
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const send = (path, body) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body);
      const sent = request(
        {
          port,
          agent,
          path,
          method: 'PATCH',
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
        },
        (response) => {
          response.resume();
          response.on('end', () =>
            response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
          );
        },
      );
      sent.on('error', reject);
      sent.end(text);
    });

  const repository = source.getRepository(Task);
  await repository.insert(
    Array.from({ length: RECORDS }, (_, index) => ({ title: `Task ${index}`, state: 'open', points: 0 })),
  );
  const ids = (await repository.find()).map(({ id }) => id);
  let points = 0;
  const items = () => {
    points += 1;

    return ids.map((id) => ({ id, points: points + id }));
  };

  const ways = {
    'one request, by keys': () => send('/tasks/bulk', { bulk: items() }),
    'one request, by condition': () => send('/tasks/bulk?filter=state||eq||open', { set: { points: (points += 1) } }),
    'one request, by hand': () => send('/hand/bulk', { bulk: items() }),
    [`${RECORDS} requests, one after the other`]: async () => {
      for (const { id, points: value } of items()) await send(`/tasks/${id}`, { points: value });
    },
    [`${RECORDS} requests, ${CONNECTIONS} at a time`]: () =>
      Promise.all(items().map(({ id, points: value }) => send(`/tasks/${id}`, { points: value }))),
  };
  const figures = Object.fromEntries(Object.keys(ways).map((way) => [way, { wall: [], cpu: [], statements: 0 }]));

  // The ways take turns, so that what else the machine does falls on all of them.
  for (let round = -5; round < ROUNDS; round += 1) {
    for (const [way, run] of Object.entries(ways)) {
      const cpu = process.cpuUsage();
      const start = performance.now();
      statements.count = 0;
      await run();
      if (round < 0) continue;

      const { user, system } = process.cpuUsage(cpu);
      figures[way].wall.push(performance.now() - start);
      figures[way].cpu.push((user + system) / 1000);
      figures[way].statements = statements.count;
    }
  }

  agent.destroy();
  process.stdout.write(
    `| ${RECORDS} records changed by | ms, least | ms, median | CPU ms, least | statements |\n|---|---|---|---|---|\n`,
  );
  for (const [way, { wall, cpu, statements: count }] of Object.entries(figures))
    process.stdout.write(`| ${way} | ${least(wall)} | ${median(wall)} | ${least(cpu)} | ${count} |\n`);
}

const least = (values) => Math.min(...values).toFixed(1);
const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)].toFixed(1);

await main();
