/** Serves one resource over PostgreSQL or MariaDB on Express or Fastify; its address goes to the parent process, and, whenever that asks, for how long its event loop has been held up and how many statements have been read to their end. */
import 'reflect-metadata';
import { subscribe } from 'node:diagnostics_channel';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud } from '@nestwright/crud';
import { configureCrudDatabase, TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { DataSource, EntitySchema } from 'typeorm';

const { database, platform, fastPaths } = JSON.parse(process.argv[2]);

class Reading {}

const schema = new EntitySchema({
  name: 'Reading',
  target: Reading,
  tableName: 'readings',
  columns: {
    id: { type: Number, primary: true, generated: true },
    sensor: { type: 'varchar', length: 40 },
    kind: { type: 'varchar', length: 20 },
    value: { type: database.type === 'postgres' ? 'double precision' : 'double' },
    note: { type: 'text', nullable: true },
    valid: { type: Boolean, default: true },
    at: { type: database.type === 'postgres' ? 'timestamptz' : 'datetime' },
  },
});

class ReadingsController {
  constructor(service) {
    this.service = service;
  }
}
Reflect.defineMetadata('design:paramtypes', [TypeOrmCrudService], ReadingsController);
Crud({ model: { type: Reading }, query: { maxLimit: false }, validation: false })(ReadingsController);
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

const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: ['error', 'fatal'] });
configureCrudDatabase(app.get(DataSource), { fastPaths });
await app.listen(0, '127.0.0.1');

const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
let statements = 0;
subscribe('nestwright:query', ({ failed }) => (statements += failed ? 0 : 1));
process.on('message', () => {
  process.send({ delay: delays.max / 1e6, statements });
  delays.reset();
  statements = 0;
});
process.once('disconnect', () => app.close());
process.send({ url: (await app.getUrl()).replace('[::1]', '127.0.0.1') });
