/** Overrides that wrap a verb in a transaction, over HTTP and many at once: what is refused leaves nothing behind, and takes nothing of others with it. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Controller, type INestApplication, Injectable, Scope } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Crud } from '@nestwright/crud';
import request from 'supertest';
import type { DataSource } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { Account, AccountsService, Entry, servicesOf } from './accounts.application.js';
import { connect } from '../support/resources.js';

@Injectable({ scope: Scope.REQUEST })
class ScopedAccountsService extends AccountsService {}

@Crud({ model: { type: Account } })
@Controller('accounts')
class AccountsController {
  constructor(readonly service: AccountsService) {}
}

@Crud({ model: { type: Account } })
@Controller('scoped')
class ScopedController {
  constructor(readonly service: ScopedAccountsService) {}
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
    const { accounts, entries, mailer } = services;
    const useFactory = () => new ScopedAccountsService(source.getRepository(Account), source, entries, mailer);
    const module = await Test.createTestingModule({
      controllers: [AccountsController, ScopedController],
      providers: [
        { provide: AccountsService, useValue: accounts },
        { provide: ScopedAccountsService, scope: Scope.REQUEST, useFactory },
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
        const account = { email: `${index}@example.com`, holder: ['Ada', 'nobody', 'Bulk'][index % 3] };
        const [to, body] = index % 3 === 2 ? [`/${path}/bulk`, { bulk: [account] }] : [`/${path}`, account];

        return (await request(url).post(to).send(body)).status;
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
});
