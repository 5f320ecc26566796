/** Serves books from a database in memory, by the ORM that `ORM` names, on the platform that `HTTP` names. */
import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

const { ORM, HTTP, PORT } = process.env;

async function serve(): Promise<void> {
  const { BooksModule } = (await import(`./${ORM}.js`)) as { BooksModule: Type<object> };
  const adapter = HTTP === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(BooksModule, adapter, { logger: ['warn', 'error'] });
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, new DocumentBuilder().build()), {
    ui: false,
  });
  await app.listen(Number(PORT), '127.0.0.1');
}

void serve();
