/** Measures the servers side by side: `npm run bench`, `npm run bench:quick`. Answers that are not equal are not timed. README.md says how. */
import { writeFile } from 'node:fs/promises';
import { planOf } from './harness/arguments.js';
import { compareBodies } from './harness/bodies.js';
import { contestant, type ContestantName } from './harness/contestants.js';
import { machine } from './harness/machine.js';
import { markdown, publish } from './harness/markdown.js';
import { type Cell, measure, runIn } from './harness/measure.js';
import { checks } from './harness/requirements.js';
import { withSession } from './harness/session.js';
import { summarize } from './harness/summary.js';
import { workload } from './harness/workloads.js';

const plan = planOf(process.argv.slice(2));

const { summaries, ...findings } = await withSession(plan.servers, async (session) => {
  const { database, servers } = session;
  const described = machine(database.version);
  const cells: Cell[] = [];
  const peakRss: Partial<Record<ContestantName, number>> = {};

  await runIn(session, plan);
  for (const name of plan.workloads) {
    const { title, writes, calls } = workload(name);
    const able = servers.filter((server) => {
      const { spelling, lacks } = contestant(server.name);

      return calls[spelling] && !lacks?.includes(name);
    });

    process.stderr.write(`${name} ${title}\n`);
    await compareBodies(able, name);
    cells.push(...(await measure(able, name, session, plan)));
    if (writes) await database.restore();
  }
  for (const server of servers) peakRss[server.name] = (await server.ask('usage')).peakRss / 1024;

  return { machine: described, cells, peakRss, summaries: cells.map(summarize) };
});

const promises = checks(summaries);
const found = { ...findings, summaries, checks: promises };

process.stdout.write(`${markdown(found)}\n`);
await writeFile(plan.json, `${JSON.stringify({ plan, ...found }, undefined, 2)}\n`);
if (plan.publish) await publish(found);
process.exitCode = !plan.quick && promises.some(({ kept }) => !kept) ? 1 : 0;
