/**
 * Serves a list of readings whole, on PostgreSQL or MariaDB: by the library on Express or Fastify, or by hand with pg-query-stream on Express. Its address goes to the parent process,
 * and whenever that asks, the most memory that it has held since it was last asked.
 */
import 'reflect-metadata';
import { pipeline } from 'node:stream/promises';
import { Transform } from 'node:stream';
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { stringify } from 'csv-stringify';
import pg from 'pg';
import QueryStream from 'pg-query-stream';
import { EntitySchema } from 'typeorm';

const { database, platform } = JSON.parse(process.argv[2]);
const isPostgres = database.type === 'postgres';

class Reading {}

const schema = new EntitySchema({
  name: 'Reading',
  target: Reading,
  tableName: 'readings',
  columns: {
    id: { type: Number, primary: true, generated: true },
    sensor: { type: 'varchar', length: 40 },
    kind: { type: 'varchar', length: 20 },
    value: { type: isPostgres ? 'double precision' : 'double' },
    note: { type: 'text', nullable: true },
    valid: { type: Boolean, default: true },
    at: { type: isPostgres ? 'timestamptz' : 'datetime' },
  },
});

class ReadingsController {
  constructor(service) {
    this.service = service;
  }
}
Reflect.defineMetadata('design:paramtypes', [TypeOrmCrudService], ReadingsController);
Crud({ model: { type: Reading }, query: { export: { formats: ['ndjson', 'csv'] } }, validation: false })(
  ReadingsController,
);
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

const NAMES = ['id', 'sensor', 'kind', 'value', 'note', 'valid', 'at'];
const WRITERS = {
  ndjson: () =>
    new Transform({
      writableObjectMode: true,
      transform: (row, _, done) => done(null, `${JSON.stringify(row)}\n`),
    }),
  csv: () =>
    stringify({
      header: true,
      columns: NAMES,
      record_delimiter: 'windows',
      quoted_match: /^$/,
      cast: { boolean: String, date: (date) => date.toISOString() },
    }),
};

/** What one would write by hand. */
async function exportByHand(pool, format, response) {
  const client = await pool.connect();
  try {
    const limit = response.req.query.limit;
    const rows = client.query(
      new QueryStream(
        `SELECT ${NAMES.join(', ')} FROM readings ORDER BY id${limit ? ' LIMIT $1' : ''}`,
        limit ? [limit] : [],
        {
          batchSize: 1000,
        },
      ),
    );
    response.setHeader('content-type', format === 'csv' ? 'text/csv' : 'application/x-ndjson');
    await pipeline(rows, WRITERS[format](), response);
    client.release();
  } catch (error) {
    client.release(error);
  }
}

const adapter = platform === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: ['error', 'fatal'] });
if (platform === 'express' && isPostgres) {
  const pool = new pg.Pool({ connectionString: database.url });
  adapter.getInstance().get('/by-hand', (request, response) => exportByHand(pool, request.query.format, response));
}
await app.listen(0, '127.0.0.1');

/** Memory that the process has now, in MB, as the operating system counts it. */
const held = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
let most = held();
setInterval(() => (most = Math.max(most, held())), 20).unref();
process.on('message', () => {
  process.send({ most: Math.max(most, held()), now: held() });
  most = held();
});
process.once('disconnect', () => process.exit());
process.send({ url: (await app.getUrl()).replace('[::1]', '127.0.0.1') });
