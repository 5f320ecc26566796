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
import { write } from './persist/write.js';
import { emptyPlan } from './statements/changes.js';
import type { Key } from './statements/values.js';
import type { Write, WriteContext, WriteItem } from './statements/write-context.js';
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
interface SentItem extends Pick<WriteItem, 'context' | 'path'> {
  readonly sent: ObjectLiteral;
}

type Item = SentItem & WriteItem;

export function makeKeyRequest(request: CrudRequest, key: Key): CrudRequest {
  const conditions = Object.entries(key).map(([field, value]) => ({ field, operator: '$eq', value }));

  return requestOfItem(request, conditions);
}

/** Refuses a request without values to write (400). */
export function refuseEmpty(service: Pick<CrudService<unknown>, 'throwBadRequestException'>): never {
  throw service.throwBadRequestException(ERRORS.CRUD_EMPTY_BODY.message, 'CRUD_EMPTY_BODY');
}

/** `PATCH /bulk`. */
export function updateBulk<T extends ObjectLiteral>(bulk: BulkWrite<T>, body: unknown): Promise<T[]> {
  return updateItems(bulk, body, manyOptions(bulk.context.request.options?.routes, 'updateManyBase'));
}

async function updateItems<T extends ObjectLiteral>(
  bulk: BulkWrite<T>,
  body: unknown,
  { returnShallow, allowParamsOverride }: { returnShallow?: boolean; allowParamsOverride?: boolean },
): Promise<T[]> {
  const { service, context } = bulk;
  const items = readItems(bulk, body, (item) => planItem(bulk, item, 'update', allowParamsOverride));
  await requireAllShown(service, items);

  return answerAll(service, { verb: 'update', context, items, answer: returnShallow ? 'shallow' : 'full' });
}

/** `PUT /bulk`. */
export async function replaceBulk<T extends ObjectLiteral>(bulk: BulkWrite<T>, body: unknown): Promise<T[]> {
  const { service, context } = bulk;
  const { returnShallow, allowParamsOverride, merge } = manyOptions(context.request.options?.routes, 'replaceManyBase');
  if (merge) return updateItems(bulk, body, { returnShallow, allowParamsOverride });

  const items: WriteItem[] = [];
  for (const item of readItems(bulk, body, (item) => planItem(bulk, item, 'replace', allowParamsOverride))) {
    items.push({
      ...item,
      insert: () => planItem(bulk, item, 'insert', allowParamsOverride),
      replaceable: await isShown(service, item.context.request),
    });
  }

  return answerAll(service, { verb: 'replace', context, items, answer: returnShallow ? 'shallow' : 'full' });
}

/** `DELETE /bulk`. */
export async function deleteBulk<T extends ObjectLiteral>(bulk: BulkWrite<T>, body: unknown): Promise<void | T[]> {
  const { service, context } = bulk;
  const { query, routes } = context.request.options ?? {};
  const { returnDeleted } = manyOptions(routes, 'deleteManyBase');
  const items = readItems(bulk, body, (item) => planVersion(bulk, item));
  await requireAllShown(service, items);

  const answer = returnDeleted ? 'full' : 'none';
  const { written } = await write({ verb: 'remove', context, items, soft: query?.softDelete, answer });

  return returnDeleted ? written.map(({ record }) => record as T) : undefined;
}

/** `PATCH /bulk/recover`. */
export async function recoverBulk<T extends ObjectLiteral>(bulk: BulkWrite<T>, body: unknown): Promise<void | T[]> {
  const { service, context } = bulk;
  const { returnRecovered = true } = manyOptions(context.request.options?.routes, 'recoverManyBase');
  const items = readItems(bulk, body, (item) => planVersion(bulk, item));
  await requireAllShown(service, items, true);

  const answer = returnRecovered ? 'full' : 'none';
  const recovered = await answerAll(service, { verb: 'recover', context, items, answer });

  return returnRecovered ? recovered : undefined;
}

/** The items of a body, each with a plan and as a request of its own. */
function readItems<T extends ObjectLiteral>(
  { service, context }: BulkWrite<T>,
  body: unknown,
  plan: (item: SentItem) => WritePlan,
): Item[] {
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

    const own = { sent: item, path, context: { ...context, request: requestOfItem(request, keys[index]!), notFound } };

    return { ...own, plan: plan(own) };
  });
}

/** A plan that stores nothing, with the version that an item expects. */
function planVersion<T extends ObjectLiteral>(bulk: BulkWrite<T>, item: SentItem): WritePlan {
  const { catalog } = bulk.context;
  const { version } = catalog;
  if (!version) return emptyPlan(catalog);

  const sent = { [version.path]: item.sent[version.path] as unknown };

  return {
    ...emptyPlan(catalog),
    expectedVersion: planItem(bulk, { ...item, sent }, 'update', undefined).expectedVersion,
  };
}

function requireRecord(item: unknown, path: string): void {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw crudError('CRUD_INVALID_BODY', { message: [`${path} must be an object`], field: path });
}

function planItem<T extends ObjectLiteral>(
  { plan }: BulkWrite<T>,
  { sent, path, context: { request } }: SentItem,
  mode: WriteMode,
  allowParamsOverride: boolean | undefined,
): WritePlan {
  return plan(sent, mode, { path, request, allowParamsOverride });
}

async function requireAllShown<T extends ObjectLiteral>(
  service: TypeOrmReadService<T>,
  items: readonly WriteItem[],
  withDeleted = false,
): Promise<void> {
  for (const { context } of items) if (!(await isShown(service, context.request, withDeleted))) context.notFound();
}

/** Writes the items, and answers with the records. */
async function answerAll<T extends ObjectLiteral>(service: TypeOrmReadService<T>, bulk: Write): Promise<T[]> {
  const { written } = await write(bulk);
  const answers: T[] = [];

  for (const [index, one] of written.entries())
    answers.push(await answer(service, bulk.items[index]!.context.request, one, bulk.answer === 'shallow'));

  return answers;
}
