/** Compares the cost of a request with that of an earlier commit's server (BENCH_EARLIER), per workload. Started by benchmarks/against.js. */
import { planOf } from './harness/arguments.js';
import { compareBodies } from './harness/bodies.js';
import { contestant } from './harness/contestants.js';
import { measure, runIn } from './harness/measure.js';
import { quotient } from './harness/quotient.js';
import { withSession } from './harness/session.js';
import { median } from './harness/summary.js';
import { workload, type WorkloadName } from './harness/workloads.js';

/** Two starts of one commit differ by as much as a tenth, by what V8 happens to compile when. */
const STARTS = 5;

const plan = planOf(['--quick', '--rounds', '7', '--warm-up', '3000', ...process.argv.slice(2)]);
const { title } = contestant('earlier');
const measured = new Map<WorkloadName, [node: number, database: number][]>(plan.workloads.map((name) => [name, []]));

for (let start = 0; start < STARTS; start++) {
  await withSession(['express', 'earlier'], async (session) => {
    await runIn(session, plan);

    for (const name of plan.workloads) {
      await compareBodies(session.servers, name);
      const [now, earlier] = await measure(session.servers, name, session, plan);

      measured
        .get(name)!
        .push([
          quotient(now!, earlier!, ({ nodeCpu }) => nodeCpu),
          quotient(now!, earlier!, ({ databaseCpu }) => databaseCpu),
        ]);
      if (workload(name).writes) await session.database.restore();
    }
  });
}

process.stdout.write(`This tree / ${title}, of ${STARTS} starts the middle (least to greatest)\n\n`);
process.stdout.write('| Workload | node CPU | database CPU |\n|---|---:|---:|\n');

for (const [name, starts] of measured) {
  const texts = [0, 1].map((figure) => {
    const quotients = starts.map((start) => start[figure]!).toSorted((one, other) => one - other);
    const [least, middle, greatest] = [quotients[0]!, median(quotients), quotients.at(-1)!];

    return `${middle.toFixed(2)} (${least.toFixed(2)} to ${greatest.toFixed(2)})`;
  });

  process.stdout.write(`| ${name} ${workload(name).title} | ${texts.join(' | ')} |\n`);
}
