/** A handler of AWS Lambda: the application starts with the first event and serves those that follow. docs/bundling.md shows it. */
import 'reflect-metadata';
import serverlessExpress from '@codegenie/serverless-express';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

let started;

async function start() {
  const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] });
  await app.init();

  return serverlessExpress({ app: app.getHttpAdapter().getInstance() });
}

export async function handler(event, context) {
  // A start that failed is tried anew by the next event.
  started ??= start().catch((error) => {
    started = undefined;
    throw error;
  });

  return (await started)(event, context);
}
