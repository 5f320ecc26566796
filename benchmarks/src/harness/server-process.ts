/** Starts a server in a process of its own, within a minute. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerQuestion, ServerUsage } from '../servers/serve.js';
import { contestant, type ContestantName } from './contestants.js';

const START_LIMIT = 60_000;

/** Where the harness is started from: the folder `benchmarks`. */
export const BENCHMARKS = fileURLToPath(new URL('../..', import.meta.url));

/** A server that answers HTTP at `url` and questions over its channel. */
export class ServerProcess {
  private constructor(
    readonly name: ContestantName,
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(name: ContestantName, databaseUrl: string): Promise<ServerProcess> {
    const { file, environment } = contestant(name);
    const child = fork(file, {
      cwd: BENCHMARKS,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        BENCH_DATABASE_URL: databaseUrl,
        BENCH_SERVER: name,
        ...environment,
      },
      execArgv: [],
    });
    const { port } = (await answer(child, name)) as { port: number };

    return new ServerProcess(name, `http://127.0.0.1:${port}`, child);
  }

  /** Asks one question; every answer carries the usage up to now. */
  async ask(question: ServerQuestion): Promise<ServerUsage> {
    this.child.send(question);
    return (await answer(this.child, this.name)) as ServerUsage;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;

    const ended = once(this.child, 'exit');

    this.child.kill();
    await ended;
  }
}

/** The next message of a child. */
async function answer(child: ChildProcess, name: string): Promise<unknown> {
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(START_LIMIT)]);
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${name} ended with ${String(code)}`);
  });

  try {
    return await Promise.race([once(child, 'message', { signal }).then(([message]: unknown[]) => message), ended]);
  } finally {
    ended.catch(() => undefined);
    abort.abort();
  }
}
