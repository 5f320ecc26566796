/** A record that leaves the tenant while another request links or cascades to it → no link and no change after it has left, whoever was first. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource, EntitySubscriberInterface, QueryRunner } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { startTenants, type Tenants } from './relation-scope.application.js';
import { rowsOf, seed } from './relation-scope.entities.js';

/** How often each race is run. */
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 3);

/** Time for a request to come as far as the record that it has to wait for. */
const HEAD_START = 100;

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

type Queryable = Pick<DataSource, 'query'>;

interface Case {
  readonly title: string;
  /** What leaves the tenant. */
  readonly table: 'members' | 'tasks';
  readonly id: number;
  readonly write: (tenants: Tenants) => ReturnType<Tenants['send']>;
}

const CASES: readonly Case[] = [
  {
    title: 'a POST by column',
    table: 'members',
    id: 102,
    write: ({ send }) => send('post', '/tasks', { text: 'late', assigneeId: 102 }),
  },
  {
    title: 'a bulk POST by nested record',
    table: 'members',
    id: 102,
    write: ({ send }) => send('post', '/tasks/bulk', { bulk: [{ text: 'late' }, { reviewer: { id: 102 } }] }),
  },
  {
    title: 'a PATCH by nested record',
    table: 'members',
    id: 102,
    write: ({ send }) => send('patch', '/tasks/103', { assignee: { id: 102 } }),
  },
  {
    title: 'a PUT by bare id',
    table: 'tasks',
    id: 104,
    write: ({ send }) => send('put', '/tasks/103', { text: 'late', parent: 104 }),
  },
  {
    title: 'a many-to-many list',
    table: 'members',
    id: 102,
    write: ({ send }) => send('post', '/tasks', { text: 'late', watchers: [101, 102] }),
  },
  {
    title: 'a link of a new child',
    table: 'members',
    id: 102,
    write: ({ send }) => send('patch', '/tasks/103', { subtasks: [{ text: 'late', assigneeId: 102 }] }),
  },
  {
    title: 'a cascade that changes a child',
    table: 'tasks',
    id: 105,
    write: ({ send }) => send('patch', '/tasks/103', { subtasks: [{ id: 105, text: 'late' }] }),
  },
  {
    title: 'a cascade that changes a linked record',
    table: 'tasks',
    id: 104,
    write: ({ send }) => send('patch', '/tasks/103', { related: [{ id: 104, text: 'late' }] }),
  },
];

describeDatabases(
  'links to records that leave the tenant',
  (db) => {
    let tenants: Tenants;

    beforeAll(async () => {
      tenants = await startTenants(db);
    });

    afterAll(() => tenants?.close());

    beforeEach(() => seed(tenants.source));

    const move = (runner: QueryRunner, table: string, id: number) =>
      runner.manager.createQueryBuilder().update(table).set({ tenant: 'beta' }).where({ id }).execute();
    const inTransaction = async <T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> => {
      const runner = tenants.source.createQueryRunner();

      try {
        await runner.startTransaction();
        const result = await work(runner);
        await runner.commitTransaction();

        return result;
      } finally {
        if (runner.isTransactionActive) await runner.rollbackTransaction();
        await runner.release();
      }
    };

    describe.each(CASES.map((one) => [one.title, one] as const))('%s', (_, { table, id, write }) => {
      test('waits for the record to leave, and is refused', async () => {
        const { sent, left } = await inTransaction(async (runner) => {
          await move(runner, table, id);

          const rows = await rowsOf(tenants.source);
          const answering = write(tenants);

          await pause(HEAD_START);

          return { sent: { answering }, left: rows };
        });

        expect(await sent.answering).toMatchObject({ status: 400, body: { code: 'CRUD_OUT_OF_SCOPE' } });

        // What was read beside the move does not know of it yet.
        left[table] = left[table]!.map((row) => {
          const record = JSON.parse(row) as { id: number };

          return JSON.stringify(record.id === id ? { ...record, tenant: 'beta' } : record);
        }).sort();
        expect(await rowsOf(tenants.source)).toEqual(left);
      });

      test('keeps the record from leaving until it is stored', async () => {
        let open = () => {};
        let arrive = (_: 'stored') => {};
        const gate = new Promise<void>((resolve) => (open = resolve));
        const arrived = new Promise<'stored'>((resolve) => (arrive = resolve));
        const hold = async ({ metadata }: { metadata: { tableName: string } }) => {
          if (metadata.tableName === 'tasks') {
            arrive('stored');
            await gate;
          }
        };
        const holding: EntitySubscriberInterface = { afterInsert: hold, afterUpdate: hold };
        let isMoved = false;

        tenants.source.subscribers.push(holding);

        try {
          const answering = write(tenants);

          expect(await Promise.race([arrived, answering])).toBe('stored');

          const moving = inTransaction((runner) => move(runner, table, id)).then(() => (isMoved = true));
          await pause(HEAD_START);

          expect(isMoved).toBe(false);
          open();
          expect((await answering).status).toBeLessThan(300);
          await moving;
        } finally {
          open();
          tenants.source.subscribers.splice(0);
        }

        expect(await tenants.source.query(`SELECT tenant FROM ${table} WHERE id = ${id}`)).toEqual([
          expect.objectContaining({ tenant: 'beta' }),
        ]);
      });
    });

    /** Runs writes and a move at random moments; the mover answers what it sees of them once the record is its own. */
    async function race<T>(
      writes: readonly (() => ReturnType<Tenants['send']>)[],
      { table, id, look }: { table: string; id: number; look: (database: Queryable) => Promise<T> },
    ): Promise<{ statuses: readonly number[]; seen: T }> {
      const sometime = () => pause(Math.random() * 15);
      const moving = sometime().then(() =>
        inTransaction(async (runner) => {
          await move(runner, table, id);

          return look(runner);
        }),
      );
      const answers = await Promise.all(writes.map((write) => sometime().then(write)));

      return { statuses: answers.map(({ status }) => status), seen: await moving };
    }

    test('links are those that were there when the record left', async () => {
      const columns = ['tasksId', 'membersId'].map((name) => tenants.source.driver.escape(name));
      const linksTo = async (database: Queryable): Promise<unknown> => [
        await database.query(
          `SELECT id FROM tasks WHERE ${tenants.source.driver.escape('assigneeId')} = 102 OR reviewer_id = 102 ORDER BY id`,
        ),
        await database.query(`SELECT ${columns[0]} FROM task_watchers WHERE ${columns[1]} = 102 ORDER BY 1`),
      ];

      for (let round = 0; round < ROUNDS; round += 1) {
        await seed(tenants.source);

        const { send } = tenants;
        const { statuses, seen } = await race(
          [
            () => send('post', '/tasks', { text: 'new', assigneeId: 102 }),
            () => send('post', '/tasks/bulk', { bulk: [{ reviewer: 102 }, { assignee: { id: 102 } }] }),
            () => send('patch', '/tasks/103', { reviewer: { id: 102 } }),
            () => send('put', '/tasks/104', { text: 'put', assigneeId: 102 }),
            () => send('patch', '/tasks/105', { watchers: [102] }),
            () => send('post', '/tasks', { subtasks: [{ watchers: [102] }] }),
          ],
          { table: 'members', id: 102, look: linksTo },
        );

        expect(statuses.filter((status) => ![200, 201, 400].includes(status))).toEqual([]);
        expect(await linksTo(tenants.source)).toEqual(seen);
      }
    });

    test('a child that has left is what it was when it left', async () => {
      const child = (database: Queryable): Promise<unknown> =>
        database.query('SELECT tenant, text FROM tasks WHERE id = 105');

      for (let round = 0; round < ROUNDS; round += 1) {
        await seed(tenants.source);

        const { statuses, seen } = await race(
          ['one', 'two'].map(
            (text) => () => tenants.send('patch', '/tasks/103', { subtasks: [{ id: 105, text, tenant: 'acme' }] }),
          ),
          { table: 'tasks', id: 105, look: child },
        );

        expect(statuses.filter((status) => ![200, 400].includes(status))).toEqual([]);
        expect(await child(tenants.source)).toEqual(seen);
        expect(seen).toMatchObject([{ tenant: 'beta' }]);
      }
    });
  },
  // SQLite has one connection, which requests take in turn.
  ['postgres', 'mysql'],
);
