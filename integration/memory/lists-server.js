/**
 * Serves readings over PostgreSQL or MariaDB on Express or Fastify. Its address goes to the parent process and, whenever that asks, the longest delay of
 * its event loop and the number of statements read to their end since it was last asked.
 */
import { subscribe } from 'node:diagnostics_channel';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import { DataSource } from 'typeorm';
import { createReadingsApp, listen } from './readings-app.js';

const { database, platform, fastPaths } = JSON.parse(process.argv[2]);
const app = await createReadingsApp({ database, platform, crud: { query: { maxLimit: false } } });
configureCrudDatabase(app.get(DataSource), { fastPaths });

const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
let statements = 0;
subscribe('nestwright:query', ({ failed }) => (statements += failed ? 0 : 1));
process.on('message', () => {
  process.send({ delay: delays.max / 1e6, statements });
  delays.reset();
  statements = 0;
});
process.once('disconnect', () => app.close());
await listen(app);
