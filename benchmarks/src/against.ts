/** Compares the cost of a request with that of an earlier commit's server (BENCH_EARLIER), per workload, and that server with a second one of its commit: what those two differ by, the machine cannot tell. Started by benchmarks/against.js. */
import { planOf } from './harness/arguments.js';
import { compareBodies } from './harness/bodies.js';
import { contestant, type ContestantName } from './harness/contestants.js';
import { measure, type Round, runIn } from './harness/measure.js';
import { quotient } from './harness/quotient.js';
import { withSession } from './harness/session.js';
import { median } from './harness/summary.js';
import { workload, type WorkloadName } from './harness/workloads.js';

const plan = planOf(['--quick', '--rounds', '7', '--warm-up', '3000', ...process.argv.slice(2)]);
const { title } = contestant('earlier');
const COLUMNS: readonly { heading: string; server: ContestantName; of: (round: Round) => number | undefined }[] = [
  { heading: 'node CPU', server: 'express', of: ({ nodeCpu }: Round) => nodeCpu },
  { heading: 'node CPU, control', server: 'control', of: ({ nodeCpu }: Round) => nodeCpu },
  { heading: 'database CPU', server: 'express', of: ({ databaseCpu }: Round) => databaseCpu },
  { heading: 'database CPU, control', server: 'control', of: ({ databaseCpu }: Round) => databaseCpu },
];
const measured = new Map<WorkloadName, number[][]>(plan.workloads.map((name) => [name, []]));

const SERVERS: readonly ContestantName[] = ['express', 'control', 'earlier'];

for (let start = 0; start < plan.starts; start++) {
  // Whoever goes first in each round uses some percent more.
  const first = start % SERVERS.length;
  const names = [...SERVERS.slice(first), ...SERVERS.slice(0, first)];

  await withSession(names, async (session) => {
    await runIn(session, plan);

    for (const name of plan.workloads) {
      await compareBodies(session.servers, name);

      const cells = await measure(session.servers, name, session, plan);
      const cell = (server: ContestantName) => cells[names.indexOf(server)]!;

      measured.get(name)!.push(COLUMNS.map(({ server, of }) => quotient(cell(server), cell('earlier'), of)));
      if (workload(name).writes) await session.database.restore();
    }
  });
}

process.stdout.write(
  `This tree / ${title}; control: ${title} / ${title}. Of ${plan.starts} starts the middle (least to greatest)\n\n`,
);
process.stdout.write(
  `| Workload | ${COLUMNS.map(({ heading }) => heading).join(' | ')} |\n|---|${'---:|'.repeat(COLUMNS.length)}\n`,
);

for (const [name, starts] of measured) {
  const texts = COLUMNS.map((_, column) => {
    const quotients = starts.map((start) => start[column]!).toSorted((one, other) => one - other);
    const [least, middle, greatest] = [quotients[0]!, median(quotients), quotients.at(-1)!];

    return `${middle.toFixed(2)} (${least.toFixed(2)} to ${greatest.toFixed(2)})`;
  });

  process.stdout.write(`| ${name} ${workload(name).title} | ${texts.join(' | ')} |\n`);
}
