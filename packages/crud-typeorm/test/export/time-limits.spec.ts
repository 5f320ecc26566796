/** Exports on connections that the application has given time limits: only the export's own limit ends it, and the connection's limits hold again afterwards. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { BadRequestException, Logger } from '@nestjs/common';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Author, Book, failingAt2500, numbers, recordsIn, Review } from './entities.js';

/** More than sockets hold: 20 MB. */
const BOOKS = 5000;

describeDatabases(
  'time limits of connections',
  (db) => {
    const of = (path: string, more: object = {}, rest: object = {}) =>
      looseResource(Book, path, {
        query: { export: { formats: ['ndjson'], ...more }, join: { reviews: {} } },
        operators: { custom: { slowly: { query: () => 'SLEEP(0.6) = 0' } } },
        ...rest,
      });
    const resources = [
      of('books'),
      of('short', { maxRows: 100 }),
      of('brief', { timeout: 700 }),
      of('refusing', {}, { serialize: { getMany: failingAt2500(() => new BadRequestException('of the class')) } }),
      of('failing', {}, { serialize: { getMany: failingAt2500(() => new Error('of the class')) } }),
    ];
    const limits = { net_write_timeout: 33, time: 0 };
    let limit = '';
    const app = serving(db, [Author, Book, Review], resources, {
      nest: { logger: false },
      source: { poolSize: 1 },
      fill: async (source) => {
        const [{ version }] = await source.query<[{ version: string }]>('SELECT version() AS version');
        [limit, limits.time] = /mariadb/i.test(version) ? ['max_statement_time', 0.3] : ['max_execution_time', 300];
        await source.query('ALTER TABLE export_books MODIFY title TEXT');
        await source.query(
          `INSERT INTO export_books (id, title, price, secret) SELECT seq, REPEAT('x', 4000), 1, '' FROM ${numbers(BOOKS)}`,
        );
        const session = `SET SESSION net_write_timeout = 33, ${limit} = ${limits.time}`;
        await source.query(session);
        (source.driver as unknown as { pool: Pool }).pool.on('connection', (connection) => connection.query(session));
      },
    });

    beforeEach(() => void jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined));
    afterEach(async () => {
      jest.restoreAllMocks();
      const sql = `SELECT @@net_write_timeout + 0e0 AS net_write_timeout, @@${limit} + 0e0 AS time`;
      expect(await app.source.query(sql)).toEqual([limits]);
    });
    const ask = async (path: string) =>
      ((await once(get(app.url + path, { agent: false }), 'response')) as [IncomingMessage])[0];

    test('a slow reader gets the whole list', async () => {
      const response = await ask('/books?format=ndjson');
      await delay(900);
      expect((await text(response)).split('\n')).toHaveLength(BOOKS + 1);
    });

    test.each(['', '&join=reviews'])('a statement may take longer than others%s', async (more) => {
      const filter = 'filter=id||eq||1&filter=id||slowly||1';
      expect((await fetch(`${app.url}/books?${filter}${more}`)).status).toBe(503);
      const response = await ask(`/books?${filter}${more}&format=ndjson`);
      expect([response.statusCode, recordsIn(await text(response)).length]).toEqual([200, 1]);
    });

    test('a client leaves', async () => {
      const response = await ask('/books?format=ndjson');
      response.destroy();
      await delay(100);
    });

    test('a client reads for longer than the export may take', async () => {
      const response = await ask('/brief?format=ndjson');
      await delay(900);
      await expect(text(response)).rejects.toThrow(/aborted|ECONNRESET/);
    });

    test('a statement takes longer than the export may', async () => {
      const answer = await fetch(`${app.url}/brief?filter=id||in||1,2,3&filter=id||slowly||1&format=ndjson`);
      expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'CRUD_TIMEOUT' })]);
    });

    test.each([
      ['a list is too long', '/short?', 400],
      ['a class is refusing before the first byte', '/refusing?filter=id||gte||2500&', 400],
      ['a class is failing before the first byte', '/failing?filter=id||gte||2500&', 500],
    ])('%s', async (_, path, status) => {
      expect((await fetch(`${app.url}${path}format=ndjson`)).status).toBe(status);
    });

    test.each(['refusing', 'failing'])('a class is %s', async (path) => {
      await expect(text(await ask(`/${path}?format=ndjson&sort=id,ASC`))).rejects.toThrow(/aborted|ECONNRESET/);
    });
  },
  ['mysql'],
);

interface Pool {
  on(event: 'connection', listener: (connection: { query(sql: string): unknown }) => void): void;
}
