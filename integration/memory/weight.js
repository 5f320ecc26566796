/**
 * Compares what the caches of a data source say that they weigh with what the heap grows by while they fill, for shapes of several kinds and sizes; fails where one is more
 * than twice the other. Needs built packages, PostgreSQL (POSTGRES_URL) and `--expose-gc`: `node --expose-gc integration/memory/weight.js`.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { cachedBytes, configureCrudDatabase } from './adapter.js';
import { texts } from './domain.js';
import { KINDS, numbers } from './hostile-shapes.js';
import { startShapesApp } from './shapes-app.js';

const SHAPES = 80;
const TRIES = 3;
const SIZES = [0.1, 1];

const server = process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const schema = `nestwright_${randomBytes(8).toString('hex')}`;
const client = new pg.Client({ connectionString: server });
await client.connect();
await client.query(`CREATE SCHEMA ${schema}`);

const heap = async () => {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().heapUsed;
};

let failed = 0;
try {
  for (const options of [{ type: 'postgres', url: server, schema }, { type: 'sqljs' }]) {
    const { app, dataSource, url } = await startShapesApp(options);
    configureCrudDatabase(dataSource, { statementCache: 1e6, statementCacheBytes: 2 ** 34 });
    const random = numbers(1);
    const ask = async (path, body) => {
      const answer = await fetch(`${url}${path}`, body);
      if (!answer.ok) throw new Error(`${answer.status} ${(await answer.text()).slice(0, 300)}`);
      await answer.text();
    };
    const measured = async (count, request) => {
      const [before, estimated] = [await heap(), cachedBytes(dataSource)];
      for (let index = 0; index < count; index += 1) await request();
      const grown = (await heap()) - before;
      const ratio = (cachedBytes(dataSource) - estimated) / grown;
      return { grown, ratio, good: ratio >= 0.5 && ratio <= 2 };
    };
    const compare = async (name, count, request) => {
      for (let index = 0; index < count / 4; index += 1) await request();
      // The heap also holds what V8 has compiled meanwhile, which a second look does not meet again.
      let { grown, ratio, good } = await measured(count, request);
      for (let tried = 1; !good && tried < TRIES; tried += 1) ({ grown, ratio, good } = await measured(count, request));
      failed += good ? 0 : 1;
      console.log(
        `${options.type} ${name}: ${(grown / count / 1024).toFixed(1)} KB a shape, estimate ${ratio.toFixed(2)} of it${good ? '' : ' FAILED'}`,
      );
    };

    for (const [kind, query] of Object.entries(KINDS)) {
      for (const size of SIZES) await compare(`${kind} ${size}`, SHAPES, () => ask(`/users?${query(random, size)}`));

      await compare(`${kind} with total`, SHAPES, () => ask(`/users?limit=5&page=1&${query(random, 0.5)}`));
    }
    const store = (rows) => {
      const columns = texts.filter(() => random(2) === 1);
      const record = { data: {}, ...Object.fromEntries(columns.map((name) => [name, 'v'])) };
      return ask(rows === 1 ? '/users' : '/users/bulk', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(rows === 1 ? record : { bulk: Array(rows).fill(record) }),
      });
    };
    await compare('columns that are stored', 10 * SHAPES, () => store(1));
    await compare('columns that are stored by bulks', 5 * SHAPES, () => store(50));
    await app.close();
  }
} finally {
  await client.query(`DROP SCHEMA ${schema} CASCADE`);
  await client.end();
}
process.exitCode = failed ? 1 : 0;
