/** In: where pipes are bound. Out: an application on a free port, whose bodies `/model` and `/dto` validate by the entity and by a class of their own. */
import 'reflect-metadata';
import {
  Controller,
  type INestApplication,
  Module,
  type PipeTransform,
  type Provider,
  type Type,
  UsePipes,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { Item, ItemDto, ItemsService, Row, RowsService } from './items.js';

export interface Bound {
  readonly global?: PipeTransform[];
  readonly controller?: (PipeTransform | Type<PipeTransform>)[];
  readonly route?: (PipeTransform | Type<PipeTransform>)[];
  readonly providers?: Provider[];
}

export async function serve({
  global = [],
  controller = [],
  route = [],
  providers = [],
}: Bound): Promise<INestApplication> {
  const write = { decorators: [UsePipes(...route)] };
  const common: Pick<CrudOptions, 'routes'> = {
    routes: { createOneBase: write, createManyBase: write, updateOneBase: write, replaceOneBase: write },
  };

  @UsePipes(...controller)
  @Crud({ model: { type: Item }, ...common })
  @Controller('model')
  class ItemsController {
    constructor(public service: ItemsService) {}
  }

  @UsePipes(...controller)
  @Crud({ model: { type: Row }, dto: { create: ItemDto, update: ItemDto, replace: ItemDto }, ...common })
  @Controller('dto')
  class RowsController {
    constructor(public service: RowsService) {}
  }

  @Module({
    imports: [
      TypeOrmModule.forRoot({ type: 'sqljs', entities: [Item, Row], synchronize: true, retryAttempts: 0 }),
      TypeOrmModule.forFeature([Item, Row]),
    ],
    controllers: [ItemsController, RowsController],
    providers: [ItemsService, RowsService, ...providers],
  })
  class AppModule {}

  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  app.useGlobalPipes(...global);
  await app.listen(0, '127.0.0.1');

  return app;
}
