/** Starts an empty application and one of 200 resources, in turn, and tells what the resources add: `npm run bench:start`; exit code 1 above the limits. */
import { parseArgs } from 'node:util';
import { type ContestantName, STARTERS } from './harness/contestants.js';
import { ServerProcess } from './harness/server-process.js';
import { withSession } from './harness/session.js';
import { median } from './harness/summary.js';

/** What 200 resources of 20 columns may add: milliseconds until the application listens, and megabytes. */
const LIMITS = { time: 1_000, memory: 40 };

/** One start. */
interface Start {
  /** Milliseconds from the start of the process until it listens. */
  time: number;
  /** Milliseconds of CPU until it listens. */
  cpu: number;
  /** Megabytes that are resident once garbage is collected. */
  memory: number;
}

const { values } = parseArgs({ options: { starts: { type: 'string', default: '7' } } });

const kept = await withSession([], async ({ database }) => {
  const starts = new Map<ContestantName, Start[]>(STARTERS.map((name) => [name, []]));

  for (let turn = 0; turn < Number(values.starts); turn++) {
    for (const [name, list] of starts) {
      const began = performance.now();
      const server = await ServerProcess.start(name, database.url);
      const time = performance.now() - began;
      const { cpu } = await server.ask('usage');
      const { rss } = await server.ask('collect');

      await server.stop();
      list.push({ time, cpu: cpu / 1000, memory: rss / 1024 });
    }
  }

  const [empty, , resources] = STARTERS.map((name) => {
    const list = starts.get(name)!;
    const middle = (pick: keyof Start): number => median(list.map((start) => start[pick]));
    const result = { time: middle('time'), cpu: middle('cpu'), memory: middle('memory') };

    process.stdout.write(
      `${name}: listens after ${result.time.toFixed(0)} ms, ${result.cpu.toFixed(0)} ms of CPU, ${result.memory.toFixed(1)} MB\n`,
    );
    return result;
  });
  const time = resources!.time - empty!.time;
  const cpu = resources!.cpu - empty!.cpu;
  const memory = resources!.memory - empty!.memory;

  process.stdout.write(
    `200 resources add ${time.toFixed(0)} ms (at most ${LIMITS.time}), ${cpu.toFixed(0)} ms of CPU and ${memory.toFixed(1)} MB (at most ${LIMITS.memory}); medians of ${values.starts} starts\n`,
  );
  return time <= LIMITS.time && memory <= LIMITS.memory;
});

process.exitCode = kept ? 0 : 1;
