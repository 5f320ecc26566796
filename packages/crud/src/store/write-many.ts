/**
 * The verbs that write many records by their keys: each item of the body becomes a request of its own, with its key in
 * the path.
 */
import { manyOptions } from '../definition/route-behaviour.js';
import { crudError } from '../errors.js';
import { itemKeyFields, readItemKeys, requestOfItem } from '../plan/item-keys.js';
import type { WriteMode, WritePlan } from '../plan/write-plan.js';
import { emptyPlan, planBody, scopeBody } from './bodies.js';
import type { HookedService } from './hooked.service.js';
import { refuseEmpty } from './refusals.js';
import { answerWritten, isShown } from './shown.js';
import type { Write, WriteItem } from './store.js';
import type { ServiceWrite } from './write-context.js';

/** An item of a body, as it was sent and as a request of its own. */
interface SentItem extends Pick<WriteItem, 'context' | 'path'> {
  readonly sent: Record<string, unknown>;
}

type Item = SentItem & WriteItem;

/** `PATCH /bulk`. */
export function updateBulk<T, DTO, Manager>(bulk: ServiceWrite<T, DTO, Manager>, body: unknown): Promise<T[]> {
  return updateItems(bulk, body, manyOptions(bulk.context.request.options?.routes, 'updateManyBase'));
}

async function updateItems<T, DTO, Manager>(
  bulk: ServiceWrite<T, DTO, Manager>,
  body: unknown,
  { returnShallow, allowParamsOverride }: { returnShallow?: boolean; allowParamsOverride?: boolean },
): Promise<T[]> {
  const { service, context } = bulk;
  const items = readItems(bulk, body, (item) => planItem(bulk, item, 'update', allowParamsOverride));
  await requireAllShown(service, items);

  return answerAll(service, { verb: 'update', context, items, answer: returnShallow ? 'shallow' : 'full' });
}

/** `PUT /bulk`. */
export async function replaceBulk<T, DTO, Manager>(bulk: ServiceWrite<T, DTO, Manager>, body: unknown): Promise<T[]> {
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
export async function deleteBulk<T, DTO, Manager>(
  bulk: ServiceWrite<T, DTO, Manager>,
  body: unknown,
): Promise<void | T[]> {
  const { service, context } = bulk;
  const { query, routes } = context.request.options ?? {};
  const { returnDeleted } = manyOptions(routes, 'deleteManyBase');
  const items = readItems(bulk, body, (item) => planVersion(bulk, item));
  await requireAllShown(service, items);

  const answer = returnDeleted ? 'full' : 'none';
  const { written } = await context.store.write({ verb: 'remove', context, items, soft: query?.softDelete, answer });

  return returnDeleted ? written.map(({ record }) => record as T) : undefined;
}

/** `PATCH /bulk/recover`. */
export async function recoverBulk<T, DTO, Manager>(
  bulk: ServiceWrite<T, DTO, Manager>,
  body: unknown,
): Promise<void | T[]> {
  const { service, context } = bulk;
  const { returnRecovered = true } = manyOptions(context.request.options?.routes, 'recoverManyBase');
  const items = readItems(bulk, body, (item) => planVersion(bulk, item));
  await requireAllShown(service, items, true);

  const answer = returnRecovered ? 'full' : 'none';
  const recovered = await answerAll(service, { verb: 'recover', context, items, answer });

  return returnRecovered ? recovered : undefined;
}

/** The items of a body, each with a plan and as a request of its own. */
function readItems<T, DTO, Manager>(
  { service, context }: ServiceWrite<T, DTO, Manager>,
  body: unknown,
  plan: (item: SentItem) => WritePlan,
): Item[] {
  const { request, catalog } = context;
  const bulk = (body as { bulk?: unknown } | undefined)?.bulk;

  if (!Array.isArray(bulk) || bulk.length === 0) return refuseEmpty(service);

  bulk.forEach((item: unknown, index) => requireRecord(item, `bulk.${index}`));

  const sent = bulk as Record<string, unknown>[];
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
function planVersion<T, DTO, Manager>(bulk: ServiceWrite<T, DTO, Manager>, item: SentItem): WritePlan {
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

function planItem<T, DTO, Manager>(
  { service }: ServiceWrite<T, DTO, Manager>,
  { sent, path, context: { request } }: SentItem,
  mode: WriteMode,
  allowParamsOverride: boolean | undefined,
): WritePlan {
  return planBody(service, request, scopeBody(service, sent, request, allowParamsOverride), mode, path);
}

async function requireAllShown<T, DTO, Manager>(
  service: HookedService<T, DTO, Manager>,
  items: readonly WriteItem[],
  withDeleted = false,
): Promise<void> {
  for (const { context } of items) if (!(await isShown(service, context.request, withDeleted))) context.notFound();
}

/** Writes the items, and answers with the records. */
async function answerAll<T, DTO, Manager>(service: HookedService<T, DTO, Manager>, bulk: Write): Promise<T[]> {
  const { written } = await bulk.context.store.write(bulk);
  const answers: T[] = [];

  for (const [index, one] of written.entries())
    answers.push(await answerWritten(service, bulk.items[index]!.context.request, one, bulk.answer === 'shallow'));

  return answers;
}
