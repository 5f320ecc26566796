/** The verbs that write one record, and POST of many. */
import type { CrudRequest } from '../crud-request.js';
import { catalogFor } from '../plan/changed-options.js';
import { planWrite } from '../plan/write.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { CreateManyDto } from '../service/crud.service.js';
import { emptyPlan, planBody, prepareBody, readBodyScope, requireStorableKey, scopeBody } from './bodies.js';
import type { HookedService } from './hooked.service.js';
import { refuseEmpty } from './refusals.js';
import { isShown, requireShown } from './shown.js';
import type { Write, WriteContext, WriteItem, Written } from './store.js';
import { type NewItem, upsertItems } from './upserts.js';
import { makeServiceWrite, makeWriteContext } from './write-context.js';

/** `POST /`. */
export async function insertBody<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  dto: DTO,
): Promise<Written> {
  const { returnShallow, allowGeneratedKey, onConflict } = request.options?.routes?.createOneBase ?? {};
  requireStorableKey(request, catalogFor(service, request));
  const body = prepareBody(service, request, dto);
  const items = [{ body, plan: planBody(service, request, body, 'insert'), path: '' }];
  const answer = returnShallow ? 'shallow' : 'full';

  return (
    await insertItems(service, request, items, { route: 'createOneBase', onConflict, answer, allowGeneratedKey })
  )[0]!;
}

/** `POST /bulk`. */
export async function insertBodies<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  dto: CreateManyDto<DTO>,
): Promise<readonly Written[]> {
  const { allowGeneratedKey } = request.options?.routes?.createOneBase ?? {};
  const { onConflict } = request.options?.routes?.createManyBase ?? {};
  const records: unknown = (dto as CreateManyDto | undefined)?.bulk;

  if (!Array.isArray(records) || records.length === 0) return refuseEmpty(service);

  requireStorableKey(request, catalogFor(service, request));
  const scope = readBodyScope(service, request);
  const items = records.map((record: DTO, index) => {
    const path = `bulk.${index}`;
    const body = prepareBody(service, request, record);

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

async function insertItems<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  items: readonly NewItem[],
  { route, onConflict, ...options }: InsertOptions,
): Promise<readonly Written[]> {
  if (onConflict) return upsertItems(makeServiceWrite(service, request, route), items, { onConflict, ...options });

  const context = makeWriteContext(service, request, route);
  const { written } = await context.store.write({
    verb: 'insert',
    context,
    items: items.map(({ plan, path }) => ({ context, plan, path })),
    ...options,
  });

  return written;
}

/** `PATCH /:id`. */
export function updateByBody<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  dto: DTO,
): Promise<Written> {
  return updateOwn(service, request, dto, { ...request.options?.routes?.updateOneBase, route: 'updateOneBase' });
}

interface OneRouteOptions {
  readonly route: BaseRouteName;
  readonly returnShallow?: boolean | undefined;
  readonly allowParamsOverride?: boolean | undefined;
}

/** PATCH, or PUT with `merge`. */
async function updateOwn<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  dto: DTO,
  { route, returnShallow, allowParamsOverride }: OneRouteOptions,
): Promise<Written> {
  const body = scopeBody(service, dto as object, request, allowParamsOverride);
  const plan = planBody(service, request, body, 'update');
  await requireShown(service, request);

  return writeOne(makeWriteContext(service, request, route), {
    verb: 'update',
    plan,
    answer: returnShallow ? 'shallow' : 'full',
  });
}

/** `PUT /:id`. */
export async function replaceByBody<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
  dto: DTO,
): Promise<Written> {
  const { merge, ...options } = request.options?.routes?.replaceOneBase ?? {};
  if (merge) return updateOwn(service, request, dto, { ...options, route: 'replaceOneBase' });

  const body = scopeBody(service, dto as object, request, options.allowParamsOverride);

  return writeOne(makeWriteContext(service, request, 'replaceOneBase'), {
    verb: 'replace',
    plan: planBody(service, request, body, 'replace'),
    insert: () => planBody(service, request, body, 'insert'),
    replaceable: await isShown(service, request),
    answer: options.returnShallow ? 'shallow' : 'full',
  });
}

/** `DELETE /:id`; the record as it was, if it is answered. */
export async function deleteShown<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
): Promise<Written | undefined> {
  const { query, routes } = request.options ?? {};
  await requireShown(service, request);
  const context = makeWriteContext(service, request, 'deleteOneBase');
  const answer = routes?.deleteOneBase?.returnDeleted ? 'full' : 'none';

  return writeOne(context, { verb: 'remove', plan: emptyPlan(context.catalog), soft: query?.softDelete, answer });
}

/** `PATCH /:id/recover`; the record, if it is answered. */
export async function recoverShown<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  request: CrudRequest,
): Promise<Written | undefined> {
  const { returnRecovered = true } = request.options?.routes?.recoverOneBase ?? {};
  await requireShown(service, request, true);
  const context = makeWriteContext(service, request, 'recoverOneBase');
  const answer = returnRecovered ? 'full' : 'none';

  return writeOne(context, { verb: 'recover', plan: emptyPlan(context.catalog), answer });
}

/** Writes the record that the request acts on; undefined if nothing is answered. */
async function writeOne(
  context: WriteContext,
  { verb, answer, soft, ...item }: Pick<Write, 'verb' | 'answer' | 'soft'> & Omit<WriteItem, 'context' | 'path'>,
): Promise<Written> {
  const { written } = await context.store.write({
    verb,
    answer,
    soft,
    context,
    items: [{ ...item, context, path: '' }],
  });

  return written[0]!;
}
