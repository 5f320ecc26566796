import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { UniqueFilter } from './common/unique.filter';

export async function bootstrap(port: number): Promise<INestApplication> {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'], abortOnError: false });
  app.useGlobalFilters(new UniqueFilter());
  await app.listen(port, '127.0.0.1');

  return app;
}
