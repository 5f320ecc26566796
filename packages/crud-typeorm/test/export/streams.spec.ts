/** Exports while something happens: others write, clients leave or read slowly, the database ends the connection, a class fails, connections have time limits of their own. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Exclude, Expose, Transform } from 'class-transformer';
import { Column, Entity, ManyToOne, OneToMany, PrimaryColumn, type Relation } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { connecting } from '../support/connecting.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('export_pages')
class Page {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) state!: string;
  @Column({ type: 'text' }) body!: string;
  @OneToMany(() => Line, (line) => line.page) lines!: Relation<Line>[];
}

@Entity('export_lines')
class Line {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @ManyToOne(() => Page, (page) => page.lines) page!: Relation<Page>;
}

/** Fails on one record in the middle. */
@Exclude()
class Failing {
  @Expose()
  @Transform(({ value }: { value: number }) => {
    if (value === 2500) throw new Error('a class that fails');
    return value;
  })
  id!: number;
  @Expose() body!: string;
}

/** More than sockets hold: 24 MB. */
const PAGES = 3000;
const BODY = 8000;
const SLOW = { postgres: '(SELECT pg_sleep(30)) IS NOT NULL', mysql: 'SLEEP(30) = 0', sqlite: '1 = 1' };

/** Numbers from 1 to that of pages, for `INSERT ... SELECT`. */
const DIGITS = `(${Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS n`).join(' UNION ALL ')})`;
const PLACES = ['a', 'b', 'c', 'd'].map((name) => `${DIGITS} ${name}`).join(', ');
const NUMBERS = `(SELECT a.n * 1000 + b.n * 100 + c.n * 10 + d.n + 1 AS seq FROM ${PLACES} WHERE a.n < ${PAGES / 1000}) numbers`;

/** An answer of which nothing has been read. */
const ask = async (url: string): Promise<IncomingMessage> =>
  ((await once(get(url, { agent: false }), 'response')) as [IncomingMessage])[0];

const isCut = async (response: IncomingMessage) => expect(text(response)).rejects.toThrow(/aborted|ECONNRESET/);

describePlatforms('exports as they are sent', (platform) =>
  describeDatabases(platform, (db) => {
    const formats = ['ndjson', 'csv'] as const;
    const of = (path: string, more: object, rest: object = {}) =>
      looseResource(Page, path, { query: { export: { formats, ...more } }, ...rest });
    const resources = [
      of('pages', {}),
      of('brief', { timeout: 700 }),
      of('failing', {}, { serialize: { getMany: Failing } }),
      of('slow', {}, { operators: { custom: { slowly: { query: () => SLOW[db.kind] } } } }),
    ];
    const logged: string[] = [];
    // What other files have logged is counted and told up to ten seconds later.
    const error = (message: string) => message.includes('more in the last 10 s') || logged.push(message);
    const logger = { error, log: () => undefined, warn: () => undefined };
    const app = serving(db, [Page, Line], resources, { platform, nest: { logger }, source: { poolSize: 3 } });
    // The only connection of SQLite is that of the application.
    const others = db.kind === 'sqlite' ? app : { source: connecting(db, []) };
    const open: IncomingMessage[] = [];
    const begin = async (path: string) => {
      const response = await ask(app.url + path);
      open.push(response);
      return response;
    };
    const linesOf = async (response: IncomingMessage) => (await text(response)).split('\n').slice(0, -1);

    afterEach(async () => {
      open.splice(0).forEach((response) => response.destroy());
      logged.length = 0;
      const started = performance.now();
      for (let tried = 0; tried < 3; tried += 1)
        expect((await fetch(`${app.url}/pages?limit=1&fields=id`)).status).toBe(200);
      expect(performance.now() - started).toBeLessThan(5000);
    });
    const table = () => app.source.driver.escape('export_pages');
    let isFilled = false;

    beforeEach(async () => {
      if (isFilled) return;
      isFilled = true;
      const body = db.kind === 'sqlite' ? `hex(zeroblob(${BODY / 2}))` : `REPEAT('0', ${BODY})`;
      await others.source.query(`DELETE FROM ${table()}`);
      await others.source.query(`INSERT INTO ${table()} (id, state, body) SELECT seq, 'old', ${body} FROM ${NUMBERS}`);
    });

    test('a list is that of one moment, though others write', async () => {
      const response = await begin('/pages?format=ndjson&sort=id,ASC');
      isFilled = false;
      await others.source.query(`UPDATE ${table()} SET state = 'new' WHERE id > 100`);
      await others.source.query(`DELETE FROM ${table()} WHERE id = 2000`);
      await others.source.query(`INSERT INTO ${table()} (id, state, body) VALUES (9999, 'new', '')`);
      const pages = (await linesOf(response)).map((line) => JSON.parse(line) as Page);
      const ids = Array.from({ length: PAGES }, (_, index) => index + 1);
      if (db.kind === 'sqlite') {
        // In parts: whoever is there all along is there once.
        expect(pages.map(({ id }) => id)).toEqual([...ids.filter((id) => id !== 2000), 9999]);
      } else {
        expect(pages.map(({ id, state }) => [id, state])).toEqual(ids.map((id) => [id, 'old']));
      }
    });

    test('others are served, and two exports at a time, though nobody reads on', async () => {
      const first = await begin('/pages?format=ndjson&sort=id,ASC');
      const second = await begin('/pages?format=csv&sort=id,ASC');
      expect((await fetch(`${app.url}/pages?limit=1&fields=id`)).status).toBe(200);
      expect((await fetch(`${app.url}/pages?format=csv`)).status).toBe(503);
      expect(await linesOf(first)).toHaveLength(PAGES);
      expect(await linesOf(second)).toHaveLength(PAGES + 1);
      expect(await linesOf(await begin('/pages?format=csv&limit=1'))).toHaveLength(2);
    });

    test('a client that leaves frees its connection within a second', async () => {
      for (let times = 0; times < 4; times += 1) {
        const [first, second] = await Promise.all([begin('/pages?format=ndjson'), begin('/pages?format=csv')]);
        first.destroy();
        second.destroy();
        await delay(300);
      }
      expect([await atWork('transactions'), logged]).toEqual([[], []]);
    });

    test('a client that reads too slowly is cut off', async () => {
      const response = await begin('/brief?format=ndjson');
      await delay(900);
      await isCut(response);
      expect(logged).toEqual(['An export was cut: The export took longer than 700 ms']);
    });

    test('a class that fails half-way cuts the answer', async () => {
      await isCut(await begin('/failing?format=ndjson&sort=id,ASC'));
      expect(logged).toEqual(['An export was cut: a class that fails']);
      expect((await fetch(`${app.url}/failing?format=ndjson&filter=id||gte||2500`)).status).toBe(500);
    });
    if (db.kind !== 'sqlite') {
      test('a connection that the database ends cuts the answer', async () => {
        const response = await begin('/pages?format=ndjson');
        await delay(100);
        const ended = await atWork('transactions');
        expect(ended).toHaveLength(1);
        const end = db.kind === 'postgres' ? `SELECT pg_terminate_backend(${ended[0]})` : `KILL ${ended[0]}`;
        await others.source.query(end);
        await isCut(response);
      });

      test('a client that leaves before the first byte has its statement cancelled', async () => {
        isFilled = false;
        await others.source.query(`DELETE FROM ${table()} WHERE id > 1`);
        const outgoing = get(`${app.url}/slow?format=csv&filter=id||slowly||1`, { agent: false });
        outgoing.on('error', () => undefined);
        const until = async (count: number) => {
          for (let tried = 0; tried < 100 && (await atWork('sleepers')).length !== count; tried += 1) await delay(10);
          expect(await atWork('sleepers')).toHaveLength(count);
        };
        await until(1);
        outgoing.destroy();
        await until(0);
      });
    }

    /** Connections of the application that have a transaction, or on MariaDB a statement; or those whose statement sleeps. */
    async function atWork(what: 'transactions' | 'sleepers'): Promise<number[]> {
      if (db.kind === 'sqlite') return [];
      const [from, which] =
        db.kind === 'postgres'
          ? [
              `pid AS id FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
              { transactions: 'xact_start IS NOT NULL', sleepers: `state = 'active' AND query LIKE 'FETCH%'` },
            ]
          : [
              'ID AS id FROM information_schema.processlist WHERE DB = DATABASE() AND ID <> CONNECTION_ID()',
              { transactions: `COMMAND <> 'Sleep'`, sleepers: `INFO LIKE '%SLEEP(30)%'` },
            ];
      const rows = await others.source.query<{ id: number | string }[]>(`SELECT ${from} AND ${which[what]}`);
      return rows.map(({ id }) => Number(id));
    }
  }),
);

type Pool = { on(event: 'connection', listener: (connection: { query(sql: string): unknown }) => void): void };

describeDatabases(
  'time limits of connections',
  (db) => {
    const of = (path: string, more: object = {}) =>
      looseResource(Page, path, {
        query: { export: { formats: ['ndjson'], ...more }, join: { lines: {} } },
        operators: { custom: { slowly: { query: () => 'SLEEP(0.6) = 0' } } },
      });
    const resources = [of('pages'), of('short', { maxRows: 100 }), of('brief', { timeout: 700 })];
    const limits = { net_write_timeout: 33, time: 0 };
    let limit = '';
    const app = serving(db, [Page, Line], resources, {
      nest: { logger: false },
      source: { poolSize: 1 },
      fill: async (source) => {
        const [{ version }] = await source.query<[{ version: string }]>('SELECT version() AS version');
        [limit, limits.time] = /mariadb/i.test(version) ? ['max_statement_time', 0.3] : ['max_execution_time', 300];
        const pages = `SELECT seq, 'old', REPEAT('x', ${BODY}) FROM ${NUMBERS}`;
        await source.query(`INSERT INTO export_pages (id, state, body) ${pages}`);
        const session = `SET SESSION net_write_timeout = 33, ${limit} = ${limits.time}`;
        await source.query(session);
        (source.driver as unknown as { pool: Pool }).pool.on('connection', (connection) => connection.query(session));
      },
    });
    const begin = (path: string) => ask(app.url + path);
    const SLOWLY = 'filter=id||eq||1&filter=id||slowly||1';
    // Whatever became of an export, they hold again.
    afterEach(async () => {
      const sql = `SELECT @@net_write_timeout + 0e0 AS net_write_timeout, @@${limit} + 0e0 AS time`;
      expect(await app.source.query(sql)).toEqual([limits]);
    });

    test('do not end an export whose reader is slow, nor a slow statement of an export', async () => {
      const slow = await begin('/pages?format=ndjson');
      await delay(900);
      expect((await text(slow)).split('\n')).toHaveLength(PAGES + 1);
      for (const more of ['', '&join=lines']) {
        expect((await fetch(`${app.url}/pages?${SLOWLY}${more}`)).status).toBe(503);
        const response = await begin(`/pages?${SLOWLY}${more}&format=ndjson`);
        expect([response.statusCode, (await text(response)).split('\n').length]).toEqual([200, 2]);
      }
    });

    test('hold again after an export was too long, refused, or left by its client', async () => {
      const response = await begin('/brief?format=ndjson');
      await delay(900);
      await isCut(response);
      const answer = await fetch(`${app.url}/brief?filter=id||in||1,2,3&filter=id||slowly||1&format=ndjson`);
      expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'CRUD_TIMEOUT' })]);
      expect((await fetch(`${app.url}/short?format=ndjson`)).status).toBe(400);
      (await begin('/pages?format=ndjson')).destroy();
      await delay(100);
    });
  },
  ['mysql'],
);
