/** Runs the load in a process of its own. An answer that is no success ends the run. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadReport } from './load.js';

/** The process that sends the requests. */
export class LoadProcess {
  private readonly child: ChildProcess = fork(fileURLToPath(new URL('load.js', import.meta.url)), { execArgv: [] });

  async run(order: LoadOrder): Promise<LoadReport> {
    this.child.send(order);

    const [report] = (await once(this.child, 'message')) as [LoadReport];

    if (report.failure !== undefined) throw new Error(`${order.server}, ${order.workload}: ${report.failure}`);
    return report;
  }

  stop(): void {
    this.child.kill();
  }
}
