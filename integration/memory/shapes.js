/**
 * Sends 800 requests of hostile shapes, each new (20,000 under TESTS=all, SHAPES=<number> for others), to a server on PostgreSQL (POSTGRES_URL) with a small heap, with
 * fast paths and without; fails where the process needs 256 MB or more, or its caches leave their budget. Needs built packages.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { texts } from './domain.js';
import { KINDS, numbers } from './hostile-shapes.js';
import { TESTS_ALL } from '../test-support/tests-asked-for.js';
import { peak } from './peak.js';

const LIMIT = 256;
const HEAP = 128;
const BUDGET = 32 * 2 ** 20;
const CONNECTIONS = 6;
const total = Number(process.env.SHAPES ?? (TESTS_ALL ? 20_000 : 800));

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const kinds = Object.values(KINDS);

/** Sends one request of a new shape: every eighth stores a record of columns that no other named. */
async function send(url, random, index) {
  const store = index % 8 === 7;
  const query = kinds[index % kinds.length](random, 1);
  const outgoing = store
    ? request(`${url}/users`, { agent, method: 'POST', headers: { 'content-type': 'application/json' } })
    : get(`${url}/users?limit=3&page=1&${query}`, { agent });
  if (store) {
    const columns = texts.filter(() => random(2) === 1);
    outgoing.end(JSON.stringify({ data: {}, ...Object.fromEntries(columns.map((name) => [name, 'v'])) }));
  }
  const [answer] = await once(outgoing, 'response');
  answer.resume();
  await once(answer, 'end');
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} for ${query.slice(0, 200)}`);
}

const server = process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const client = new pg.Client({ connectionString: server });
await client.connect();
let failed = 0;

for (const [options, count] of [
  [{}, total],
  [{ fastPaths: false }, Math.max(500, total / 10)],
]) {
  const schema = `nestwright_${randomBytes(8).toString('hex')}`;
  await client.query(`CREATE SCHEMA ${schema}`);
  const child = fork(join(import.meta.dirname, 'shapes-server.js'), [server, schema, JSON.stringify(options)], {
    execArgv: [`--max-old-space-size=${HEAP}`],
  });
  try {
    const [{ url }] = await once(child, 'message');
    const random = numbers(1);
    const started = Date.now();
    let [sent, kept] = [0, 0];
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (sent < count) await send(url, random, (sent += 1));
      }),
    );
    child.send('kept');
    [{ kept }] = await once(child, 'message');
    const held = peak(child.pid);
    const good = held < LIMIT && kept <= BUDGET && kept > 0;
    failed += good ? 0 : 1;
    console.log(
      `${count} shapes, ${JSON.stringify(options)}: ${held.toFixed(0)} MB, of them ${(kept / 2 ** 20).toFixed(1)} MB in caches, ${((Date.now() - started) / 1000).toFixed(0)} s${good ? '' : ' FAILED'}`,
    );
  } finally {
    child.disconnect();
    await Promise.race([once(child, 'exit'), delay(5000)]);
    child.kill();
    await client.query(`DROP SCHEMA ${schema} CASCADE`);
  }
}
agent.destroy();
await client.end();
process.exitCode = failed ? 1 : 0;
