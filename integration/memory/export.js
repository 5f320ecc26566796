/**
 * Exports readings as NDJSON and as CSV, on PostgreSQL (POSTGRES_URL) and MariaDB (MYSQL_URL), to a slow reader, and fails where that takes 50 MB more than the process had. Under
 * TESTS=all to a fast reader, too, and each database on Express and Fastify. `node export.js [rows]`: 1,000,000 unless told otherwise. Needs built packages.
 */
import { PLACES, read, withReadings, withServer } from './readings-database.js';
import { TESTS_ALL } from '../test-support/tests-asked-for.js';

const LIMIT = 50;
const ROWS = Number(process.argv[2] ?? 1_000_000);
const HEAP = 128;
/** Milliseconds for which a reader waits after each megabyte. */
const PAUSES = TESTS_ALL ? [0, 40] : [40];

let failed = 0;

for (const [type, platforms] of PLACES) {
  await withReadings(type, ROWS, async (database) => {
    for (const platform of platforms) {
      for (const format of ['ndjson', 'csv']) {
        for (const pause of PAUSES) {
          await withServer(
            'export-server.js',
            { database, platform },
            [`--max-old-space-size=${HEAP}`],
            async (url, ask) => {
              const path = `${url}/readings?sort=id,ASC&format=${format}`;
              // The process has compiled what it needs, and its heap has the size that any request gives it.
              await read(`${path}&limit=20000`);
              await read(`${path}&limit=20000`);
              const { now } = await ask();
              const { lines, time } = await read(path, pause);
              const added = (await ask()).most - now;
              const good = lines === ROWS + (format === 'csv' ? 1 : 0) && added <= LIMIT;
              failed += good ? 0 : 1;
              console.log(
                `${type}, ${platform}, ${format}, ${pause ? 'slow' : 'fast'} reader: ${ROWS} rows in ${(time / 1000).toFixed(1)} s, ${added.toFixed(0)} MB more than ${now.toFixed(0)}${good ? '' : ' FAILED'}`,
              );
            },
          );
        }
      }
    }
  });
}
process.exitCode = failed ? 1 : 0;
