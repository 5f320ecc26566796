/** The harness itself: every suite gets an empty database of its own, on every database of the run, and leaves nothing behind. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { get } from 'node:http';
import { once } from 'node:events';
import { Controller, Get } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { DATABASES, describeDatabases, describePlatforms, listen } from '../index.js';

const urls = new Set<string>();

describe.each([1, 2])('suite %i', () => {
  describeDatabases('a database of its own', (db) => {
    let source: DataSource;

    beforeAll(async () => {
      source = await new DataSource(db.connection).initialize();
    });
    afterAll(() => source.destroy());

    test('is empty, writable and named like no other', async () => {
      if (db.kind !== 'sqlite') expect(urls.has(db.url)).toBe(false);
      urls.add(db.url);
      await source.query('CREATE TABLE t (a int)');
      await source.query('INSERT INTO t VALUES (1)');
      expect(await source.query('SELECT a FROM t')).toEqual([{ a: 1 }]);
    });

    test('folds the case of letters beyond ASCII where the database can', async () => {
      const [row] = await source.query(`SELECT lower('ÄÖ') AS l`);
      expect(row.l).toBe(db.kind === 'sqlite' ? 'ÄÖ' : 'äö');
    });
  });
});

describe('the kinds', () => {
  test('are the three that the project supports', () => expect(DATABASES).toEqual(['sqlite', 'postgres', 'mysql']));
});

describePlatforms('listen', (platform) => {
  @Controller('ping')
  class Ping {
    @Get()
    ping() {
      return 'pong';
    }
  }

  test('serves a testing module on a free port', async () => {
    const module = await Test.createTestingModule({ controllers: [Ping] }).compile();
    const { app, url } = await listen(module, platform);
    try {
      const [answer] = await once(get(`${url}/ping`), 'response');
      expect(answer.statusCode).toBe(200);
      expect(await answer.toArray().then((chunks: Buffer[]) => Buffer.concat(chunks).toString())).toBe('pong');
    } finally {
      await app.close();
    }
  });
});
