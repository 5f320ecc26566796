/**
 * Rows per second of exports on PostgreSQL (POSTGRES_URL): the library's against one that is written by hand with pg-query-stream, of the same columns, in turns. Fails below 0.9 of it.
 * `node export.js [rows]`: 1,000,000 unless told otherwise. Needs built packages.
 */
import { read, withReadings, withServer } from '../integration/memory/readings-database.js';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 3;
const LEAST = 0.9;

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

let failed = 0;

await withReadings('postgres', ROWS, (database) =>
  withServer('export-server.js', { database, platform: 'express' }, [], async (url) => {
    for (const format of ['ndjson', 'csv']) {
      const paths = { ours: `/readings?sort=id,ASC&format=${format}`, hand: `/by-hand?format=${format}` };
      const rates = { ours: [], hand: [] };
      for (const path of Object.values(paths)) await read(`${url}${path}&limit=20000`);
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [name, path] of Object.entries(paths)) {
          const { lines, time } = await read(url + path);
          if (Math.abs(lines - ROWS) > 1) throw new Error(`${lines} lines of ${path}`);
          rates[name].push(ROWS / (time / 1000));
        }
      }
      const [ours, hand] = [median(rates.ours), median(rates.hand)];
      const good = ours >= LEAST * hand;
      failed += good ? 0 : 1;
      console.log(
        `${format}: ${ours.toFixed(0)} rows a second, by hand ${hand.toFixed(0)}: ${(ours / hand).toFixed(2)}${good ? '' : ' FAILED'}`,
      );
    }
  }),
);
process.exitCode = failed ? 1 : 0;
