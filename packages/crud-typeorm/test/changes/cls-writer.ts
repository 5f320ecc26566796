/** Transactions of `@nestjs-cls/transactional` in a process of its own, since Jest cannot load that package on each Node.js; what is found out is printed as JSON. */
import 'reflect-metadata';
import { ConflictException, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClsPluginTransactional, TransactionHost } from '@nestjs-cls/transactional';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { ClsModule, ClsService } from 'nestjs-cls';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { bare } from '../within/accounts.application.js';
import { clear, CONTROLLERS, Note, providersOf, servicesOf, sourceOf } from './application.js';

const source = await sourceOf(JSON.parse(process.env['CONNECTION'] ?? '{}') as DataSourceOptions).initialize();
const services = servicesOf(source);
const { notes } = services;

@Module({ providers: [{ provide: DataSource, useValue: source }], exports: [DataSource] })
class DatabaseModule {}

const adapter = new TransactionalAdapterTypeOrm({ dataSourceToken: DataSource });
const plugins = [new ClsPluginTransactional({ imports: [DatabaseModule], adapter })];

// The library looks for hosts of transactions where there are resources.
@Module({
  imports: [DatabaseModule, ClsModule.forRoot({ global: true, plugins })],
  controllers: CONTROLLERS,
  providers: providersOf(services),
})
class AppModule {}

const app = await (await NestFactory.create(AppModule, { logger: false })).init();
const host = app.get<TransactionHost>(TransactionHost);
const titlesOf = (all: Note[]) => all.map(({ title }) => title);

/** What work in a transaction returns or fails with, what is told of it, and what is stored afterwards. */
async function within(work: () => Promise<unknown>) {
  await clear(source);
  notes.reset();
  const result = await app
    .get(ClsService)
    .run(() => host.withTransaction(work))
    .catch(({ message }: Error) => message);
  return { result, commits: notes.commits, stored: titlesOf(await source.manager.find(Note, { order: { id: 1 } })) };
}

/** Stores notes; one that is bad fails. */
async function write(...titles: string[]) {
  for (const title of titles) {
    await notes.createOne(bare(), { title });
    if (title === 'bad') throw new ConflictException('bad');
  }
  return { titles: titlesOf((await notes.getMany(bare())) as Note[]), early: notes.commits };
}

const found = { committed: await within(() => write('a', 'b')), undone: await within(() => write('a', 'bad')) };

await app.close();
await source.destroy();
console.log(JSON.stringify(found));
