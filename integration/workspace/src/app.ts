/** The workspace application on a database and an HTTP platform, ready to listen. */
import type { INestApplication } from '@nestjs/common';
import { type AppOptions, createDocumentedApp } from '@nestwright/example';
import { AppModule } from './app.module.js';
import type { SeedOptions } from './database/database.js';

/** What the application runs on, and what is in it. */
export type WorkspaceOptions = AppOptions & SeedOptions;

/**
 * Makes the application, with its OpenAPI document at `/docs-json` and a page to try it at `/docs`.
 *
 * @example
 * const app = await createWorkspace({ databaseUrl: 'sqljs:', http: 'fastify' });
 * await app.listen(3000);
 */
export function createWorkspace({
  databaseUrl = 'sqljs:',
  records,
  moreTasks,
  ...options
}: WorkspaceOptions = {}): Promise<INestApplication> {
  return createDocumentedApp(AppModule.on(databaseUrl, { records, moreTasks }), options, {
    title: 'nestwright workspace',
    description:
      'Tenants with their members, projects and tasks. Every request acts for the member whose id is in the header x-demo-member.',
  });
}
