/** Turns the fast paths off one by one and prints what each of them buys: `npm run bench:ablation`; exit code 1 where one buys less than it must. */
import { planOf } from './harness/arguments.js';
import { compareBodies } from './harness/bodies.js';
import { contestant, type ContestantName, FAST_PATHS } from './harness/contestants.js';
import { measure, runIn } from './harness/measure.js';
import { quotient } from './harness/quotient.js';
import { withSession } from './harness/session.js';
import { workload } from './harness/workloads.js';

/** What a fast path must save of a request's CPU, of the server or of the database, on one workload at least. */
const LEAST = 0.05;

const plan = planOf(['--quick', '--rounds', '12', '--warm-up', '2500', ...process.argv.slice(2)]);

const most = new Map<ContestantName, number>(FAST_PATHS.map((name) => [name, 0]));
const percent = (saved: number): string => (Number.isNaN(saved) ? '–' : `${(saved * 100).toFixed(0)} %`);

await withSession(['express', ...FAST_PATHS], async (session) => {
  const { database, servers } = session;

  await runIn(session, plan);
  process.stdout.write('What each saves of a request: node CPU / database CPU\n\n');
  process.stdout.write(`| Workload | ${FAST_PATHS.map((name) => contestant(name).title).join(' | ')} |\n`);
  process.stdout.write(`|---|${'---|'.repeat(FAST_PATHS.length)}\n`);

  for (const name of plan.workloads) {
    const { title, writes } = workload(name);

    await compareBodies(servers, name);
    const [base, ...others] = await measure(servers, name, session, plan);
    const saved = others.map((cell) => {
      const node = quotient(cell, base!, ({ nodeCpu }) => nodeCpu);
      const rows = quotient(cell, base!, ({ databaseCpu }) => databaseCpu);
      const [nodeSaved, databaseSaved] = [1 - 1 / node, 1 - 1 / rows];

      most.set(cell.server, Math.max(most.get(cell.server)!, nodeSaved, databaseSaved || 0));

      return `${percent(nodeSaved)} / ${percent(databaseSaved)}`;
    });

    process.stdout.write(`| ${name} ${title} | ${saved.join(' | ')} |\n`);
    if (writes) await database.restore();
  }
});

for (const [name, saved] of most) {
  if (saved < LEAST) {
    process.exitCode = 1;
    process.stdout.write(`${contestant(name).title} saves less than ${percent(LEAST)} on every workload\n`);
  }
}
