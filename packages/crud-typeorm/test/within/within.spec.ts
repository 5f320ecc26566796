/** A service in a transaction of the application's, on each database and with one connection: what its verbs do is committed or undone with the transaction; of many at once, what is refused leaves nothing behind, and takes nothing of others with it. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import { describeDatabases, FAST_PATHS } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { connecting, empty } from '../support/connecting.js';
import { Account, bare, BEGINS, Entry, servicesOf } from './accounts.application.js';

const ADA = Object.freeze({ email: 'ada@example.com', holder: 'Ada' });
const BOB = Object.freeze({ email: 'bob@example.com', holder: 'Bob' });

class Undone extends Error {}

describeDatabases('within', (db) =>
  describe.each(FAST_PATHS)('fast paths: %s', (fastPaths) => {
    const source = connecting(db, [Account, Entry], { dropSchema: true, poolSize: 1 });
    let services: ReturnType<typeof servicesOf>;

    beforeAll(() => configureCrudDatabase(source, { fastPaths }));
    beforeEach(async () => {
      await empty(source);
      services = servicesOf(source);
    });

    const holders = async () =>
      (await source.manager.find(Account, { order: { id: 'ASC' }, withDeleted: true })).map(({ holder }) => holder);
    const texts = async () => (await source.manager.find(Entry, { order: { id: 'ASC' } })).map(({ text }) => text);
    /** Runs work in a transaction that is undone afterwards. */
    const undone = async (work: (manager: EntityManager) => Promise<void>) => {
      const transaction = source.transaction(async (manager) => {
        await work(manager);
        throw new Undone();
      });
      await expect(transaction).rejects.toThrow(Undone);
    };

    test('all eight verbs run in the transaction, and are undone with it', async () => {
      const { id } = await source.manager.save(Object.assign(new Account(), ADA));
      await undone(async (manager) => {
        const accounts = services.accounts.within(manager);
        const bob = await accounts.createOne(bare(), BOB);
        const [eve] = await accounts.createMany(bare(), { bulk: [{ email: 'EVE@example.com', holder: 'Eve' }] });
        expect(eve).toMatchObject({ email: 'eve@example.com', holder: 'Eve' });
        expect(await accounts.updateOne(bare(id), { holder: 'Ada L.' })).toMatchObject({ id, holder: 'Ada L.' });
        expect(await accounts.replaceOne(bare(bob.id), { email: 'b@example.com' })).toMatchObject({ holder: '' });
        expect(await accounts.deleteOne(bare(eve!.id))).toMatchObject({ id: eve!.id });
        expect(await accounts.recoverOne(bare(eve!.id))).toMatchObject({ id: eve!.id });
        expect(await accounts.getOne(bare(eve!.id))).toMatchObject({ holder: 'Eve', closedAt: null });
        expect(await accounts.getMany(bare(undefined, { page: 1, limit: 2 }))).toMatchObject({ total: 3, count: 2 });
        expect(await accounts.count()).toBe(3);
        expect(await accounts.findOneBy({ id: bob.id })).toMatchObject({ email: 'b@example.com' });
      });
      expect(await holders()).toEqual(['Ada']);
      expect(await texts()).toEqual([]);
    });

    test.each(BEGINS)('a transaction that an override begins by the %s is a part of it', async (begin) => {
      services.accounts.begin = begin;
      await undone(async (manager) => {
        const accounts = services.accounts.within(manager);
        expect(await accounts.createOne(bare(), { ...BOB, holder: ' Bob ' })).toMatchObject({ holder: 'Bob' });
        const nobody = accounts.createOne(bare(), { email: 'x@example.com', holder: 'nobody' });
        await expect(nobody).rejects.toThrow('must have a holder');
        expect(await manager.find(Account)).toMatchObject([{ holder: 'Bob' }]);
      });
      expect([await holders(), await texts()]).toEqual([[], []]);
    });

    test('a verb that fails is undone alone and says why, also beside others at the same time', async () => {
      await source.manager.insert(Account, { ...ADA });
      await source.transaction(async (manager) => {
        const [entries, accounts] = [services.entries.within(manager), services.accounts.within(manager)];
        const sends = [
          (index: number) => entries.createOne(bare(), { accountId: index, text: `t${index}` }),
          (index: number) => accounts.createMany(bare(), { bulk: [{ ...BOB, email: `${index}@x` }, ADA] }),
          () => accounts.getMany(bare()),
        ];
        const indices = [...Array(12).keys()];
        const outcomes = await Promise.allSettled(indices.map((index): Promise<unknown> => sends[index % 3]!(index)));
        const reason = { status: 409, response: { message: ['bulk.1.email already exists'] } };
        const [done, refused] = [{ status: 'fulfilled' }, { status: 'rejected', reason }];
        expect(outcomes).toMatchObject(indices.map((index) => (index % 3 === 1 ? refused : done)));
      });
      expect([await holders(), await texts()]).toEqual([['Ada'], ['t0', 't3', 't6', 't9']]);
    });

    test('it is the same service: class, fields, dependencies, and what is set', async () => {
      services.accounts.opened = 5;
      await source.transaction(async (manager) => {
        const accounts = services.accounts.within(manager);
        expect(accounts).toBeInstanceOf(services.accounts.constructor);
        expect(accounts.mailer).toBe(services.mailer);
        expect(accounts['repo'].manager).toBe(manager);
        expect(accounts['accounts']).toBe(accounts['repo']);
        expect(accounts['entries']['repo'].manager).toBe(manager);
        expect(accounts['dataSource'].manager).toBe(manager);
        await accounts.createMany(bare(), { bulk: [ADA] });
        accounts.begin = 'data source';
        const { queryRunner } = manager;
        expect(accounts['repo'].queryRunner).toBe(queryRunner);
        expect(accounts['dataSource'].createQueryBuilder()['queryRunner']).toBe(queryRunner);
        const extra = accounts as { extra?: number };
        extra.extra = 1;
        expect(services.accounts).toHaveProperty('extra', 1);
        delete extra.extra;
        expect(services.accounts).not.toHaveProperty('extra');
      });
      expect(services.accounts).toMatchObject({ opened: 6, begin: 'data source' });
      expect(services.mailer.sent).toEqual(['ada@example.com']);
      expect(services.accounts['repo'].manager).toBe(source.manager);
    });

    test('a manager with a connection of its own, or of another data source, stays in the bound service', async () => {
      const runner = source.createQueryRunner();
      const held = { own: runner.manager, other: new DataSource({ type: 'sqljs' }).manager };
      const shared = source.createEntityManager();
      const service = Object.assign(new TypeOrmCrudService(source.getRepository(Account)), { ...held, shared });
      await source.transaction(async (manager) => {
        const bound = service.within(manager);
        expect([bound.own, bound.other, bound.shared].map((one) => one === manager)).toEqual([false, false, true]);
        expect(bound.own).toBe(held.own);
      });
      await runner.release();
    });

    test('a transaction that has ended is refused, and so are other managers', async () => {
      let kept: (typeof services)['accounts'] | undefined;
      let ended: EntityManager | undefined;
      await source.transaction(async (manager) => {
        kept = services.accounts.within(manager);
        ended = manager;
      });
      const message = "AccountsService.within(): the manager's transaction has ended";
      expect(() => services.accounts.within(ended!)).toThrow(message);
      await expect(kept!.createMany(bare(), { bulk: [ADA] })).rejects.toThrow(message);
      await expect(kept!.getMany(bare())).rejects.toThrow(message);
      expect(() => kept!.count()).toThrow(message);
      await source.transaction(async () => {
        await expect(kept!.createMany(bare(), { bulk: [ADA] })).rejects.toThrow(message);
      });
      expect(await holders()).toEqual([]);
      const other = new DataSource({ type: 'sqljs' });
      expect(() => services.accounts.within(other.manager)).toThrow('the manager is of another data source');
      expect(() => services.accounts.within(undefined as never)).toThrow('EntityManager of a transaction is expected');
      expect(() => services.accounts.within(source as never)).toThrow('EntityManager of a transaction is expected');
    });

    test('a custom repository keeps its methods and what it holds', async () => {
      class AccountRepository extends Repository<Account> {
        greeting = 'Hello';

        async greet(): Promise<string[]> {
          return (await this.find()).map(({ holder }) => `${this.greeting} ${holder}`);
        }
      }

      class Greeting extends TypeOrmCrudService<Account> {
        constructor(readonly accounts: AccountRepository) {
          super(accounts);
        }
      }

      const made = new AccountRepository(Account, source.createEntityManager());
      const service = Object.freeze(new Greeting(Object.assign(made, { greeting: 'Hi' })));
      await undone(async (manager) => {
        await service.within(manager).createOne(bare(), ADA);
        expect(await service.within(manager).accounts.greet()).toEqual(['Hi Ada']);
      });
      expect(await service.accounts.greet()).toEqual([]);
    });
  }),
);

describeDatabases('within, thirty at once', (db) => {
  const source = connecting(db, [Account, Entry], { poolSize: 2 });
  const { accounts } = servicesOf(source);

  test('what is refused leaves nothing behind, and takes nothing of others with it', async () => {
    await empty(source);
    // Every third is refused at the end of its transaction, every third is written by no transaction of the application's.
    const holders = Array.from({ length: 30 }, (_, index) => ['Ada', 'nobody', 'Bulk'][index % 3]!);
    const work = holders.map((holder, index) => {
      const account = { email: `${index}@example.com`, holder };
      return holder === 'Bulk' ? accounts.createMany(bare(), { bulk: [account] }) : accounts.createOne(bare(), account);
    });
    const refused = (await Promise.allSettled<unknown>(work)).map(({ status }) => status === 'rejected');
    expect(refused).toEqual(holders.map((holder) => holder === 'nobody'));
    const stored = (await source.manager.find(Account)).map(({ email }) => parseInt(email, 10));
    expect(new Set(stored)).toEqual(new Set([...holders.keys()].filter((index) => !refused[index])));
    expect((await source.manager.find(Entry)).map(({ text }) => text)).toEqual(Array(10).fill('opened for Ada'));
  });
});
