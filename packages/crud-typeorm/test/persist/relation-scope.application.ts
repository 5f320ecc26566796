/** An application of two tenants over the tasks, folders and bookings of `relation-scope.entities.ts`. */
import { Exclude, Expose } from 'class-transformer';
import type { AuthOptions } from '@nestwright/crud';
import type { TestDatabase } from '../../../../integration/test-support/index.js';
import { Booking, countFrom, Folder, SCOPED_ENTITIES, Task } from './relation-scope.entities.js';
import { Statements } from '../support/statements.js';
import { looseResource, serve } from '../support/resources.js';

interface TenantRequest {
  readonly headers: Readonly<Record<string, string>>;
}

const ofTenant = ({ headers }: TenantRequest) => ({ tenant: headers['x-tenant'] });

/** Filter and `persist` on the tenant. */
const TENANT: AuthOptions = { filter: ofTenant, persist: ofTenant };

@Exclude()
class TextOnly {
  @Expose() id!: number;
  @Expose() text!: string;
}

const joins = (...names: string[]) => ({ join: Object.fromEntries(names.map((name) => [name, {}])) });
const ofEach = (...names: string[]) => Object.fromEntries(names.map((name) => [name, ofTenant]));
const hiding: AuthOptions = { ...TENANT, relations: ofEach('assignee') };

const RESOURCES = [
  looseResource(Task, 'tasks', {
    auth: {
      ...TENANT,
      relations: { ...ofEach('assignee', 'reviewer', 'watchers', 'brief', 'detail', 'steps'), auditor: false },
    },
    query: joins('parent', 'subtasks', 'related', 'assignee', 'reviewer', 'watchers', 'brief', 'detail', 'steps'),
  }),
  looseResource(Folder, 'folders', { auth: TENANT, query: joins('parent', 'children') }),
  looseResource(Booking, 'bookings', {
    auth: { ...TENANT, relations: ofEach('seat', 'spares') },
    query: joins('seat', 'spares'),
  }),
  looseResource(Task, 'open-tasks', { auth: {} }),
  looseResource(Task, 'excluding-tasks', { auth: hiding, query: { exclude: ['assigneeId'] } }),
  looseResource(Task, 'short-tasks', { auth: hiding, serialize: { get: TextOnly, update: TextOnly } }),
  looseResource(Task, 'parents/:parentId/tasks', {
    auth: TENANT,
    params: { parentId: { field: 'parentId', type: 'number' }, id: { field: 'id', type: 'number', primary: true } },
  }),
];

/** Starts the application; requests come from the tenant `acme`. */
export async function startTenants(db: TestDatabase) {
  const statements = new Statements();
  const { app, source, send } = await serve(db, SCOPED_ENTITIES, RESOURCES, {
    source: { logging: true, logger: statements, poolSize: 10 },
  });
  await countFrom(source, 100_000);

  return {
    source,
    statements,
    send: (...[method, path, body]: Parameters<typeof send>) => send(method, path, body, { 'x-tenant': 'acme' }),
    close: () => app.close(),
  };
}

export type Tenants = Awaited<ReturnType<typeof startTenants>>;
