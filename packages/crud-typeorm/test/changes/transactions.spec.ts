/** Transactions of a service, joined ones and repeated ones, on each database: who takes part, what is undone, and when it is told that something was committed. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CrudRequest } from '@nestwright/crud';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { bare } from '../within/accounts.application.js';
import { Statements } from '../support/statements.js';
import { Note, type NotesService, servicesOf, sourceOf } from './application.js';
import { servingChanges } from './serving.js';

const create = (service: NotesService, title: string, request: CrudRequest = bare()) =>
  service.createOne(request, { title });

describeDatabases('transactions', (db) => {
  const log = new Statements();
  const { source, notes } = servingChanges(db, { source: { logger: log, logging: true } });
  /** Stores a note in a transaction of a runner's, which stays open. */
  const begin = async (title: string, runner = source.createQueryRunner()) => {
    await runner.startTransaction();
    await create(notes.within(runner.manager), title);
    return runner;
  };
  const lose = async (service = notes) => {
    await create(service, 'lost');
    throw new Error('no');
  };
  const titles = async () => (await source.manager.find(Note, { order: { id: 1 } })).map(({ title }) => title);
  afterEach(() => void jest.restoreAllMocks());

  test('transaction(): its calls are one transaction, told when it is committed and its connection free', async () => {
    const told: unknown[] = [];
    const result = await notes.transaction(async (manager) => {
      notes.onCommit = () => told.push(manager.queryRunner!.isReleased);
      const first = await create(notes, 'a');
      await create(notes.within(manager), 'b');
      await manager.insert(Note, { title: 'c' });
      await notes.updateOne(bare(first.id), { title: 'A' });
      expect(await notes.getOne(bare(first.id))).toMatchObject({ title: 'A' });
      expect(await notes.getMany(bare())).toHaveLength(3);
      expect(await notes.countMany(bare())).toEqual({ count: 3 });
      expect(notes.commits).toEqual([]);
      return 'done';
    });
    // The only connection of SQLite is never released.
    expect([result, new Set(told)]).toEqual(['done', new Set([db.kind !== 'sqlite'])]);
    expect(await titles()).toEqual(['A', 'b', 'c']);
    expect(notes.commits).toEqual([['a'], ['b'], ['A']]);
  });

  test('what fails within a transaction is not told, alone or in a savepoint; the rest is, with the outermost commit', async () => {
    await notes.transaction(async () => {
      await create(notes, 'a');
      await notes.transaction(() => lose()).catch(() => undefined);
      notes.onAfter = () => Promise.reject(new Error('refused'));
      await expect(create(notes, 'lost')).rejects.toThrow('refused');
      notes.onAfter = () => undefined;
      await notes.transaction(() => create(notes, 'b'));
      expect(notes.commits).toEqual([]);
    });
    expect(await titles()).toEqual(['a', 'b']);
    expect(notes.commits).toEqual([['a'], ['b']]);
  });

  test('a transaction of the application’s: told at its commit, by TypeORM’s method or by the runner', async () => {
    await source.transaction(async (manager) => {
      await create(notes.within(manager), 'a');
      await manager.transaction((inner) => create(notes.within(inner), 'b'));
      await manager.transaction((inner) => lose(notes.within(inner))).catch(() => undefined);
      expect(notes.commits).toEqual([]);
    });
    expect(notes.commits).toEqual([['a'], ['b']]);
    notes.reset();
    const runner = await begin('c');
    await runner.commitTransaction();
    expect(notes.commits).toEqual([['c']]);
    await begin('d', runner);
    await runner.rollbackTransaction();
    await runner.startTransaction();
    await runner.commitTransaction();
    await begin('e', runner);
    const query = jest.spyOn(runner, 'query').mockRejectedValueOnce(new Error('gone'));
    await expect(runner.commitTransaction()).rejects.toThrow('gone');
    query.mockRestore();
    await runner.rollbackTransaction();
    await runner.release();
    expect([notes.commits, await titles()]).toEqual([[['c']], ['a', 'b', 'c']]);
  });

  test('isolation, where the database has levels', async () => {
    const before = log.all.length;
    await notes.transaction(() => create(notes, 'a'), { isolation: 'SERIALIZABLE' });
    expect(await titles()).toEqual(['a']);
    const sent = log.all.slice(before).filter(({ sql }) => sql.includes('LEVEL SERIALIZABLE'));
    expect(sent).toHaveLength(db.kind === 'sqlite' ? 0 : 1);
  });

  if (db.kind !== 'sqlite') {
    /** Two transactions that take two rows in opposite orders, each waiting for the other after its first. */
    const clash = async (options?: { retries: number }) => {
      const [a, b] = await source.manager.save(Note, [{ title: 'a' }, { title: 'b' }]);
      let open = () => {};
      const both = new Promise<void>((resolve) => (open = resolve));
      let [attempts, waiting] = [0, 0];
      const work = (first: Note, second: Note, title: string) =>
        notes.transaction(async () => {
          attempts += 1;
          await notes.updateOne(bare(first.id), { title: `${title}1` });
          if ((waiting += 1) === 2) open();
          await both;
          await notes.updateOne(bare(second.id), { title: `${title}2` });
        }, options);
      const results = await Promise.allSettled([work(a!, b!, 'x'), work(b!, a!, 'y')]);
      return { results, attempts: () => attempts };
    };

    test('a deadlock is repeated, and told once for what is stored; never with retries: 0', async () => {
      const { results, attempts } = await clash();
      expect([results.map(({ status }) => status), attempts()]).toEqual([['fulfilled', 'fulfilled'], 3]);
      expect(notes.told.filter(({ hook }) => hook === 'before').length).toBeGreaterThan(4);
      expect(notes.commits.flat().sort()).toEqual(['x1', 'x2', 'y1', 'y2']);
      notes.reset();
      const single = await clash({ retries: 0 });
      expect(single.results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect([single.attempts(), notes.commits.length]).toEqual([2, 2]);
    });

    test('what a lost connection takes with it is told to nobody, and no reason to warn', async () => {
      const [warn] = (['warn', 'error'] as const).map((level) =>
        jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined),
      );
      const end = db.kind === 'postgres' ? 'SELECT pg_terminate_backend(pg_backend_pid())' : 'KILL CONNECTION_ID()';
      const lost = notes.transaction(async (manager) => {
        await create(notes, 'lost');
        await manager.query(end);
      });
      await expect(lost).rejects.toThrow();
      expect([warn!.mock.calls, notes.commits]).toEqual([[], []]);
    });

    test('a transaction that ends by SQL of its own cannot be observed: a warning says so once', async () => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      await source.transaction((manager) => create(notes.within(manager), 'told'));
      expect([warn.mock.calls, notes.commits]).toEqual([[], [['told']]]);
      for (const title of ['a', 'b']) {
        const runner = await begin(title);
        await runner.query('COMMIT');
        await runner.release();
      }
      expect([await titles(), notes.commits.length]).toEqual([['told', 'a', 'b'], 1]);
      expect(warn.mock.calls).toEqual([[expect.stringMatching(/^A transaction of the application ended where its/)]]);
    });
  }
});

describeDatabases(
  'a connection that all share',
  (db) => {
    const { source, notes } = servingChanges(db);

    test('transaction() within that of another data source: each service joins its own', async () => {
      const second = await sourceOf({ type: 'sqljs' }).initialize();
      const { notes: others } = servicesOf(second);
      const store = () => others.transaction(() => Promise.all([create(notes, 'one'), create(others, 'two')]));
      await notes.transaction(async () => {
        await store();
        expect([notes.commits, others.commits]).toEqual([[], [['two']]]);
      });
      const failed = notes.transaction(async () => {
        await store();
        throw new Error('later');
      });
      await expect(failed).rejects.toThrow('later');
      expect([notes.commits, others.commits]).toEqual([[['one']], [['two'], ['two']]]);
      expect([await source.manager.count(Note), await second.manager.count(Note)]).toEqual([1, 2]);
      await second.destroy();
    });
  },
  ['sqlite'],
);
