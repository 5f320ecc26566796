/** An application with `@nestjs-cls/transactional` in a process of its own, since Jest cannot load that package on each Node.js; what it finds out is printed as JSON. */
import 'reflect-metadata';
import { Body, ConflictException, Controller, Inject, Injectable, Module, Post, UseInterceptors } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClsPluginTransactional, InjectTransaction, Transactional } from '@nestjs-cls/transactional';
import { TransactionalAdapterDrizzleOrm } from '@nestjs-cls/transactional-adapter-drizzle-orm';
import { Crud, type CrudRequest, CrudRequestInterceptor, ParsedRequest } from '@nestwright/crud';
import { ClsModule } from 'nestjs-cls';
import { type DrizzleDatabase, DrizzleCrudService } from '../src/index.js';
import { openShop, type OpenShop } from './shop.js';

const shop = await openShop(JSON.parse(process.env['DATABASE'] ?? '{}') as Parameters<typeof openShop>[0]);
const { notes } = shop;
@Injectable()
class NotesService extends DrizzleCrudService<OpenShop['notes']> {
  constructor(@InjectTransaction() db: DrizzleDatabase) {
    super(db, notes);
  }
}

@Injectable()
class Ledger {
  constructor(@Inject(NotesService) readonly notes: NotesService) {}
  @Transactional()
  async write(request: CrudRequest, titles: string[]) {
    for (const title of titles) {
      await this.notes.createOne(request, { title });
      if (title === 'bad') throw new ConflictException('bad');
    }
    return ((await this.notes.getMany(request)) as { title: string }[]).map(({ title }) => title);
  }
}

@Crud({ model: { type: notes } })
@Controller('notes')
class NotesController {
  constructor(
    @Inject(NotesService) readonly service: NotesService,
    @Inject(Ledger) readonly ledger: Ledger,
  ) {}

  @Post('ledger')
  @UseInterceptors(CrudRequestInterceptor)
  write(@ParsedRequest() request: CrudRequest, @Body() { titles }: { titles: string[] }) {
    return this.ledger.write(request, titles);
  }
}

@Module({ providers: [{ provide: 'DB', useValue: shop.db }], exports: ['DB'] })
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
          adapter: new TransactionalAdapterDrizzleOrm({ drizzleInstanceToken: 'DB' }),
          enableTransactionProxy: true,
        }),
      ],
    }),
  ],
  controllers: [NotesController],
  providers: [NotesService, Ledger],
})
class AppModule {}
const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(0, '127.0.0.1');
const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');

/** What a request answers with, and what is stored afterwards. */
async function send(path: string, body: object) {
  await shop.run('DELETE FROM notes');
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const stored = (await (await fetch(`${url}/notes?sort=id,ASC`)).json()) as { title: string }[];
  return { status: response.status, answer, stored: stored.map(({ title }) => title) };
}

const found = {
  committed: await send('/notes/ledger', { titles: ['a', 'b'] }),
  undone: await send('/notes/ledger', { titles: ['a', 'bad'] }),
  own: await send('/notes', { title: 'own' }),
};

await app.close();
await shop.close();
console.log(JSON.stringify(found));
