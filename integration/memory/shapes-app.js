/** An application from the built packages whose users, companies and projects can be asked for in ever new ways. */
import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getDataSourceToken, getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud } from '@nestwright/crud';
import { TypeOrmCrudService } from './adapter.js';
import { RELATIONS, schemasFor, seed, User } from './domain.js';

/** Starts it on a port of its own; `options` are TypeORM's. */
export async function startShapesApp(options) {
  const schemas = schemasFor(options.type === 'postgres' ? 'jsonb' : options.type === 'sqljs' ? 'simple-json' : 'json');
  class UsersController {
    constructor(service) {
      this.service = service;
    }
  }
  Reflect.defineMetadata('design:paramtypes', [TypeOrmCrudService], UsersController);
  Crud({
    model: { type: User },
    query: { join: Object.fromEntries(RELATIONS.map((relation) => [relation, {}])) },
    validation: false,
  })(UsersController);
  Controller('users')(UsersController);

  class AppModule {}
  Module({
    imports: [
      TypeOrmModule.forRoot({ ...options, entities: schemas, synchronize: true }),
      TypeOrmModule.forFeature(schemas),
    ],
    controllers: [UsersController],
    providers: [
      {
        provide: TypeOrmCrudService,
        useFactory: (users) => new TypeOrmCrudService(users),
        inject: [getRepositoryToken(schemas[1])],
      },
    ],
  })(AppModule);

  const app = await NestFactory.create(AppModule, { logger: ['error', 'fatal'] });
  await app.listen(0, '127.0.0.1');
  const dataSource = app.get(getDataSourceToken());
  await seed(dataSource);
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');

  return { app, dataSource, url };
}
