/** An application from the built packages that serves readings, as a user's application would. */
import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { EntitySchema } from 'typeorm';

class Reading {}

const schemaFor = (type) =>
  new EntitySchema({
    name: 'Reading',
    target: Reading,
    tableName: 'readings',
    columns: {
      id: { type: Number, primary: true, generated: true },
      sensor: { type: 'varchar', length: 40 },
      kind: { type: 'varchar', length: 20 },
      value: { type: type === 'postgres' ? 'double precision' : 'double' },
      note: { type: 'text', nullable: true },
      valid: { type: Boolean, default: true },
      at: { type: type === 'postgres' ? 'timestamptz' : 'datetime' },
    },
  });

/**
 * Creates the application, which does not listen yet.
 *
 * @param database Options of TypeORM's data source, without entities.
 * @param crud Options of `@Crud()` besides the model.
 * @param nest Options of `NestFactory.create`.
 */
export async function createReadingsApp({ database, platform = 'express', crud = {}, nest = {} }) {
  const schema = schemaFor(database.type);
  class ReadingsController {
    constructor(service) {
      this.service = service;
    }
  }
  Reflect.defineMetadata('design:paramtypes', [TypeOrmCrudService], ReadingsController);
  Crud({ model: { type: Reading }, validation: false, ...crud })(ReadingsController);
  Controller('readings')(ReadingsController);

  class AppModule {}
  Module({
    imports: [TypeOrmModule.forRoot({ ...database, entities: [schema] }), TypeOrmModule.forFeature([schema])],
    controllers: [ReadingsController],
    providers: [
      {
        provide: TypeOrmCrudService,
        useFactory: (readings) => new TypeOrmCrudService(readings),
        inject: [getRepositoryToken(schema)],
      },
    ],
  })(AppModule);
  const adapter = platform === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();

  return NestFactory.create(AppModule, adapter, { logger: ['error', 'fatal'], ...nest });
}

/** Listens on a free port, and sends the address to the parent process. */
export async function listen(app) {
  await app.listen(0, '127.0.0.1');
  process.send({ url: (await app.getUrl()).replace('[::1]', '127.0.0.1') });
}
