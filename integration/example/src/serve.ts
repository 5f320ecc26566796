/** Serves an application by PORT, HTTP and DATABASE_URL. */
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import type { AppOptions } from './documented-app.js';
import { isPlatform } from './platforms.js';

/** What is served, and what its greeting tells to try. */
export interface Served {
  readonly name: string;
  readonly create: (options: AppOptions) => Promise<INestApplication>;
  /** Commands to try, by the address of the server. */
  readonly tries: (url: string) => readonly string[];
}

/** @example await serve({ name: 'shop', create: createApp, tries: (url) => [`curl ${url}/products`] }); */
export async function serve({ name, create, tries }: Served): Promise<void> {
  const { PORT = '3000', HTTP = 'express', DATABASE_URL } = process.env;

  try {
    if (!isPlatform(HTTP)) throw new Error(`HTTP is "${HTTP}", neither express nor fastify`);

    const app = await create({
      http: HTTP,
      databaseUrl: DATABASE_URL || undefined,
      logger: ['warn', 'error', 'fatal'],
    });

    // Deno knows no others of those that Nest would listen for.
    app.enableShutdownHooks(['SIGINT', 'SIGTERM']);
    // Fastify, unlike Express, listens on the loopback address alone unless told otherwise.
    await app.listen(PORT, '0.0.0.0');

    // The port of PORT=0 is known only now.
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://localhost:${port}`;

    process.stdout.write(`
${name}: ${url}
OpenAPI: ${url}/docs and ${url}/docs-json

Try:
${tries(url)
  .map((line) => `  ${line}\n`)
  .join('')}`);
  } catch (error) {
    // Nest has logged the rest.
    process.stderr.write(`${name} did not start: ${String(error)}\n`);
    process.exit(1);
  }
}
