/** Starts the example: from its sources in this process or, where EXAMPLE_APP names a compiled `app.js`, from there in another. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ExampleOptions } from '../example/src/app.js';
import { EXAMPLE_RECORDS } from './fixtures/example-records.js';
import { addressOf, listening, type Served } from './listening.js';

export interface RunningExample extends Served {
  /** Closes the application; refuses where it leaves something behind that keeps its process from ending. */
  close(): Promise<void>;
}

/** How long a process may live on after its application was closed, in ms. */
const LAST_BREATH = 5_000;

/**
 * Its records are {@link EXAMPLE_RECORDS} unless said otherwise.
 *
 * @example const { origin, close } = await serveExample({ databaseUrl: 'sqljs:', http: 'fastify' });
 */
export async function serveExample(options: ExampleOptions): Promise<RunningExample> {
  const quiet: ExampleOptions = { logger: ['error', 'fatal'], records: EXAMPLE_RECORDS, ...options };
  const compiled = process.env['EXAMPLE_APP'];
  return compiled ? serveCompiled(compiled, quiet) : serveSources(quiet);
}

async function serveSources(options: ExampleOptions): Promise<RunningExample> {
  // Only here, since a run of the compiled example may lack what the sources import.
  const { createApp } = await import('../example/src/app.js');
  return listening(await createApp(options));
}

async function serveCompiled(compiled: string, options: ExampleOptions): Promise<RunningExample> {
  const server = fork(join(import.meta.dirname, 'serve-example.js'), [compiled], {
    execArgv: ['--no-warnings'],
    // Keeps the times among the records.
    serialization: 'advanced',
  });
  server.send(options);
  const exit = once(server, 'exit') as Promise<[number | null, string | null]>;
  const early = exit.then(([code]) => {
    throw new Error(`${compiled} ended with code ${code}`);
  });
  const [{ url, error }] = (await Promise.race([once(server, 'message'), early])) as [{ url: string; error?: string }];
  // From here on the end is nothing unexpected.
  early.catch(() => undefined);
  if (error !== undefined) throw new Error(error);
  return {
    origin: addressOf(url),
    close: async () => {
      server.send('close');
      const killing = setTimeout(() => server.kill('SIGKILL'), LAST_BREATH);
      const [code, signal] = await exit;
      clearTimeout(killing);
      if (code !== 0) throw new Error(`the closed example did not end by itself (code ${code}, signal ${signal})`);
    },
  };
}
