import type { BaseRouteName, CreateManyDto, CrudRequest } from '@nestwright/crud';
import { type BodyScope, catalogFor, planWrite, type WriteMode, type WritePlan } from '@nestwright/crud/adapter';
import type { DeepPartial, ObjectLiteral } from 'typeorm';
import { type BulkWrite, refuseEmpty } from './bulk-writes.js';
import { findHooks } from './change-hooks.js';
import { makeBodyScope, scopedBody } from './persist/scoped-body.js';
import { write } from './persist/write.js';
import { refuseUnknown } from './results.js';
import { requireStorableKey } from './scope/persisted-key.js';
import { emptyPlan } from './statements/changes.js';
import type { Write, WriteContext, WriteItem, Written } from './statements/write-context.js';
import { TypeOrmHooksService } from './typeorm-hooks.service.js';
import { type NewItem, upsertItems } from './upsert-writes.js';
import { isShown, requireShown } from './writes-under-hooks.js';

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
  const scope = readBodyScope(service, request);
  const plan = planWrite(catalogFor(service, request), body, mode, { path, scope });

  return mode === 'insert' ? plan : withoutPath(plan, request);
}

/** The record has the path's values already, or it would not be found, so they are not written again. */
function withoutPath(plan: WritePlan, { parsed }: CrudRequest): WritePlan {
  const path = new Map((parsed.paramsFilter ?? []).map(({ field, value }) => [field, value as unknown]));
  const values = plan.values.filter(({ column, value }) => !path.has(column.path) || path.get(column.path) !== value);

  return values.length === plan.values.length ? plan : { ...plan, values };
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
  const { returnShallow, allowGeneratedKey, onConflict } = request.options?.routes?.createOneBase ?? {};
  requireStorableKey({ request, catalog: catalogFor(service, request) });
  const body = bodyToInsert(service, request, dto);
  const items = [{ body, plan: planBody(service, request, body, 'insert'), path: '' }];
  const answer = returnShallow ? 'shallow' : 'full';

  return (
    await insertItems(service, request, items, { route: 'createOneBase', onConflict, answer, allowGeneratedKey })
  )[0]!;
}

/** `POST /bulk`. */
export async function insertBodies<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  dto: CreateManyDto<DeepPartial<T>>,
): Promise<readonly Written[]> {
  const { allowGeneratedKey } = request.options?.routes?.createOneBase ?? {};
  const { onConflict } = request.options?.routes?.createManyBase ?? {};
  const records: unknown = (dto as CreateManyDto | undefined)?.bulk;

  if (!Array.isArray(records) || records.length === 0) return refuseEmpty(service);

  requireStorableKey({ request, catalog: catalogFor(service, request) });
  const scope = readBodyScope(service, request);
  const items = records.map((record: DeepPartial<T>, index) => {
    const path = `bulk.${index}`;
    const body = bodyToInsert(service, request, record);

    return { body, path, plan: planWrite(catalogFor(service, request), body, 'insert', { path, scope }) };
  });

  return insertItems(service, request, items, {
    route: 'createManyBase',
    onConflict,
    answer: 'shallow',
    allowGeneratedKey,
  });
}

interface InsertOptions extends Pick<Write, 'answer' | 'allowGeneratedKey'> {
  readonly route: BaseRouteName;
  /** The columns of a unique constraint: a record that has the new one's values is updated. Default: it is a 409. */
  readonly onConflict: readonly string[] | undefined;
}

async function insertItems<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  items: readonly NewItem[],
  { route, onConflict, ...options }: InsertOptions,
): Promise<readonly Written[]> {
  if (onConflict) return upsertItems(bulkWrite(service, request, route), items, { onConflict, ...options });

  const context = writeContext(service, request, route);
  const { written } = await write({
    verb: 'insert',
    context,
    items: items.map(({ plan, path }) => ({ context, plan, path })),
    ...options,
  });

  return written;
}

/** `PATCH /:id`. */
export function updateByBody<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  dto: DeepPartial<T>,
): Promise<Written> {
  return updateOwn(service, request, dto, { ...request.options?.routes?.updateOneBase, route: 'updateOneBase' });
}

interface OneRouteOptions {
  readonly route: BaseRouteName;
  readonly returnShallow?: boolean | undefined;
  readonly allowParamsOverride?: boolean | undefined;
}

/** PATCH, or PUT with `merge`. */
async function updateOwn<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  dto: DeepPartial<T>,
  { route, returnShallow, allowParamsOverride }: OneRouteOptions,
): Promise<Written> {
  const body = scopeBody(service, dto, request, allowParamsOverride);
  const plan = planBody(service, request, body, 'update');
  await requireShown(service, request);

  return writeOne(writeContext(service, request, route), {
    verb: 'update',
    plan,
    answer: returnShallow ? 'shallow' : 'full',
  });
}

/** `PUT /:id`. */
export async function replaceByBody<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
  dto: DeepPartial<T>,
): Promise<Written> {
  const { merge, ...options } = request.options?.routes?.replaceOneBase ?? {};
  if (merge) return updateOwn(service, request, dto, { ...options, route: 'replaceOneBase' });

  const body = scopeBody(service, dto, request, options.allowParamsOverride);

  return writeOne(writeContext(service, request, 'replaceOneBase'), {
    verb: 'replace',
    plan: planBody(service, request, body, 'replace'),
    insert: () => planBody(service, request, body, 'insert'),
    replaceable: await isShown(service, request),
    answer: options.returnShallow ? 'shallow' : 'full',
  });
}

/** `DELETE /:id`; the record as it was, if it is answered. */
export async function deleteShown<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
): Promise<Written | undefined> {
  const { query, routes } = request.options ?? {};
  await requireShown(service, request);
  const context = writeContext(service, request, 'deleteOneBase');
  const answer = routes?.deleteOneBase?.returnDeleted ? 'full' : 'none';

  return writeOne(context, { verb: 'remove', plan: emptyPlan(context.catalog), soft: query?.softDelete, answer });
}

/** `PATCH /:id/recover`; the record, if it is answered. */
export async function recoverShown<T extends ObjectLiteral>(
  service: Service<T>,
  request: CrudRequest,
): Promise<Written | undefined> {
  const { returnRecovered = true } = request.options?.routes?.recoverOneBase ?? {};
  await requireShown(service, request, true);
  const context = writeContext(service, request, 'recoverOneBase');
  const answer = returnRecovered ? 'full' : 'none';

  return writeOne(context, { verb: 'recover', plan: emptyPlan(context.catalog), answer });
}

/** Writes the record that the request acts on; undefined if nothing is answered. */
async function writeOne(
  context: WriteContext,
  { verb, answer, soft, ...item }: Pick<Write, 'verb' | 'answer' | 'soft'> & Omit<WriteItem, 'context' | 'path'>,
): Promise<Written> {
  const { written } = await write({ verb, answer, soft, context, items: [{ ...item, context, path: '' }] });

  return written[0]!;
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
