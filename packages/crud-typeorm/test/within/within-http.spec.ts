/** Overrides that wrap a verb in a transaction, over HTTP and many at once: what is refused leaves nothing behind, and takes nothing of others with it. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Controller, type INestApplication, Injectable, Scope } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Crud, type CrudController, type CrudRequest, Override, ParsedBody, ParsedRequest } from '@nestwright/crud';
import request from 'supertest';
import { DataSource } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { Account, AccountsService, EntriesService, Entry, Mailer, servicesOf } from './accounts.application.js';
import { connect } from '../support/resources.js';

@Injectable({ scope: Scope.REQUEST })
class ScopedAccountsService extends AccountsService {}

@Crud({ model: { type: Account } })
@Controller('accounts')
class AccountsController implements CrudController<Account> {
  constructor(readonly service: AccountsService) {}
}

@Crud({ model: { type: Account } })
@Controller('scoped')
class ScopedController implements CrudController<Account> {
  constructor(readonly service: ScopedAccountsService) {}
}

@Crud({ model: { type: Entry } })
@Controller('entries')
class EntriesController implements CrudController<Entry> {
  constructor(
    readonly service: EntriesService,
    private readonly dataSource: DataSource,
  ) {}

  /** Stores an entry twice; a pair with an empty text is refused half-way. */
  @Override()
  createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: Entry): Promise<Entry> {
    return this.dataSource.transaction(async (manager) => {
      const entries = this.service.within(manager);
      await entries.createOne(req, dto);
      if (dto.text === '') throw entries.throwBadRequestException('The text is empty');

      return entries.createOne(req, { ...dto, text: `${dto.text}, again` });
    });
  }
}

const AT_ONCE = 30;

describeDatabases('within over HTTP', (db) => {
  let source: DataSource;
  let app: INestApplication;
  let url: string;
  let services: ReturnType<typeof servicesOf>;

  beforeAll(async () => {
    source = await connect(db, [Account, Entry], { poolSize: 2 });
    services = servicesOf(source);
    const module = await Test.createTestingModule({
      controllers: [AccountsController, ScopedController, EntriesController],
      providers: [
        Mailer,
        { provide: DataSource, useValue: source },
        { provide: AccountsService, useValue: services.accounts },
        { provide: EntriesService, useValue: services.entries },
        {
          provide: ScopedAccountsService,
          scope: Scope.REQUEST,
          useFactory: (mailer: Mailer) =>
            new ScopedAccountsService(source.getRepository(Account), source, services.entries, mailer),
          inject: [Mailer],
        },
      ],
    }).compile();
    ({ app, url } = await listen(module, 'express'));
  });
  beforeEach(async () => {
    await source.manager.clear(Account);
    await source.manager.clear(Entry);
  });
  afterAll(async () => {
    await app.close();
    await source.destroy();
  });

  test.each([
    ['accounts', 'manager'],
    ['accounts', 'data source'],
    ['scoped', 'manager'],
  ] as const)('%s, whose service begins a transaction by the %s', async (path, begin) => {
    services.accounts.begin = begin;

    // Every third is refused at the end of its transaction, every third is written by no transaction of the application's.
    const statuses = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const http = request(url);
        const email = `${index}@example.com`;
        const sent =
          index % 3 === 2
            ? http.post(`/${path}/bulk`).send({ bulk: [{ email, holder: 'Bulk' }] })
            : http.post(`/${path}`).send({ email, holder: index % 3 === 0 ? 'Ada' : 'nobody' });

        return (await sent).status;
      }),
    );

    expect(statuses).toEqual(Array.from({ length: AT_ONCE }, (_, index) => (index % 3 === 1 ? 409 : 201)));
    const stored = await source.manager.find(Account, { select: { email: true } });
    expect(stored.map(({ email }) => parseInt(email, 10)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: AT_ONCE }, (_, index) => index).filter((index) => index % 3 !== 1),
    );
    expect(await source.manager.countBy(Entry, { text: 'opened for Ada' })).toBe(AT_ONCE / 3);
    expect(await source.manager.count(Entry)).toBe(AT_ONCE / 3);
  });

  test('a handler that begins a transaction', async () => {
    const http = request(url);
    const created = await http.post('/entries').send({ accountId: 1, text: 'rent' }).expect(201);
    expect(created.body).toEqual({ id: expect.any(Number), accountId: 1, text: 'rent, again' });
    await http.post('/entries').send({ accountId: 1, text: '' }).expect(400);

    expect((await source.manager.find(Entry, { order: { id: 'ASC' } })).map(({ text }) => text)).toEqual([
      'rent',
      'rent, again',
    ]);
  });
});
