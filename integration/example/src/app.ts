/** The example application on a database and an HTTP platform, ready to listen. */
import type { INestApplication } from '@nestjs/common';
import { AppModule } from './app.module.js';
import type { SeedOptions } from './database/database.js';
import { type AppOptions, createDocumentedApp } from './documented-app.js';

/** What the application runs on, and what is in it. */
export type ExampleOptions = AppOptions & SeedOptions;

/**
 * Makes the application, with its OpenAPI document at `/docs-json` and a page to try it at `/docs`.
 *
 * @example
 * const app = await createApp({ databaseUrl: 'sqljs:', http: 'fastify' });
 * await app.listen(3000);
 */
export function createApp({
  databaseUrl = 'sqljs:',
  records,
  ...options
}: ExampleOptions = {}): Promise<INestApplication> {
  return createDocumentedApp(AppModule.on(databaseUrl, { records }), options, {
    title: 'nestwright example',
    description:
      'Companies, their users and their projects. /me and /my/projects act for the user whose id is in the header x-demo-user.',
  });
}
