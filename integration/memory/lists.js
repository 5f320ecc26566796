/**
 * Reads lists of 100,000 rows on PostgreSQL (POSTGRES_URL) and MariaDB (MYSQL_URL), with a server of its own for each way, and fails where its event loop stands still for more
 * than 100 ms. Then asks for 60 lists of 50,000 rows at a time, leaves, and sends another request: it must take less than 500 ms on PostgreSQL where rows come as texts, since their
 * statements are ended; elsewhere no more of the lists may be read than there are connections. The best of some tries counts, as whatever else the machine does only adds. Needs
 * built packages.
 */
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { read, TYPES, withReadings, withServer } from './readings-database.js';

const LIMIT = 100;
const TRIES = 6;
/** As TypeORM's drivers have them by default. */
const CONNECTIONS = 10;
const ROWS = 100_000;
const ABORTED = 60;
const ABORTED_ROWS = 50_000;
const NEXT = 500;

/** Reads the same on all connections. */
const readTogether = (url) => Promise.all(Array.from({ length: CONNECTIONS }, () => read(url)));

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
function hold(url, ask) {
  return least(LIMIT, async () => {
    await delay(50);
    await ask();
    const { bytes } = await read(`${url}/readings`);
    if (bytes < ROWS * 100) throw new Error(`a list of ${bytes} bytes`);
    return (await ask()).delay;
  });
}

/** Milliseconds that a request takes after lists that nobody waits for, and how many of these were read from the database: of one try, good or the last. */
async function afterAborted(url, ask, limit) {
  for (let tried = 1; ; tried += 1) {
    await readTogether(`${url}/readings?limit=1`);
    await ask();
    await Promise.all(
      Array.from({ length: ABORTED }, (_, index) => leave(`${url}/readings?limit=${ABORTED_ROWS}`, 20 + index)),
    );
    const { time: next } = await read(`${url}/readings?limit=1`);
    await readTogether(`${url}/readings?limit=1`);
    const readAll = (await ask()).statements - 1 - CONNECTIONS;
    if ((next <= limit && readAll <= CONNECTIONS) || tried === TRIES) return { next, readAll };
  }
}

async function measured(url, ask, limit) {
  await read(`${url}/readings`);
  const held = await hold(url, ask);
  const before = await least(0, async () => (await read(`${url}/readings?limit=1`)).time);
  return { held, before, ...(await afterAborted(url, ask, limit)) };
}

let failed = 0;

for (const type of TYPES) {
  await withReadings(type, ROWS, async (database) => {
    for (const platform of ['express', 'fastify']) {
      for (const fastPaths of [true, false]) {
        await withServer('lists-server.js', { database, platform, fastPaths }, [], async (url, ask) => {
          const limit = type === 'postgres' && fastPaths ? NEXT : Infinity;
          const { held, before, next, readAll } = await measured(url, ask, limit);
          const good = held <= LIMIT && next <= limit && readAll <= CONNECTIONS;
          failed += good ? 0 : 1;
          console.log(
            `${type}, ${platform}, ${fastPaths ? 'fast paths' : 'plain'}: a list of ${ROWS} rows holds others up for ${held.toFixed(0)} ms; a request takes ${before.toFixed(0)} ms, after ${ABORTED} aborted lists, ${readAll} of them read, ${next.toFixed(0)} ms${good ? '' : ' FAILED'}`,
          );
        });
      }
    }
  });
}
process.exitCode = failed ? 1 : 0;
