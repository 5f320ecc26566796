/** Measures workloads on running servers. Rounds take turns, so that a busy moment of the machine meets everybody. */
import type { Plan } from './arguments.js';
import { backendTimes, spent } from './backend-time.js';
import type { ContestantName } from './contestants.js';
import type { LoadReport } from './load.js';
import type { LoadProcess } from './load-process.js';
import type { ServerProcess } from './server-process.js';
import type { Session } from './session.js';
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

/** Requests in which statements are counted; nothing is timed meanwhile. */
const COUNTED = 20;

/** Runs the servers in, before the first workload meets code that was never run. */
export async function runIn({ servers, load }: Session, plan: Plan): Promise<void> {
  for (const server of servers) await warmUp(server, load, server.name === 'paginate' ? 'L2' : 'L1', plan);
}

/** How many times longer than the CPU time it is to get a server is waited for, on a machine that others use. */
const PATIENCE = 3;

/** Loads a server until it has had its time of CPU, not of the clock: a server that was given less would be compiled less. */
async function warmUp(server: ServerProcess, load: LoadProcess, workload: WorkloadName, plan: Plan): Promise<void> {
  const { url, name } = server;
  const { warmUp: enough, connections } = plan;
  const { cpu: before } = await server.ask('usage');
  const end = performance.now() + enough * PATIENCE;

  for (let had = 0; had < enough && performance.now() < end;) {
    await load.run({ url, server: name, workload, duration: enough / 4, connections });
    had = ((await server.ask('usage')).cpu - before) / 1000;
  }
}

/** Measures one workload on all servers that take part in it. */
export async function measure(
  servers: ServerProcess[],
  workload: WorkloadName,
  session: Session,
  plan: Plan,
): Promise<Cell[]> {
  const cells: Cell[] = [];

  for (const server of servers) {
    const order = { url: server.url, server: server.name, workload, connections: plan.connections };

    await server.ask('count');

    const { requests } = await session.load.run({ ...order, requests: COUNTED });
    const { statements } = await server.ask('uncount');

    cells.push({ workload, server: server.name, statements: statements / requests, rounds: [] });
    await warmUp(server, session.load, workload, plan);
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (const [place, server] of servers.entries()) {
      const order = { url: server.url, server: server.name, workload, connections: plan.connections };

      cells[place]!.rounds.push(
        await measured(session, server, () => session.load.run({ ...order, duration: plan.round })),
      );
    }
  }
  return cells;
}

/** What one run of the load has cost a server and its backends. */
export async function measured(
  { database }: Session,
  server: ServerProcess,
  run: () => Promise<LoadReport>,
): Promise<Round> {
  const backends = await backendTimes(database.client, server.name);
  const before = await server.ask('usage');
  const { requests, elapsed, p50, p99 } = await run();
  const now = await server.ask('usage');
  const databaseCpu = spent(backends, await backendTimes(database.client, server.name));

  return {
    requests,
    nodeCpu: (now.cpu - before.cpu) / 1000 / requests,
    databaseCpu: databaseCpu === undefined ? undefined : databaseCpu / requests,
    perSecond: (requests * 1000) / elapsed,
    p50,
    p99,
  };
}
