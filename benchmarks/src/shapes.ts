/** Sends requests of random shapes and tells how the server's memory grows: `npm run bench:shapes`; exit code 1 above the limit, or where a new shape costs too much. */
import { parseArgs } from 'node:util';
import { measured } from './harness/measure.js';
import { withSession } from './harness/session.js';

/** Megabytes by which resident memory may grow after the warm-up. */
const GROWTH = 20;
/** Milliseconds of node CPU that a shape may cost when it is met for the first time, above one that is known. */
const MISS = 1;
const READINGS = 10;

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, requests: { type: 'string' } },
});
const requests = Number(values.requests ?? (values.quick ? 50_000 : 500_000));
/** Enough for every cache to be full, and for all code to be compiled. */
const warmUp = Math.min(50_000, requests / 5);

const kept = await withSession(['express'], async (session) => {
  const { load, servers } = session;
  const server = servers[0]!;
  const send = (workload: 'shapes' | 'hundred shapes', count: number) =>
    load.run({ url: server.url, server: server.name, workload, requests: count, connections: 8 });
  const resident = async (): Promise<number> => (await server.ask('collect')).rss / 1024;

  await send('shapes', warmUp);
  // Known shapes first, since they are few: what follows are new ones.
  await send('hundred shapes', warmUp / 10);

  const known = await measured(session, server, () => send('hundred shapes', warmUp / 5));
  const news = await measured(session, server, () => send('shapes', warmUp / 5));
  const readings: number[] = [];

  for (let sent = 0; ; sent += requests / READINGS) {
    const now = await resident();

    readings.push(now);
    process.stdout.write(`+ ${sent} requests: ${now.toFixed(1)} MB\n`);
    if (sent >= requests) break;
    await send('shapes', requests / READINGS);
  }

  const { peakRss } = await server.ask('usage');
  // Three readings each: V8 keeps or gives back some megabytes of free pages as it likes.
  const growth = Math.min(...readings.slice(-3)) - Math.min(...readings.slice(0, 3));
  const miss = news.nodeCpu - known.nodeCpu;

  process.stdout.write(
    [
      `growth: ${growth.toFixed(1)} MB, at most ${GROWTH} (least of the last three readings − least of the first three; peak ${(peakRss / 1024).toFixed(0)} MB)`,
      `a request of a known shape ${known.nodeCpu.toFixed(2)} ms of CPU, of a new shape ${news.nodeCpu.toFixed(2)} ms: ${miss.toFixed(2)} ms more, at most ${MISS}`,
      '',
    ].join('\n'),
  );
  return growth <= GROWTH && miss <= MISS;
});

process.exitCode = kept || values.quick ? 0 : 1;
