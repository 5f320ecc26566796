/**
 * Reads lists of 100,000 rows on PostgreSQL (POSTGRES_URL) and MariaDB (MYSQL_URL), with a server of its own for each way, and fails where its event loop stands still for more
 * than 100 ms. Then asks for 60 lists of 50,000 rows at a time, leaves, and sends another request: it must take less than 500 ms on PostgreSQL where rows come as texts, since their
 * statements are ended; elsewhere no more of the lists may be read than there are connections. The best of some tries counts, as whatever else the machine does only adds. Needs
 * built packages.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';

const LIMIT = 100;
const TRIES = 6;
/** As TypeORM's drivers have them by default. */
const CONNECTIONS = 10;
const ROWS = 100_000;
const ABORTED = 60;
const ABORTED_ROWS = 50_000;
const NEXT = 500;

const name = `nestwright_${randomBytes(8).toString('hex')}`;
const SERVERS = [
  {
    type: 'postgres',
    url: process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    rows: (count) => `generate_series(1, ${count}) AS rows(n)`,
    types: ['serial', 'double precision', 'timestamptz'],
    text: (prefix) => `'${prefix} ' || n`,
  },
  {
    type: 'mariadb',
    url: process.env.MYSQL_URL ?? 'mysql://root@127.0.0.1:3306',
    rows: (count) => `(SELECT seq AS n FROM seq_1_to_${count}) AS numbers`,
    types: ['int AUTO_INCREMENT', 'double', 'datetime'],
    text: (prefix) => `CONCAT('${prefix} ', n)`,
  },
];

async function onServer(database, ...statements) {
  const source = await new DataSource(database).initialize();
  try {
    for (const statement of statements) await source.query(statement);
  } finally {
    await source.destroy();
  }
}

/** Reads an answer as it comes, and keeps none of it. */
async function read(url) {
  const started = performance.now();
  const [answer] = await once(get(url, { agent: false }), 'response');
  let bytes = 0;
  answer.on('data', (chunk) => (bytes += chunk.length));
  await once(answer, 'end');
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} for ${url}`);
  return { bytes, time: performance.now() - started };
}

/** Reads the same on all connections. */
const readTogether = (url) => Promise.all(Array.from({ length: CONNECTIONS }, () => read(url)));

/** What has happened in a server since it was last asked. */
async function told(child) {
  child.send('tell');
  const [{ delay: held, statements }] = await once(child, 'message');
  return { held, statements };
}

async function leave(url, after) {
  const outgoing = get(url, { agent: false });
  outgoing.on('error', () => undefined);
  await delay(after);
  outgoing.destroy();
}

/** The least of some tries, which end with the first that is within the limit. */
async function least(limit, measure) {
  let best = Infinity;
  let tried = 0;
  do best = Math.min(best, await measure());
  while (best > limit && ++tried < TRIES);
  return best;
}

/** Milliseconds for which a list holds others up. */
function hold(child, url) {
  return least(LIMIT, async () => {
    await delay(50);
    await told(child);
    const { bytes } = await read(`${url}/readings`);
    if (bytes < ROWS * 100) throw new Error(`a list of ${bytes} bytes`);
    return (await told(child)).held;
  });
}

/** Milliseconds that a request takes after lists that nobody waits for, and how many of these were read from the database: of one try, good or the last. */
async function afterAborted(child, url, limit) {
  for (let tried = 1; ; tried += 1) {
    await readTogether(`${url}/readings?limit=1`);
    await told(child);
    await Promise.all(
      Array.from({ length: ABORTED }, (_, index) => leave(`${url}/readings?limit=${ABORTED_ROWS}`, 20 + index)),
    );
    const { time: next } = await read(`${url}/readings?limit=1`);
    await readTogether(`${url}/readings?limit=1`);
    const readAll = (await told(child)).statements - 1 - CONNECTIONS;
    if ((next <= limit && readAll <= CONNECTIONS) || tried === TRIES) return { next, readAll };
  }
}

async function measured(child, url, limit) {
  await read(`${url}/readings`);
  const held = await hold(child, url);
  const before = await least(0, async () => (await read(`${url}/readings?limit=1`)).time);
  return { held, before, ...(await afterAborted(child, url, limit)) };
}

let failed = 0;

for (const { type, url: server, rows, types, text } of SERVERS) {
  const database = { type, url: Object.assign(new URL(server), { pathname: `/${name}` }).href };
  const [id, double, time] = types;
  await onServer({ type, url: server }, `CREATE DATABASE ${name}`);
  try {
    await onServer(
      database,
      `CREATE TABLE readings (id ${id} PRIMARY KEY, sensor varchar(40) NOT NULL, kind varchar(20) NOT NULL, value ${double} NOT NULL, note text,
        valid boolean NOT NULL DEFAULT true, at ${time} NOT NULL)`,
      `INSERT INTO readings (sensor, kind, value, note, at) SELECT ${text('sensor')}, 'temperature', n / 7.0, ${text('a note of some length about reading')}, now()
        FROM ${rows(ROWS)}`,
    );
    for (const platform of ['express', 'fastify']) {
      for (const fastPaths of [true, false]) {
        const child = fork(join(import.meta.dirname, 'lists-server.js'), [
          JSON.stringify({ database, platform, fastPaths }),
        ]);
        try {
          const [{ url }] = await once(child, 'message');
          const limit = type === 'postgres' && fastPaths ? NEXT : Infinity;
          const { held, before, next, readAll } = await measured(child, url, limit);
          const good = held <= LIMIT && next <= limit && readAll <= CONNECTIONS;
          failed += good ? 0 : 1;
          console.log(
            `${type}, ${platform}, ${fastPaths ? 'fast paths' : 'plain'}: a list of ${ROWS} rows holds others up for ${held.toFixed(0)} ms; a request takes ${before.toFixed(0)} ms, after ${ABORTED} aborted lists, ${readAll} of them read, ${next.toFixed(0)} ms${good ? '' : ' FAILED'}`,
          );
        } finally {
          child.disconnect();
          await Promise.race([once(child, 'exit'), delay(5000)]);
          child.kill();
        }
      }
    }
  } finally {
    await onServer({ type, url: server }, `DROP DATABASE ${name}${type === 'postgres' ? ' WITH (FORCE)' : ''}`);
  }
}
process.exitCode = failed ? 1 : 0;
