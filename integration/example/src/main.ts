/** PORT, HTTP and DATABASE_URL in, the served example out; refuses (exits with 1) a start that fails. */
import 'reflect-metadata';
import { createApp } from './app.js';
import { isPlatform } from './platforms.js';

const { PORT = '3000', HTTP = 'express', DATABASE_URL } = process.env;

try {
  if (!isPlatform(HTTP)) throw new Error(`HTTP is "${HTTP}", neither express nor fastify`);

  const app = await createApp({
    http: HTTP,
    databaseUrl: DATABASE_URL || undefined,
    logger: ['warn', 'error', 'fatal'],
  });

  app.enableShutdownHooks();
  // Fastify, unlike Express, listens on the loopback address alone unless told otherwise.
  await app.listen(PORT, '0.0.0.0');

  const url = `http://localhost:${PORT}`;

  process.stdout.write(`
nestwright example: ${url}
OpenAPI:            ${url}/docs and ${url}/docs-json

Try:
  curl '${url}/companies?limit=3'
  curl -g '${url}/users?join=company&filter=age||gte||40&sort=age,DESC&limit=5&page=1'
  curl -X POST ${url}/devices -H 'content-type: application/json' -d '{"serial":"SN-1"}'
`);
} catch (error) {
  // Nest has logged the rest.
  process.stderr.write(`The example did not start: ${String(error)}\n`);
  process.exit(1);
}
