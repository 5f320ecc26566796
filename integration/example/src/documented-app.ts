/** An application with OpenAPI pages, ready to listen. */
import type { DynamicModule, INestApplication, LoggerService, LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type Platform, PLATFORMS } from './platforms.js';

/** What an application runs on. */
export interface AppOptions {
  /** Address of the database, whose tables are made anew and seeded. Default: an embedded SQLite in memory. */
  databaseUrl?: string;
  /** Default: `express`. */
  http?: Platform;
  /** Nest's logger, or the levels to log. Default: Nest's own. */
  logger?: LoggerService | LogLevel[] | false;
}

/** What the OpenAPI document says of the application. */
export interface Description {
  readonly title: string;
  readonly description: string;
}

/** The module of a data source that is already open, or that cannot be opened, which stops the start. */
export function databaseModule(open: () => Promise<DataSource>): DynamicModule {
  return TypeOrmModule.forRootAsync({
    // A database that does not answer is told at once, not after ten attempts.
    useFactory: () => ({ type: 'sqljs', retryAttempts: 0 }),
    dataSourceFactory: open,
  });
}

/** Makes the application, with its OpenAPI document at `/docs-json` and a page to try it at `/docs`. */
export async function createDocumentedApp(
  module: DynamicModule,
  { http = 'express', logger }: AppOptions,
  { title, description }: Description,
): Promise<INestApplication> {
  const app = await NestFactory.create(module, PLATFORMS[http](), {
    abortOnError: false,
    ...(logger !== undefined && { logger }),
  });
  const document = new DocumentBuilder()
    .setTitle(title)
    .setDescription(description)
    .setVersion('0.1.0')
    .addBearerAuth()
    .build();

  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, document), {
    jsonDocumentUrl: 'docs-json',
  });

  return app;
}
