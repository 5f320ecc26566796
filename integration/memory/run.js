/**
 * Reads and writes more than a process should hold, on PostgreSQL (POSTGRES_URL), with a server of its own for each task; fails where one needs 250 MB or more. The
 * servers are told to keep their heap small, as one would in a container of that size: without, Node.js collects garbage the later the more memory the machine has. Needs
 * built packages: `npm run build`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { TESTS_ALL } from '../test-support/tests-asked-for.js';
import { peak } from './peak.js';
import { withReadings } from './readings-database.js';

const LIMIT = 250;
const HEAP = 128;
const ROWS = TESTS_ALL ? 1_000_000 : 100_000;
const PAGE = 1000;
const LIST = 100_000;
const BULK = 10_000;

/** Tasks by what they do; each answers how many records it saw. */
const TASKS = {
  [`a list of ${ROWS.toLocaleString('en')} rows page by page`]: async (url) => {
    let seen = 0;
    for (let last = 0; ;) {
      const page = await records(`${url}/readings?filter=id||gt||${last}&sort=id,ASC&limit=${PAGE}`);
      seen += page.length;
      if (page.length < PAGE) return seen === ROWS;
      last = page.at(-1).id;
    }
  },
  'a list of 100,000 rows at once': async (url) =>
    (await records(`${url}/readings?filter=id||lte||${LIST}`)).length === LIST,
  'a bulk POST of 10,000 rows': async (url) => {
    const at = new Date().toISOString();
    const bulk = Array.from({ length: BULK }, (_, index) => ({
      sensor: `sensor ${index}`,
      kind: 'temperature',
      value: index / 7,
      note: `a note of some length about reading ${index}`,
      at,
    }));
    return (await records(`${url}/readings/bulk`, { bulk })).length === BULK;
  },
};

async function records(url, body) {
  const answer = await fetch(
    url,
    body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function deleteBeyond(database, last) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await client.query('DELETE FROM readings WHERE id > $1', [last]);
  } finally {
    await client.end();
  }
}

let failed = 0;

await withReadings('postgres', ROWS, async ({ url: database }) => {
  for (const fastPaths of TESTS_ALL ? ['on', 'off'] : ['on']) {
    for (const [task, run] of Object.entries(TASKS)) {
      const child = fork(join(import.meta.dirname, 'server.js'), [database], {
        execArgv: [`--max-old-space-size=${HEAP}`],
        env: { ...process.env, NESTWRIGHT_FAST_PATHS: fastPaths },
      });
      const [{ url }] = await once(child, 'message');
      const idle = peak(child.pid);
      const done = await run(url);
      const held = peak(child.pid);
      child.disconnect();
      await once(child, 'exit');
      await deleteBeyond(database, ROWS);
      const good = done && held < LIMIT;
      failed += good ? 0 : 1;
      console.log(
        `${task}, fast paths ${fastPaths}: ${held.toFixed(0)} MB (idle ${idle.toFixed(0)})${good ? '' : ' FAILED'}`,
      );
    }
  }
});
process.exitCode = failed ? 1 : 0;
