import type { BaseRouteName, CreateManyDto, CrudRequest } from '@nestwright/crud';
import { type BodyScope, catalogFor, planWrite, type WriteMode, type WritePlan } from '@nestwright/crud/adapter';
import type { DeepPartial, ObjectLiteral } from 'typeorm';
import { type BulkWrite, refuseEmpty } from './bulk-writes.js';
import { findHooks } from './change-hooks.js';
import { insertRecord, insertRecords } from './persist/insert.js';
import { makeBodyScope, scopedBody } from './persist/scoped-body.js';
import { updateRecord } from './persist/update.js';
import { refuseUnknown } from './results.js';
import { requireStorableKey } from './scope/persisted-key.js';
import type { WriteContext, Written } from './statements/write-context.js';
import { TypeOrmHooksService } from './typeorm-hooks.service.js';
import { upsertMany, upsertOne } from './upsert-writes.js';
import { requireShown } from './writes-under-hooks.js';

type Service<T extends ObjectLiteral> = TypeOrmHooksService<T>;

/** A copy of a body with path values and `persist` in it. */
export function scopeBody<T extends ObjectLiteral, B extends object>(
  service: Service<T>,
  body: B,
  request: CrudRequest,
  allowParamsOverride?: boolean,
): B {
  return scopedBody(body, readBodyScope(service, request, allowParamsOverride), catalogFor(service, request));
}

function readBodyScope<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  allowParamsOverride?: boolean,
): BodyScope {
  const { parsed } = request;

  return makeBodyScope(parsed, service['getParamFilters'](parsed), catalogFor(service, request), allowParamsOverride);
}

export function planBody<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  body: object,
  mode: WriteMode,
  path?: string,
): WritePlan {
  return planWrite(catalogFor(service, request), body, mode, { path, scope: readBodyScope(service, request) });
}

function bodyToInsert<T extends ObjectLiteral>(service: Service<T>, request: CrudRequest, dto: DeepPartial<T>): object {
  const entity = service['prepareEntityBeforeSave'](dto, request.parsed) ?? refuseEmpty(service);
  const own = service['prepareEntityBeforeSave'] !== TypeOrmHooksService.prototype['prepareEntityBeforeSave'];

  return own ? scopeBody(service, entity, request) : entity;
}

/** `POST /`. */
export async function insertBody<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  dto: DeepPartial<T>,
): Promise<Written> {
  const { returnShallow: shallow, allowGeneratedKey, onConflict } = request.options?.routes?.createOneBase ?? {};
  requireStorableKey({ request, catalog: catalogFor(service, request) });
  const body = bodyToInsert(service, request, dto);
  const plan = planBody(service, request, body, 'insert');
  if (onConflict) {
    const item = { body, insert: plan, path: '' };

    return upsertOne(bulkWrite(service, request, 'createOneBase'), item, { onConflict, shallow, allowGeneratedKey });
  }

  return insertRecord(writeContext(service, request, 'createOneBase'), plan, { shallow, allowGeneratedKey });
}

/** `POST /bulk`. */
export async function insertBodies<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  dto: CreateManyDto<DeepPartial<T>>,
): Promise<Written[]> {
  const { allowGeneratedKey } = request.options?.routes?.createOneBase ?? {};
  const { onConflict } = request.options?.routes?.createManyBase ?? {};
  const records: unknown = (dto as CreateManyDto | undefined)?.bulk;

  if (!Array.isArray(records) || records.length === 0) return refuseEmpty(service);

  requireStorableKey({ request, catalog: catalogFor(service, request) });
  const scope = readBodyScope(service, request);
  const items = records.map((record: DeepPartial<T>, index) => {
    const path = `bulk.${index}`;
    const body = bodyToInsert(service, request, record);

    return { body, path, insert: planWrite(catalogFor(service, request), body, 'insert', { path, scope }) };
  });
  if (onConflict)
    return upsertMany(bulkWrite(service, request, 'createManyBase'), items, { onConflict, allowGeneratedKey });

  const plans = items.map(({ insert }) => insert);

  return insertRecords(writeContext(service, request, 'createManyBase'), plans, { allowGeneratedKey });
}

/** `PATCH /:id`. */
export async function updateByBody<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  dto: DeepPartial<T>,
): Promise<Written> {
  const { returnShallow, allowParamsOverride } = request.options?.routes?.updateOneBase ?? {};
  const body = scopeBody(service, dto, request, allowParamsOverride);

  return updatePlanned(service, request, planBody(service, request, body, 'update'), {
    shallow: returnShallow,
    route: 'updateOneBase',
  });
}

/** PATCH, or PUT with `merge`. */
export async function updatePlanned<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  plan: WritePlan,
  { shallow, route }: { readonly shallow: boolean | undefined; readonly route: BaseRouteName },
): Promise<Written> {
  await requireShown(service, request);

  return updateRecord(writeContext(service, request, route), plan, { shallow });
}

/** What the verbs of many records need of the service. */
export function bulkWrite<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  route: BaseRouteName,
): BulkWrite<T> {
  return {
    service,
    context: writeContext(service, request, route),
    plan: (item, mode, { path, request: own, allowParamsOverride }) =>
      planBody(service, own, scopeBody(service, item, own, allowParamsOverride), mode, path),
  };
}

/** What one write is given, with the hooks of the service if it has any. */
export function writeContext<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  route: BaseRouteName,
): WriteContext {
  const { manager } = service['repo'];
  const hooks = findHooks(service, TypeOrmHooksService.prototype, () => ({
    request,
    route,
    manager: manager.connection.manager,
    scope: readBodyScope(service, request),
  }));

  return {
    manager,
    ...(hooks && { hooks }),
    catalog: catalogFor(service, request),
    request,
    notFound: () => refuseUnknown(service),
  };
}
