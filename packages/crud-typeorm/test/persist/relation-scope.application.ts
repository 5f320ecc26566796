/** An application of two tenants over the tasks, folders and bookings of `relation-scope.entities.ts`. */
import { Exclude, Expose } from 'class-transformer';
import { Controller, Inject, Injectable, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type AuthOptions, Crud, CrudAuth, type CrudOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { DataSource, type ObjectLiteral } from 'typeorm';
import request from 'supertest';
import { type HttpPlatform, listen, type TestDatabase } from '../../../../integration/test-support/index.js';
import { Booking, countFrom, Folder, SCOPED_ENTITIES, Task } from './relation-scope.entities.js';
import { Statements } from './statements.js';
import { connect } from '../support/resources.js';

interface TenantRequest {
  readonly headers: Readonly<Record<string, string>>;
}

const ofTenant = ({ headers }: TenantRequest) => ({ tenant: headers['x-tenant'] });

/** Filter and `persist` on the tenant. */
export const TENANT: AuthOptions = { filter: ofTenant, persist: ofTenant };

const joins = Object.fromEntries(
  ['parent', 'subtasks', 'related', 'assignee', 'reviewer', 'watchers', 'brief', 'detail', 'steps'].map((name) => [
    name,
    {},
  ]),
);

@Exclude()
class TextOnly {
  @Expose() id!: number;
  @Expose() text!: string;
}

const RESOURCES: readonly {
  readonly path: string;
  readonly entity: Type<ObjectLiteral>;
  readonly auth: AuthOptions;
  readonly options?: Omit<CrudOptions, 'model'>;
}[] = [
  {
    path: 'tasks',
    entity: Task,
    auth: {
      ...TENANT,
      relations: {
        assignee: ofTenant,
        reviewer: ofTenant,
        watchers: ofTenant,
        brief: ofTenant,
        detail: ofTenant,
        steps: ofTenant,
        auditor: false,
      },
    },
    options: { query: { join: joins } },
  },
  { path: 'folders', entity: Folder, auth: TENANT, options: { query: { join: { parent: {}, children: {} } } } },
  {
    path: 'bookings',
    entity: Booking,
    auth: { ...TENANT, relations: { seat: ofTenant, spares: ofTenant } },
    options: { query: { join: { seat: {}, spares: {} } } },
  },
  { path: 'open-tasks', entity: Task, auth: {} },
  {
    path: 'excluding-tasks',
    entity: Task,
    auth: { ...TENANT, relations: { assignee: ofTenant } },
    options: { query: { exclude: ['assigneeId'] } },
  },
  {
    path: 'short-tasks',
    entity: Task,
    auth: { ...TENANT, relations: { assignee: ofTenant } },
    options: { serialize: { get: TextOnly, update: TextOnly } },
  },
  {
    path: 'parents/:parentId/tasks',
    entity: Task,
    auth: TENANT,
    options: {
      params: { parentId: { field: 'parentId', type: 'number' }, id: { field: 'id', type: 'number', primary: true } },
    },
  },
];

function resourceOf({ path, entity, auth, options }: (typeof RESOURCES)[number], source: DataSource) {
  @Injectable()
  class Service extends TypeOrmCrudService<ObjectLiteral> {
    constructor() {
      super(source.getRepository(entity));
    }
  }

  @Crud({ model: { type: entity }, ...options })
  @CrudAuth(auth)
  @Controller(path)
  class ResourceController {
    constructor(@Inject(Service) readonly service: Service) {}
  }

  return { controller: ResourceController, provider: Service };
}

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** Starts the application; requests come from the tenant `acme` unless they say otherwise. */
export async function startTenants(db: TestDatabase, platform: HttpPlatform = 'express') {
  const statements = new Statements();
  const source = await connect(db, SCOPED_ENTITIES, { logging: true, logger: statements, poolSize: 10 });

  await countFrom(source, 100_000);

  const resources = RESOURCES.map((resource) => resourceOf(resource, source));
  const module = await Test.createTestingModule({
    controllers: resources.map(({ controller }) => controller),
    providers: resources.map(({ provider }) => provider),
  }).compile();
  const { app, url } = await listen(module, platform);

  return {
    source,
    statements,
    services: new Map(
      RESOURCES.map(({ path }, index) => [
        path,
        app.get<TypeOrmCrudService<ObjectLiteral>>(resources[index]!.provider),
      ]),
    ),
    send: async (method: Method, path: string, body?: object, tenant = 'acme') => {
      const { status, body: answer } = await request(url)[method](path).set('x-tenant', tenant).send(body);

      return { status, body: answer as Record<string, unknown> };
    },
    close: async () => {
      await app.close();
      await source.destroy();
    },
  };
}

export type Tenants = Awaited<ReturnType<typeof startTenants>>;
