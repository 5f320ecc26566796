/** Services in processes of their own. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerOptions } from './server.js';

const LOADER = new URL('../test-support/typescript-sources.mjs', import.meta.url).href;
const SERVER = fileURLToPath(new URL('./server.ts', import.meta.url));

export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** What it has logged. */
    readonly log: readonly string[],
  ) {}

  static async start(options: ServerOptions, env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
    const child = fork(SERVER, [JSON.stringify(options)], {
      execArgv: ['--import', LOADER, '--no-warnings'],
      env: { ...process.env, ...env },
      silent: true,
    });
    const log: string[] = [];
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => log.push(String(data)));
    const [url] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[];
    if (typeof url !== 'string') throw new Error(log.join(''));

    return new ServiceProcess(child, url, log);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends a signal and waits for the end of the process. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.signal(signal);
    await ended;
  }
}
