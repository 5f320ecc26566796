/** Running servers in, figures per workload and server out; rounds take turns, so that a busy moment of the machine meets everybody. */
import { spent, backendTimes } from './backend-time.js';
import type { Plan } from './arguments.js';
import type { ContestantName } from './contestants.js';
import type { BenchDatabase } from './database.js';
import type { LoadProcess } from './load-process.js';
import type { ServerProcess } from './server-process.js';
import type { WorkloadName } from './workloads.js';

/** One round of one server; times in milliseconds, CPU per request. */
export interface Round {
  requests: number;
  nodeCpu: number;
  databaseCpu: number | undefined;
  perSecond: number;
  p50: number;
  p99: number;
}

/** The figures of one server in one workload. */
export interface Cell {
  workload: WorkloadName;
  server: ContestantName;
  statements: number;
  rounds: Round[];
}

/** Requests of the pass in which statements are counted. */
const COUNTED = 200;

/** Measures one workload on all servers that take part in it. */
export async function measure(
  servers: ServerProcess[],
  workload: WorkloadName,
  { database, load, plan }: { database: BenchDatabase; load: LoadProcess; plan: Plan },
): Promise<Cell[]> {
  const { connections } = plan;
  const order = (server: ServerProcess, duration: number) =>
    load.run({ url: server.url, server: server.name, workload, duration, connections });
  const cells: Cell[] = [];

  for (const server of servers) {
    await server.ask('count');
    const { requests } = await order(server, COUNTED);
    const { statements } = await server.ask('uncount');

    cells.push({ workload, server: server.name, statements: statements / requests, rounds: [] });
    await order(server, plan.warmUp);
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (const [place, server] of servers.entries()) {
      const backends = await backendTimes(database.client, server.name);
      const before = await server.ask('usage');
      const { requests, elapsed, p50, p99 } = await order(server, plan.round);
      const now = await server.ask('usage');
      const databaseCpu = spent(backends, await backendTimes(database.client, server.name));

      cells[place]!.rounds.push({
        requests,
        nodeCpu: (now.cpu - before.cpu) / 1000 / requests,
        databaseCpu: databaseCpu === undefined ? undefined : databaseCpu / requests,
        perSecond: (requests * 1000) / elapsed,
        p50,
        p99,
      });
    }
  }
  return cells;
}
