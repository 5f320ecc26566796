/** A database of readings, created for one run, and servers over it. */
import { randomBytes } from 'node:crypto';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { TESTS_ALL } from '../test-support/tests-asked-for.js';

const SERVERS = {
  postgres: {
    url: process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    rows: (count) => `generate_series(1, ${count}) AS rows(n)`,
    types: ['serial', 'double precision', 'timestamptz'],
    text: (prefix) => `'${prefix} ' || n`,
  },
  mariadb: {
    url: process.env.MYSQL_URL ?? 'mysql://root@127.0.0.1:3306',
    rows: (count) => `(SELECT seq AS n FROM seq_1_to_${count}) AS numbers`,
    types: ['int AUTO_INCREMENT', 'double', 'datetime'],
    text: (prefix) => `CONCAT('${prefix} ', n)`,
  },
};

/** Databases that readings can be in, with the HTTP platforms that they are read through: one of each, unless everything is tested. */
export const PLACES = TESTS_ALL
  ? Object.keys(SERVERS).map((type) => [type, ['express', 'fastify']])
  : [
      ['postgres', ['express']],
      ['mariadb', ['fastify']],
    ];

async function onServer(database, ...statements) {
  const source = await new DataSource(database).initialize();
  try {
    for (const statement of statements) await source.query(statement);
  } finally {
    await source.destroy();
  }
}

/** Runs work with a database of readings, which is dropped afterwards. */
export async function withReadings(type, count, work) {
  const { url: server, rows, types, text } = SERVERS[type];
  const [id, double, time] = types;
  const name = `nestwright_${randomBytes(8).toString('hex')}`;
  const database = { type, url: Object.assign(new URL(server), { pathname: `/${name}` }).href };
  await onServer({ type, url: server }, `CREATE DATABASE ${name}`);
  try {
    await onServer(
      database,
      `CREATE TABLE readings (id ${id} PRIMARY KEY, sensor varchar(40) NOT NULL, kind varchar(20) NOT NULL, value ${double} NOT NULL, note text,
        valid boolean NOT NULL DEFAULT true, at ${time} NOT NULL)`,
      `INSERT INTO readings (sensor, kind, value, note, at) SELECT ${text('sensor')}, 'temperature', n / 7.0, ${text('a note of some length about reading')}, now()
        FROM ${rows(count)}`,
      type === 'postgres' ? 'VACUUM ANALYZE readings' : 'ANALYZE TABLE readings',
    );
    await work(database);
  } finally {
    await onServer({ type, url: server }, `DROP DATABASE ${name}${type === 'postgres' ? ' WITH (FORCE)' : ''}`);
  }
}

/**
 * Runs work with a server process, which is stopped afterwards. `ask()` returns what the server measured since it was last asked.
 *
 * @param file The server's file in this folder.
 */
export async function withServer(file, options, execArgv, work) {
  const child = fork(join(import.meta.dirname, file), [JSON.stringify(options)], { execArgv });
  try {
    const [{ url }] = await once(child, 'message');
    await work(url, async () => {
      child.send('ask');
      return (await once(child, 'message'))[0];
    });
  } finally {
    child.disconnect();
    await Promise.race([once(child, 'exit'), delay(5000)]);
    child.kill();
  }
}

/**
 * Reads an answer without keeping it.
 *
 * @param pause Milliseconds to wait after each megabyte.
 */
export async function read(url, pause = 0) {
  const started = performance.now();
  const [answer] = await once(get(url, { agent: false }), 'response');
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} for ${url}`);
  let bytes = 0;
  let lines = 0;
  let megabytes = 1;
  for await (const piece of answer) {
    bytes += piece.length;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
    if (pause && bytes > megabytes * 2 ** 20) {
      megabytes += 1;
      await delay(pause);
    }
  }
  return { bytes, lines, time: performance.now() - started };
}
