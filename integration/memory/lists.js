/**
 * Reads lists of 100,000 rows on PostgreSQL (POSTGRES_URL) and MariaDB (MYSQL_URL), each on one HTTP platform unless under TESTS=all, with a server of its own for each way, and fails where its event loop stands still for more
 * than a fifth of the time that the list takes: a share, as a busy machine prolongs both. Then asks for 60 lists of 50,000 rows at a time, leaves, and sends another request: none of
 * the lists may be read to its end on PostgreSQL where rows come as texts, since their statements are ended; elsewhere no more of them than there are connections. Needs built packages.
 */
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { TESTS_ALL } from '../test-support/tests-asked-for.js';
import { PLACES, read, withReadings, withServer } from './readings-database.js';

const LIMIT = 0.2;
const TRIES = 6;
/** As TypeORM's drivers have them by default. */
const CONNECTIONS = 10;
const ROWS = 100_000;
const ABORTED = 60;
const ABORTED_ROWS = 50_000;

/** Reads the same on all connections. */
const readTogether = (url) => Promise.all(Array.from({ length: CONNECTIONS }, () => read(url)));

async function leave(url, after) {
  const outgoing = get(url, { agent: false });
  outgoing.on('error', () => undefined);
  await delay(after);
  outgoing.destroy();
}

/** Milliseconds for which a list holds others up, and their share of the time that it takes: of the first try within the limit, or of the best. */
async function hold(url, ask) {
  let best = { share: Infinity };
  for (let tried = 0; tried < TRIES && best.share > LIMIT; tried += 1) {
    await delay(50);
    await ask();
    const { bytes, time } = await read(`${url}/readings`);
    if (bytes < ROWS * 100) throw new Error(`a list of ${bytes} bytes`);
    const held = (await ask()).delay;
    if (held / time < best.share) best = { held, share: held / time };
  }
  return best;
}

/** Milliseconds that a request takes after lists that nobody waits for, and how many of these were read from the database: of the first try within the limit, or of the last. */
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
    if (readAll <= limit || tried === TRIES) return { next, readAll };
  }
}

async function measured(url, ask, limit) {
  await read(`${url}/readings`);
  return { ...(await hold(url, ask)), ...(await afterAborted(url, ask, limit)) };
}

let failed = 0;

for (const [type, platforms] of PLACES) {
  await withReadings(type, ROWS, async (database) => {
    for (const platform of platforms) {
      for (const fastPaths of TESTS_ALL ? [true, false] : [true]) {
        await withServer('lists-server.js', { database, platform, fastPaths }, [], async (url, ask) => {
          const limit = type === 'postgres' && fastPaths ? 0 : CONNECTIONS;
          const { held, share, next, readAll } = await measured(url, ask, limit);
          const good = share <= LIMIT && readAll <= limit;
          failed += good ? 0 : 1;
          console.log(
            `${type}, ${platform}, ${fastPaths ? 'fast paths' : 'plain'}: a list of ${ROWS} rows holds others up for ${held.toFixed(0)} ms, ${(100 * share).toFixed(0)} % of its time; a request after ${ABORTED} aborted lists, ${readAll} of them read, takes ${next.toFixed(0)} ms${good ? '' : ' FAILED'}`,
          );
        });
      }
    }
  });
}
process.exitCode = failed ? 1 : 0;
