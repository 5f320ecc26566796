/** A service over HTTP, for trials of what docs/operations.md says. */
import type { INestApplication, ModuleMetadata, NestApplicationOptions, Type } from '@nestjs/common';
import { Controller } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { getRepositoryToken, TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import { Crud } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { Column, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm';

@Entity('items')
export class Item {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 50 }) name!: string;
}

@Crud({ model: { type: Item }, validation: false, query: { maxLimit: 100 } })
@Controller('items')
class ItemsController {
  constructor(readonly service: TypeOrmCrudService<Item>) {}
}

@Crud({ model: { type: Item }, query: { cache: 60_000 }, routes: { only: ['getManyBase'] } })
@Controller('cached')
export class CachedController {
  constructor(readonly service: TypeOrmCrudService<Item>) {}
}

@Crud({ model: { type: Item }, query: { export: { formats: ['ndjson'] } }, routes: { only: ['getManyBase'] } })
@Controller('exports')
export class ExportsController {
  constructor(readonly service: TypeOrmCrudService<Item>) {}
}

@Crud({ model: { type: Item }, validation: false, query: { etag: true } })
@Controller('tagged')
export class TaggedController {
  constructor(readonly service: TypeOrmCrudService<Item>) {}
}

/** A service under way. */
export interface RunningService {
  readonly app: INestApplication;
  readonly url: string;
}

interface ServiceOptions extends NestApplicationOptions {
  readonly controllers?: readonly Type<unknown>[];
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

/** Starts a service. */
export async function startService(
  connection: object,
  adapter: AbstractHttpAdapter,
  { controllers = [], imports = [], ...options }: ServiceOptions = {},
): Promise<RunningService> {
  const module = await Test.createTestingModule({
    imports: [
      TypeOrmModule.forRootAsync({
        useFactory: () =>
          ({ synchronize: true, ...connection, entities: [Item], retryAttempts: 1 }) as TypeOrmModuleOptions,
      }),
      TypeOrmModule.forFeature([Item]),
      ...imports,
    ],
    controllers: [ItemsController, ...controllers],
    providers: [
      {
        provide: TypeOrmCrudService,
        useFactory: (items: Repository<Item>) => new TypeOrmCrudService(items),
        inject: [getRepositoryToken(Item)],
      },
    ],
  }).compile();
  const app = module.createNestApplication(adapter, { logger: false, ...options });
  await app.listen(0, '127.0.0.1');

  return { app, url: (await app.getUrl()).replace('[::1]', '127.0.0.1') };
}
