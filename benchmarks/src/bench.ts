/** Measures the servers side by side: `npm run bench`, `npm run bench:quick`; refuses to time answers that are not equal. README.md says how. */
import { writeFile } from 'node:fs/promises';
import { planOf } from './harness/arguments.js';
import { compareBodies } from './harness/bodies.js';
import { contestant } from './harness/contestants.js';
import { makeDatabase } from './harness/database.js';
import { LoadProcess } from './harness/load-process.js';
import { type Cell, measure } from './harness/measure.js';
import { report } from './harness/report.js';
import { ServerProcess } from './harness/server-process.js';
import { workload } from './harness/workloads.js';

const { POSTGRES_URL } = process.env;

if (!POSTGRES_URL)
  throw new Error('POSTGRES_URL names the PostgreSQL to measure on: postgres://user@host:port/database');

const plan = planOf(process.argv.slice(2));
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const database = await makeDatabase(POSTGRES_URL);
const load = new LoadProcess();
const servers: ServerProcess[] = [];
const cells: Cell[] = [];
const peakRss: Record<string, number> = {};

try {
  for (const name of plan.servers) servers.push(await ServerProcess.start(name, database.url));
  for (const name of plan.workloads) {
    const { title, writes, calls } = workload(name);
    const able = servers.filter((server) => calls[contestant(server.name).spelling]);

    say(`${name} ${title}`);
    await compareBodies(able, name);
    cells.push(...(await measure(able, name, { database, load, plan })));
    if (writes) await database.restore();
  }
  for (const server of servers) peakRss[server.name] = (await server.ask('usage')).peakRss / 1024;
} finally {
  load.stop();
  for (const server of servers) await server.stop();
  await database.client.end();
  await database.drop();
}

const { text, json, missed } = report({ plan, cells, peakRss, postgres: database.version });

process.stdout.write(text);
await writeFile(plan.json, `${JSON.stringify(json, undefined, 2)}\n`);
process.exitCode = missed && !plan.quick ? 1 : 0;
