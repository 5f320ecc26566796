/** Serves one resource over PostgreSQL from the built packages, as a user's application would; its address goes to the parent process. */
import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { json } from 'express';
import { EntitySchema } from 'typeorm';

class Reading {}

const schema = new EntitySchema({
  name: 'Reading',
  target: Reading,
  tableName: 'readings',
  columns: {
    id: { type: Number, primary: true, generated: true },
    sensor: { type: 'varchar', length: 40 },
    kind: { type: 'varchar', length: 20 },
    value: { type: 'double precision' },
    note: { type: 'text', nullable: true },
    valid: { type: Boolean, default: true },
    at: { type: 'timestamptz' },
  },
});

class ReadingsController {
  constructor(service) {
    this.service = service;
  }
}
Reflect.defineMetadata('design:paramtypes', [TypeOrmCrudService], ReadingsController);
Crud({
  model: { type: Reading },
  query: { maxLimit: false },
  routes: { createManyBase: { maxBulk: false } },
  validation: false,
})(ReadingsController);
Controller('readings')(ReadingsController);

class AppModule {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: process.argv[2], entities: [schema] }),
    TypeOrmModule.forFeature([schema]),
  ],
  controllers: [ReadingsController],
  providers: [
    {
      provide: TypeOrmCrudService,
      useFactory: (readings) => new TypeOrmCrudService(readings),
      inject: [getRepositoryToken(schema)],
    },
  ],
})(AppModule);

const app = await NestFactory.create(AppModule, { logger: ['error', 'fatal'], bodyParser: false });
app.use(json({ limit: '50mb' }));
await app.listen(0, '127.0.0.1');
process.send({ url: (await app.getUrl()).replace('[::1]', '127.0.0.1') });
process.once('disconnect', () => app.close());
