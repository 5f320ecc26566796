/**
 * Serves a list of readings whole, on PostgreSQL or MariaDB: by the library on Express or Fastify, or by hand with pg-query-stream on Express. Its address
 * goes to the parent process and, whenever that asks, the most memory that it has held since it was last asked.
 */
import { pipeline } from 'node:stream/promises';
import { Transform } from 'node:stream';
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { stringify } from 'csv-stringify';
import pg from 'pg';
import QueryStream from 'pg-query-stream';
import { createReadingsApp, listen } from './readings-app.js';

const { database, platform } = JSON.parse(process.argv[2]);

const NAMES = ['id', 'sensor', 'kind', 'value', 'note', 'valid', 'at'];
const WRITERS = {
  ndjson: () =>
    new Transform({
      writableObjectMode: true,
      transform: (row, _, done) => done(null, `${JSON.stringify(row)}\n`),
    }),
  csv: () =>
    stringify({
      header: true,
      columns: NAMES,
      record_delimiter: 'windows',
      quoted_match: /^$/,
      cast: { boolean: String, date: (date) => date.toISOString() },
    }),
};

/** What one would write by hand. */
async function exportByHand(pool, format, response) {
  const client = await pool.connect();
  try {
    const limit = response.req.query.limit;
    const rows = client.query(
      new QueryStream(
        `SELECT ${NAMES.join(', ')} FROM readings ORDER BY id${limit ? ' LIMIT $1' : ''}`,
        limit ? [limit] : [],
        {
          batchSize: 1000,
        },
      ),
    );
    response.setHeader('content-type', format === 'csv' ? 'text/csv' : 'application/x-ndjson');
    await pipeline(rows, WRITERS[format](), response);
    client.release();
  } catch (error) {
    client.release(error);
  }
}

const app = await createReadingsApp({
  database,
  platform,
  crud: { query: { export: { formats: ['ndjson', 'csv'] } } },
});
if (platform === 'express' && database.type === 'postgres') {
  const pool = new pg.Pool({ connectionString: database.url });
  const express = app.getHttpAdapter().getInstance();
  express.get('/by-hand', (request, response) => exportByHand(pool, request.query.format, response));
}

/** Memory that the process has now, in MB, as the operating system counts it. */
const held = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
let most = held();
setInterval(() => (most = Math.max(most, held())), 20).unref();
process.on('message', () => {
  process.send({ most: Math.max(most, held()), now: held() });
  most = held();
});
process.once('disconnect', () => process.exit());
await listen(app);
