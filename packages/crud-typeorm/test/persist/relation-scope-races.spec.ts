/** A record that leaves the tenant while another request links or cascades to it → no link and no change after it has left, whoever was first. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntitySubscriberInterface, QueryRunner } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { rowsOf } from '../../../../integration/test-support/rows.js';
import { startTenants, type Tenants } from './relation-scope.application.js';
import { seed } from './relation-scope.entities.js';

/** Time for a request to come as far as the record that it has to wait for. */
const HEAD_START = 100;

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/** Writes, and what leaves the tenant beside them. */
const CASES: readonly (readonly [
  title: string,
  table: 'members' | 'tasks',
  id: number,
  ...sent: Parameters<Tenants['send']>,
])[] = [
  ['a POST by column', 'members', 102, 'post', '/tasks', { text: 'late', assigneeId: 102 }],
  ['a bulk POST by nested record', 'members', 102, 'post', '/tasks/bulk', { bulk: [{}, { reviewer: { id: 102 } }] }],
  ['a PUT by bare id', 'tasks', 104, 'put', '/tasks/103', { text: 'late', parent: 104 }],
  ['a many-to-many list', 'members', 102, 'post', '/tasks', { text: 'late', watchers: [101, 102] }],
  ['a link of a new child', 'members', 102, 'patch', '/tasks/103', { subtasks: [{ text: 'late', assigneeId: 102 }] }],
  ['a cascade to a child', 'tasks', 105, 'patch', '/tasks/103', { subtasks: [{ id: 105, text: 'late' }] }],
  ['a cascade to a linked record', 'tasks', 104, 'patch', '/tasks/103', { related: [{ id: 104, text: 'late' }] }],
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

    describe.each(CASES)('%s', (_, table, id, ...sent) => {
      test('waits for the record to leave, and is refused', async () => {
        const { answering, left } = await inTransaction(async (runner) => {
          await move(runner, table, id);
          const waiting = { left: await rowsOf(tenants.source), answering: [tenants.send(...sent)] };
          await pause(HEAD_START);

          return waiting;
        });

        expect(await answering[0]).toMatchObject({ status: 400, body: { code: 'CRUD_OUT_OF_SCOPE' } });

        // What was read beside the move does not know of it yet.
        left[table] = left[table]!.map((row) => (row['id'] === id ? { ...row, tenant: 'beta' } : row));
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
          const answering = tenants.send(...sent);

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
  },
  // SQLite has one connection, which requests take in turn.
  ['postgres', 'mysql'],
);
