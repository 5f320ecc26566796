/** Small resources of entities, served from a database of the run. */
import { Controller, Inject, Injectable } from '@nestjs/common';
import { type INestApplication, type NestApplicationOptions, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { type AuthOptions, Crud, CrudAuth, type CrudOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import request from 'supertest';
import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import { Api } from '../../../crud/test/support/application.js';
import { type HttpPlatform, listen, type TestDatabase } from '../../../../integration/test-support/index.js';

export type Resource = { readonly controller: Type<unknown>; readonly provider: Type<unknown> };

export interface ResourceOptions<T> extends Omit<CrudOptions<T>, 'model'> {
  readonly auth?: AuthOptions;
  /** The class of its service. */
  readonly service?: new (repository: Repository<any>) => TypeOrmCrudService<any>; // Of any entity.
}

/** Makes a controller of an entity, and its service. */
export function resource<T extends ObjectLiteral>(
  type: Type<T>,
  path: string,
  { auth, service: Base = TypeOrmCrudService<T>, ...options }: ResourceOptions<T> = {},
): Resource {
  @Injectable()
  class Service extends Base {
    constructor(@InjectRepository(type) repository: Repository<T>) {
      super(repository);
    }
  }

  @Crud({ model: { type }, ...options } as CrudOptions<T>)
  @Controller(path)
  class ResourceController {
    constructor(@Inject(Service) readonly service: Service) {}
  }
  if (auth) CrudAuth(auth)(ResourceController);
  return { controller: ResourceController, provider: Service };
}

/** For options that are put together, whose names of fields the compiler cannot follow. */
export const looseResource: (type: Type<object>, path: string, options?: ResourceOptions<any>) => Resource = resource; // As said.

type Database = Pick<TestDatabase, 'connection'>;
type Entities = readonly EntityTarget<ObjectLiteral>[];

/** Connects to a database, in which it makes the tables of entities. */
export const connect = ({ connection }: Database, entities: Entities, options: object = {}): Promise<DataSource> =>
  new DataSource({ ...connection, entities, synchronize: true, ...options } as DataSourceOptions).initialize();

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

export interface Answer {
  readonly status: number;
  // Whatever the routes answer.
  readonly body: any;
}

export interface Application {
  readonly api: Api;
  readonly send: (method: Method, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;
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
  /** What is done to Nest's application before it listens. */
  readonly prepare?: ((app: INestApplication) => void) | undefined;
}

/** Serves resources from a database, in which it makes their tables. */
export async function serve(
  { connection }: Database,
  entities: Entities,
  resources: readonly (Omit<Resource, 'provider'> & Partial<Resource>)[],
  { platform = 'express', nest, source, prepare }: ServeOptions = {},
): Promise<Application> {
  const module = await Test.createTestingModule({
    imports: [
      TypeOrmModule.forRoot({ ...connection, entities, synchronize: true, ...source } as DataSourceOptions),
      TypeOrmModule.forFeature([...entities] as Parameters<typeof TypeOrmModule.forFeature>[0]),
    ],
    controllers: resources.map(({ controller }) => controller),
    providers: resources.flatMap(({ provider }) => provider ?? []),
  }).compile();
  const { app, url } = await listen(module, platform, nest, prepare);
  return {
    api: new Api(app),
    app,
    url,
    source: module.get<DataSource>(getDataSourceToken()),
    send: async (method, path, body, headers = {}) => {
      const { status, body: answer } = await request(url)[method](path).set(headers).send(body);
      return { status, body: answer };
    },
  };
}
