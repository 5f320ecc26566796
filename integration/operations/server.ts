/** A service in a process of its own, which is closed as docs/operations.md says. It tells its parent its address. */
import 'reflect-metadata';
import { ConsoleLogger, type INestApplication, type Type } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { CrudModule } from '@nestwright/crud';
import { documented } from './documented.js';
import { startService, TaggedController } from './service.js';

/** What the parent says. */
export interface ServerOptions {
  readonly platform: 'express' | 'fastify';
  readonly connection: object;
  readonly etagSecret?: string;
}

const { platform, connection, etagSecret } = JSON.parse(process.argv[2]!) as ServerOptions;
const { ReadyController } = documented<{ ReadyController: Type<unknown> }>('class ReadyController');
const { closeGracefully } = documented<{ closeGracefully(app: INestApplication): void }>('function closeGracefully');
const { adapter } = documented<{ adapter: AbstractHttpAdapter }>('return503OnClosing');
const { app, url } = await startService(connection, platform === 'fastify' ? adapter : new ExpressAdapter(), {
  logger: new ConsoleLogger({ logLevels: ['warn'] }),
  imports: etagSecret === undefined ? [] : [CrudModule.forRoot({ etagSecret })],
  controllers: [TaggedController, ReadyController],
});

closeGracefully(app);
process.send!(url);
// The channel to the parent would keep it.
process.disconnect();
