/** An application of two tenants over the tasks, folders and bookings of `relation-scope.entities.ts`. */
import { Exclude, Expose } from 'class-transformer';
import { type Type } from '@nestjs/common';
import { type AuthOptions, type CrudOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { type ObjectLiteral } from 'typeorm';
import { type HttpPlatform, type TestDatabase } from '../../../../integration/test-support/index.js';
import { Booking, countFrom, Folder, SCOPED_ENTITIES, Task } from './relation-scope.entities.js';
import { Statements } from '../support/statements.js';
import { looseResource, serve } from '../support/resources.js';

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

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** Starts the application; requests come from the tenant `acme` unless they say otherwise. */
export async function startTenants(db: TestDatabase, platform: HttpPlatform = 'express') {
  const statements = new Statements();
  const resources = RESOURCES.map(({ path, entity, auth, options }) =>
    looseResource(entity, path, { ...options, auth }),
  );
  const { app, source, send } = await serve(db, SCOPED_ENTITIES, resources, {
    platform,
    source: { logging: true, logger: statements, poolSize: 10 },
  });
  await countFrom(source, 100_000);

  return {
    source,
    statements,
    services: new Map(
      RESOURCES.map(({ path }, index) => [
        path,
        app.get<TypeOrmCrudService<ObjectLiteral>>(resources[index]!.provider),
      ]),
    ),
    send: (method: Method, path: string, body?: object, tenant = 'acme') =>
      send(method, path, body, { 'x-tenant': tenant }),
    close: () => app.close(),
  };
}

export type Tenants = Awaited<ReturnType<typeof startTenants>>;
