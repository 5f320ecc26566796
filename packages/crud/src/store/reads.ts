/** The reading verbs: lists, pages by number or by cursor, single records; as records or as JSON text. */
import type { CrudRequest } from '../crud-request.js';
import type { Catalog } from '../plan/catalog.js';
import { catalogFor } from '../plan/changed-options.js';
import { type Cursor, type CursorPlan, invalidCursor, planFrom } from '../plan/cursor.js';
import type { ReadPlan } from '../plan/read-plan.js';
import { type AnsweredPage, cursorLinks, numberedLinks } from '../response/page-links.js';
import { reportOutcome } from '../response/request-state.js';
import { type CrudResult, jsonList, JsonText, NeedsRecords, type ResultText } from '../response/result.js';
import type { CrudService, GetManyCursorResponse, GetManyDefaultResponse } from '../service/crud.service.js';
import {
  hasCursor,
  makeReadOptions,
  type Paging,
  planByCursor,
  planMany,
  planOne,
  withoutReturnedJoins,
} from './pages.js';
import { requireSole } from './refusals.js';
import { type Rows, STORE, type Store, type Written } from './store.js';

/** What the reading verbs need of a service. */
export type ReadingService<T> = Paging &
  Pick<CrudService<T>, 'createPageInfo' | 'throwNotFoundException'> & { readonly [STORE]: Store };

/** Reads the list that a request asks for, with a total if the answer is enveloped. */
export async function readMany<T>(
  service: ReadingService<T>,
  request: CrudRequest,
): Promise<CrudResult<GetManyDefaultResponse<T> | T[]>> {
  // The verb's type is older than cursors.
  if (hasCursor(request)) return readByCursor(service, request) as Promise<CrudResult> as Promise<CrudResult<T[]>>;

  const { [STORE]: store } = service;
  const { plan, most, isPage } = planMany(service, request);
  const options = makeReadOptions(request);

  if (!isPage) {
    const rows = await store.read<T>(plan, { ...options, most });
    if (rows.cut) reportOutcome(request, { truncated: true });

    return {
      records: () => rows.records(),
      text: (model) => printRows(rows, plan, model, jsonList),
    };
  }

  const { rows, total } = await store.readPage<T>(plan, options);
  reportLinks(request, { limit: plan.limit, total });
  const envelope = (records: T[]) => service.createPageInfo(records, total, plan.limit ?? 0, plan.offset ?? 0);

  return {
    records: async () => envelope(await rows.records()),
    text: (model) =>
      printRows(rows, plan, model, (texts) => {
        // `createPageInfo` only uses the number of records.
        const { data: _, ...rest } = envelope(texts as unknown as T[]);

        return jsonList(texts, '{"data":[', `],${JSON.stringify(rest).slice(1)}`);
      }),
  };
}

/** Notes the links to the other numbered pages of a list, if `query.links` is on. */
export function reportLinks(request: CrudRequest, { limit, total }: Omit<AnsweredPage, 'page'>): void {
  const { page = 1, offset } = request.parsed;
  if (!request.options?.query?.links || (offset !== undefined && request.parsed.page === undefined)) return;

  reportOutcome(request, { links: numberedLinks({ page, limit, total }) });
}

/** Reads the page that a cursor names, with a total if it is asked for. */
async function readByCursor<T>(
  service: ReadingService<T>,
  request: CrudRequest,
): Promise<CrudResult<GetManyCursorResponse<T>>> {
  const { [STORE]: store } = service;
  const page = planByCursor(service, request);
  // Values of conditions are checked before, so the database only refuses those of a forged cursor.
  const use = { ...makeReadOptions(request), most: page.most, refusedValue: invalidCursor };
  const rows = await store.read<T>(page.plan, use);
  const isBackwards = page.cursor?.direction === 'previous';
  const isFollowed = isBackwards ? await store.holdsAny(planFollowing(page), use) : rows.cut;
  const total = request.parsed.total === 1 ? await store.count(page.plan, use) : undefined;
  const around = {
    count: rows.length,
    ...(total !== undefined && { total }),
    ...cursorsAround(page, rows, isFollowed),
  };
  if (request.options.query?.links) reportOutcome(request, { links: cursorLinks(around) });
  const inOrder = <R>(list: R[]): R[] => (isBackwards ? list.reverse() : list);

  return {
    records: async () => ({ data: inOrder(await rows.records()), ...around }),
    text: (model) =>
      printRows(rows, page.plan, model, (texts) =>
        jsonList(inOrder(texts), '{"data":[', `],${JSON.stringify(around).slice(1)}`),
      ),
  };
}

/** The plan that checks whether anything follows a page that was read backwards. */
function planFollowing({ plan, cursor }: CursorPlan): ReadPlan {
  const { direction: _, including, values } = cursor!;
  const { slice: __, ...list } = withoutReturnedJoins(plan);
  const sort = plan.sort.map(({ column, order }) => ({ column, order: order === 'ASC' ? 'DESC' : 'ASC' }) as const);

  return { ...planFrom({ ...list, sort }, { direction: 'next', including: !including, values }), limit: 1 };
}

/** The cursors of a page: an empty one has its own position, in the other direction. */
function cursorsAround(
  { cursor, print }: CursorPlan,
  { edges, cut }: Pick<Rows<unknown>, 'edges' | 'cut'>,
  isFollowed: boolean,
): Pick<GetManyCursorResponse<unknown>, 'next' | 'previous'> {
  const isBackwards = cursor?.direction === 'previous';
  const isPreceded = isBackwards ? cut : cursor !== undefined;
  const [first, last] = isBackwards ? [edges?.last, edges?.first] : [edges?.first, edges?.last];
  const makeCursor = (direction: Cursor['direction'], values: Cursor['values'] | undefined) =>
    values
      ? print({ direction, including: false, values })
      : cursor && print({ direction, including: !cursor.including, values: cursor.values });

  return {
    next: (isFollowed && makeCursor('next', last)) || null,
    previous: (isPreceded && makeCursor('previous', first)) || null,
  };
}

/** How a record is read. */
interface ReadOneOptions {
  /** Whether joined relations are left out. Default: `false`. */
  readonly shallow?: boolean;
  /** Whether a soft-deleted record is found. Default: as the request says. */
  readonly withDeleted?: boolean;
  /** Whether the tag of the record is noted for the answer, if the resource has tags. Default: `false`. */
  readonly tagged?: boolean;
}

/** Reads the one record that a request's condition describes. */
export async function readOne<T>(
  service: ReadingService<T>,
  request: CrudRequest,
  { shallow = false, withDeleted = false, tagged = false }: ReadOneOptions = {},
): Promise<CrudResult<T>> {
  const { [STORE]: store } = service;
  const catalog = catalogFor(service, request);
  const whole = planOne(request, catalog, withDeleted);
  const plan = shallow ? withoutReturnedJoins(whole) : whole;
  const use = makeReadOptions(request);
  const rows =
    tagged && hasTag(request)
      ? await store.readTagged<T>(plan, { catalog, request }, use)
      : await store.read<T>(plan, use);

  requireSole(service, rows);

  return {
    records: async () => (await rows.records())[0]!,
    text: (model) => printRows(rows, plan, model, ([text]) => new JsonText(text!)),
  };
}

/** Whether the answer of a request has an entity tag. */
export function hasTag({ options }: CrudRequest): boolean {
  return options?.query?.etag === true;
}

function printRows(
  rows: Pick<Rows<unknown>, 'texts'>,
  { root }: ReadPlan,
  model: unknown,
  print: (texts: string[]) => ResultText,
): ResultText | Promise<ResultText> {
  const texts = findClassObstacle(model, root.catalog) ?? rows.texts();
  if (texts instanceof NeedsRecords) return texts;

  return texts instanceof Promise ? texts.then(print) : print(texts);
}

/** Records are instances of the entity's class; for another class, class-transformer must convert them. */
function findClassObstacle(model: unknown, { target }: Catalog): NeedsRecords | undefined {
  return model === target ? undefined : new NeedsRecords('a response class that is not the entity');
}

export function writtenOne(stored: Written, catalog: Catalog): CrudResult {
  return {
    records: () => stored.record,
    text: (model) => {
      const text = findClassObstacle(model, catalog) ?? readStoredJson(stored);

      return text instanceof NeedsRecords ? text : new JsonText(text);
    },
  };
}

export function writtenMany(stored: readonly Written[], catalog: Catalog): CrudResult {
  return {
    records: () => stored.map(({ record }) => record),
    text: (model) => {
      const reason = findClassObstacle(model, catalog);
      if (reason) return reason;

      const texts: string[] = [];

      for (const one of stored) {
        const text = readStoredJson(one);
        if (text instanceof NeedsRecords) return text;
        texts.push(text);
      }

      return jsonList(texts);
    },
  };
}

function readStoredJson({ json }: Written): string | NeedsRecords {
  return json ?? new NeedsRecords('a write that could not be one statement');
}
