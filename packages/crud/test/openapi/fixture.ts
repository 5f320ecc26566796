/** A small domain for the OpenAPI tests: entities with their catalogs by hand, and controllers whose handlers do nothing. */
import 'reflect-metadata';
import { Controller, type INestApplication, Injectable, type ModuleMetadata, type Type } from '@nestjs/common';
import * as nest from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiProperty, DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { SwaggerDocumentOptions } from '@nestjs/swagger';
import { Exclude } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, IsString } from 'class-validator';
import type { CrudOptions } from '../../src/definition/options.js';
import { keyParams, type ResourceDefinition } from '../../src/definition/resource-definition.js';
import { watchDocuments } from '../../src/openapi/documents.js';
import { describeHandler, type Handler } from '../../src/openapi/handlers.js';
import type { Catalog, CatalogColumn, CatalogRelation } from '../../src/plan/catalog.js';
import { type BaseRouteName, ROUTES, routeNames } from '../../src/routes/route-table.js';
import { catalog as catalogOf, column as columnOf, relation } from '../plan/catalogs.js';
import { MemoryService } from '../support/memory.service.js';
import { validate } from './reading.js';

const CREATE = { groups: ['CRUD-CREATE'] };

export class Company {
  @ApiProperty({ type: 'integer' }) id!: number;
  @ApiProperty() name!: string;
  secret!: string;
}

export class User {
  @ApiProperty({ type: 'integer' }) id!: number;
  @ApiProperty({ format: 'email' }) @IsEmail({}, CREATE) email!: string;
  @ApiProperty() @IsString(CREATE) password!: string;
  @ApiProperty() @Exclude() token!: string;
  @ApiProperty({ type: 'integer', nullable: true }) @IsOptional(CREATE) @IsInt(CREATE) age!: number | null;
  @ApiProperty({ type: 'integer' }) companyId!: number;
  @ApiProperty({ type: () => Company }) company!: Company;
  @ApiProperty() createdAt!: Date;
  /** No decorator: stored, not documented. */
  settings!: object;
}

export const column = (path: string, { kind = 'text', ...more }: Partial<CatalogColumn> = {}): CatalogColumn =>
  columnOf(path, kind, more);

export function catalog(target: Type<unknown>, columns: CatalogColumn[], relations: CatalogRelation[] = []): Catalog {
  return { ...catalogOf(target.name, columns, relations), target };
}

/** A key that the database counts. */
export const KEY = { kind: 'integer', primary: true, autoIncrement: true, generated: true, hasDefault: true } as const;
export const id = column('id', KEY);
export const companyCatalog: Catalog = catalog(Company, [id, column('name'), column('secret')]);
export const userCatalog = catalog(
  User,
  [
    id,
    column('email'),
    column('password'),
    column('token', { nullable: true }),
    column('age', { kind: 'integer', nullable: true }),
    column('companyId', { kind: 'integer' }),
    column('settings', { kind: 'json', nullable: true }),
    column('createdAt', { kind: 'datetime', source: 'createDate', hasDefault: true }),
  ],
  [
    relation('company', 'many-to-one', () => companyCatalog, {
      references: () => [{ column: column('companyId'), references: id }],
    }),
  ],
);

watchDocuments();

/** Optional ones left out: a resource has them where it names them. */
export const ALL_ROUTES = routeNames().filter((name) => !ROUTES[name].optional);

export interface ResourceOptions extends Partial<CrudOptions> {
  readonly only?: readonly BaseRouteName[];
  readonly path?: string;
  readonly name?: string;
  readonly catalogOf?: () => Catalog | undefined;
  readonly language?: ResourceDefinition['language'];
  /** Decorates the handlers before they are described. */
  readonly before?: (prototype: Record<string, Handler>) => void;
}

/** A controller with a do-nothing handler for each route, described by the options. */
export function resource(options: ResourceOptions = {}) {
  const { only = ALL_ROUTES, path = 'users', name = 'UsersController', catalogOf = () => userCatalog } = options;
  const { params = { id: { field: 'id', type: 'number', primary: true } }, query = {}, operators = {} } = options;
  const { dto = {}, serialize = {}, language = {}, openapi, model = { type: User } } = options;
  const controller = class {} as Type<unknown>;
  const prototype = controller.prototype as Record<string, Handler>;
  Object.defineProperty(controller, 'name', { value: name });
  const key = keyParams(params as never)
    .map((param) => `/:${param.name}`)
    .join('');
  const routes = only.filter((route) => route !== 'recoverOneBase' || options.query?.softDelete);
  for (const route of routes) {
    const { method, single, suffix } = ROUTES[route];
    const handler = { [route]: () => undefined }[route] as () => undefined;
    prototype[route] = handler;
    nest.RequestMapping({ path: `${single ? key : ''}${suffix}` || '/', method })(prototype, route, { value: handler });
  }
  Controller(path)(controller);
  options.before?.(prototype);
  const type = model.type as Type<unknown>;
  const named = { controller: name, model: type, modelName: type.name, routes: new Set(routes) };
  const shown = { dto, serialize, language, openapi, validation: {} };
  const whole = { query, routes: options.routes ?? {}, params, operators };
  const definition = { ...named, ...shown, options: whole } as unknown as ResourceDefinition;
  for (const route of routes) describeHandler(controller, route, { definition, route, findCatalog: catalogOf });
  return { controller, definition };
}

interface Application extends Pick<ModuleMetadata, 'imports'> {
  readonly version?: string;
  readonly options?: SwaggerDocumentOptions;
  readonly prepare?: (app: INestApplication) => void;
}

/** Boots an application with the controllers, closes it again, and gives its document, which is valid by an independent validator. */
export async function documentOf(
  controllers: readonly (Type<unknown> | { readonly controller: Type<unknown> })[],
  { version = '3.0.0', options, prepare, imports = [] }: Application = {},
): Promise<OpenAPIObject> {
  const module = class {};
  const listed = controllers.map((each) => ('controller' in each ? each.controller : each));
  nest.Module({ controllers: listed, providers: [UsersService], imports })(module);
  const app: INestApplication = await NestFactory.create(module, { logger: false, abortOnError: false });
  try {
    prepare?.(app);
    const config = new DocumentBuilder().setTitle('Test').addBearerAuth().setOpenAPIVersion(version).build();
    const document = JSON.parse(JSON.stringify(SwaggerModule.createDocument(app, config, options))) as OpenAPIObject;
    await validate(document);
    return document;
  } finally {
    await app.close();
  }
}

/** Its catalog is that of users; a document calls none of its verbs. */
@Injectable()
export class UsersService extends MemoryService<User> {
  constructor() {
    super([], userCatalog);
  }
}
