import 'reflect-metadata';
import { CrudConfigService } from '@dataui/crud';

CrudConfigService.load({
  query: { limit: 10, maxLimit: 20 },
  routes: { deleteOneBase: { returnDeleted: true } },
});

import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ShopModule } from './shop.module';

export async function bootstrap(port: number): Promise<INestApplication> {
  const app = await NestFactory.create(ShopModule, { logger: ['error', 'warn'], abortOnError: false });
  await app.listen(port, '127.0.0.1');

  return app;
}
