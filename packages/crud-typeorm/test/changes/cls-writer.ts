/** An application with `@nestjs-cls/transactional` in a process of its own, since Jest cannot load that package on each Node.js; what it finds out is printed as JSON. */
import 'reflect-metadata';
import { Body, ConflictException, Controller, Inject, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClsPluginTransactional, Propagation, Transactional, TransactionHost } from '@nestjs-cls/transactional';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { ClsModule } from 'nestjs-cls';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { bare } from '../within/accounts.application.js';
import { clear, CONTROLLERS, Note, NotesService, providersOf, servicesOf, sourceOf } from './application.js';

const source = await sourceOf(JSON.parse(process.env['CONNECTION'] ?? '{}') as DataSourceOptions).initialize();
const services = servicesOf(source);
const { notes } = services;

@Controller('ledger')
class Ledger {
  constructor(@Inject(NotesService) readonly notes: NotesService) {}

  @Post()
  @Transactional()
  async write(@Body() { titles }: { titles: string[] }) {
    for (const title of titles) {
      await this.notes.createOne(bare(), { title });
      if (title === 'bad') throw new ConflictException('bad');
    }
    const read = (await this.notes.getMany(bare())) as Note[];
    return { titles: read.map(({ title }) => title), early: notes.commits };
  }

  @Post('nested')
  @Transactional()
  async nest() {
    await this.notes.createOne(bare(), { title: 'outer' });
    await this.inner().catch(() => undefined);
    return {};
  }

  @Transactional(Propagation.Nested)
  async inner() {
    await this.notes.createOne(bare(), { title: 'lost' });
    throw new Error('no');
  }
}

@Module({ providers: [{ provide: DataSource, useValue: source }], exports: [DataSource] })
class DatabaseModule {}

@Module({
  imports: [
    DatabaseModule,
    ClsModule.forRoot({
      global: true,
      middleware: { mount: true },
      plugins: [
        new ClsPluginTransactional({
          imports: [DatabaseModule],
          adapter: new TransactionalAdapterTypeOrm({ dataSourceToken: DataSource }),
        }),
      ],
    }),
  ],
  controllers: [Ledger, ...CONTROLLERS],
  providers: providersOf(services),
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
app.get(TransactionHost);
await app.listen(0, '127.0.0.1');
const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');

/** What a request answers with, what is told of it, and what is stored afterwards. */
async function send(path: string, body: object) {
  await clear(source);
  notes.reset();
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  const stored = (await source.manager.find(Note, { order: { id: 1 } })).map(({ title }) => title);
  return { status: response.status, answer, commits: notes.commits, stored };
}

const found = {
  committed: await send('/ledger', { titles: ['a', 'b'] }),
  undone: await send('/ledger', { titles: ['a', 'bad'] }),
  nested: await send('/ledger/nested', {}),
  own: await send('/notes', { title: 'own' }),
};

await app.close();
await source.destroy();
console.log(JSON.stringify(found));
