/** Serves the users, and tells its port to the process that started it. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { AppModule } from './app.module.js';

async function serve(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] });
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, new DocumentBuilder().build()), {
    ui: false,
  });

  await app.listen(0);
  const { port } = app.getHttpServer().address() as { port: number };
  process.send?.({ port });
}

void serve();
