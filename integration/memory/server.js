/** Serves readings over PostgreSQL without limits of size; its address goes to the parent process. */
import { json } from 'express';
import { createReadingsApp, listen } from './readings-app.js';

const app = await createReadingsApp({
  database: { type: 'postgres', url: process.argv[2] },
  crud: { query: { maxLimit: false }, routes: { createManyBase: { maxBulk: false } } },
  nest: { bodyParser: false },
});
app.use(json({ limit: '50mb' }));
process.once('disconnect', () => app.close());
await listen(app);
