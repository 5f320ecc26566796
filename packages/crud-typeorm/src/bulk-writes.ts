/**
 * The verbs that write many records by their keys: each item of the body becomes a request of its own, with its key in
 * the path.
 */
import type { CrudRequest, CrudService } from '@nestwright/crud';
import {
  crudError,
  ERRORS,
  itemKeyFields,
  manyOptions,
  readItemKeys,
  requestOfItem,
  type WriteMode,
  type WritePlan,
} from '@nestwright/crud/adapter';
import type { ObjectLiteral } from 'typeorm';
import { type ManyItem, updateRecords } from './persist/many.js';
import { recoverRecords } from './persist/recover.js';
import { removeRecords } from './persist/remove.js';
import { type ReplacedItem, replaceRecords } from './persist/replace.js';
import type { Key } from './statements/values.js';
import type { WriteContext, Written } from './statements/write-context.js';
import type { TypeOrmReadService } from './typeorm-read.service.js';
import { answer, isShown } from './writes-under-hooks.js';

/** A service and one of its requests. */
export interface BulkWrite<T extends ObjectLiteral> {
  readonly service: TypeOrmReadService<T>;
  readonly context: WriteContext;
  readonly plan: (
    item: ObjectLiteral,
    mode: WriteMode,
    at: { readonly path: string; readonly request: CrudRequest; readonly allowParamsOverride?: boolean | undefined },
  ) => WritePlan;
}

/** An item of a body, as it was sent and as a request of its own. */
interface Item extends ManyItem {
  readonly sent: ObjectLiteral;
}

export function makeKeyRequest(request: CrudRequest, key: Key): CrudRequest {
  const conditions = Object.entries(key).map(([field, value]) => ({ field, operator: '$eq', value }));

  return requestOfItem(request, conditions);
}

/** Refuses a request without values to write (400). */
export function refuseEmpty(service: Pick<CrudService<unknown>, 'throwBadRequestException'>): never {
  throw service.throwBadRequestException(ERRORS.CRUD_EMPTY_BODY.message, 'CRUD_EMPTY_BODY');
}

/** `PATCH /bulk`. */
export function updateBulk<T extends ObjectLiteral>(write: BulkWrite<T>, body: unknown): Promise<T[]> {
  return updateItems(write, body, manyOptions(write.context.request.options?.routes, 'updateManyBase'));
}

async function updateItems<T extends ObjectLiteral>(
  write: BulkWrite<T>,
  body: unknown,
  { returnShallow: shallow, allowParamsOverride }: { returnShallow?: boolean; allowParamsOverride?: boolean },
): Promise<T[]> {
  const { service, context } = write;
  const items = readItems(write, body);
  const planned = items.map((item) => ({ ...item, plan: planItem(write, item, 'update', allowParamsOverride) }));
  await requireAllShown(service, items);

  return answerAll(service, items, await updateRecords(context, planned, { shallow }), shallow);
}

/** `PUT /bulk`. */
export async function replaceBulk<T extends ObjectLiteral>(write: BulkWrite<T>, body: unknown): Promise<T[]> {
  const { service, context } = write;
  const options = manyOptions(context.request.options?.routes, 'replaceManyBase');
  if (options.merge) return updateItems(write, body, options);

  const { returnShallow: shallow, allowParamsOverride } = options;
  const items = readItems(write, body);
  const planned = items.map((item) => ({
    ...item,
    plan: planItem(write, item, 'replace', allowParamsOverride),
    insert: () => planItem(write, item, 'insert', allowParamsOverride),
  }));

  const all: ReplacedItem[] = [];
  for (const item of planned) all.push({ ...item, replaceable: await isShown(service, item.context.request) });

  return answerAll(service, items, await replaceRecords(context, all, { shallow }), shallow);
}

/** `DELETE /bulk`. */
export async function deleteBulk<T extends ObjectLiteral>(write: BulkWrite<T>, body: unknown): Promise<void | T[]> {
  const { service, context } = write;
  const { query, routes } = context.request.options ?? {};
  const { returnDeleted } = manyOptions(routes, 'deleteManyBase');
  const items = versioned(write, readItems(write, body));
  await requireAllShown(service, items);

  return (await removeRecords(context, items, {
    soft: query?.softDelete ?? false,
    returnDeleted: returnDeleted ?? false,
  })) as void | T[];
}

/** `PATCH /bulk/recover`. */
export async function recoverBulk<T extends ObjectLiteral>(write: BulkWrite<T>, body: unknown): Promise<void | T[]> {
  const { service, context } = write;
  const { returnRecovered } = manyOptions(context.request.options?.routes, 'recoverManyBase');
  const items = versioned(write, readItems(write, body));
  await requireAllShown(service, items, true);

  const recovered = await recoverRecords(context, items, { returnRecovered: returnRecovered ?? true });

  return recovered && answerAll(service, items, recovered);
}

function readItems<T extends ObjectLiteral>({ service, context }: BulkWrite<T>, body: unknown): Item[] {
  const { request, catalog } = context;
  const bulk = (body as { bulk?: unknown } | undefined)?.bulk;

  if (!Array.isArray(bulk) || bulk.length === 0) return refuseEmpty(service);

  bulk.forEach((item: unknown, index) => requireRecord(item, `bulk.${index}`));

  const sent = bulk as ObjectLiteral[];
  const inPath = (request.parsed.paramsFilter ?? []).map(({ field }) => field);
  const fields = itemKeyFields(request.options?.params, catalog, inPath);
  const keys = readItemKeys(sent, fields, catalog);

  return sent.map((item, index): Item => {
    const path = `bulk.${index}`;
    const notFound = (): never => {
      throw service.throwNotFoundException(`${path} ${catalog.model}`);
    };

    return { sent: item, path, context: { ...context, request: requestOfItem(request, keys[index]!), notFound } };
  });
}

/** Items reduced to their keys and expected versions. */
function versioned<T extends ObjectLiteral>(write: BulkWrite<T>, items: readonly Item[]): Item[] {
  const { version } = write.context.catalog;
  if (!version) return [...items];

  return items.map((item) => {
    const sent = { [version.path]: item.sent[version.path] as unknown };

    return { ...item, expectedVersion: planItem(write, { ...item, sent }, 'update', undefined).expectedVersion };
  });
}

function requireRecord(item: unknown, path: string): void {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw crudError('CRUD_INVALID_BODY', { message: [`${path} must be an object`], field: path });
}

function planItem<T extends ObjectLiteral>(
  { plan }: BulkWrite<T>,
  { sent, path, context: { request } }: Item,
  mode: WriteMode,
  allowParamsOverride: boolean | undefined,
): WritePlan {
  return plan(sent, mode, { path, request, allowParamsOverride });
}

async function requireAllShown<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  items: readonly Item[],
  withDeleted = false,
): Promise<void> {
  for (const { context } of items) if (!(await isShown(service, context.request, withDeleted))) context.notFound();
}

async function answerAll<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  items: readonly Item[],
  written: readonly Written[],
  shallow = false,
): Promise<T[]> {
  const answers: T[] = [];

  for (const [index, one] of written.entries())
    answers.push(await answer(service, items[index]!.context.request, one, shallow));

  return answers;
}
