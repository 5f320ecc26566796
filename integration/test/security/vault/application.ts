/** The vault: two tenants' folders and notes, scoped by path, by text, by enum, by a column and by a relation. */
import { type CanActivate, type ExecutionContext, type INestApplication, Injectable, UseGuards } from '@nestjs/common';
import { IsString } from 'class-validator';
import { DataSource } from 'typeorm';
import { type HttpPlatform, type TestDatabase } from '../../../test-support/index.js';
import { looseResource, resource, serve } from '../../../../packages/crud-typeorm/test/support/resources.js';
import { ENTITIES, Folder, Kind, Label, Note, Tenant } from './entities.js';

/** Stands in for authentication: the header `x-tenant` is believed. */
@Injectable()
class TenantGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    request.user = { tenant: request.headers['x-tenant'] };

    return true;
  }
}

interface Visitor {
  readonly tenant: string;
}

const HIDDEN = { exclude: ['token', 'meta'] };

const OF_MANY = {
  countBase: true,
  updateManyBase: true,
  replaceManyBase: true,
  deleteManyBase: true,
  recoverManyBase: true,
} as const;

class LabelDto {
  @IsString() code!: string;
  @IsString() text!: string;
}

/** Scoped by a column, which writes must keep to by themselves. */
const myFolders = resource(Folder, 'my/folders', {
  validation: false,
  query: { cursor: true, etag: true, join: { notes: { alias: 'papers', ...HIDDEN }, tenant: {} } },
  routes: { ...OF_MANY, replaceOneBase: { merge: true } },
  auth: { property: 'user', filter: ({ tenant }: Visitor) => ({ tenantCode: tenant }) },
});
/** Scoped by a column of a relation, whose values the body decides. */
const myNotes = looseResource(Note, 'my/notes', {
  validation: false,
  query: {
    ...HIDDEN,
    cursor: true,
    etag: true,
    softDelete: true,
    join: { folder: {}, 'folder.tenant': {}, labels: {} },
  },
  routes: { ...OF_MANY, deleteOneBase: { returnDeleted: true }, createOneBase: { returnShallow: true } },
  auth: { property: 'user', filter: ({ tenant }: Visitor) => ({ 'folder.tenantCode': tenant }) },
});
for (const { controller } of [myFolders, myNotes]) UseGuards(TenantGuard)(controller);

const RESOURCES = [
  myFolders,
  myNotes,
  // Scoped by a path parameter that is any text.
  resource(Folder, 'tenants/:tenant/folders', {
    validation: false,
    params: { tenant: { field: 'tenantCode', type: 'string' }, id: { field: 'id', type: 'number', primary: true } },
    query: { cursor: true, etag: true, join: { tenant: {}, notes: HIDDEN, 'notes.labels': {} } },
    routes: OF_MANY,
  }),
  // Scoped by a path parameter that is one of an enumeration; unknown names in `fields` and `join` are left out.
  looseResource(Note, 'kinds/:kind/notes', {
    validation: false,
    params: { kind: { field: 'kind', enum: Kind }, id: { field: 'id', type: 'number', primary: true } },
    query: { ...HIDDEN, cursor: true, unknown: 'ignore' },
    routes: OF_MANY,
  }),
  // Addressed by a text, and strict: its bodies may say nothing but what they should.
  resource(Label, 'labels', {
    dto: { create: LabelDto, update: LabelDto },
    validation: { whitelist: true, forbidNonWhitelisted: true },
    params: { code: { field: 'code', type: 'string', primary: true } },
    routes: OF_MANY,
  }),
];

/** Three folders of two notes: the first two are the tenant north's, the third is south's. */
async function fill(dataSource: DataSource): Promise<void> {
  const { manager } = dataSource;
  const tenant = (code: string, name: string) => ({ code, name, apiKey: `key-of-${code}` });
  await manager.insert(Tenant, [tenant('north', 'North'), tenant('south', 'South')]);
  const labels: Label[] = [
    { code: 'red', text: 'Red' },
    { code: 'blue', text: null },
  ];
  await manager.insert(Label, labels);
  for (const [index, tenantCode] of ['north', 'north', 'south'].entries()) {
    const { id } = await manager.save(Folder, { tenantCode, title: `folder ${index + 1}` });
    for (const kind of Object.values(Kind)) {
      const hidden = `hidden-${kind}-${id}`;
      const secrets = { secret: hidden, token: hidden, pin: hidden, meta: { level: hidden } };
      await manager.insert(Note, { folderId: id, kind, title: `${kind} of ${id}`, ...secrets });
    }
  }
}

/** @example const { app, url } = await openVault(database, 'express'); */
export async function openVault(
  database: TestDatabase,
  platform: HttpPlatform,
): Promise<{ app: INestApplication; url: string }> {
  const { app, url, source } = await serve(database, ENTITIES, RESOURCES, { platform });
  await fill(source);

  return { app, url };
}
