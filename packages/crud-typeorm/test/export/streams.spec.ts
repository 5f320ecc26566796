/** Exports while something happens: others write, clients leave or read slowly, the database ends the connection, a class fails. */
import { once } from 'node:events';
import { channel, tracingChannel } from 'node:diagnostics_channel';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { NestInterceptor } from '@nestjs/common';
import type { CrudQueryMessage, CrudRequestMessage } from '@nestwright/crud';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { failingAt2500, numbers, recordsIn } from './entities.js';

@Entity('export_pages')
class Page {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) state!: string;
  @Column({ type: 'text' }) body!: string;
}

/** More than sockets hold: 24 MB. */
const PAGES = 3000;
const BODY = 8000;
const SLOW = { postgres: '(SELECT pg_sleep(30)) IS NOT NULL', mysql: 'SLEEP(30) = 0', sqlite: '1 = 1' };

describePlatforms('exports as they are sent', (platform) =>
  describeDatabases(platform, (db) => {
    const formats = ['ndjson', 'csv'] as const;
    const of = (path: string, more: object, rest: object = {}) =>
      looseResource(Page, path, { query: { export: { formats, ...more } }, ...rest });
    const interceptor: NestInterceptor = { intercept: (_, next) => next.handle() };
    const resources = [
      of('pages', {}),
      of('intercepted', {}, { routes: { getManyBase: { interceptors: [interceptor] } } }),
      of('brief', { timeout: 700 }),
      of('failing', {}, { serialize: { getMany: failingAt2500(() => new Error('a class that fails')) } }),
      of('slow', {}, { operators: { custom: { slowly: { query: () => SLOW[db.kind] } } } }),
    ];
    const logged: string[] = [];
    /** Requests and statements whose end was published, in this order. */
    const told: { readonly request: CrudRequestMessage; readonly endedAt: number }[] = [];
    const queries: (CrudQueryMessage & { readonly endedAt: number })[] = [];
    const { asyncEnd } = tracingChannel('nestwright:request');
    const onEnd = (message: unknown) =>
      void told.push({ request: message as CrudRequestMessage, endedAt: performance.now() });
    const onQuery = (message: unknown) =>
      void queries.push({ ...(message as CrudQueryMessage), endedAt: performance.now() });
    // What other files have logged is counted and told up to ten seconds later.
    const error = (message: string) => message.includes('more in the last 10 s') || logged.push(message);
    const logger = { error, log: () => undefined, warn: () => undefined };
    const app = serving(db, [Page], resources, { platform, nest: { logger }, source: { poolSize: 3 } });
    let others: DataSource;
    const open: IncomingMessage[] = [];

    beforeAll(async () => {
      // The only connection of SQLite is that of the application.
      others = db.kind === 'sqlite' ? app.source : await new DataSource(db.connection).initialize();
      asyncEnd.subscribe(onEnd);
      channel('nestwright:query').subscribe(onQuery);
    });

    afterEach(() => {
      open.splice(0).forEach((response) => response.destroy());
      for (const list of [logged, told, queries]) list.length = 0;
    });

    afterAll(async () => {
      asyncEnd.unsubscribe(onEnd);
      channel('nestwright:query').unsubscribe(onQuery);
      if (db.kind !== 'sqlite') await others?.destroy();
    });
    const table = () => app.source.driver.escape('export_pages');
    let isFilled = false;

    async function fill(): Promise<void> {
      if (isFilled) return;
      isFilled = true;
      const body = db.kind === 'sqlite' ? `hex(zeroblob(${BODY / 2}))` : `REPEAT('0', ${BODY})`;
      await others.query(`DELETE FROM ${table()}`);
      await others.query(`INSERT INTO ${table()} (id, state, body) SELECT seq, 'old', ${body} FROM ${numbers(PAGES)}`);
    }

    /** An answer of which nothing has been read. */
    const ask = async (path: string): Promise<IncomingMessage> => {
      const [response] = (await once(get(app.url + path, { agent: false }), 'response')) as [IncomingMessage];
      open.push(response);
      return response;
    };
    const isFree = async (): Promise<void> => {
      const started = performance.now();
      for (let tried = 0; tried < 3; tried += 1)
        expect((await fetch(`${app.url}/pages?limit=1&fields=id`)).status).toBe(200);
      expect(performance.now() - started).toBeLessThan(5000);
    };

    /** Expects the end of the first request to be published with its statements before it. */
    async function expectTold(expected: object): Promise<CrudRequestMessage> {
      await until(async () => told.length > 0);
      const [{ request, endedAt: end }] = told as [(typeof told)[0]];
      const route = { resource: 'ResourceController', model: 'Page', route: 'getManyBase' };
      const times = { startedAt: expect.any(Number), durationMs: expect.any(Number) };
      expect(request).toEqual({ ...route, ...times, ...expected });
      await delay(50);
      const own = queries.filter((query) => query.request === request);
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter(({ endedAt }) => endedAt > end)).toEqual([]);
      return request;
    }

    const PART = { rows: expect.any(Number), bytes: expect.any(Number) };

    test.each([
      ['', 'pages'],
      [', with an interceptor around it', 'intercepted'],
    ])('is told when the last byte was written, with its rows and bytes%s', async (_, path) => {
      await fill();
      const response = await ask(`/${path}?format=ndjson&sort=id,ASC`);
      await delay(300);
      expect(told).toEqual([]);
      const bytes = Buffer.byteLength(await text(response));
      const { durationMs } = await expectTold({ rows: PAGES, bytes });
      expect(durationMs).toBeGreaterThan(300);
      expect(queries.map(({ sql }) => sql).join()).toContain(table());
    });

    test('a list is that of one moment, though others write', async () => {
      await fill();
      const response = await ask('/pages?format=ndjson&sort=id,ASC');
      isFilled = false;
      await others.query(`UPDATE ${table()} SET state = 'new' WHERE id > 100`);
      await others.query(`DELETE FROM ${table()} WHERE id = 2000`);
      await others.query(`INSERT INTO ${table()} (id, state, body) VALUES (9999, 'new', '')`);
      const lines = recordsIn(await text(response));
      const ids = Array.from({ length: PAGES }, (_, index) => index + 1);
      if (db.kind === 'sqlite') {
        // In parts: whoever is there all along is there once.
        expect(lines.map(({ id }) => id)).toEqual([...ids.filter((id) => id !== 2000), 9999]);
      } else {
        expect(lines.map(({ id, state }) => [id, state])).toEqual(ids.map((id) => [id, 'old']));
      }
      await isFree();
    });

    test('others are served, and two exports at a time, though nobody reads on', async () => {
      await fill();
      const first = await ask('/pages?format=ndjson&sort=id,ASC');
      const second = await ask('/pages?format=csv&sort=id,ASC');
      await isFree();
      const third = await fetch(`${app.url}/pages?format=csv`);
      const refusal = { code: 'CRUD_UNAVAILABLE', message: 'Too many exports are running' };
      expect([third.status, await third.json()]).toMatchObject([503, refusal]);
      expect(recordsIn(await text(first))).toHaveLength(PAGES);
      expect((await text(second)).split('\r\n')).toHaveLength(PAGES + 2);
      expect((await text(await ask('/pages?format=csv&limit=1'))).split('\r\n')).toHaveLength(3);
      await until(async () => told.filter(({ request }) => request.status === undefined).length === 6);
    });

    test('a client that leaves frees its connection within a second', async () => {
      await fill();
      for (let times = 0; times < 4; times += 1) {
        const [first, second] = await Promise.all([ask('/pages?format=ndjson'), ask('/pages?format=csv')]);
        first.destroy();
        second.destroy();
        await delay(300);
      }
      await isFree();
      expect(await connectionsAtWork()).toEqual([]);
      expect(logged).toEqual([]);
      await expectTold({ status: 499, code: 'CRUD_CLIENT_CLOSED', ...PART });
    });

    test('a client that reads too slowly is cut off', async () => {
      await fill();
      const response = await ask('/brief?format=ndjson');
      await delay(900);
      await expect(text(response)).rejects.toThrow(/aborted|ECONNRESET/);
      expect(logged).toEqual(['An export was cut: The export took longer than 700 ms']);
      await expectTold({ status: 503, code: 'CRUD_TIMEOUT', ...PART });
      await isFree();
    });

    test('a class that fails half-way cuts the answer', async () => {
      await fill();
      await expect(text(await ask('/failing?format=ndjson&sort=id,ASC'))).rejects.toThrow(/aborted|ECONNRESET/);
      expect(logged).toEqual(['An export was cut: a class that fails']);
      await expectTold({ status: 500, ...PART });
      expect((await fetch(`${app.url}/failing?format=ndjson&filter=id||gte||2500`)).status).toBe(500);
      await isFree();
    });
    if (db.kind !== 'sqlite') {
      test('a connection that the database ends cuts the answer', async () => {
        await fill();
        const response = await ask('/pages?format=ndjson');
        await delay(100);
        const ended = await connectionsAtWork();
        expect(ended).toHaveLength(1);
        await others.query(db.kind === 'postgres' ? `SELECT pg_terminate_backend(${ended[0]})` : `KILL ${ended[0]}`);
        await expect(text(response)).rejects.toThrow(/aborted|ECONNRESET/);
        await expectTold({ status: 503, code: 'CRUD_UNAVAILABLE', ...PART });
        await isFree();
      });

      test('a client that leaves before the first byte has its statement cancelled', async () => {
        isFilled = false;
        await others.query(`DELETE FROM ${table()} WHERE id > 1`);
        const outgoing = get(`${app.url}/slow?format=csv&filter=id||slowly||1`, { agent: false });
        outgoing.on('error', () => undefined);
        await until(async () => (await sleeping()).length === 1);
        outgoing.destroy();
        const started = performance.now();
        await until(async () => (await sleeping()).length === 0);
        expect(performance.now() - started).toBeLessThan(1000);
        await isFree();
      });
    }

    /** Connections of the application that have a transaction, or on MariaDB a statement. */
    async function connectionsAtWork(): Promise<unknown[]> {
      if (db.kind === 'sqlite') return [];
      const rows = (await others.query(
        db.kind === 'postgres'
          ? `SELECT pid AS id FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND backend_type = 'client backend'`
          : `SELECT ID AS id FROM information_schema.processlist WHERE DB = DATABASE() AND COMMAND <> 'Sleep' AND ID <> CONNECTION_ID()`,
      )) as { id: unknown }[];
      return rows.map(({ id }) => Number(id));
    }

    async function sleeping(): Promise<unknown[]> {
      return (await others.query(
        db.kind === 'postgres'
          ? `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`
          : `SELECT ID FROM information_schema.processlist WHERE DB = DATABASE() AND INFO LIKE '%SLEEP(30)%' AND ID <> CONNECTION_ID()`,
      )) as unknown[];
    }

    async function until(holds: () => Promise<boolean>): Promise<void> {
      for (let tried = 0; tried < 200 && !(await holds()); tried += 1) await delay(10);
    }
  }),
);
