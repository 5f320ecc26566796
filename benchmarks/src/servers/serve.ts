/** Serves a Nest application and answers the harness's questions over the parent's channel. */
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a server tells of itself: CPU time used so far in microseconds, peak resident set in kilobytes, statements counted. */
export interface ServerUsage {
  cpu: number;
  peakRss: number;
  rss: number;
  statements: number;
}

/** What the harness asks. Counting statements costs time, so it is off while anything is measured; `collect` collects garbage first. */
export type ServerQuestion = 'usage' | 'count' | 'uncount' | 'collect';

/** The little of Nest's application that is the same in Nest 11 and 12. */
interface Application {
  listen(port: number, host: string): Promise<unknown>;
  getHttpServer(): { address(): AddressInfo };
}

/** pg's client, as far as counting goes. */
interface PgClient {
  query(...parameters: unknown[]): unknown;
}

const NOT_COUNTED = /^\s*(?:BEGIN|START TRANSACTION|COMMIT|ROLLBACK)\b/i;

let statements = 0;

/** Listens on a free port, tells it to the parent, and answers what the parent asks. */
export async function serve(app: Application): Promise<void> {
  if (!process.send) throw new Error('A server of the benchmark is started by the harness: npm run bench');

  await app.listen(0, '127.0.0.1');

  const answers: Record<ServerQuestion, () => void | Promise<void>> = {
    usage: () => undefined,
    collect: collector(),
    ...counting(),
  };

  process.on('message', (question: ServerQuestion) => {
    void Promise.resolve(answers[question]()).then(() => process.send?.(usage()));
  });
  process.on('disconnect', () => process.exit());
  process.send({ port: app.getHttpServer().address().port });
}

/** getrusage(2) of this process, all its threads included. */
function usage(): ServerUsage {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();

  return { cpu: user + system, peakRss: maxRSS, rss: Math.round(process.memoryUsage.rss() / 1024), statements };
}

/** A full collection, twice, and time for V8 to give back the pages that it has freed; what stays resident after it is held. */
function collector(): () => Promise<void> {
  setFlagsFromString('--expose-gc');

  const collect = runInNewContext('gc') as () => void;

  return async () => {
    for (let pass = 0; pass < 2; pass++) {
      collect();
      await setTimeout(500);
    }
  };
}

/** Puts a counter before pg's `query`, and takes it away again. */
function counting(): Record<'count' | 'uncount', () => void> {
  // The server's own pg, wherever the compiled file stands: the nearest node_modules.
  const { Client } = createRequire(import.meta.url)('pg') as { Client: { prototype: PgClient } };
  const { query } = Client.prototype;

  return {
    count: () => {
      statements = 0;
      Client.prototype.query = function counted(this: PgClient, ...parameters: unknown[]): unknown {
        const [first] = parameters;
        const text = typeof first === 'string' ? first : (first as { text?: string }).text;

        if (!NOT_COUNTED.test(text ?? '')) statements++;
        return query.apply(this, parameters);
      };
    },
    uncount: () => {
      Client.prototype.query = query;
    },
  };
}
