/** A database's address and an HTTP platform in, the example application out, ready to listen; refuses (throws) a database that cannot be opened. */
import type { INestApplication, LoggerService, LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { AppModule } from './app.module.js';
import { type Platform, PLATFORMS } from './platforms.js';

/** What the application runs on. */
export interface AppOptions {
  /** Address of the database, whose tables are made anew and seeded. Default: an embedded SQLite in memory. */
  databaseUrl?: string;
  /** Default: `express`. */
  http?: Platform;
  /** Nest's logger, or the levels to log. Default: Nest's own. */
  logger?: LoggerService | LogLevel[] | false;
}

/**
 * Makes the application, with its OpenAPI document at `/docs-json` and a page to try it at `/docs`.
 *
 * @example
 * const app = await createApp({ databaseUrl: 'sqljs:', http: 'fastify' });
 * await app.listen(3000);
 */
export async function createApp({
  databaseUrl = 'sqljs:',
  http = 'express',
  logger,
}: AppOptions = {}): Promise<INestApplication> {
  const app = await NestFactory.create(AppModule.on(databaseUrl), PLATFORMS[http](), {
    abortOnError: false,
    ...(logger !== undefined && { logger }),
  });
  const description = new DocumentBuilder()
    .setTitle('nestwright example')
    .setDescription(
      'Companies, their users and their projects. /me and /my/projects act for the user whose id is in the header x-demo-user.',
    )
    .setVersion('0.1.0')
    .addBearerAuth()
    .build();

  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, description), {
    jsonDocumentUrl: 'docs-json',
  });

  return app;
}
