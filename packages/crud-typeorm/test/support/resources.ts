/** Small resources of entities, served from a database of the run. */
import {
  Controller,
  Inject,
  Injectable,
  type INestApplication,
  type NestApplicationOptions,
  type Type,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Crud, type CrudOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { type HttpPlatform, listen, type TestDatabase } from '../../../../integration/test-support/index.js';

export interface Resource {
  readonly controller: Type<unknown>;
  readonly provider: Type<unknown>;
}

/** Makes a controller of an entity, and its service; `source` names its data source. */
export function resource<T extends ObjectLiteral>(
  type: Type<T>,
  path: string,
  options: Omit<CrudOptions<T>, 'model'> = {},
  source?: string,
): Resource {
  @Injectable()
  class Service extends TypeOrmCrudService<T> {
    constructor(@InjectRepository(type, source) repository: Repository<T>) {
      super(repository);
    }
  }

  @Crud({ model: { type }, ...options } as CrudOptions<T>)
  @Controller(path)
  class ResourceController {
    constructor(@Inject(Service) readonly service: Service) {}
  }

  return { controller: ResourceController, provider: Service };
}

type Entities = readonly EntityTarget<ObjectLiteral>[];

/** Connects to a database, in which it makes the tables of entities. */
export const connect = (
  { connection }: Pick<TestDatabase, 'connection'>,
  entities: Entities,
  options: object = {},
): Promise<DataSource> =>
  new DataSource({ ...connection, entities, synchronize: true, ...options } as DataSourceOptions).initialize();

export interface Application {
  readonly app: INestApplication;
  readonly url: string;
  readonly source: DataSource;
}

export interface ServeOptions {
  readonly platform?: HttpPlatform;
  /** Options of Nest's application. */
  readonly nest?: NestApplicationOptions;
  /** Further options of the data source. */
  readonly source?: object;
}

/** Serves resources from a database, in which it makes their tables. */
export async function serve(
  { connection }: Pick<TestDatabase, 'connection'>,
  entities: Entities,
  resources: readonly Resource[],
  { platform = 'express', nest, source }: ServeOptions = {},
): Promise<Application> {
  const module = await Test.createTestingModule({
    imports: [
      TypeOrmModule.forRoot({ ...connection, entities, synchronize: true, ...source } as DataSourceOptions),
      TypeOrmModule.forFeature([...entities] as Parameters<typeof TypeOrmModule.forFeature>[0]),
    ],
    controllers: resources.map(({ controller }) => controller),
    providers: resources.map(({ provider }) => provider),
  }).compile();

  return { ...(await listen(module, platform, nest)), source: module.get<DataSource>(getDataSourceToken()) };
}
