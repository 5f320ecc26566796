/** Serves the application of shapes over PostgreSQL; its address goes to the parent process, and, whenever that asks, what the caches weigh by their own account. */
import { cachedBytes, configureCrudDatabase } from './adapter.js';
import { startShapesApp } from './shapes-app.js';

const [url, schema, options] = process.argv.slice(2);
const { app, dataSource, url: address } = await startShapesApp({ type: 'postgres', url, schema });
configureCrudDatabase(dataSource, JSON.parse(options));

process.on('message', () => process.send({ kept: cachedBytes(dataSource) }));
process.once('disconnect', () => app.close());
process.send({ url: address });
